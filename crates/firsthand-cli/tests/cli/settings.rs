//! Settings: flags over the config file over names; help, completions and manual.

use super::{Run, command, run, write};
use std::path::Path;

fn show(folder: &Path, args: &[&str]) -> String {
    run(folder, &[&["config", "show"], args].concat()).code(0).out
}

#[test]
fn what_is_shown_reads_back_as_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [&[&str]; 7] = [
        &[],
        &["--profile", "mail"],
        &["--method", "ddd", "--threshold", "1/3"],
        &["--method", "spotsigs", "--antecedents", "the(2,3);is", "--language", "de"],
        &["--n", "7", "--measure", "cosine", "--grouping", "component", "--original", "longest"],
        &["--extract", "none", "--kind", "text", "--follow"],
        &["--text-field", "corps", "--id-field", "nr", "--time-field", "am"],
    ];
    for args in cases {
        let shown = show(folder.path(), args);
        write(folder.path(), "shown.toml", &shown);
        assert_eq!(show(folder.path(), &["--config", "shown.toml"]), shown, "{args:?}");
    }
    assert_ne!(show(folder.path(), cases[1]), show(folder.path(), cases[0]));
    assert!(show(folder.path(), cases[6]).contains("text = [\"corps\"]"));
}

#[test]
fn flags_win_over_the_file_and_the_file_over_names() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "c.toml",
        "profile = \"mail\"\nthreshold = 0.7\n[reading.fields]\ntext = [\"corps\"]\n",
    );
    let shown = show(folder.path(), &["--config", "c.toml"]);
    assert!(shown.contains("threshold = \"0.7\"") && shown.contains("kind = \"words\""), "{shown}");
    assert!(shown.contains("text = [\"corps\"]") && shown.contains("id = [\"id\""), "{shown}");
    let shown = show(folder.path(), &["--config", "c.toml", "-t", "0.9"]);
    assert!(shown.contains("threshold = \"0.9\""), "{shown}");
}

#[test]
fn fields_by_flag() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str| format!("{{\"nr\":\"{id}\",\"corps\":\"{}\"}}\n", super::FERRY);
    write(folder.path(), "in.jsonl", record("a") + &record("b"));
    run(folder.path(), &["dedup", "in.jsonl"]).code(2).says("no text");
    let args =
        ["dedup", "in.jsonl", "--text-field", "corps", "--id-field", "nr", "--emit", "pairs"];
    assert_eq!(run(folder.path(), &args).code(0).out, "exact\ta\tb\n");
}

#[test]
fn help_completions_and_manual() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(folder.path(), &["completions", shell]).code(0).out;
        assert!(script.contains("firsthand") && script.contains("against"), "{shell}");
        // These two shells complete no values in clap's scripts.
        if !["powershell", "elvish"].contains(&shell) {
            assert!(script.contains("corpus") && script.contains("super-shingles"), "{shell}");
        }
    }
    let manual = run(folder.path(), &["man"]).code(0).out;
    assert!(manual.contains(".SH \"FIRSTHAND DEDUP\"") && manual.contains("threshold"), "{manual}");
    let one = run(folder.path(), &["man", "dedup"]).code(0).out;
    assert!(one.contains("firsthand\\-dedup") && one.contains("\\-\\-threshold"), "{one}");
    let nested = run(folder.path(), &["man", "store", "info"]).code(0).out;
    assert!(nested.contains("settings it was made with"), "{nested}");
    run(folder.path(), &["man", "dedupe"]).code(2).says("there is no command \"dedupe\"");
    let list = run(folder.path(), &["config", "list"]).code(0).out;
    assert!(list.contains("archive") && list.contains("ddd"), "{list}");
}

#[test]
fn help_begins_with_what_the_tool_is() {
    let folder = tempfile::tempdir().unwrap();
    let commands: [(&[&str], &str); 4] = [
        (&[], "Near-duplicate detection for documents"),
        (&["dedup"], "Find all near-duplicates in a collection"),
        (&["explain"], "Show how alike two documents are"),
        (&["stream"], "Judge documents as they arrive"),
    ];
    for (command, about) in commands {
        for flag in ["-h", "--help"] {
            let help = run(folder.path(), &[command, &[flag]].concat()).code(0).out;
            let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}: {help}"));
            let places = [about, "\nUsage: ", "\nExamples:\n", "\nOptions:\n"].map(place);
            assert!(places[0] == 0 && places.is_sorted(), "{help}");
        }
    }
}

#[test]
fn the_short_help_fits_on_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let help = |args: &[&str]| {
        let mut command = command(folder.path(), args);
        Run::new(&command.env("COLUMNS", "80").output().unwrap()).code(0).out
    };
    let short = help(&["dedup", "-h"]);
    assert!(short.lines().count() <= 41, "{} lines: {short}", short.lines().count());
    for shown in ["--threshold", "--profile", "--output", "--config", "firsthand dedup --help"] {
        assert!(short.contains(shown), "{shown}: {short}");
    }
    assert!(!short.contains("--max-mime-depth"), "{short}");
    let long = help(&["dedup", "--help"]);
    for shown in ["Settings:", "Results:", "Matching:", "Reading:", "Limits:", "--max-mime-depth"] {
        assert!(long.contains(shown), "{shown}: {long}");
    }
    // What is not shown can be used all the same.
    assert_eq!(
        help(&["config", "show", "--max-mime-depth", "7"]).matches("mime-depth = 7").count(),
        1
    );
}

#[test]
fn formats_stand_under_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 10] = [
        &["dedup"],
        &["stream"],
        &["check"],
        &["watch"],
        &["explain"],
        &["extract"],
        &["eval"],
        &["store", "info"],
        &["store", "get"],
        &["store", "clusters"],
    ];
    for command in commands {
        for flag in ["-h", "--help"] {
            let help = run(folder.path(), &[command, &[flag]].concat()).code(0).out;
            let before = help.split("\n      --format <FORMAT>").next().unwrap();
            let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
            let heading = before.lines().rfind(is_heading);
            assert!(
                before.len() < help.len() && heading == Some("Results:"),
                "{command:?}: {help}"
            );
        }
    }
}

#[test]
fn settings_files_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "good.toml", "profile = \"feed\"\n");
    write(folder.path(), "cosine.toml", "method = \"cosine\"\n");
    write(folder.path(), "zero.toml", "[scheme]\nkind = \"words\"\nn = 0\n");
    write(folder.path(), "typing.toml", "threshold = [1]\n");
    let check = |files: &[&str]| run(folder.path(), &[&["config", "check"], files].concat());
    let both = check(&["good.toml", "cosine.toml"]).code(0).out;
    let lines: Vec<&str> = both.lines().collect();
    assert_eq!(lines[0], "good.toml: can be used for collections and streams");
    assert!(lines[1].starts_with("cosine.toml: can be used for collections, not on a stream: "));
    check(&["zero.toml"]).code(2).says("zero.toml: scheme.n = 0");
    check(&["good.toml", "none.toml"]).code(2).says("none.toml");
    check(&["typing.toml"]).code(2).says("typing.toml");
    // Any other file of TOML, given by mistake.
    write(folder.path(), "package.toml", "[profile.dev]\nopt-level = 1\n");
    write(folder.path(), "number.toml", "method = 5\n");
    write(folder.path(), "both.toml", "method = \"exact\"\nprofile = \"feed\"\n");
    check(&["package.toml"])
        .code(2)
        .says("package.toml: profile is a table and must be a name in quotes");
    check(&["number.toml"]).code(2).says("number.toml: method is 5 and must be a name in quotes");
    check(&["both.toml"]).code(2).says("both.toml names both a profile and a method: keep one");
}
