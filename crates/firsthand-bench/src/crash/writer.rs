//! The process that is killed: it checks the last documents again, then adds more, and prints each
//! answer as soon as it is durable.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use firsthand::Settings;
use firsthand::online::{Answer, Arrival, Online, StreamDetector};
use firsthand_store::{
    Embedded, Faults, ManagedStore, OnOtherSettings, POINTS, StoredSettings, Tuning, open,
};

use super::{config, documents::document};
use crate::rng::Rng;

/// The most documents per round.
pub(super) const ROUND: u64 = 16;

/// Documents checked again.
const AGAIN: u64 = 60;

/// Documents added, unless the process is killed before.
const ADDED: u64 = 400;

/// The environment variable that names a crash point and how often it is passed before the process
/// dies.
pub(super) const CRASH_AT: &str = "FIRSTHAND_CRASH_AT";

/// What a writer does.
#[derive(Debug, PartialEq)]
pub(crate) struct CrashWriter {
    pub(crate) store: String,
    pub(crate) seed: u64,
    /// The number of documents acknowledged before.
    pub(crate) from: u64,
}

/// Writes until it is done, or killed.
pub(crate) fn run(writer: &CrashWriter, out: &mut impl Write) -> Result<()> {
    let detector = StreamDetector::new(config()?)?;
    let store = opened(&writer.store, detector.settings())?;
    let mut online = Online::new(detector.clone(), store);
    let arrival = |index| detector.sign(&document(writer.seed, index), i64::MAX);
    let mut say = |kind: char, first: u64, answers: &[Answer]| -> Result<()> {
        for (index, answer) in (first..).zip(answers) {
            writeln!(out, "{kind} {index} {}", serde_json::to_string(answer)?)?;
        }
        Ok(out.flush()?)
    };
    let again = writer.from.saturating_sub(AGAIN);
    let arrivals: Vec<Arrival> = (again..writer.from).map(arrival).collect();
    say('C', again, &online.check(&arrivals)?)?;
    let mut rng = Rng::new(writer.seed, &[writer.from, 2]);
    let mut next = writer.from;
    while next < writer.from + ADDED {
        let count = rng.between(1, ROUND as usize) as u64;
        let arrivals: Vec<Arrival> = (next..next + count).map(arrival).collect();
        say('A', next, &online.add(&arrivals)?)?;
        next += count;
    }
    Ok(())
}

/// Opens a store with settings that keep it busy.
pub(super) fn opened(address: &str, config: &Settings) -> Result<Box<dyn ManagedStore>> {
    let settings = StoredSettings::new(config)?;
    if address.contains("://") {
        return Ok(open(address, Some(&settings), OnOtherSettings::Refuse)?);
    }
    let crash = match std::env::var(CRASH_AT) {
        Err(_) => None,
        Ok(text) => {
            let (name, count) = text.split_once(':').context("POINT:COUNT is wanted")?;
            let point = POINTS.iter().find(|(known, _)| *known == name);
            let (_, point) = point.with_context(|| format!("there is no crash point {name}"))?;
            Some((*point, count.parse().with_context(|| format!("{count:?} is not a count"))?))
        }
    };
    // Small limits, so that runs are built and merged and logs rewritten all the time.
    let faults = Faults { crash, fail_after: None };
    let tuning = Tuning { postings: 1000, total: 2000, fan: 3, main: 2048, faults };
    let other = OnOtherSettings::Refuse;
    Ok(Box::new(Embedded::open_tuned(Path::new(address), Some(&settings), other, tuning)?))
}
