//! `firsthand extract`: the text that documents are compared by, and what was left out of it.

use crate::args::{ExtractArgs, ExtractFormat};
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::{console::stdout, settings};
use anyhow::Result;
use firsthand::settings::Limits;
use firsthand_jobs::extract::{self, Extract, Extracted, ReadDocument};
use std::io::{self, Write};

pub(crate) fn run(args: &ExtractArgs, session: &Session) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    let limits = &settings.reading.limits;
    let terminal = Terminal::new(&args.run, session).without_progress();
    session.prints();
    let mut out = stdout(true);
    let blocks = args.format == ExtractFormat::Json;
    let job = Extract { inputs: &args.inputs, collection: &args.collection, blocks };
    let unread = extract::run(job, &settings, &terminal, |document, several| {
        show(&mut out, args.format, document, several, limits)
    });
    let unread = unread?;
    out.flush()?;
    Ok(if unread.unreadable.count > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

fn show(
    out: &mut impl Write,
    format: ExtractFormat,
    read: &ReadDocument,
    several: bool,
    limits: &Limits,
) -> io::Result<()> {
    match format {
        ExtractFormat::Text if several => {
            return writeln!(out, "==> {} <==\n{}\n", read.item.document.id, read.text());
        }
        ExtractFormat::Text => return writeln!(out, "{}", read.text()),
        ExtractFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &Extracted::new(read, limits, true))?;
        }
        ExtractFormat::Jsonl => {
            serde_json::to_writer(&mut *out, &Extracted::new(read, limits, false))?;
        }
    }
    writeln!(out)
}
