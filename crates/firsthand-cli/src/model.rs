//! `firsthand model`: the weights of a model, its grams in a document, and the score of a pair.

use crate::args::{ExplainFormat, ModelArgs, ModelCommand, SettingArgs, ShowArgs};
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{console, print, settings};
use anyhow::Result;
use firsthand::Document;
use firsthand::explain::Explanation;
use firsthand_jobs::explain::{self, Explain};
use firsthand_jobs::model_file;
use firsthand_jobs::model_weights::DocumentWeights;
use firsthand_pages::{model, wrapped};
use std::path::Path;

pub(crate) fn run(args: &ModelArgs, session: &Session) -> Result<ExitCode> {
    match &args.command {
        ModelCommand::Show(args) => show(args, session),
    }
}

fn show(args: &ShowArgs, session: &Session) -> Result<ExitCode> {
    let read = model_file::read(&args.model)?;
    let name = args.model.display().to_string();
    let shown = match &args.document {
        None => model::weights(&name, &read),
        Some(document) => {
            let other = args.other.as_ref().unwrap_or(document);
            let (document, fold, explanation) = explained(args, document, other, session)?;
            match &args.other {
                None => {
                    let weights = DocumentWeights::new(&read, &document, fold, &explanation);
                    model::grams(&weights, args.top)
                }
                Some(_) => model::pair(&explanation, args.top),
            }
        }
    };
    let text = match args.format {
        ExplainFormat::Text => wrapped(&shown.text, console::width(usize::MAX)),
        ExplainFormat::Json => format!("{:#}\n", shown.json),
    };
    print(&text)
}

/// The first of two documents as the settings of the model read it, whether disguised letters are
/// folded, and the comparison of the two.
fn explained(
    args: &ShowArgs,
    a: &Path,
    b: &Path,
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
