//! Generates labelled collections, computes their exact near-duplicate pairs and scores results.
//!
//! - `andd`: learned weights compared with others, on halves of a labelled collection.
//! - `arguments`: the command line, checked.
//! - `collection`: any number of documents from a seed, each with its cluster.
//! - `crash`: a writer that is killed repeatedly, and whether everything it acknowledged survives.
//! - `guard`: copies of pages on their own sites, and how many of them are found.
//! - `oracle`: all pairs at or above a threshold, by full counting; shares no code with firsthand.
//! - `join`: times of firsthand's joins and of the papers' on one signed collection.
//! - `online`: times of a stream of documents into a store.
//! - `score`: recall and precision of pairs or clusters against the oracle's pairs.

mod andd;
mod arguments;
mod collection;
mod crash;
mod guard;
mod join;
mod online;
mod oracle;
mod rng;
mod score;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use arguments::BenchCommand;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("firsthand-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let command = arguments::parse(std::env::args().skip(1))?;
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    match command {
        BenchCommand::Help => out.write_all(arguments::HELP.as_bytes())?,
        BenchCommand::Generate { shape, documents, seed } => {
            collection::write(shape, documents, seed, &mut out)?;
        }
        BenchCommand::Boilerplate(made) => made.write(&mut out)?,
        BenchCommand::Truth { input, n, threshold } => {
            let documents = oracle::NumberedDocuments::read(open(&input)?)
                .with_context(|| format!("cannot read the documents of {}", input.display()))?;
            oracle::write_pairs(&documents, n, threshold, &mut out)?;
        }
        BenchCommand::Andd(task) => andd::run(&task, &mut out)?,
        BenchCommand::Crash(task) => crash::run(&task, &mut out)?,
        BenchCommand::CrashWriter(writer) => crash::write(&writer, &mut out)?,
        BenchCommand::Fill { folder } => crash::fill(&folder, &mut out)?,
        BenchCommand::Flip { folder, flips } => crash::flip(&folder, flips, &mut out)?,
        BenchCommand::Guard(task) => guard::run(&task, &mut out)?,
        BenchCommand::Join(task) => join::run(&task, &mut out)?,
        BenchCommand::Online(task) => online::run(&task, &mut out)?,
        BenchCommand::Score { truth, output } => {
            let truth = score::TruePairs::read(open(&truth)?)
                .with_context(|| format!("cannot read the true pairs of {}", truth.display()))?;
            let score = truth
                .score(open(&output)?)
                .with_context(|| format!("cannot score {}", output.display()))?;
            serde_json::to_writer(&mut out, &score)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush().context("cannot write to the standard output")
}

fn open(path: &Path) -> Result<impl BufRead + use<>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(BufReader::with_capacity(1 << 16, file))
}
