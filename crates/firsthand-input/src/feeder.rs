//! The sequential part of reading: cuts all inputs into batches.
//!
//! It runs on its own thread and only reads, decompresses and finds boundaries; the costly work is
//! done where batches are turned into documents.

mod context;
mod members;
mod records;
mod sink;
mod tar;
mod warc;
mod zip;

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::caught::{caught, words_of};
use crate::compression::Compression;
use crate::detect::told;
use crate::error::Reason;
use crate::options::ReadOptions;
use crate::part::BatchPart;
use crate::sniff::Doubt;
use crate::stream::{self, Budget, Bytes, Source};
use crate::walk::{Input, ListedInput};
use crate::warc::Seen;
use firsthand::settings::{Kind, Limit};

pub(crate) use sink::Sink;

use context::FileContext;
use sink::Flow;

/// Reads all listed inputs from one on.
pub(crate) fn feed(
    (entries, first): (&[ListedInput], usize),
    options: &ReadOptions,
    consumed: &Arc<AtomicU64>,
    copying: bool,
    mut sink: Sink,
) -> Flow {
    let mut seen = Seen::default();
    for (number, entry) in entries.iter().enumerate().skip(first) {
        sink.begin(number);
        let input = match entry {
            Ok(input) if input.kind.is_single() && options.added_columns.is_empty() => {
                sink.push(BatchPart::File(input.clone()), input.size.unwrap_or(0))?;
                continue;
            }
            Ok(input) => input,
            Err(error) => {
                sink.unread(error.clone())?;
                continue;
            }
        };
        seen.open(&input.source);
        let mut context = FileContext {
            name: input.name().into(),
            options,
            sink: &mut sink,
            budget: Budget::new(&options.reading.limits, Arc::clone(consumed)),
            compression: input.compression,
            depth: 0,
            seen: &mut seen,
            around: Vec::new(),
            copying,
        };
        // A panic on one file must not end a run over millions.
        match caught(|| file(&mut context, input)) {
            Ok(flow) => flow?,
            Err(cause) => context.unread(None, Reason::Io(words_of(&*cause)))?,
        }
        sink.end()?;
    }
    sink.flush()
}

fn file(context: &mut FileContext<'_>, input: &Input) -> Flow {
    let raw = match context.budget.open(&input.source) {
        Ok(raw) => raw,
        Err(error) => return context.failed(None, &error),
    };
    if input.is_stdin() && context.options.reading.kind.is_none() {
        return stdin(context, input, raw);
    }
    if let Some(reason) = context.no_columns(input.kind) {
        return context.unread(None, reason);
    }
    match (&input.source, input.kind) {
        // Parquet and zip are read from their end: a file on disk needs no temporary copy.
        (Source::File(path), Kind::Parquet | Kind::Zip)
            if input.compression == Compression::None =>
        {
            from_end(context, input.kind, File::open(path), false)
        }
        _ => cut(context, input.kind, raw, input.compression),
    }
}

/// Reads a table or archive whose directory is at its end.
fn from_end(context: &mut FileContext<'_>, kind: Kind, file: io::Result<File>, copy: bool) -> Flow {
    match file {
        Ok(file) if kind == Kind::Zip => zip::cut(context, file, copy),
        Ok(file) => records::row_groups(context, file, copy),
        Err(error) => context.failed(None, &error),
    }
}

/// Standard input has no name: it is JSONL unless its content is clearly something else.
fn stdin(context: &mut FileContext<'_>, input: &Input, raw: Bytes<'_>) -> Flow {
    match told(raw, input.compression, Doubt::Nameless, context.limits(), context.layers()) {
        Ok(told) => {
            let kind = told.kind.filter(|kind| *kind != Kind::Text).unwrap_or(input.kind);
            cut(context, kind, told.stream, input.compression)
        }
        Err(error) => members::failed(context, &error),
    }
}

/// Cuts a stream of a known kind.
fn cut(context: &mut FileContext<'_>, kind: Kind, raw: Bytes<'_>, named: Compression) -> Flow {
    if let Some(reason) = context.no_columns(kind) {
        return context.unread(None, reason);
    }
    if kind == Kind::Warc {
        // Records may be compressed one by one, which the WARC reader handles.
        return warc::cut(context, raw, named);
    }
    let limits = context.limits();
    let (plain, layers) = match stream::plain(raw, named, &context.budget, context.layers()) {
        Ok(plain) => plain,
        Err(error) => return members::failed(context, &error),
    };
    if let Some(outermost) = layers.first() {
        // An uncompressed member may still be inside a compressed archive.
        context.compression = *outermost;
        context.depth += 1;
    }
    context.around = layers;
    if kind.is_archive() && context.layers() == 0 {
        return context.unread(None, Reason::beyond(Limit::Layers, limits));
    }
    match kind {
        Kind::Jsonl => records::lines(context, plain),
        Kind::Json => records::elements(context, plain),
        Kind::Csv | Kind::Tsv => records::table(context, kind, plain),
        Kind::Mbox => records::messages(context, plain),
        Kind::Feed => records::items(context, plain),
        Kind::Tar => tar::cut(context, plain),
        Kind::Warc => warc::cut(context, plain, Compression::None),
        Kind::Html | Kind::Text | Kind::Mail => {
            match stream::read_all(plain, Limit::File, context.limits()) {
                Ok(bytes) => context.piece(kind, None, bytes),
                Err(error) => context.failed(None, &error),
            }
        }
        Kind::Parquet | Kind::Zip => from_end(context, kind, context.seekable(plain), true),
    }
}
