//! Results and where they go: a folder of files, or standard output.

pub(crate) mod csv;
pub(crate) mod file;
pub(crate) mod folder;
mod jsonl;
mod kept;
mod sorted;
mod text;

use crate::args::{Emit, Format, OutputArgs};
use crate::screen::Screen;
use crate::{console, findings::Findings, inputs::Inputs, problems::Unread};
use anyhow::{Context, Result};
use firsthand::settings::Threshold;
use folder::Folder;
use std::io::{self, BufWriter, IsTerminal, Write};

/// Everything that results are made of.
pub(crate) struct Material<'a> {
    pub(crate) findings: &'a Findings,
    pub(crate) inputs: &'a Inputs,
    pub(crate) unread: &'a Unread,
    pub(crate) threshold: Threshold,
}

/// The files that a run will write, as far as that is known before it has read its inputs.
pub(crate) fn planned(args: &OutputArgs) -> Vec<String> {
    let csv = args.format == Some(Format::Csv);
    let plan = [
        (true, "pairs.jsonl"),
        (true, "clusters.jsonl"),
        (csv, "pairs.csv"),
        (csv, "clusters.csv"),
        (args.kept, "kept.*"),
        (args.dropped, "dropped.*"),
        (true, "report.json"),
    ];
    plan.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| (*name).to_owned()).collect()
}

/// Writes all files but the report, under temporary names. Tells how many records were too large to
/// be copied to what is kept.
pub(crate) fn to_folder(
    folder: &mut Folder,
    args: &OutputArgs,
    from: &Material<'_>,
) -> Result<u64> {
    let findings = from.findings;
    folder.write("pairs.jsonl", |out| jsonl::pairs(out, findings))?;
    folder.write("clusters.jsonl", |out| jsonl::clusters(out, findings))?;
    if args.format == Some(Format::Csv) {
        folder.write("pairs.csv", |out| csv::pairs(out, findings))?;
        folder.write("clusters.csv", |out| csv::clusters(out, findings))?;
        if args.dropped {
            folder.write("dropped.csv", |out| csv::dropped(out, from))?;
        }
    }
    if args.kept || args.dropped { sorted::to_folder(folder, args, from) } else { Ok(0) }
}

/// Prints what was asked for.
pub(crate) fn to_stdout(emit: Emit, format: Format, from: &Material<'_>) -> Result<()> {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let colour = console::colour(terminal);
    // Text is made safe piece by piece, since it has colours of its own.
    let mut out: Box<dyn Write> = match terminal && format != Format::Text {
        true => Box::new(Screen::new(BufWriter::new(stdout.lock()))),
        false => Box::new(BufWriter::with_capacity(1 << 16, stdout.lock())),
    };
    let out = &mut out;
    let findings = from.findings;
    match (emit, format) {
        (Emit::Clusters, Format::Text) => text::clusters(out, findings, colour),
        (Emit::Clusters, Format::Jsonl) => jsonl::clusters(out, findings),
        (Emit::Clusters, Format::Csv) => csv::clusters(out, findings),
        (Emit::Pairs, Format::Text) => text::pairs(out, findings),
        (Emit::Pairs, Format::Jsonl) => jsonl::pairs(out, findings),
        (Emit::Pairs, Format::Csv) => csv::pairs(out, findings),
        (Emit::Dropped, Format::Text) => text::dropped(out, from),
        (Emit::Dropped, Format::Csv) => csv::dropped(out, from),
        (Emit::Kept, Format::Csv) => csv::kept(out, from),
        (Emit::Dropped, Format::Jsonl) => return sorted::print_dropped(out, from),
        (Emit::Kept, format) => return sorted::print_kept(out, format, terminal, from),
    }
    .and_then(|()| out.flush())
    .context(STDOUT)
}

/// What went wrong if printing failed.
const STDOUT: &str = "cannot write to standard output";

/// Whether the inputs have to be read a second time.
pub(crate) fn read_twice(args: &OutputArgs) -> bool {
    let printed = match (args.emit, args.format) {
        (Emit::Kept, format) => format != Some(Format::Csv),
        (Emit::Dropped, format) => format == Some(Format::Jsonl),
        (Emit::Clusters | Emit::Pairs, _) => false,
    };
    !args.dry_run && (args.kept || args.dropped || args.output.is_none() && printed)
}
