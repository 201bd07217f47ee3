//! Flags for a stream, over what its store or its profile says.

use super::matching;
use crate::args::{MatchingArgs, OnlineArgs};
use anyhow::{Result, bail};
use firsthand::Settings;
use firsthand::settings::{Collisions, Matcher};

/// The kinds of index, as they are typed.
const INDEXES: &str = "bands, exact, collisions";

pub(super) fn apply(args: &OnlineArgs, flags: &MatchingArgs, config: &mut Settings) -> Result<()> {
    let online = &mut config.online;
    if let Some(window) = args.window {
        online.window.milliseconds = Some(window).filter(|time| *time != i64::MAX);
    }
    online.window.documents = args.window_documents.or(online.window.documents);
    online.window.bytes = args.window_bytes.or(online.window.bytes);
    online.clock = args.time.unwrap_or(online.clock);
    online.policy = args.policy.unwrap_or(online.policy);
    online.naming = args.naming.unwrap_or(online.naming);
    config.numbers = args.numbers.unwrap_or(config.numbers);
    if let Some(name) = &args.index
        && name != name_of(&online.index)
    {
        online.index = match name.as_str() {
            "bands" => Index::default(),
            "exact" => Index::Exact,
            "collisions" => Index::Collisions(Collisions::default()),
            _ => bail!("there is no index {name:?}: use one of {INDEXES}"),
        };
    }
    bands(flags, &mut online.index)?;
    // What is left is about the features themselves, as in a collection.
    let left = MatchingArgs {
        matcher: flags.matcher.clone(),
        group: flags.group,
        lexicons: flags.lexicons,
        bits: flags.bits,
        ..MatchingArgs::default()
    };
    matching::apply(&left, config)
}

/// Flags for bands are about the index here: a stream has no other bands.
fn bands(flags: &MatchingArgs, index: &mut Index) -> Result<()> {
    let MatchingArgs { bands, rows, recall, hashes, .. } = flags;
    let given = [
        ("bands", bands.is_some()),
        ("rows", rows.is_some()),
        ("recall", recall.is_some()),
        ("hashes", hashes.is_some()),
    ];
    let Some((flag, _)) = given.iter().find(|(_, given)| *given) else { return Ok(()) };
    let name = name_of(index);
    let Index::Bands(own) = index else {
        bail!("--{flag} does not go with the index {name}: add --index bands, or leave it out");
    };
    (own.bands, own.rows) = (*bands, *rows);
    own.recall = recall.unwrap_or(own.recall);
    own.hashes = hashes.unwrap_or(own.hashes);
    Ok(())
}

fn name_of(index: &Index) -> &'static str {
    match index {
        Index::Bands(_) => "bands",
        Index::Exact => "exact",
        Index::Collisions(_) => "collisions",
    }
}
