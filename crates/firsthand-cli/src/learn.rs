//! `firsthand learn`: learns from labelled documents how much each gram counts, and writes the model.

mod words;

use crate::args::{LearnArgs, SettingArgs};
use crate::eval::exit_code;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::words::{of_input, of_job, of_output, of_settings};
use crate::{labels, settings};
use anyhow::Result;
use firsthand::learn::Plan;
use firsthand_jobs::learn::{learn, read_queries};
use firsthand_jobs::results::file;
use firsthand_jobs::{model_file, reading};
use firsthand_pages::model::summary;
use std::process::ExitCode;
use std::time::Instant;

pub(crate) fn run(args: &LearnArgs, session: &Session) -> Result<ExitCode> {
    let started = Instant::now();
    let (flags, limits) = (args.reading.clone(), args.limits.clone());
    let typed = SettingArgs { reading: flags, limits, ..SettingArgs::default() };
    let overrides = settings::layers(&typed)?.overrides.reading;
    let settings = firsthand_jobs::learn::settings(&args.profile, overrides);
    let settings = settings.map_err(|error| of_settings(error, None))?;
    let inputs = args.inputs.iter().chain(&args.pairs).chain(&args.queries);
    reading::check(inputs).map_err(of_input)?;
    file::check(&args.output, &args.inputs, args.force || args.dry_run).map_err(of_output)?;
    let titles = args.queries.as_deref().map(read_queries).transpose();
    let plan = Plan {
        settings,
        words: args.words,
        measure: args.measure,
        orders: args.orders,
        seed: args.seed,
        folds: args.folds,
        titles: titles.map_err(of_input)?,
        ..Plan::new(&args.profile)?
    };
    let mut terminal = Terminal::new(&args.run, session);
    let layout = labels::layout(&args.inputs, args.pairs.as_deref(), session)?;
    let learning = learn(&layout, &plan, Some(&args.output), &terminal);
    let learning = learning.map_err(of_job)?;
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
            Some(written.map_err(of_output)?)
        }
    };
    for line in words::end(args, &model.fingerprint(), bytes, started.elapsed()) {
        console.say(&line);
    }
    Ok(exit_code(learning.unreadable))
}
