//! `firsthand store`: what lies in the store of a stream, and how it is looked after.

mod dry;
mod facts;
pub(crate) mod open;

use crate::args::{
    BackupArgs, CompactArgs, DeleteArgs, ExpireArgs, ExportArgs, InfoArgs, StoreArgs, StoreCommand,
    StoreFormat,
};
use crate::clock::rfc3339;
use crate::numbers::{bytes, counted};
use crate::visible::visible;
use anyhow::{Context, Result};
use dry::Dry;
use facts::StoreInfo;
use firsthand::Detector;
use firsthand::online::{Answer, Deleted, Forgotten, Online};
use firsthand_store::ManagedStore;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

pub(crate) fn run(args: &StoreArgs) -> Result<ExitCode> {
    match &args.command {
        StoreCommand::Info(args) => info(args),
        StoreCommand::Verify(args) => verify(args),
        StoreCommand::Expire(args) => expire(args),
        StoreCommand::Export(args) => export(args),
        StoreCommand::Delete(args) => delete(args),
        StoreCommand::Compact(args) => compact(args),
        StoreCommand::Backup(args) => backup(args),
    }
}

fn info(args: &InfoArgs) -> Result<ExitCode> {
    let (mut online, config) = online(&args.store.address)?;
    let facts = StoreInfo {
        holdings: online.holdings()?,
        facts: online.store_mut().facts()?,
        address: open::shown(&args.store.address),
        config: &config,
    };
    match args.format {
        StoreFormat::Text => say(&facts.text()?)?,
        StoreFormat::Json => say(&(serde_json::to_string_pretty(&facts.json()?)? + "\n"))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn verify(args: &InfoArgs) -> Result<ExitCode> {
    let (mut store, _) = open::open_existing(&args.store.address)?;
    let found = store.verify()?;
    let (documents, keys) = (counted(found.documents, "document"), counted(found.keys, "key"));
    match args.format {
        StoreFormat::Json => {
            let json = serde_json::json!({
                "documents": found.documents, "keys": found.keys, "problems": found.problems,
            });
            say(&format!("{json:#}\n"))?;
        }
        StoreFormat::Text => {
            let problems: String =
                found.problems.iter().map(|problem| format!("  {}\n", visible(problem))).collect();
            let end = match found.problems.len() {
                0 => "nothing is wrong.\n".to_owned(),
                some => format!("{}:\n{problems}", counted(some as u64, "problem")),
            };
            say(&format!("Read {documents} and {keys}: {end}"))?;
        }
    }
    Ok(if found.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn expire(args: &ExpireArgs) -> Result<ExitCode> {
    let (store, config) = open::open_existing(&args.store.address)?;
    let detector = Detector::for_upkeep(config)?;
    let Forgotten { buckets, documents } = match args.dry_run {
        true => Online::new(detector, Dry(store)).expire(args.before)?,
        false => Online::new(detector, store).expire(args.before)?,
    };
    let what = format!("{} in {}", counted(documents, "document"), counted(buckets, "part"));
    say(&match args.dry_run {
        true => format!("Dry run: {what} of the window would be forgotten.\n"),
        false => format!("Forgot {what} of the window.\n"),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A document of an export. These names are a promise to other programs.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    time: String,
    generation: u32,
    number: u64,
}

/// So many documents are asked for at a time.
const STEP: usize = 1000;

fn export(args: &ExportArgs) -> Result<ExitCode> {
    let (mut online, _) = online(&args.store.address)?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut from = Some(0);
    while let Some(start) = from {
        let (documents, next) = online.export(start, STEP)?;
        for document in &documents {
            let line = Line {
                answer: &document.answer,
                time: rfc3339(document.time),
                generation: document.generation,
                number: document.seq,
            };
            let written = serde_json::to_writer(&mut out, &line).map_err(io::Error::from);
            written.and_then(|()| out.write_all(b"\n")).context(STDOUT)?;
        }
        from = next;
    }
    out.flush().context(STDOUT)?;
    Ok(ExitCode::SUCCESS)
}

fn delete(args: &DeleteArgs) -> Result<ExitCode> {
    let (store, config) = open::open_existing(&args.store.address)?;
    let detector = Detector::for_upkeep(config)?;
    let mut missing = 0;
    let mut tell = |id: &str, deleted: Option<Deleted>| {
        let (id, dry) = (visible(id), args.dry_run);
        say(&match deleted {
            None => {
                missing += 1;
                format!("There is no document {id} in the store.\n")
            }
            Some(Deleted { promoted: None }) if dry => format!("Dry run: {id} would be deleted.\n"),
            Some(Deleted { promoted: None }) => format!("Deleted {id}.\n"),
            Some(Deleted { promoted: Some(next) }) => {
                let (what, next) =
                    (if dry { "Dry run: would delete" } else { "Deleted" }, visible(&next));
                format!("{what} {id}; for what comes, {next} is the original of its copies.\n")
            }
        })
    };
    match args.dry_run {
        true => {
            let mut online = Online::new(detector, Dry(store));
            args.ids.iter().try_for_each(|id| tell(id, online.delete(id)?))?;
        }
        false => {
            let mut online = Online::new(detector, store);
            args.ids.iter().try_for_each(|id| tell(id, online.delete(id)?))?;
        }
    }
    Ok(if missing > 0 { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

fn compact(args: &CompactArgs) -> Result<ExitCode> {
    let (mut store, _) = open::open_existing(&args.store.address)?;
    if args.dry_run {
        let facts: String =
            store.facts()?.iter().map(|(label, value)| format!("  {label}: {value}\n")).collect();
        say(&format!("Dry run: nothing was done. The store as it is:\n{facts}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (before, after) = store.compact()?;
    say(&format!("The store took {} and takes {} now.\n", bytes(before), bytes(after)))?;
    Ok(ExitCode::SUCCESS)
}

fn backup(args: &BackupArgs) -> Result<ExitCode> {
    let (mut store, _) = open::open_existing(&args.store.address)?;
    store.backup(&args.to)?;
    let to = args.to.display().to_string();
    say(&format!("Made a copy of the store in {}.\n", visible(&to)))?;
    Ok(ExitCode::SUCCESS)
}

fn online(address: &str) -> Result<(Online<Box<dyn ManagedStore>>, firsthand::Settings)> {
    let (store, config) = open::open_existing(address)?;
    Ok((Online::new(Detector::for_upkeep(config.clone())?, store), config))
}

const STDOUT: &str = "cannot write to standard output";

fn say(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context(STDOUT)
}
