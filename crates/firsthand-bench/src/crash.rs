//! Kills a writer repeatedly, and checks that everything it acknowledged is still there.
//!
//! - `documents`: the documents written, the same each time.
//! - `writer`: the process that is killed.
//! - `cycle`: one life of a writer, and its output.
//! - `reference`: the answers of a writer that is never killed.
//! - `full`, `flips`: the same for a full disk, and for flipped bits.

mod cycle;
mod documents;
mod flips;
mod full;
mod reference;
mod writer;

use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use firsthand::Settings;
use firsthand_store::{CrashPoint, POINTS};

use crate::rng::Rng;
use cycle::{Cycle, Death};
pub(crate) use flips::flip;
pub(crate) use full::fill;
use reference::Reference;
pub(crate) use writer::{CrashWriter, run as write};

/// What to do.
#[derive(Debug, PartialEq)]
pub(crate) struct CrashTask {
    /// The number of times the writer is killed.
    pub(crate) cycles: u64,
    /// An empty folder, or the address of a database.
    pub(crate) store: String,
    /// The seed of documents and times of death.
    pub(crate) seed: u64,
    /// A command that kills and restarts the database server, run in every fourth cycle.
    pub(crate) server: Option<String>,
}

/// The result of all cycles.
#[derive(Debug, Default)]
struct CrashOutcome {
    acknowledged: u64,
    at_random: u64,
    to_the_end: u64,
    at_points: Vec<u64>,
    server: u64,
    checked: u64,
    lost: u64,
    wrong: u64,
}

/// The settings of the store that is written to.
fn config() -> Result<Settings> {
    Ok(Settings::profile("feed")?)
}

/// Kills, checks, and reports; an error if anything was lost or wrong.
pub(crate) fn run(task: &CrashTask, out: &mut impl Write) -> Result<()> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let is_folder = !task.store.contains("://");
    let mut reference = Reference::new(task.seed)?;
    let mut rng = Rng::new(task.seed, &[0xdead]);
    let mut outcome = CrashOutcome { at_points: vec![0; POINTS.len()], ..CrashOutcome::default() };
    for number in 0..task.cycles {
        let is_server = task.server.is_some() && number % 4 == 3;
        let death = match is_folder {
            true => death(number, &mut rng),
            false => Death::After(rng.between(0, 60) as u64),
        };
        let cycle = Cycle {
            program: &program,
            store: &task.store,
            seed: task.seed,
            from: outcome.acknowledged,
            death,
        };
        let said = cycle.run(|| match &task.server {
            Some(command) if is_server => shell(command),
            _ => Ok(()),
        })?;
        outcome.server += u64::from(is_server);
        match death {
            Death::At(point, _) if said.died_by_itself => outcome.at_points[point] += 1,
            Death::At(..) => outcome.to_the_end += 1,
            Death::After(_) => outcome.at_random += 1,
        }
        for (index, answer) in &said.checked {
            outcome.checked += 1;
            outcome.lost += u64::from(answer["repeated"] != true);
            outcome.wrong += u64::from(!reference.agrees(*index, answer)?);
        }
        for (index, answer) in &said.added {
            // All of the interrupted round may be stored, although it was not acknowledged.
            let may_repeat = *index < cycle.from + writer::ROUND;
            let is_right = reference.agrees(*index, answer)?
                && (may_repeat || answer["repeated"] == false)
                && *index == outcome.acknowledged;
            if !is_right {
                eprintln!("cycle {number}, document {index}: {answer}");
                outcome.wrong += 1;
            }
            outcome.acknowledged = *index + 1;
        }
    }
    outcome.tell(task, out)?;
    ensure!(outcome.lost == 0 && outcome.wrong == 0, "documents were lost, or verdicts wrong");
    Ok(())
}

/// Two in three die at a point in the code, each point in turn.
fn death(number: u64, rng: &mut Rng) -> Death {
    let point = match (number, number % 3) {
        // The description is written only once.
        (0, _) => POINTS.iter().position(|(_, point)| *point == CrashPoint::InDescription),
        (_, 2) => None,
        _ => Some((number / 3 * 2 + number % 3) as usize % POINTS.len()),
    };
    let Some(point) = point else { return Death::After(rng.between(0, 60) as u64) };
    let most = match POINTS[point].1 {
        CrashPoint::InDescription | CrashPoint::InShutdown => 1,
        CrashPoint::InExpiry | CrashPoint::InMerge => 3,
        _ => 12,
    };
    Death::At(point, rng.between(1, most) as u64)
}

fn shell(command: &str) -> Result<()> {
    let status = Command::new("sh").arg("-c").arg(command).status();
    let status = status.with_context(|| format!("cannot run {command}"))?;
    ensure!(status.success(), "{command} failed");
    Ok(())
}

impl CrashOutcome {
    fn tell(&self, task: &CrashTask, out: &mut impl Write) -> Result<()> {
        writeln!(out, "cycles             {}", task.cycles)?;
        writeln!(out, "  at random        {}", self.at_random)?;
        for (count, (name, _)) in self.at_points.iter().zip(POINTS).filter(|(n, _)| **n > 0) {
            writeln!(out, "  {name:16} {count}")?;
        }
        if self.to_the_end > 0 {
            writeln!(out, "  not killed       {}", self.to_the_end)?;
        }
        if self.server > 0 {
            writeln!(out, "  server killed    {}", self.server)?;
        }
        writeln!(out, "acknowledged       {}", self.acknowledged)?;
        writeln!(out, "asked for again    {}", self.checked)?;
        writeln!(out, "acknowledged, lost {}", self.lost)?;
        writeln!(out, "wrong verdicts     {}", self.wrong)?;
        Ok(())
    }
}
