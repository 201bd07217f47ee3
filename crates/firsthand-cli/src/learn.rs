//! `firsthand learn`: learns from labelled documents how much each gram counts, and writes the model.

mod words;

use crate::args::{LearnArgs, SettingArgs};
use crate::eval::exit_code;
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{labels, settings};
use anyhow::Result;
use firsthand::learn::LearningPlan;
use firsthand_jobs::learn::{learn, read_queries};
use firsthand_jobs::results::file;
use firsthand_jobs::{model_file, reading};
use firsthand_pages::model::summary;
use std::time::Instant;

pub(crate) fn run(args: &LearnArgs, session: &Session) -> Result<ExitCode> {
    let started = Instant::now();
    let overrides = settings::layers(&SettingArgs::of(&args.reading))?.overrides;
    let settings = firsthand_jobs::learn::settings(&args.profile, overrides)?;
    let inputs = args.labels.inputs.iter().chain(&args.labels.pairs).chain(&args.queries);
    reading::check(inputs)?;
    file::check(&args.output, &args.labels.inputs, args.force || args.dry_run)?;
    let titles = args.queries.as_deref().map(read_queries).transpose();
    let plan = LearningPlan {
        settings,
        words: args.words,
        measure: args.measure,
        orders: args.orders,
        seed: args.seed,
        folds: args.folds,
        titles: titles?,
        ..LearningPlan::new(&args.profile)?
    };
    let mut terminal = Terminal::new(&args.run, session);
    let layout = labels::layout(&args.labels.inputs, args.labels.pairs.as_deref(), session)?;
    let learning = learn(&layout, &plan, Some(&args.output), &terminal);
    let learning = learning?;
    terminal.end_progress();

    let (console, model) = (&terminal.console, &learning.model);
    for line in summary(model.written()) {
        console.say(&line);
    }
    for warning in words::warnings(model.written()) {
        console.say(&format!("Careful: {warning}"));
    }
    let bytes = match args.dry_run {
        true => None,
        false => {
            let written = model_file::write(&args.output, model, &session.temp_files);
            Some(written?)
        }
    };
    for line in words::end(args, model, bytes, started.elapsed()) {
        console.say(&line);
    }
    Ok(exit_code(learning.unreadable))
}
