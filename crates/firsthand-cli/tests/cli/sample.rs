//! `firsthand sample` as users meet it: pairs to label, and the histogram of scores.

use crate::{Run, lines, names, read, run, run_with, write};
use std::collections::HashSet;
use std::path::Path;

/// A story of ten lines that shares no phrase with others.
fn story(number: usize) -> Vec<String> {
    let tell = |line: usize| {
        let words = ["boat", "port", "hall", "road", "week", "town", "song"];
        let words = words.map(|word| format!("{word}{number}x{line}"));
        let [boat, port, hall, road, week, town, song] = words;
        format!(
            "The {boat} of the {port} and the {hall} on the {road} in a {week} for the {town}, and \
             {song} is it."
        )
    };
    (0..10).map(tell).collect()
}

/// Stories, each with a version that has lost more lines than the one before.
fn collection(stories: usize) -> String {
    let record = |id: String, lines: &[String]| {
        serde_json::json!({ "id": id, "text": lines.join("\n") }).to_string() + "\n"
    };
    let mut text = String::new();
    for number in 0..stories {
        let lines = story(number);
        text += &record(format!("story {number}"), &lines);
        text += &record(format!("version {number}"), &lines[..10 - number % 9]);
    }
    text
}

fn folder(stories: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "news.jsonl", collection(stories));
    folder
}

/// The rows of a table without its header, which is checked.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("a\tb\tlabel\tscore\texact\texcerpt_a\texcerpt_b"));
    lines.map(|line| line.split('\t').collect()).collect()
}

fn sample(folder: &Path, more: &[&str]) -> Run {
    run(folder, &[&["sample", "news.jsonl"][..], more].concat())
}

#[test]
fn pairs_to_be_labelled() {
    let folder = folder(90);
    let run_a = sample(folder.path(), &["--pairs", "40"]).code(0);
    let table = rows(&run_a.out);
    assert_eq!(table.len(), 40);
    let mut seen = HashSet::new();
    for row in &table {
        let [a, b, label, score, exact, excerpt_a, excerpt_b] = row[..] else {
            panic!("{} columns: {row:?}", row.len());
        };
        assert!(seen.insert((a, b)), "{a} {b} twice");
        assert_eq!(label, "");
        assert!((0.2..=1.0).contains(&score.parse::<f64>().unwrap()), "{score}");
        assert_eq!(exact == "true", a.replace("story", "version") == b && excerpt_a == excerpt_b);
        assert!(excerpt_a.chars().count() < 210 && !excerpt_b.is_empty());
    }
    let near = |row: &&Vec<&str>| (0.35..0.55).contains(&row[3].parse::<f64>().unwrap());
    assert!(table.iter().filter(near).count() >= 10, "{table:?}");

    let next = "firsthand tune news.jsonl --pairs FILE";
    let run_a = run_a.says("40 pairs to label").says("y or n into the column label").says(next);
    assert_eq!(sample(folder.path(), &["--pairs", "40", "--threads", "1"]).out, run_a.out);
    let other = sample(folder.path(), &["--pairs", "40", "--seed", "7"]).code(0);
    assert_ne!(other.out, run_a.out);
    let quiet = sample(folder.path(), &["--quiet"]).code(0);
    assert_eq!(quiet.err, "");
}

#[test]
fn what_is_at_or_above_the_threshold_is_stated_by_dedup() {
    let folder = folder(40);
    let run_a = sample(folder.path(), &["--pairs", "1000"]).code(0).says("There are no more");
    let args = ["dedup", "news.jsonl", "--emit", "pairs", "--format", "jsonl"];
    let pairs = lines(&run(folder.path(), &args).code(0).out);
    let id = |pair: &serde_json::Value, side: &str| pair[side].as_str().unwrap().to_owned();
    let stated: HashSet<(String, String)> =
        pairs.iter().map(|pair| (id(pair, "a"), id(pair, "b"))).collect();
    let mut above = 0;
    for row in rows(&run_a.out) {
        let pair = (row[0].to_owned(), row[1].to_owned());
        let score: f64 = row[3].parse().unwrap();
        // Scores are cut to three decimals.
        if score >= 0.4 {
            above += 1;
            assert!(stated.contains(&pair), "{pair:?} {score}");
        } else if score < 0.399 {
            assert!(!stated.contains(&pair), "{pair:?} {score}");
        }
    }
    assert_eq!(above, stated.len());
}

#[test]
fn excerpts_start_where_the_texts_differ() {
    let folder = tempfile::tempdir().unwrap();
    let start = story(1).join(" ");
    let text = |id: &str, end: &str| {
        serde_json::json!({ "id": id, "text": format!("{start}\t{end} now.") }).to_string() + "\n"
    };
    write(folder.path(), "news.jsonl", text("a", "=cmd") + &text("b", "slow\n\u{1b}[2J"));
    let run = sample(folder.path(), &[]).code(0);
    let table = rows(&run.out);
    let [row] = &table[..] else { panic!("{table:?}") };
    assert!(row[5].starts_with("… ") && row[5].ends_with("is it. =cmd now."), "{row:?}");
    assert!(
        row[6].ends_with("is it. slow \\u{1b}[2J now.") && !run.out.contains('\u{1b}'),
        "{row:?}"
    );
}

#[test]
fn one_giant_cluster_does_not_fill_the_sample() {
    let folder = folder(30);
    let mut text = read(folder.path(), "news.jsonl");
    for copy in 0..60 {
        let mut lines = story(500);
        lines[copy % 10] = format!("This line is only in copy {copy}.");
        let record = serde_json::json!({ "id": format!("giant {copy}"), "text": lines.join("\n") });
        text += &format!("{record}\n");
    }
    write(folder.path(), "news.jsonl", text);
    let run = sample(folder.path(), &["--pairs", "25"]).code(0);
    let table = rows(&run.out);
    let giant = table.iter().filter(|row| row[0].starts_with("giant")).count();
    assert!((1..=5).contains(&giant), "{giant} of {}", table.len());
    assert!(table.len() >= 20);
}

#[test]
fn standard_input_gives_the_same() {
    let folder = folder(20);
    let file = sample(folder.path(), &["--pairs", "10"]).code(0);
    let input = read(folder.path(), "news.jsonl");
    let stdin =
        run_with(folder.path(), &["sample", "-", "--pairs", "10"], input.as_bytes()).code(0);
    assert_eq!(stdin.out, file.out);
    stdin.says("firsthand tune COLLECTION --pairs FILE");
    let histogram = ["sample", "-", "--histogram"];
    let stdin = run_with(folder.path(), &histogram, input.as_bytes()).code(0);
    assert_eq!(stdin.out, sample(folder.path(), &["--histogram"]).out);
    run_with(folder.path(), &["sample", "-", "-"], b"").code(2).says("named 2 times");
}

#[test]
fn a_file_is_written_once() {
    let folder = folder(20);
    let path = folder.path();
    sample(path, &["-o", "labels.tsv"]).code(0).says("--pairs labels.tsv");
    assert_eq!(names(path), ["labels.tsv", "news.jsonl"]);
    let before = read(path, "labels.tsv");
    assert!(rows(&before).len() > 10);
    sample(path, &["-o", "labels.tsv", "--seed", "1"]).code(2).says("there already: --force");
    assert_eq!(read(path, "labels.tsv"), before);
    sample(path, &["-o", "labels.tsv", "--force", "--pairs", "3"]).code(0);
    assert_eq!(rows(&read(path, "labels.tsv")).len(), 3);
    sample(path, &["-o", "news.jsonl", "--force"]).code(2).says("news.jsonl is an input");
    sample(path, &["-o", "gone/labels.tsv"]).code(2).says("there is no folder gone");
    sample(path, &["-o", "."]).code(2).says("is a folder");
    assert_eq!(read(path, "news.jsonl"), collection(20));
}

#[test]
fn a_histogram_with_its_valley() {
    let folder = tempfile::tempdir().unwrap();
    // Many that share a third of their lines, and some that share nearly all.
    let shared = story(900)[..4].join("\n");
    let mut text = String::new();
    for number in 0..60 {
        let lines = story(number);
        let mut add = |id: String, lines: String| {
            text += &format!("{}\n", serde_json::json!({ "id": id, "text": lines }));
        };
        add(format!("story {number}"), format!("{shared}\n{}", lines[..8].join("\n")));
        if number < 30 {
            add(format!("copy {number}"), format!("{shared}\n{}\nThe end.", lines[..8].join("\n")));
        }
        if number < 3 {
            add(format!("exact {number}"), format!("{shared}\n{}", lines[..8].join("\n")));
        }
    }
    write(folder.path(), "news.jsonl", text);
    let svg = ["--histogram", "--floor", "0.1", "--svg", "scores.svg"];
    let run_a =
        sample(folder.path(), &svg).code(0).says("firsthand dedup news.jsonl --threshold 0.");
    let marked = run_a.out.lines().find(|line| line.contains("<- valley"));
    let score: f64 = marked.unwrap_or_else(|| panic!("{}", run_a.out))[2..6].parse().unwrap();
    assert!((0.3..0.9).contains(&score), "{}", run_a.out);
    assert!(run_a.out.contains("log scale") && run_a.out.contains('█'), "{}", run_a.out);
    assert!(run_a.out.contains("3 documents are exact copies of others"), "{}", run_a.out);
    assert!(run_a.out.contains("<- threshold now 0.4"), "{}", run_a.out);
    let picture = read(folder.path(), "scores.svg");
    assert!(picture.starts_with("<?xml") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("valley: suggested threshold") && picture.contains("class=\"bar\""));
    sample(folder.path(), &svg).code(2).says("scores.svg is there already");

    // Without copies there is nothing to suggest, and that is said.
    let alone: String = read(folder.path(), "news.jsonl")
        .lines()
        .filter(|line| line.contains("\"story"))
        .map(|line| format!("{line}\n"))
        .collect();
    write(folder.path(), "news.jsonl", alone);
    let run_b = sample(folder.path(), &["--histogram", "--floor", "0.1"]).code(0);
    assert!(run_b.out.contains("No threshold can be suggested"), "{}", run_b.out);
    run_b.says("firsthand sample news.jsonl -o labels.tsv");
}

#[test]
fn mistakes_are_told() {
    let folder = folder(5);
    let path = folder.path();
    sample(path, &["--floor", "0.6"]).code(2).says("the floor 0.6 is above the threshold 0.4");
    sample(path, &["--floor", "0"]).code(2).says("threshold \"0\" is not usable");
    sample(path, &["--pairs", "0"]).code(2).says("write a number from 1");
    sample(path, &["--svg", "x.svg"]).code(2).says("--histogram");
    run(path, &["sample", "gone.jsonl"]).code(2).says("there is no such file");

    write(path, "empty.jsonl", "");
    run(path, &["sample", "empty.jsonl"]).code(2).says("no document could be read");
    write(path, "one.jsonl", "{\"id\":\"a\",\"text\":\"Only one.\"}\n");
    run(path, &["sample", "one.jsonl"]).code(2).says("one document makes no pair");
    run(path, &["sample", "one.jsonl", "--histogram"]).code(2).says("one document makes no pair");
    let other = "{\"id\":\"b\",\"text\":\"Quite another thing.\"}\nbroken\n";
    write(path, "two.jsonl", read(path, "one.jsonl") + other);
    let none = run(path, &["sample", "two.jsonl"]).code(2);
    none.says("no two of 2 documents score 0.2 or more").says("--floor");

    // One record that cannot be read is told by the exit code, and costs nothing else.
    write(path, "news.jsonl", collection(5) + "broken\n");
    let run_a = sample(path, &[]).code(3).says("not read: news.jsonl");
    assert!(rows(&run_a.out).len() >= 5);
}

#[test]
fn ids_that_no_table_can_hold_are_left_out() {
    let folder = folder(12);
    let odd = read(folder.path(), "news.jsonl")
        .replace("story 0", "story\\t0")
        .replace("story 1\"", "#1\"")
        .replace("version 2", "\\\"2")
        .replace("version 3", "\\u001b3");
    write(folder.path(), "news.jsonl", odd);
    let run_a = sample(folder.path(), &[]).code(0).says("left out: 4 documents with an id");
    assert_eq!(rows(&run_a.out).iter().filter(|row| row.len() != 7).count(), 0);
    assert!(!run_a.out.contains("version 0\t"));
    let all = collection(3).replace("\"id\":\"", "\"id\":\"#");
    write(folder.path(), "news.jsonl", all);
    sample(folder.path(), &[]).code(2).says("no pair has ids that a table can hold");
}

#[test]
fn no_spreadsheet_runs_an_id_and_graded_pairs_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "news.jsonl", collection(40).replace("\"story ", "\"=story "));
    let table = sample(folder.path(), &["--pairs", "60"]).code(0).out;
    let mut graded = String::new();
    for (number, mut row) in rows(&table).into_iter().enumerate() {
        assert!(row[..2].iter().all(|id| !id.starts_with('=')), "{row:?}");
        assert!(row[..2].iter().any(|id| id.starts_with("'=story ")), "{row:?}");
        row[2] = if number % 2 == 0 { "y" } else { "n" };
        graded += &(row[..3].join("\t") + "\n");
    }
    write(folder.path(), "graded.tsv", graded);
    let args = ["eval", "news.jsonl", "--pairs", "graded.tsv", "--methods", "shingles"];
    run(folder.path(), &[&args[..], &["-o", "out", "--no-memory"]].concat()).code(0);
    let errors = read(folder.path(), "out/errors.tsv");
    assert!(errors.contains("\t'=story ") && !errors.contains("\t=story "), "{errors}");
}
