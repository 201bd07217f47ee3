//! What was typed on the command line, turned into one checked command.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};

use crate::oracle::Threshold;

/// Shown for `help` and when nothing is typed.
pub(crate) const HELP: &str = "\
firsthand-bench: generated collections, their exact answers, and scores

  firsthand-bench generate [--documents 20000] [--seed 7]      documents as JSONL
  firsthand-bench truth DOCS [--n 5] [--threshold 0.8]         exact pairs as JSONL
  firsthand-bench score TRUTH OUTPUT                           recall and precision as JSON

OUTPUT holds pairs ({\"a\", \"b\"}) or clusters ({\"members\": [...]}), one a line.
";

/// One thing to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// Print how to call the program.
    Help,
    /// Write a collection to the standard output.
    Generate { documents: usize, seed: u64 },
    /// Write the exact pairs of a collection.
    Truth { input: PathBuf, n: usize, threshold: Threshold },
    /// Compare pairs or clusters with the exact pairs.
    Score { truth: PathBuf, output: PathBuf },
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command> {
    let mut rest: Vec<String> = arguments.collect();
    if rest.is_empty() || rest.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Command::Help);
    }
    let name = rest.remove(0);
    let command = match name.as_str() {
        "help" => Command::Help,
        "generate" => Command::Generate {
            documents: flag(&mut rest, "--documents", "20000")?,
            seed: flag(&mut rest, "--seed", "7")?,
        },
        "truth" => {
            let n = flag(&mut rest, "--n", "5")?;
            ensure!((1..=16).contains(&n), "--n is {n}; give 1 to 16 words");
            let threshold = flag(&mut rest, "--threshold", "0.8")?;
            Command::Truth { input: path(&mut rest, "the documents")?, n, threshold }
        }
        "score" => Command::Score {
            truth: path(&mut rest, "the true pairs")?,
            output: path(&mut rest, "the output to score")?,
        },
        other => bail!("there is no command {other:?}; try generate, truth, score or help"),
    };
    match rest.first() {
        Some(extra) => bail!("{name} does not know what to do with {extra:?}"),
        None => Ok(command),
    }
}

/// Takes `--name VALUE` out of the arguments.
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

/// Takes the next word as a path.
fn path(rest: &mut Vec<String>, what: &str) -> Result<PathBuf> {
    match rest.first() {
        Some(word) if !word.starts_with("--") => Ok(PathBuf::from(rest.remove(0))),
        _ => bail!("the file with {what} is missing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn flags_may_stand_before_or_after_the_file() {
        let expected = Command::Truth {
            input: "docs.jsonl".into(),
            n: 3,
            threshold: "0.75".parse().expect("a threshold"),
        };
        assert_eq!(parsed("truth docs.jsonl --n 3 --threshold 0.75").expect("valid"), expected);
        assert_eq!(parsed("truth --threshold 0.75 --n 3 docs.jsonl").expect("valid"), expected);
    }

    #[test]
    fn defaults_are_the_published_benchmark() {
        let expected = Command::Generate { documents: 20_000, seed: 7 };
        assert_eq!(parsed("generate").expect("valid"), expected);
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("generat", "\"generat\""),
            ("generate --documents many", "\"many\""),
            ("generate --documents", "--documents needs a value"),
            ("generate --sed 8", "\"--sed\""),
            ("truth --n 5", "the documents is missing"),
            ("truth d --n 0", "--n is 0"),
            ("truth d --threshold 1.5", "\"1.5\""),
            ("score truth.jsonl", "the output to score is missing"),
            ("score a b c", "\"c\""),
        ] {
            let message = format!("{:#}", parsed(line).expect_err(line));
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
