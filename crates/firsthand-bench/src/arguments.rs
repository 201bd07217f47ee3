//! Turns the command line into one checked command.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use firsthand::{
    Settings,
    settings::{Frequency, Window},
};
use firsthand_input::Extract;

use crate::andd;
use crate::collection::{Boilerplate, Shape};
use crate::crash;
use crate::guard;
use crate::join;
use crate::online;
use crate::oracle::OracleThreshold;

/// Shown for `help` and when there are no arguments.
pub(crate) const HELP: &str = "\
firsthand-bench: generated collections, their exact answers, and scores

  firsthand-bench generate [--shape plain] [--documents 20000] [--seed 7]
                                                               documents as JSONL
  firsthand-bench boilerplate [--share 0.5] [--documents 100000] [--seed 7] [--site NAME]
                                                               texts with a common part
  firsthand-bench truth DOCS [--n 5] [--threshold 0.8]         exact pairs as JSONL
  firsthand-bench join DOCS [--method spotsigs] [--min-features 5] [--rows exact,algorithm-1]
                       [--thresholds 1,0.9] [--idf 0,1] [--limit 60] [--rounds 1]
                                                               times of joins as JSONL
  firsthand-bench online DOCS --store ADDRESS [--profile feed | --method ddd] [--documents 1000000]
                       [--window DEFAULT|endless] [--every MS] [--stops 10000,100000,1000000]
                       [--singles 1000] [--turn 0]             times of a stream as JSONL
  firsthand-bench andd DOCS [--pairs FILE] [--parts weights,signatures,terms,curve,methods]
                       [--profile archive] [--runs 5] [--draws 1000] [--words 1,3]
                       [--weights binary,tf-idf,learned]
                       [--measures cosine,extended-jaccard,jaccard] [--bits 64,384] [--hashes 8,80]
                       [--terms 1,10] [--documents 0,60] [--extract main|text] [--template true]
                       [--mail kept|marked|cut]                learned weights and others as JSONL
  firsthand-bench guard PAGES [--kinds edits,headline,links,lines] [--copies 150] [--seed 7]
                       [--profile archive] [--out FOLDER]      copies on their own sites, as JSONL
  firsthand-bench crash STORE [--cycles 500] [--seed 7] [--server COMMAND]
                                                               a writer killed repeatedly
  firsthand-bench fill FOLDER                                  a store on a full disk
  firsthand-bench flip FOLDER [--flips 1000]                   a store with flipped bits
  firsthand-bench score TRUTH OUTPUT                           recall and precision as JSON

Shapes: plain (bare words and edited copies), short (the same, about a kilobyte each), web (HTML pages
in the frames of their sites), chains (versions that drift), templates (same sentences, other values),
mixed (all of these), wt10g (1,171,960 web pages with 25 million spot signatures), news (texts of news
length, one in seven a copy).
Rows: exact (firsthand's join), algorithm-1 (SpotSigs' matcher, corrected), no-part, no-prune (the
same without partitions, and without pruning either), lsh-s (k = 6, l = 32), i-match-s. --idf keeps
only features in a range of normalised IDF. A row of the corrected matcher that takes longer than
--limit seconds is estimated. The fastest of --rounds runs of a quick row counts.
online adds documents in rounds of 256; at each of --stops it adds --singles more one by one and reports
their times. --every is the time between documents in milliseconds. DOCS is read again from its start,
with other ids and words, until there are enough documents; --turn N starts with the words and ids of
that turn, to continue with a store that has the previous ones.
andd splits the clusters of DOCS in half, learns on one half and measures on all pairs of the other, in
several runs. --documents gives the numbers of documents to learn from instead of the half, for the first
of --words and --measures; 0 stands for the initial weights. Pairs that FILE grades as gray or contained
do not count. The last lines hold the figures of each of --draws draws of the labels.
guard reads pages as JSONL with id, url and html, and the main text in gold where it is known; a text
that no other page of the site has stands for it otherwise. It writes the share of copies that are found,
and with --out the collections, in which copies name their original.
crash kills a writer at random times and at marked points in the code; STORE is an empty folder, or
the address of a database that COMMAND kills and restarts.
OUTPUT holds pairs ({\"a\", \"b\"}) or clusters ({\"members\": [...]}), one per line.
";

/// What to do.
#[derive(Debug, PartialEq)]
pub(crate) enum BenchCommand {
    /// Print the usage.
    Help,
    /// Write a collection to the standard output.
    Generate { shape: Shape, documents: usize, seed: u64 },
    /// Write a stream of texts with a common part.
    Boilerplate(Boilerplate),
    /// Write the exact pairs of a collection.
    Truth { input: PathBuf, n: usize, threshold: OracleThreshold },
    /// Compare learned weights with others.
    Andd(Box<andd::AnddTask>),
    /// Kill a writer repeatedly.
    Crash(Box<crash::CrashTask>),
    /// Be the writer that is killed.
    CrashWriter(crash::CrashWriter),
    /// Fill a disk and check the store on it.
    Fill { folder: PathBuf },
    /// Flip bits of a store.
    Flip { folder: PathBuf, flips: u64 },
    /// Look for copies of pages on their own sites.
    Guard(Box<guard::GuardTask>),
    /// Time joins of a collection.
    Join(Box<join::JoinTask>),
    /// Time a stream of documents.
    Online(Box<online::OnlineTask>),
    /// Compare pairs or clusters with the exact pairs.
    Score { truth: PathBuf, output: PathBuf },
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<BenchCommand> {
    let mut rest: Vec<String> = arguments.collect();
    if rest.is_empty() || rest.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(BenchCommand::Help);
    }
    let name = rest.remove(0);
    let command = match name.as_str() {
        "help" => BenchCommand::Help,
        "generate" => {
            let shape: Shape = flag(&mut rest, "--shape", "plain")?;
            let documents = flag(&mut rest, "--documents", &shape.documents().to_string())?;
            BenchCommand::Generate { shape, documents, seed: flag(&mut rest, "--seed", "7")? }
        }
        "boilerplate" => {
            let share = flag(&mut rest, "--share", "0.5")?;
            ensure!((0.0..=1.0).contains(&share), "--share is {share}; give 0 to 1");
            let site: String = flag(&mut rest, "--site", "")?;
            let is_plain = site.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
            ensure!(is_plain, "--site is {site:?}; give a name such as one.example");
            let documents = flag(&mut rest, "--documents", "100000")?;
            let seed = flag(&mut rest, "--seed", "7")?;
            BenchCommand::Boilerplate(Boilerplate { documents, seed, share, site })
        }
        "truth" => {
            let n = flag(&mut rest, "--n", "5")?;
            ensure!((1..=16).contains(&n), "--n is {n}; give 1 to 16 words");
            let threshold = flag(&mut rest, "--threshold", "0.8")?;
            BenchCommand::Truth { input: path(&mut rest, "the documents")?, n, threshold }
        }
        "andd" => BenchCommand::Andd(Box::new(halves(&mut rest)?)),
        "crash" => BenchCommand::Crash(Box::new(crash(&mut rest)?)),
        "crash-writer" => BenchCommand::CrashWriter(crash::CrashWriter {
            seed: flag(&mut rest, "--seed", "7")?,
            from: flag(&mut rest, "--from", "0")?,
            store: path(&mut rest, "the store")?.to_string_lossy().into_owned(),
        }),
        "fill" => BenchCommand::Fill { folder: path(&mut rest, "the small disk")? },
        "flip" => BenchCommand::Flip {
            flips: flag(&mut rest, "--flips", "1000")?,
            folder: path(&mut rest, "room for a store")?,
        },
        "guard" => BenchCommand::Guard(Box::new(guard(&mut rest)?)),
        "join" => BenchCommand::Join(Box::new(task(&mut rest)?)),
        "online" => BenchCommand::Online(Box::new(stream(&mut rest)?)),
        "score" => BenchCommand::Score {
            truth: path(&mut rest, "the true pairs")?,
            output: path(&mut rest, "the output to score")?,
        },
        other => {
            bail!(
                "there is no command {other:?}; try generate, boilerplate, truth, join, andd, crash, fill, flip, guard, online, score or help"
            )
        }
    };
    match rest.first() {
        Some(extra) => bail!("{name} does not take {extra:?}"),
        None => Ok(command),
    }
}

fn halves(rest: &mut Vec<String>) -> Result<andd::AnddTask> {
    let pairs: String = flag(rest, "--pairs", "")?;
    let measures: Vec<String> = list(rest, "--measures", "cosine,extended-jaccard,jaccard")?;
    let measure = |name: &String| {
        serde_json::from_value(serde_json::Value::String(name.clone()))
            .with_context(|| format!("there is no measure {name:?}"))
    };
    Ok(andd::AnddTask {
        pairs: (!pairs.is_empty()).then(|| PathBuf::from(pairs)),
        profile: flag(rest, "--profile", "archive")?,
        parts: list(rest, "--parts", "weights,signatures,terms,curve,methods")?,
        runs: flag(rest, "--runs", "5")?,
        draws: flag(rest, "--draws", "1000")?,
        bits: list(rest, "--bits", "64,128,256,384,512,1024,2048,4096")?,
        hashes: list(rest, "--hashes", "8,16,32,64,80,128,256")?,
        terms: list(rest, "--terms", "1,2,3,5,10,20,50,100,200")?,
        documents: list(rest, "--documents", "0,10,20,40,60,100,200")?,
        extract: match flag::<String>(rest, "--extract", "main")?.as_str() {
            "main" => Extract::Main,
            "text" => Extract::Text,
            other => bail!("--extract is {other:?}; give main or text"),
        },
        template: flag(rest, "--template", "true")?,
        mail: match flag::<String>(rest, "--mail", "kept")?.as_str() {
            "kept" => andd::Quotes::Kept,
            "marked" => andd::Quotes::Marked,
            "cut" => andd::Quotes::Cut,
            other => bail!("--mail is {other:?}; give kept, marked or cut"),
        },
        weights: list(rest, "--weights", "binary,tf-idf,learned")?,
        words: list(rest, "--words", "1,3")?,
        measures: measures.iter().map(measure).collect::<Result<_>>()?,
        input: path(rest, "the labelled documents")?,
    })
}

fn guard(rest: &mut Vec<String>) -> Result<guard::GuardTask> {
    let (copies, output) = (flag(rest, "--copies", "150")?, flag::<String>(rest, "--out", "")?);
    ensure!(copies > 0, "--copies is 0; give 1 or more");
    Ok(guard::GuardTask {
        kinds: list(rest, "--kinds", "edits,headline,links,lines")?,
        copies,
        seed: flag(rest, "--seed", "7")?,
        settings: Settings::profile(&flag::<String>(rest, "--profile", "archive")?)?,
        output: (!output.is_empty()).then(|| PathBuf::from(output)),
        input: path(rest, "the pages")?,
    })
}

fn task(rest: &mut Vec<String>) -> Result<join::JoinTask> {
    let method: String = flag(rest, "--method", "spotsigs")?;
    let config = Settings::method(&method)?;
    // As in the SpotSigs paper: documents with fewer features are not compared.
    let config = Settings { min_features: flag(rest, "--min-features", "5")?, ..config };
    let idf: Vec<f64> = list(rest, "--idf", "0,1")?;
    let &[low, high] = idf.as_slice() else {
        bail!("--idf has {} numbers; give two, such as --idf 0.4,0.75", idf.len());
    };
    let config = match (low, high) {
        (0.0, 1.0) => config,
        range => {
            Settings { frequency: Frequency { idf: Some(range), ..config.frequency }, ..config }
        }
    };
    config.check_collection()?;
    let rows = list(rest, "--rows", "exact,algorithm-1")?;
    let thresholds = list(rest, "--thresholds", "1,0.9")?;
    let limit: u64 = flag(rest, "--limit", "60")?;
    let limit = Duration::from_secs(limit);
    let rounds = flag(rest, "--rounds", "1")?;
    let input = path(rest, "the documents")?;
    Ok(join::JoinTask { input, config, rows, thresholds, limit, rounds })
}

fn crash(rest: &mut Vec<String>) -> Result<crash::CrashTask> {
    let server: String = flag(rest, "--server", "")?;
    Ok(crash::CrashTask {
        cycles: flag(rest, "--cycles", "500")?,
        seed: flag(rest, "--seed", "7")?,
        server: Some(server).filter(|command| !command.is_empty()),
        store: path(rest, "the store")?.to_string_lossy().into_owned(),
    })
}

fn stream(rest: &mut Vec<String>) -> Result<online::OnlineTask> {
    let profile: String = flag(rest, "--profile", "feed")?;
    let method: String = flag(rest, "--method", "none")?;
    let mut config = match method.as_str() {
        "none" => Settings::profile(&profile)?,
        method => Settings::method(method)?,
    };
    let window: String = flag(rest, "--window", "default")?;
    match window.as_str() {
        "default" => {}
        "endless" => config.stream.window = Window::default(),
        _ => bail!("--window cannot be {window:?}; try --window endless"),
    }
    config.check_stream()?;
    let store: String = flag(rest, "--store", "memory:")?;
    let documents = flag(rest, "--documents", "1000000")?;
    let every = flag(rest, "--every", "1")?;
    let stops = list(rest, "--stops", "10000,100000,1000000")?;
    let singles = flag(rest, "--singles", "1000")?;
    let turn = flag(rest, "--turn", "0")?;
    let input = path(rest, "the documents")?;
    Ok(online::OnlineTask { input, config, store, documents, every, stops, singles, turn })
}

/// Removes `--name VALUE,VALUE` from the arguments.
fn list<T: FromStr>(rest: &mut Vec<String>, name: &str, default: &str) -> Result<Vec<T>>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let values: String = flag(rest, name, default)?;
    let one = |value: &str| {
        value.parse().with_context(|| format!("{name} cannot be {value:?}; try {name} {default}"))
    };
    values.split(',').map(one).collect()
}

/// Removes `--name VALUE` from the arguments.
fn flag<T: FromStr>(rest: &mut Vec<String>, name: &str, default: &str) -> Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let value = match rest.iter().position(|word| word == name) {
        Some(at) => {
            ensure!(at + 1 < rest.len(), "{name} needs a value, such as {name} {default}");
            rest.remove(at);
            rest.remove(at)
        }
        None => default.to_owned(),
    };
    value.parse().with_context(|| format!("{name} cannot be {value:?}; try {name} {default}"))
}

/// Takes the next argument as a path.
fn path(rest: &mut Vec<String>, what: &str) -> Result<PathBuf> {
    match rest.first() {
        Some(word) if !word.starts_with("--") => Ok(PathBuf::from(rest.remove(0))),
        _ => bail!("the file with {what} is missing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<BenchCommand> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn flags_may_stand_before_or_after_the_file() {
        let expected = BenchCommand::Truth {
            input: "docs.jsonl".into(),
            n: 3,
            threshold: "0.75".parse().expect("a threshold"),
        };
        assert_eq!(parsed("truth docs.jsonl --n 3 --threshold 0.75").expect("valid"), expected);
        assert_eq!(parsed("truth --threshold 0.75 --n 3 docs.jsonl").expect("valid"), expected);
    }

    #[test]
    fn defaults_are_the_published_benchmark() {
        let expected = BenchCommand::Generate { shape: Shape::Plain, documents: 20_000, seed: 7 };
        assert_eq!(parsed("generate").expect("valid"), expected);
    }

    #[test]
    fn a_shape_brings_its_size() {
        let expected =
            BenchCommand::Generate { shape: Shape::Wt10g, documents: 1_171_960, seed: 8 };
        assert_eq!(parsed("generate --shape wt10g --seed 8").expect("valid"), expected);
        let expected = BenchCommand::Generate { shape: Shape::Wt10g, documents: 90, seed: 7 };
        assert_eq!(parsed("generate --documents 90 --shape wt10g").expect("valid"), expected);
    }

    #[test]
    fn mistakes_are_reported() {
        for (line, part) in [
            ("generat", "\"generat\""),
            ("generate --documents many", "\"many\""),
            ("generate --shape round", "\"round\""),
            ("generate --documents", "--documents needs a value"),
            ("generate --sed 8", "\"--sed\""),
            ("boilerplate --share 2", "--share is 2"),
            ("truth --n 5", "the documents is missing"),
            ("truth d --n 0", "--n is 0"),
            ("truth d --threshold 1.5", "\"1.5\""),
            ("guard d --kinds edits,jokes", "\"jokes\""),
            ("guard d --copies 0", "--copies is 0"),
            ("join d --rows exact,fast", "\"fast\""),
            ("join d --thresholds 0.9,2", "\"2\""),
            ("join d --idf 0.4", "1 numbers"),
            ("join d --idf 0.8,0.2", "lower bound first"),
            ("join d --method magic", "\"magic\""),
            ("score truth.jsonl", "the output to score is missing"),
            ("score a b c", "\"c\""),
        ] {
            let message = format!("{:#}", parsed(line).expect_err(line));
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
