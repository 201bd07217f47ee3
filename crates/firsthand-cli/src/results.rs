//! Results on standard output.

mod text;

use crate::args::{Emit, Format, OutputArgs};
use crate::console;
use crate::visible::visible;
use anyhow::Result;
use firsthand_jobs::results::{self as jobs, ChangedFiles, Material};
use firsthand_jobs::{JobError, OutputError};
use std::io::{self, IsTerminal, Write};

/// What goes to standard output; without a format it is text.
pub(crate) fn emitted(args: &OutputArgs) -> (jobs::Emit, Option<jobs::Format>) {
    let emit = match args.emit {
        Emit::Clusters => jobs::Emit::Clusters,
        Emit::Pairs => jobs::Emit::Pairs,
        Emit::Kept => jobs::Emit::Kept,
        Emit::Dropped => jobs::Emit::Dropped,
    };
    let format = match args.format {
        Some(Format::Jsonl) => Some(jobs::Format::Jsonl),
        Some(Format::Csv) => Some(jobs::Format::Csv),
        Some(Format::Parquet) => Some(jobs::Format::Parquet),
        Some(Format::Text) | None => None,
    };
    (emit, format)
}

/// Prints what was asked for; returns the files that could not be copied because they changed.
pub(crate) fn to_stdout(
    (emit, format): (jobs::Emit, Option<jobs::Format>),
    from: &Material<'_>,
) -> Result<ChangedFiles> {
    // Text is made safe piece by piece, since it has colours of its own.
    let out = &mut console::stdout(format.is_some());
    let printed = match format {
        None => print_text(out, emit, io::stdout().is_terminal(), from),
        Some(format) => from.write(out, emit, format),
    };
    Ok(printed?)
}

fn print_text(
    out: &mut impl Write,
    emit: jobs::Emit,
    terminal: bool,
    from: &Material<'_>,
) -> Result<ChangedFiles, JobError> {
    let (findings, end) = (from.findings, if from.null { b"\0" } else { b"\n" });
    let mut changed = ChangedFiles::new();
    let printed = match emit {
        jobs::Emit::Clusters => text::clusters(out, findings, console::colour(terminal)),
        jobs::Emit::Pairs => text::pairs(out, findings, from.pairs),
        jobs::Emit::Dropped => text::dropped(out, from),
        jobs::Emit::Kept => {
            changed = from.kept(|line| match terminal {
                true => writeln!(out, "{}", visible(&String::from_utf8_lossy(line))),
                false => out.write_all(line).and_then(|()| out.write_all(end)),
            })?;
            Ok(())
        }
    };
    printed.and_then(|()| out.flush()).map_err(OutputError::Stream)?;
    Ok(changed)
}
