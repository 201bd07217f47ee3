//! A table of graded pairs: two ids and a grade per line, separated by tabs.

use crate::error::LabelError;
use crate::results::csv::fused;
use std::collections::HashMap;
use std::path::Path;

/// How a person graded a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grade {
    /// Near-duplicates.
    Same,
    /// Not near-duplicates.
    Different,
    /// Neither: it should count neither for nor against a method.
    Neither,
}

/// Two documents, by their ids, and their grade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GradedPair {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) grade: Grade,
}

/// The content of a file.
#[derive(Debug, Default)]
pub(super) struct GradedPairs {
    /// The name of the file, if there is one.
    pub(super) file: String,
    pub(super) pairs: Vec<GradedPair>,
    /// Pairs without a grade.
    pub(super) ungraded: usize,
}

const SAME: [&str; 10] =
    ["pos", "positive", "y", "yes", "1", "true", "t", "duplicate", "dup", "same"];
const DIFFERENT: [&str; 9] =
    ["neg", "negative", "n", "no", "0", "false", "f", "different", "other"];
const NEITHER: [&str; 10] =
    ["gray", "grey", "contain", "contains", "template", "unsure", "maybe", "skip", "ignore", "?"];

/// Names that a header line may give the columns.
const COLUMNS: [&[&str]; 3] = [
    &["a", "id_a", "id1", "id_1", "left"],
    &["b", "id_b", "id2", "id_2", "right"],
    &["label", "grade", "tier", "verdict"],
];

/// The most bad lines named in an error.
const NAMED: usize = 3;

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<GradedPairs, LabelError> {
    let file = path.display().to_string();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(LabelError::Unreadable { file, error }),
    };
    match String::from_utf8(bytes).map(|text| parse(&text)) {
        Ok(Ok(graded)) => Ok(GradedPairs { file, ..graded }),
        Ok(Err(lines)) => Err(LabelError::BadLines { file, lines }),
        Err(_) => Err(LabelError::NotText { file }),
    }
}

/// The pairs of a text, or its first bad lines.
fn parse(text: &str) -> Result<GradedPairs, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines());
    let mut lines =
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')).peekable();
    let header = lines.peek().and_then(|(_, line)| columns(line));
    if header.is_some() {
        lines.next();
    }
    let mut graded = GradedPairs::default();
    let mut seen: HashMap<(String, String), (Grade, usize, String)> = HashMap::new();
    let mut bad: Vec<String> = Vec::new();
    for (number, line) in lines {
        match parse_line(line, header) {
            Err(reason) => bad.push(format!("line {number}: {reason}")),
            Ok(None) => graded.ungraded += 1,
            Ok(Some((pair, word))) => {
                let key = match pair.a < pair.b {
                    true => (pair.a.clone(), pair.b.clone()),
                    false => (pair.b.clone(), pair.a.clone()),
                };
                match seen.get(&key) {
                    Some((grade, ..)) if *grade == pair.grade => {}
                    Some((_, line, before)) => bad.push(format!(
                        "line {number}: {:?} and {:?} are graded {word:?}, but {before:?} in line \
                         {line}: keep one of the two",
                        pair.a, pair.b
                    )),
                    None => {
                        seen.insert(key, (pair.grade, number, word));
                        graded.pairs.push(pair);
                    }
                }
            }
        }
    }
    match bad.len() {
        0 => Ok(graded),
        all => {
            let more = match all.saturating_sub(NAMED) {
                0 => String::new(),
                more => format!("\nand {more} more"),
            };
            Err(format!("{}{more}", bad[..all.min(NAMED)].join("\n")))
        }
    }
}

/// The positions of the columns, if this line names them.
fn columns(line: &str) -> Option<[usize; 3]> {
    let names: Vec<String> = line.split('\t').map(|name| name.trim().to_lowercase()).collect();
    let place = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    Some([place(COLUMNS[0])?, place(COLUMNS[1])?, place(COLUMNS[2])?])
}

/// The pair of a line and its grade as written; none if it has no grade yet.
fn parse_line(
    line: &str,
    header: Option<[usize; 3]>,
) -> Result<Option<(GradedPair, String)>, String> {
    let cells: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
    let [a, b, grade] = header.unwrap_or([0, 1, 2]);
    let cell = |at: usize| cells.get(at).copied().filter(|cell| !cell.is_empty());
    let (Some(a), Some(b)) = (cell(a).map(fused), cell(b).map(fused)) else {
        return Err(format!(
            "{line:?} does not name two documents: write id, id and grade, separated by tabs"
        ));
    };
    if a == b {
        return Err(format!("{a:?} is paired with itself: name two documents"));
    }
    if header.is_none() && cells.len() < 3 {
        return Err("the third column, with the grade, is missing: write y or n there".to_owned());
    }
    let word = cell(grade).unwrap_or_default().trim();
    if word.is_empty() {
        return Ok(None);
    }
    let lower = word.to_lowercase();
    let grade = match lower.as_str() {
        word if SAME.contains(&word) => Grade::Same,
        word if DIFFERENT.contains(&word) => Grade::Different,
        word if NEITHER.contains(&word) => Grade::Neither,
        _ => {
            return Err(format!(
                "the grade {word:?} is unknown: write y or pos, n or neg, gray for neither, or leave \
                 it empty"
            ));
        }
    };
    Ok(Some((GradedPair { a: a.to_owned(), b: b.to_owned(), grade }, word.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grades(text: &str) -> Vec<(String, String, Grade)> {
        let graded = parse(text).expect(text);
        graded.pairs.into_iter().map(|pair| (pair.a, pair.b, pair.grade)).collect()
    }

    #[test]
    fn with_and_without_a_header() {
        let expected = [
            ("one".to_owned(), "two".to_owned(), Grade::Same),
            ("two".to_owned(), "three".to_owned(), Grade::Different),
        ];
        for text in [
            "one\ttwo\tpos\ntwo\tthree\tneg\n",
            "# by hand\n\none\ttwo\tY\textra\r\ntwo\tthree\tFalse\r\n",
            "\u{feff}id_a\tid_b\ttier\tjaccard\none\ttwo\tpos\t1\ntwo\tthree\tneg\t0\n",
            "score\tLabel\ta\tb\n.9\tduplicate\tone\ttwo\n.1\t0\ttwo\tthree\n",
            "one\ttwo\t1\ntwo\tthree\tno\ntwo\tone\tyes\n",
        ] {
            assert_eq!(grades(text), expected, "{text:?}");
        }
    }

    #[test]
    fn pairs_without_a_grade_are_left_out() {
        let graded = parse("a\tb\tlabel\tscore\nx\ty\t\t0.5\nx\tz\ty\t0.6\nz\ty\n").unwrap();
        assert_eq!((graded.pairs.len(), graded.ungraded), (1, 2));
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (text, parts) in [
            ("x\ty\tpos\nx\ty\tneg\n", &["line 2", "\"neg\"", "\"pos\" in line 1"][..]),
            ("x\ty\tpos\ny\tx\tgray\n", &["line 2", "keep one"]),
            ("x\tx\tpos\n", &["line 1", "with itself"]),
            ("x\ty\n", &["line 1", "third column"]),
            ("x\n", &["line 1", "two documents"]),
            ("x\ty\tperhaps\n", &["line 1", "\"perhaps\"", "write y"]),
            ("x\nx\nx\nx\nx\n", &["line 3", "and 2 more"]),
        ] {
            let error = parse(text).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{part:?} is not in {error}");
            }
        }
    }
}
