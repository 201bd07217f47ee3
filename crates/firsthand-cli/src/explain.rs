//! `firsthand explain`: find two documents, and say how alike they are and why.

use crate::args::{ExplainArgs, ExplainFormat};
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{console, print, settings};
use anyhow::{Result, bail};
use firsthand::online::StoredComparison;
use firsthand_input::calendar::rfc3339;
use firsthand_input::path_name;
use firsthand_jobs::Layers;
use firsthand_jobs::explain::{self, Explain};
use firsthand_pages::explanation::{self, Look};
use firsthand_pages::wrapped;
use std::io::{self, IsTerminal, Write};

/// Why the verdict may be another one within a larger collection.
const FEW_PAGES: &str = "page furniture was looked for in these two pages only; with --in \
    COLLECTION it is told from all pages of their sites.";

pub(crate) fn run(args: &ExplainArgs, session: &Session) -> Result<ExitCode> {
    if let Some(store) = &args.store {
        if settings::layers(&args.settings)? != Layers::default() {
            bail!("--store compares by the settings of the store: leave out the settings");
        }
        // Ids have the escapes of file names that are not UTF-8.
        let id = args.a.to_str().map_or_else(|| path_name(&args.a), str::to_owned);
        let compared = explain::with_stored(store, &id, &args.b)?;
        return print(&match args.format {
            ExplainFormat::Text => {
                wrapped(&explanation::stored(&compared), console::width(usize::MAX))
            }
            ExplainFormat::Json => stored_json(&compared)? + "\n",
        });
    }
    let settings = settings::resolve(&args.settings)?;
    let mut terminal = Terminal::new(&args.run, session);
    let job = Explain { a: &args.a, b: &args.b, collection: &args.collection };
    let explained = explain::run(job, &settings, &terminal)?;
    terminal.end_progress();
    let mut explanation = explained.explanation;
    if explained.is_from_two_pages {
        explanation.notes.push(FEW_PAGES.to_owned());
    }

    let mut stdout = io::stdout().lock();
    let text = match args.format {
        ExplainFormat::Text => {
            let colour = console::colour(stdout.is_terminal());
            let look = Look { width: console::width(usize::MAX), colour };
            explanation::text(&explanation, look, args.run.verbose)
        }
        ExplainFormat::Json => serde_json::to_string_pretty(&explanation)? + "\n",
    };
    stdout.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// A comparison with a stored document as JSON, with its time as in all results.
fn stored_json(compared: &StoredComparison) -> serde_json::Result<String> {
    let mut object = serde_json::to_value(compared)?;
    object["time"] = rfc3339(compared.time).into();
    serde_json::to_string_pretty(&object)
}
