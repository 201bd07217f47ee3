//! `firsthand learn`: read labelled documents, learn how much each gram counts, and write that down.

mod words;

use crate::args::{LearnArgs, ModelArg, SettingArgs};
use crate::console::Console;
use crate::labels::{self, Labelled, Layout, Readings};
use crate::model::file as model_file;
use crate::results::file;
use crate::settings::{self, RunSettings};
use crate::{inputs, visible::visible};
use anyhow::{Context, Result};
use firsthand::learn::{self, Plan};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

pub(crate) fn run(args: &LearnArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let RunSettings { config, mut reading } = settings::resolve(&SettingArgs {
        profile: Some(args.profile.clone()),
        reading: args.reading.clone(),
        limits: args.limits.clone(),
        model: ModelArg::default(),
        ..SettingArgs::default()
    })?;
    // As with --model: what is set apart is a feature, and is not cut away.
    reading.keep_quotes = args.reading.mail.is_none();
    inputs::check(args.inputs.iter().chain(&args.pairs).chain(&args.queries))?;
    file::check(&args.output, &args.inputs, args.force || args.dry_run)?;
    let console = Arc::new(Console::new(&args.run));
    let plan = Plan {
        settings: config,
        words: args.words,
        measure: args.measure,
        orders: args.orders,
        seed: args.seed,
        folds: args.folds,
        titles: args.queries.as_deref().map(queries).transpose()?,
        ..Plan::new(&args.profile)?
    };
    let layout = Layout::find(&args.inputs, args.pairs.as_deref())?;
    let mut readings = Readings::new(&layout, Some(&args.output), &console);
    let texts = readings.texts(&reading)?;
    let unreadable = texts.unread.unreadable.count;
    let Labelled { truth, about } = labels::label(&layout, texts)?;
    for note in &about.notes {
        console.say(&visible(&format!("note: {note}")));
    }
    console.show("learning");
    let learned = learn::learn(&texts.documents, &truth, &plan);
    console.show("");
    let model = learned?;
    for line in words::summary(model.written()) {
        console.say(&line);
    }
    for warning in words::warnings(model.written()) {
        console.say(&format!("Careful: {warning}"));
    }
    let bytes = match args.dry_run {
        true => None,
        false => Some(model_file::write(&args.output, &model)?),
    };
    for line in words::end(args, &model.fingerprint(), bytes, started.elapsed()) {
        console.say(&line);
    }
    Ok(if unreadable > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// How often words are searched for, or stand in titles.
fn queries(path: &Path) -> Result<firsthand::model::Table> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read the queries {shown}"))?;
    Ok(learn::queries(&String::from_utf8_lossy(&bytes)))
}
