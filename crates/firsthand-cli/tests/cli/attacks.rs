//! Attacks by those who know how near-duplicates are found, and by sheer number.

use super::online::FERRY;
use super::{Run, lines, read, run, run_with, write};
use serde_json::{Value, json};
use std::path::Path;

/// A number that depends on another in no simple way.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (number ^ (number >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 7
}

/// A part of a story: twenty words.
fn part(story: u64, part: u64) -> String {
    let word = |at: u64| format!("w{}", mix(story << 32 | part << 16 | at) % 20_000);
    (0..20).map(word).collect::<Vec<_>>().join(" ")
}

/// Nine parts of the first story, and six of its own.
fn decoy(number: u64) -> String {
    let mut parts: Vec<String> = (0..15).map(|at| part(1, at)).collect();
    let places = (0..).map(|at| (mix(number << 20 | at) % 15) as usize);
    let mut replaced = 0;
    for place in places {
        if !parts[place].ends_with('.') {
            parts[place] = part(1_000 + number, place as u64) + ".";
            replaced += 1;
        }
        if replaced == 6 {
            break;
        }
    }
    parts.join(" ")
}

/// The first story with about one in thirty words changed, unless the number is 0.
fn copy(number: u64) -> String {
    let text = (0..15).map(|at| part(1, at)).collect::<Vec<_>>().join(" ");
    let word = |(at, word): (usize, &str)| match mix(number << 16 | at as u64) % 30 {
        0 if number > 0 => format!("changed{at}"),
        _ => word.to_owned(),
    };
    text.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_flood_of_parts_of_a_story_does_not_hide_it() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: String, text: String| json!({ "id": id, "text": text }).to_string() + "\n";
    // When the story comes, its keys are crowded.
    let mut input: String =
        (0..4_000).map(|number| line(format!("decoy{number}"), decoy(number))).collect();
    input.extend((0..=10).map(|number| line(format!("copy{number}"), copy(number))));
    let args = ["stream", "--store", "memory:", "--profile", "feed", "-q"];
    let answers = lines(&run_with(folder.path(), &args, input.as_bytes()).code(0).out);
    let of_story = answers.iter().filter(|answer| answer["original"] == "copy0");
    let found: Vec<&str> = of_story.map(|answer| answer["id"].as_str().unwrap()).collect();
    // Keys are drawn anew for each store, so that now and then a copy is missed; without care, all are.
    assert!(found.len() >= 6 && found.iter().all(|id| id.starts_with("copy")), "{found:?}");
}

/// What the keys of a store are made with differs from store to store, so that nobody can aim at them;
/// `store info` does not tell it.
#[test]
fn every_store_has_a_salt_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let salt = |store: &str| -> u64 {
        let input = json!({ "id": "a", "text": FERRY }).to_string();
        run_with(folder.path(), &["stream", "--store", store, "-q"], input.as_bytes()).code(0);
        let about: Value =
            serde_json::from_str(&read(folder.path(), &format!("{store}/store.json"))).unwrap();
        let about = about.to_string();
        let (_, rest) = about.split_once("salt").unwrap_or_else(|| panic!("no salt: {about}"));
        let digits: String = rest
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        for more in [&[][..], &["--settings"], &["--format", "json"]] {
            let info = [&["store", "info", "--store", store], more].concat();
            let info = run(folder.path(), &info).code(0).out;
            assert!(!info.contains(&digits), "{info}");
        }
        digits.parse().unwrap()
    };
    let salts = [salt("one"), salt("two"), salt("three")];
    assert!(salts[0] != salts[1] && salts[1] != salts[2] && salts[0] != salts[2], "{salts:?}");
}

/// A word of letters that no language uses in this way.
fn senseless(number: usize) -> String {
    let letters = ["qua", "zor", "bli", "vex", "num", "tra", "pyk", "gol", "fen", "wud"];
    [number / 100 % 10, number / 10 % 10, number % 10].map(|at| letters[at]).concat()
}

#[test]
fn nonsense_before_a_copy_does_not_hide_it() {
    let folder = tempfile::tempdir().unwrap();
    let sentence =
        "The _ of the _ was _ in a _ and it had been _ by the _ that is _ for all of us.";
    let (mut story, mut gaps) = (String::new(), 0);
    while story.split(' ').count() < 800 {
        for word in sentence.split(' ') {
            story += &(word.replace('_', &senseless(gaps * 37)) + " ");
            gaps += usize::from(word.contains('_'));
        }
    }
    write(folder.path(), "story.txt", &story);
    for words in [300, 320, 600] {
        let nonsense: String = (0..words).map(|at| senseless(at * 7 + 3) + " ").collect();
        write(folder.path(), "copy.txt", nonsense + &story);
        let args =
            ["dedup", "story.txt", "copy.txt", "--method", "spotsigs", "-t", "0.45", "--emit"];
        let pairs = run(folder.path(), &[&args[..], &["pairs"]].concat()).code(0).out;
        assert_eq!(pairs.lines().count(), 1, "{words} words: {pairs}");
    }
}

/// Runs with a minute of processor time at the most, which a busy machine does not use up.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, args: &str) -> Run {
    let mut shell = std::process::Command::new("sh");
    let typed = format!("ulimit -t 60; exec \"$0\" dedup {args}");
    shell.args(["-c", &typed, env!("CARGO_BIN_EXE_firsthand")]).current_dir(folder);
    Run::new(&shell.output().unwrap())
}

/// Writing the pairs of many equal texts was quadratic in their number: three minutes of processor time.
#[test]
#[cfg(target_os = "linux")]
fn equal_rows_are_written_in_time_linear_in_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.csv", "text\n".to_owned() + &"word\n".repeat(256_000));
    limited(folder.path(), "in.csv -q -o out").code(0);
    let report: Value = serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    assert_eq!(report["counts"]["documents"], 256_000);
    limited(folder.path(), "in.csv -q -o star --pairs star").code(0);
    assert_eq!(read(folder.path(), "star/pairs.jsonl").lines().count(), 255_999);
}

/// One text that contains all the others was merged with each of them from its start to its end.
#[test]
#[cfg(target_os = "linux")]
fn a_text_that_contains_very_many_others_is_searched_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let (words, texts) = (1_000_000, 150_000);
    let hub: String = (0..words).map(|at| format!("w{at} ")).collect();
    let mut input = json!({ "id": "hub", "text": hub }).to_string() + "\n";
    for at in 0..texts {
        let words = [0, 1, 2].map(|k| format!("w{}", mix(3 * at + k) % words));
        input += &(json!({ "id": at.to_string(), "text": words.join(" ") }).to_string() + "\n");
    }
    write(folder.path(), "in.jsonl", input);
    let settings = "--method shingles --n 1 --min-features 1 --measure containment -t 0.9";
    limited(folder.path(), &format!("in.jsonl -q -o out {settings} --original longest")).code(0);
    let report: Value = serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    assert_eq!(report["counts"]["dropped"], texts);
}

/// Texts that are each the beginning of the next, and vectors that are all somewhat alike, took minutes
/// without a word. They are announced before they begin, and whoever gives a time has what was found by then.
#[test]
#[cfg(target_os = "linux")]
fn long_searches_end_when_they_are_told_to_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        |at: u64, text: &str| json!({ "id": at.to_string(), "text": text }).to_string() + "\n";
    let words = (0..3_000).map(|at| format!("w{at} ")).collect::<Vec<_>>();
    let chain = (0..3_000).map(|at| line(at, &words[..=at as usize].concat()));
    write(folder.path(), "chain.jsonl", chain.collect::<String>());
    let crowd = (0..20_000).map(|at| {
        let words = (0..60).map(|k| format!("w{} ", mix(at << 8 | k) % 300));
        line(at, &words.collect::<String>())
    });
    write(folder.path(), "crowd.jsonl", crowd.collect::<String>());
    let containment = "--method shingles --n 1 --min-features 1 --measure containment -t 0.9";
    let searches = [("chain", 3_000, containment), ("crowd", 20_000, "--method cosine -t 0.3")];
    for (name, documents, settings) in searches {
        let run =
            limited(folder.path(), &format!("{name}.jsonl -o {name} --stop-after 1s {settings}"));
        let report = read(folder.path(), &format!("{name}/report.json"));
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["counts"]["documents"], documents, "{name}");
        // What it will take is said before anything else is.
        assert!(run.err.starts_with("The search for pairs will be long: "), "{}", run.err);
        // A machine that is fast enough finds all of them.
        if report.get("stopped").is_some() {
            run.code(3).says("was stopped after").says("some may be missing");
        } else {
            run.code(0);
        }
    }
}
