//! Results on standard output.

mod text;

use crate::args::{Emit, Format, OutputArgs};
use crate::screen::Screen;
use crate::visible::visible;
use crate::{console, words};
use anyhow::Result;
use firsthand_jobs::results::{self as jobs, Material};
use firsthand_jobs::{JobError, OutputError};
use std::io::{self, BufWriter, IsTerminal, Write};

/// Prints what was asked for.
pub(crate) fn to_stdout(emit: Emit, format: Format, from: &Material<'_>) -> Result<()> {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    // Text is made safe piece by piece, since it has colours of its own.
    let mut out: Box<dyn Write> = match terminal && format != Format::Text {
        true => Box::new(Screen::new(BufWriter::new(stdout.lock()))),
        false => Box::new(BufWriter::with_capacity(1 << 16, stdout.lock())),
    };
    let out = &mut out;
    let printed = match format {
        Format::Text => print_text(out, emit, terminal, from),
        Format::Jsonl => from.write(out, emitted(emit), jobs::Format::Jsonl),
        Format::Csv => from.write(out, emitted(emit), jobs::Format::Csv),
    };
    printed.map_err(words::of_job)
}

fn print_text(
    out: &mut impl Write,
    emit: Emit,
    terminal: bool,
    from: &Material<'_>,
) -> Result<(), JobError> {
    let findings = from.findings;
    let printed = match emit {
        Emit::Clusters => text::clusters(out, findings, console::colour(terminal)),
        Emit::Pairs => text::pairs(out, findings, from.pairs),
        Emit::Dropped => text::dropped(out, from),
        Emit::Kept => {
            from.kept(|line| match terminal {
                true => writeln!(out, "{}", visible(&String::from_utf8_lossy(line))),
                false => out.write_all(line).and_then(|()| out.write_all(b"\n")),
            })?;
            Ok(())
        }
    };
    printed.and_then(|()| out.flush()).map_err(|error| OutputError::Stream(error).into())
}

fn emitted(emit: Emit) -> jobs::Emit {
    match emit {
        Emit::Clusters => jobs::Emit::Clusters,
        Emit::Pairs => jobs::Emit::Pairs,
        Emit::Kept => jobs::Emit::Kept,
        Emit::Dropped => jobs::Emit::Dropped,
    }
}

/// Whether the inputs have to be read a second time.
pub(crate) fn read_twice(args: &OutputArgs) -> bool {
    let printed = match (args.emit, args.format) {
        (Emit::Kept, format) => format != Some(Format::Csv),
        (Emit::Dropped, format) => format == Some(Format::Jsonl),
        (Emit::Clusters | Emit::Pairs, _) => false,
    };
    !args.dry_run && (args.kept || args.dropped || args.output.is_none() && printed)
}
