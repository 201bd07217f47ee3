//! Settings: flags over the config file over names; help, completions and manual.

use super::{run, write};
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
    run(folder.path(), &["dedup", "in.jsonl"]).code(3).says("no text");
    let args =
        ["dedup", "in.jsonl", "--text-field", "corps", "--id-field", "nr", "--emit", "pairs"];
    assert_eq!(run(folder.path(), &args).code(0).out, "exact\ta\tb\n");
}

#[test]
fn help_completions_and_manual() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&["--help"][..], &["dedup", "--help"], &["explain", "--help"]] {
        let help = run(folder.path(), args).code(0).out;
        assert!(help.starts_with("Examples:"), "{help}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(folder.path(), &["completions", shell]).code(0).out;
        assert!(script.contains("firsthand") && script.contains("against"), "{shell}");
    }
    let manual = run(folder.path(), &["man"]).code(0).out;
    assert!(manual.contains(".SH \"FIRSTHAND DEDUP\"") && manual.contains("threshold"), "{manual}");
    let list = run(folder.path(), &["config", "list"]).code(0).out;
    assert!(list.contains("archive") && list.contains("ddd"), "{list}");
}
