//! `firsthand explain`: find two documents, and say how alike they are and why.

pub(crate) mod documents;
pub(crate) mod page;
mod shorten;
mod text;

use crate::args::{ExplainArgs, ExplainFormat};
use crate::{console, console::Console, settings};
use anyhow::Result;
use firsthand::{Detector, explain, explain::Outcome};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Why the verdict may be another one within a larger collection.
const FEW_PAGES: &str = "page furniture was looked for in these two pages only; with --in \
    COLLECTION it is told from all pages of their sites.";

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    let detector = Detector::new(settings.config)?;
    let console = Console::new(&args.run);
    let named = documents::Named { a: &args.a, b: &args.b, collection: &args.collection };
    let found = documents::find(named, &detector, &settings.reading, &console)?;
    let mut explanation = explain(&found.collection, &found.a, &found.b)?;
    let sites = [&explanation.a.site, &explanation.b.site];
    let exact = explanation.verdict == Outcome::ExactCopy;
    if args.collection.is_empty() && detector.settings().template && !exact && sites != [&None; 2] {
        explanation.notes.push(FEW_PAGES.to_owned());
    }

    let mut stdout = io::stdout().lock();
    let terminal = stdout.is_terminal();
    let format = match (args.format, terminal) {
        (Some(format), _) => format,
        (None, true) => ExplainFormat::Text,
        (None, false) => ExplainFormat::Json,
    };
    let text = match format {
        ExplainFormat::Text => {
            let look = page::Look { width: page::width(), colour: console::colour(terminal) };
            text::write(&explanation, look, args.run.verbose)
        }
        ExplainFormat::Json => serde_json::to_string_pretty(&explanation)? + "\n",
    };
    stdout.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
