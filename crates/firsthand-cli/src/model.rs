//! `firsthand model`: the weights of a model, its grams in a document, and the score of a pair.

mod grams;
mod pair;
mod weights;
pub(crate) mod words;

use crate::args::{ExplainFormat, ModelArgs, ModelCommand, SettingArgs, ShowArgs};
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{print, settings};
use anyhow::Result;
use firsthand::Document;
use firsthand::explain::Explanation;
use firsthand::model::Model;
use firsthand_jobs::explain::{self, Explain};
use firsthand_jobs::model_file;
use firsthand_jobs::model_weights::DocumentWeights;
use serde_json::Value;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

pub(crate) fn run(args: &ModelArgs, session: &Session) -> Result<ExitCode> {
    match &args.command {
        ModelCommand::Show(args) => show(args, session),
    }
}

/// The same as text for people and as JSON for programs.
struct TextAndJson {
    text: String,
    json: Value,
}

fn show(args: &ShowArgs, session: &Session) -> Result<ExitCode> {
    let model = model_file::read(&args.model)?;
    let name = args.model.display().to_string();
    let shown = match &args.document {
        None => weights::show(&name, &model),
        Some(document) => {
            let other = args.other.as_ref().unwrap_or(document);
            let (document, fold, explanation) = explained(args, document, other, session)?;
            match &args.other {
                None => {
                    let weights = DocumentWeights::new(&model, &document, fold, &explanation);
                    grams::show(&weights, args.top)
                }
                Some(_) => pair::show(&explanation, args.top),
            }
        }
    };
    let text = match (args.format, io::stdout().is_terminal()) {
        (Some(ExplainFormat::Text), _) | (None, true) => shown.text,
        (Some(ExplainFormat::Json), _) | (None, false) => format!("{:#}\n", shown.json),
    };
    print(&text)
}

/// The first of two documents as the settings of the model read it, whether disguised letters are
/// folded, and the comparison of the two.
fn explained(
    args: &ShowArgs,
    a: &str,
    b: &str,
    session: &Session,
) -> Result<(Document, bool, Explanation)> {
    let settings = settings::resolve(&SettingArgs {
        model: Some(args.model.clone()),
        ..SettingArgs::of(&args.reading)
    })?;
    let terminal = Terminal::new(&args.run, session);
    let job = Explain { a, b, collection: &args.collection };
    let explained = explain::run(job, &settings, &terminal)?;
    Ok((explained.a, settings.fold, explained.explanation))
}

/// The fingerprint and version of a model.
fn title(model: &Model) -> String {
    let written = model.written();
    format!("model {}, version {}", written.fingerprint, written.version)
}
