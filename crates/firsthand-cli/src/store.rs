//! `firsthand store`: the upkeep of a store, in words.

mod info;
mod inquire;

use crate::args::{
    BackupArgs, CompactArgs, DeleteArgs, ExpireArgs, ExplainFormat, InfoArgs, StoreAddress,
    StoreArgs, StoreCommand, VerifyArgs,
};
use crate::console::{Stdout, tell};
use crate::exit_code::ExitCode;
use crate::fitted::{fitted, stdout_width};
use crate::numbers::{bytes, counted, grouped};
use crate::visible::visible;
use crate::{print, print_text};
use anyhow::Result;
use firsthand::online::{Deleted, Forgotten};
use firsthand_jobs::store::{self, Compacted};
use firsthand_store::WaitNotice;
use std::io::{BufWriter, Write};

pub(crate) fn run(args: &StoreArgs) -> Result<ExitCode> {
    match &args.command {
        StoreCommand::Info(args) => info(args),
        StoreCommand::Verify(args) => verify(args),
        StoreCommand::Expire(args) => expire(args),
        StoreCommand::Export(args) => export(args),
        StoreCommand::Decisions(args) => decisions(args),
        StoreCommand::Get(args) => inquire::get(args),
        StoreCommand::Clusters(args) => inquire::clusters(args),
        StoreCommand::Delete(args) => delete(args),
        StoreCommand::Compact(args) => compact(args),
        StoreCommand::Backup(args) => backup(args),
    }
}

fn info(args: &InfoArgs) -> Result<ExitCode> {
    let info = store::info(&args.store.address)?;
    match args.format {
        _ if args.settings => print(&toml::to_string(&info.settings)?),
        ExplainFormat::Text => print_text(&info::text(&info)),
        ExplainFormat::Json => print(&format!("{:#}\n", info.to_json())),
    }
}

fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let verified = store::verify(&args.store.address)?;
    let problems = &verified.problems;
    // What was deleted or replaced is read, too, and counts nowhere else.
    let living = store::info(&args.store.address).map(|info| info.holdings.documents);
    let living = living.unwrap_or(verified.documents).min(verified.documents);
    let buried = verified.documents - living;
    match args.format {
        ExplainFormat::Json => {
            let json = serde_json::json!({
                "documents": living, "deleted_or_replaced": buried, "keys": verified.keys,
                "problems": problems,
            });
            print(&format!("{json:#}\n"))?;
        }
        ExplainFormat::Text => {
            let buried = match buried {
                0 => String::new(),
                some => format!(" (and {} deleted or replaced)", grouped(some) + " more"),
            };
            let (documents, keys) =
                (counted(living, "document") + &buried, counted(verified.keys, "key"));
            let list: String =
                problems.iter().map(|problem| format!("  {}\n", visible(problem))).collect();
            let result = match problems.len() {
                0 => "no problems.\n".to_owned(),
                some => format!("{}:\n{list}", counted(some as u64, "problem")),
            };
            print_text(&format!("Read {documents} and {keys}: {result}"))?;
        }
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn expire(args: &ExpireArgs) -> Result<ExitCode> {
    let ExpireArgs { store, before, dry_run } = args;
    let Forgotten { buckets, documents } =
        store::expire(&store.address, *before, *dry_run, waits())?;
    let what = format!("{} in {}", counted(documents, "document"), counted(buckets, "part"));
    print_text(&match dry_run {
        true => format!("Dry run: {what} of the window would be forgotten.\n"),
        false => format!("Forgot {what} of the window.\n"),
    })
}

fn decisions(store: &StoreAddress) -> Result<ExitCode> {
    let mut out = BufWriter::with_capacity(1 << 16, Stdout);
    firsthand_jobs::store::decisions(&store.address, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

fn export(store: &StoreAddress) -> Result<ExitCode> {
    let mut out = BufWriter::with_capacity(1 << 16, Stdout);
    firsthand_jobs::store::export(&store.address, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

fn delete(args: &DeleteArgs) -> Result<ExitCode> {
    let DeleteArgs { ids, store, dry_run } = args;
    let (mut missing, mut found) = (0u64, Vec::new());
    let mut each = |id: &str, deleted: Option<Deleted>| {
        match deleted {
            None => missing += 1,
            Some(_) => found.push(visible(id).into_owned()),
        }
        let sentence = fitted(&deletion(&visible(id), deleted, *dry_run), stdout_width());
        Stdout.write_all(sentence.as_bytes())
    };
    store::delete(&store.address, ids, *dry_run, waits(), &mut each)?;
    if !found.is_empty() && !dry_run {
        let it = match &found[..] {
            [id] => format!("{id} is"),
            ids => format!("The {} that were deleted are", counted(ids.len() as u64, "document")),
        };
        tell(&format!(
            "{it} in no answer any more; `firsthand store compact` also removes what is left in the files."
        ));
    }
    Ok(match (missing, found.len()) {
        (0, _) => ExitCode::SUCCESS,
        (_, 0) => ExitCode::from(2),
        _ => ExitCode::from(3),
    })
}

/// Says on standard error why nothing happens for a while.
fn waits() -> WaitNotice {
    WaitNotice::new(|| {
        tell("Waiting for another process that uses the store to finish its round.");
    })
}

fn deletion(id: &str, deleted: Option<Deleted>, dry_run: bool) -> String {
    match deleted {
        None => format!("There is no document {id} in the store.\n"),
        Some(Deleted { promoted: None, .. }) if dry_run => {
            format!("Dry run: {id} would be deleted.\n")
        }
        Some(Deleted { promoted: None, .. }) => format!("Deleted {id}.\n"),
        Some(Deleted { promoted: Some(next), .. }) => {
            let done = if dry_run { "Dry run: would delete" } else { "Deleted" };
            let next = visible(&next);
            format!("{done} {id}; from now on, {next} is the original of its cluster.\n")
        }
    }
}

fn compact(args: &CompactArgs) -> Result<ExitCode> {
    let address = &args.store.address;
    if args.dry_run {
        let facts = store::info(address)?.facts;
        let facts: String = facts
            .iter()
            .map(|(label, value)| format!("  {label}: {}\n", info::fact(value)))
            .collect();
        return print_text(&format!("Dry run: nothing was done. The store as it is:\n{facts}"));
    }
    let Compacted { before, after } = store::compact(address, waits())?;
    print_text(&format!("Compacted the store from {} to {}.\n", bytes(before), bytes(after)))
}

fn backup(args: &BackupArgs) -> Result<ExitCode> {
    store::backup(&args.store.address, &args.to)?;
    let to = args.to.display().to_string();
    print_text(&format!("Copied the store to {}.\n", visible(&to)))
}
