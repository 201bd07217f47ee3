//! `firsthand extract`: the text that documents are compared by, and what was left out of it.

use crate::args::{ExtractArgs, ExtractFormat};
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{console::stdout, settings};
use anyhow::Result;
use firsthand::settings::Limits;
use firsthand_input::Item;
use firsthand_jobs::extract::{self, Extracted};
use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) fn run(args: &ExtractArgs, session: &Session) -> Result<ExitCode> {
    let reading = settings::resolve(&args.settings)?.reading;
    let terminal = Terminal::new(&args.run, session).without_progress();
    session.prints();
    let mut out = stdout(true);
    let blocks = args.format == ExtractFormat::Json;
    let unread = extract::run(&args.inputs, &reading, blocks, &terminal, |item, several| {
        show(&mut out, args.format, item, several, &reading.limits)
    });
    let unread = unread?;
    out.flush()?;
    Ok(if unread.unreadable.count > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

fn show(
    out: &mut impl Write,
    format: ExtractFormat,
    item: &Item,
    several: bool,
    limits: &Limits,
) -> io::Result<()> {
    let document = &item.document;
    match format {
        ExtractFormat::Text if several => {
            return writeln!(out, "==> {} <==\n{}\n", document.id, document.text);
        }
        ExtractFormat::Text => return writeln!(out, "{}", document.text),
        ExtractFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &Extracted::new(item, limits, true))?;
        }
        ExtractFormat::Jsonl => {
            serde_json::to_writer(&mut *out, &Extracted::new(item, limits, false))?;
        }
    }
    writeln!(out)
}
