//! `firsthand model`: what a model says, what it makes of a document, and how a pair gets its score.

pub(crate) mod file;
mod grams;
mod pair;
mod weights;
pub(crate) mod words;

use crate::args::{ExplainFormat, ModelArg, ModelArgs, ModelCommand, SettingArgs, ShowArgs};
use crate::console::Console;
use crate::explain::documents::{self, Named};
use crate::settings::{self, RunSettings};
use crate::use_threads;
use anyhow::{Context, Result};
use firsthand::model::Model;
use firsthand::{Detector, Document, explain, explain::Explanation};
use serde_json::Value;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &ModelArgs) -> Result<ExitCode> {
    match &args.command {
        ModelCommand::Show(args) => show(args),
    }
}

/// What is shown, for people or for programs.
struct Shown {
    text: String,
    json: Value,
}

fn show(args: &ShowArgs) -> Result<ExitCode> {
    use_threads(&args.run)?;
    let model = file::read(&args.model)?;
    let name = args.model.display().to_string();
    let shown = match &args.document {
        None => weights::show(&name, &model),
        Some(document) => {
            let other = args.other.as_ref().unwrap_or(document);
            let seen = see(args, document, other)?;
            match &args.other {
                None => grams::show(&model, &seen, args.top),
                Some(_) => pair::show(&seen.explanation, args.top),
            }
        }
    };
    let mut stdout = io::stdout().lock();
    let text = match (args.format, stdout.is_terminal()) {
        (Some(ExplainFormat::Text), _) | (None, true) => shown.text,
        (Some(ExplainFormat::Json), _) | (None, false) => format!("{:#}\n", shown.json),
    };
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// Two documents as the model sees them, or one twice.
struct Seen {
    document: Document,
    /// Whether disguises are folded.
    fold: bool,
    explanation: Explanation,
}

fn see(args: &ShowArgs, a: &str, b: &str) -> Result<Seen> {
    let RunSettings { config, reading } = settings::resolve(&SettingArgs {
        model: ModelArg::new(&args.model),
        reading: args.reading.clone(),
        limits: args.limits.clone(),
        ..SettingArgs::default()
    })?;
    let fold = config.fold;
    let detector = Detector::new(config)?;
    let console = Arc::new(Console::new(&args.run));
    let named = Named { a, b, collection: &args.collection };
    let found = documents::find(named, &detector, &reading, &console)?;
    let explanation = explain(&found.collection, &found.a, &found.b)?;
    Ok(Seen { document: found.a, fold, explanation })
}

/// The name of a model for messages.
fn title(model: &Model) -> String {
    let written = model.written();
    format!("model {}, version {}", written.fingerprint, written.version)
}
