//! `firsthand extract`: the text that documents are compared by, and what was left out of it.

use crate::args::{ExtractArgs, ExtractFormat};
use crate::clock::rfc3339;
use crate::screen::Screen;
use crate::{console::Console, inputs, problems::Problems, settings};
use anyhow::{Context, Result};
use firsthand::collections::Ids;
use firsthand_input::{Block, Item, Limits, Place};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// A document as JSON. These names are a promise to other programs.
#[derive(Serialize)]
struct Shown<'a> {
    id: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<&'a [Block]>,
}

pub(crate) fn run(args: &ExtractArgs) -> Result<ExitCode> {
    let mut reading = settings::resolve(&args.settings)?.reading;
    reading.blocks = args.format == ExtractFormat::Json;
    inputs::check(&args.inputs)?;
    let console = Console::new(&args.run);
    let problems = Problems::default();
    let stdout = io::stdout();
    let mut out: Box<dyn Write> = match stdout.is_terminal() {
        true => Box::new(Screen::new(BufWriter::new(stdout.lock()))),
        false => Box::new(BufWriter::with_capacity(1 << 16, stdout.lock())),
    };
    let (mut ids, mut before) = (Ids::default(), None::<Item>);
    let mut several = false;
    for batch in firsthand_input::open(&args.inputs, &reading)? {
        let index = batch.index();
        for (number, read) in batch.into_documents(&reading).enumerate() {
            match read {
                Ok(mut item) => {
                    problems.remark(&console, (1, index, number), &item, &reading.limits);
                    ids.claim(&mut item.document.id);
                    // One behind, to know whether the first is the only one.
                    if let Some(before) = before.replace(item) {
                        several = true;
                        show(&mut out, args.format, &before, several, &reading.limits)?;
                    }
                }
                Err(error) => problems.add(&console, (1, index, number), error),
            }
        }
    }
    if let Some(last) = before {
        show(&mut out, args.format, &last, several, &reading.limits)?;
    }
    out.flush().context(STDOUT)?;
    drop(out);
    let unread = problems.finish(&console, false);
    Ok(if unread.unreadable.count > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

const STDOUT: &str = "cannot write to standard output";

fn show(
    out: &mut impl Write,
    format: ExtractFormat,
    item: &Item,
    several: bool,
    limits: &Limits,
) -> Result<()> {
    let document = &item.document;
    let written = match format {
        ExtractFormat::Text if several => {
            writeln!(out, "==> {} <==\n{}\n", document.id, document.text)
        }
        ExtractFormat::Text => writeln!(out, "{}", document.text),
        ExtractFormat::Json => {
            let shown = Shown::new(item, limits, true);
            serde_json::to_writer_pretty(&mut *out, &shown)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out))
        }
        ExtractFormat::Jsonl => {
            let shown = Shown::new(item, limits, false);
            serde_json::to_writer(&mut *out, &shown)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out))
        }
    };
    written.context(STDOUT)
}

impl<'a> Shown<'a> {
    fn new(item: &'a Item, limits: &Limits, whole: bool) -> Self {
        let document = &item.document;
        let notes = if whole { item.remarks.notes(limits) } else { Vec::new() };
        Self {
            id: &document.id,
            text: &document.text,
            title: document.title.as_deref(),
            url: document.url.as_deref(),
            host: document.host.as_deref(),
            source: document.source.as_deref(),
            time: document.time.map(rfc3339),
            place: whole.then_some(&item.place),
            remarks: notes.into_iter().map(|(_, sentence)| sentence).collect(),
            blocks: whole.then_some(&item.remarks.blocks),
        }
    }
}
