//! Looking after a store.

use super::online::{FERRY, POND, line};
use super::{Run, lines, run, run_with, write};
use serde_json::Value;
use std::path::Path;

/// A folder with a store of an original, its copy and another.
pub(crate) fn three() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let input = line("a", FERRY) + &line("b", FERRY) + &line("c", POND);
    let args = ["stream", "--store", "seen", "--profile", "feed", "--threshold", "0.5", "-q"];
    run_with(folder.path(), &args, input.as_bytes()).code(0);
    folder
}

pub(crate) fn store(folder: &Path, args: &[&str]) -> Run {
    run(folder, &[&["store"], args, &["--store", "seen"]].concat())
}

pub(crate) fn documents(folder: &Path) -> u64 {
    let info = store(folder, &["info", "--format", "json"]).code(0);
    serde_json::from_str::<Value>(&info.out).unwrap()["documents"].as_u64().unwrap()
}

#[test]
fn info_says_what_there_is() {
    let folder = three();
    let info = store(folder.path(), &["info"]).code(0).out;
    for text in ["Store seen", "documents", "3, ", "their times", "--settings"] {
        assert!(info.contains(text), "{text:?}: {info}");
    }
    // All of it stays on a screen, and sizes are written in one way.
    assert!(info.lines().count() <= 24, "{info}");
    let on_disk = info.lines().find(|line| line.trim().starts_with("on disk")).unwrap();
    assert!(on_disk.ends_with(" kB") && !info.contains("000 bytes"), "{info}");
    let json = store(folder.path(), &["info", "--format", "json"]).code(0).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json["facts"]["on disk"].as_u64().unwrap() > 1_000, "{json}");
    // The settings can be used as they are printed.
    let settings = store(folder.path(), &["info", "--settings"]).code(0).out;
    assert!(settings.contains("threshold = \"0.5\""), "{settings}");
    write(folder.path(), "same.toml", settings);
    let args = ["stream", "--store", "seen", "--config", "same.toml", "-q"];
    let again = run_with(folder.path(), &args, line("a", FERRY).as_bytes()).code(0);
    assert_eq!(lines(&again.out)[0]["repeated"], true);
}

#[test]
fn an_export_has_every_document_and_what_was_said() {
    let folder = three();
    let export = lines(&store(folder.path(), &["export"]).code(0).out);
    let told: Vec<_> = export
        .iter()
        .map(|d| (d["id"].as_str().unwrap(), d["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("a", "original"), ("b", "duplicate"), ("c", "original")]);
    assert!(export.iter().all(|d| d["time"].as_str().unwrap().ends_with('Z')), "{export:?}");
    assert_eq!(export[1]["original"], "a");
}

#[test]
fn deleting_promotes_a_copy() {
    let folder = three();
    let dry = store(folder.path(), &["delete", "a", "--dry-run"]).code(0);
    assert!(dry.out.contains("would delete a") && dry.out.contains("b is the original"));
    assert!(store(folder.path(), &["delete", "x"]).code(2).out.contains("no document x"));
    let run = store(folder.path(), &["delete", "a", "c"]).code(0);
    let deleted = run.says("also removes what is left in the files").out;
    assert!(deleted.contains("Deleted a; from now on, b is the original"), "{deleted}");
    assert!(deleted.contains("Deleted c.\n"), "{deleted}");
    let input = line("d", FERRY) + &line("e", POND);
    let args = ["stream", "--store", "seen", "-q"];
    let answers = lines(&run_with(folder.path(), &args, input.as_bytes()).code(0).out);
    assert_eq!(
        (&answers[0]["original"], &answers[1]["verdict"]),
        (&"b".into(), &"original".into())
    );
}

#[test]
fn of_several_ids_those_that_are_there_are_deleted() {
    let folder = three();
    let run = store(folder.path(), &["delete", "b", "nosuch"]).code(3);
    assert_eq!(run.out, "Deleted b.\nThere is no document nosuch in the store.\n");
    run.says("b is in no answer any more");
    // What was deleted counts no more, neither before nor after it is gone from the files.
    for upkeep in [&["info"][..], &["compact"]] {
        store(folder.path(), upkeep).code(0);
        let verified = store(folder.path(), &["verify", "--format", "json"]).code(0);
        let verified: Value = serde_json::from_str(&verified.out).unwrap();
        assert_eq!(verified["documents"], 2, "{verified}");
    }
}

#[test]
fn a_list_that_is_cut_says_how_long_it_would_be() {
    let folder = titled();
    let all = ["clusters", "--min-size", "1"];
    assert!(store(folder.path(), &all).code(0).out.ends_with("\n2 clusters.\n"));
    let first = store(folder.path(), &[&all[..], &["--limit", "1"]].concat()).code(0).out;
    assert!(first.ends_with("\n1 of 2 clusters.\n"), "{first}");
}

#[test]
fn an_update_is_shown_with_its_figures_and_where_it_is_now() {
    let folder = tempfile::tempdir().unwrap();
    let text = |count: &str| format!("{FERRY} There were {count} people on board.");
    let input =
        line("a", &text("forty")) + &line("b", &text("forty-three")) + &line("c", &text("forty"));
    let args = ["stream", "--store", "seen", "--profile", "alert", "-q"];
    run_with(folder.path(), &args, input.as_bytes()).code(0);
    let shown = |id: &str| store(folder.path(), &["get", id]).code(0).out;
    let update = shown("b");
    assert!(update.contains("changed  forty people -> forty-three people"), "{update}");
    assert!(!update.contains("now  "), "{update}");
}

#[test]
fn expiring_forgets_what_lies_before_a_time() {
    let folder = three();
    let dry = store(folder.path(), &["expire", "--before", "2100-01-01", "--dry-run"]).code(0);
    assert!(dry.out.contains("Dry run: 3 documents in 1 part"), "{}", dry.out);
    assert_eq!(documents(folder.path()), 3);
    let none = store(folder.path(), &["expire", "--before", "2000-01-01"]).code(0);
    assert!(none.out.contains("Forgot 0 documents"), "{}", none.out);
    store(folder.path(), &["expire", "--before", "soon"]).code(2).says("write a time such as");
    let forgot = store(folder.path(), &["expire", "--before", "2100-01-01"]).code(0);
    assert!(forgot.out.contains("Forgot 3 documents in 1 part"), "{}", forgot.out);
    assert_eq!(documents(folder.path()), 0);
}

#[test]
fn a_copy_can_be_opened_like_the_store() {
    let folder = three();
    store(folder.path(), &["verify"]).code(0);
    let verified = store(folder.path(), &["verify", "--format", "json"]).code(0);
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((&verified["documents"], &verified["problems"]), (&3.into(), &Value::Array(vec![])));
    store(folder.path(), &["compact", "--dry-run"]).code(0);
    store(folder.path(), &["compact"]).code(0);
    assert_eq!(documents(folder.path()), 3);
    store(folder.path(), &["backup", "copy"]).code(0);
    store(folder.path(), &["backup", "copy"]).code(2);
    let args = ["check", "--store", "copy", "-q"];
    let run = run_with(folder.path(), &args, line("z", FERRY).as_bytes()).code(0);
    assert_eq!(lines(&run.out)[0]["original"], "a");
}

#[test]
fn what_is_no_store_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "seen/other.txt", "not a store");
    for command in ["info", "verify", "export", "expire", "compact"] {
        store(folder.path(), &[command]).code(2).says("there is no store in seen");
    }
    let args = ["stream", "--store", "seen"];
    run(folder.path(), &args).code(2).says("other.txt");
    run(folder.path(), &["store", "info", "--store", "memory:"]).code(2).says("in memory");
}

/// A store of an original and two copies with URLs and titles, and another document.
fn titled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, text: &str, day: u32| {
        let time = format!("2024-05-{day:02}T10:00:00Z");
        let (url, title) = (format!("https://site.example/{id}"), format!("=Title of {id}"));
        serde_json::json!({"id": id, "text": text, "url": url, "title": title, "time": time})
            .to_string()
            + "\n"
    };
    let input = record("a", FERRY, 3) + &record("b", FERRY, 4) + &record("c", POND, 5);
    let args = ["stream", "--store", "seen", "--threshold", "0.5", "-q"];
    run_with(folder.path(), &args, (input + &record("d", FERRY, 9)).as_bytes()).code(0);
    folder
}

#[test]
fn a_document_can_be_asked_for_by_id_and_by_url() {
    let folder = titled();
    let text = store(folder.path(), &["get", "a"]).code(0).out;
    for part in ["a\n", "verdict  original", "cluster  a", "copies   2: b, d"] {
        assert!(text.contains(part), "{part:?}: {text}");
    }
    let by_url = ["get", "--url", "https://site.example/d", "--format", "json"];
    let found: Value = serde_json::from_str(&store(folder.path(), &by_url).code(0).out).unwrap();
    assert_eq!((&found["id"], &found["verdict"]), (&"d".into(), &"duplicate".into()));
    assert_eq!((&found["original"], &found["cluster"]), (&"a".into(), &"a".into()));
    assert_eq!((&found["copies"], &found["replaced_by"]), (&Value::Array(vec![]), &Value::Null));
    assert!(store(folder.path(), &["get", "x"]).code(2).out.contains("no document x"));
    let nowhere = ["get", "--url", "https://nowhere.example/"];
    assert!(store(folder.path(), &nowhere).code(2).out.contains("no document with the URL"));
    store(folder.path(), &["get"]).code(2).says("--url <URL>");
    let both = ["get", "a", "--url", "https://site.example/a"];
    store(folder.path(), &both).code(2).says("cannot be used with").says("--url <URL>");
    let export = lines(&store(folder.path(), &["export"]).code(0).out);
    assert_eq!(export[2]["url"], "https://site.example/c");
    assert_eq!(export[2]["title"], "=Title of c");
    assert_eq!(export[2]["time"], "2024-05-05T10:00:00Z");
}

#[test]
fn clusters_are_listed_in_three_formats() {
    let folder = titled();
    let text = store(folder.path(), &["clusters"]).code(0).out;
    let span =
        "a: 3 documents, 2024-05-03T10:00:00Z to 2024-05-09T10:00:00Z  =Title of a\n1 cluster.\n";
    assert_eq!(text, span);
    let all = ["clusters", "--min-size", "1", "--sort", "first", "--format", "jsonl"];
    let all = lines(&store(folder.path(), &all).code(0).out);
    assert_eq!(
        (all.len(), &all[0]["original"], &all[1]["original"]),
        (2, &"a".into(), &"c".into())
    );
    assert_eq!((&all[0]["size"], &all[0]["last"]), (&3.into(), &"2024-05-09T10:00:00Z".into()));
    let csv = ["clusters", "--min-size", "1", "--sort", "last", "--limit", "1", "--format", "csv"];
    let csv = store(folder.path(), &csv).code(0).out;
    assert_eq!(
        csv,
        "cluster,original,size,updates,first,last,title,url,source,sources,lowest\r\n\
         a,a,3,0,2024-05-03T10:00:00Z,2024-05-09T10:00:00Z,'=Title of a,https://site.example/a,\
         site.example,1,1\r\n"
    );
}

/// Whether a text is in any file of a folder.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => holds(&path, text),
            false => {
                let bytes = std::fs::read(&path).unwrap();
                bytes.windows(text.len()).any(|part| part == text.as_bytes())
            }
        }
    })
}

#[test]
fn what_is_deleted_and_compacted_is_in_no_file() {
    let folder = titled();
    let seen = folder.path().join("seen");
    assert!(holds(&seen, "site.example/a") && holds(&seen, "Title of a"));
    let deleted = store(folder.path(), &["delete", "a", "b"]).code(0).out;
    assert!(deleted.contains("from now on, b is the original"), "{deleted}");
    assert!(deleted.contains("from now on, d is the original"), "{deleted}");
    store(folder.path(), &["compact"]).code(0);
    for gone in ["site.example/a", "Title of a", "site.example/b", "Title of b"] {
        assert!(!holds(&seen, gone), "{gone}");
    }
    assert!(holds(&seen, "site.example/d"));
    let left = lines(&store(folder.path(), &["export"]).code(0).out).len();
    assert_eq!(documents(folder.path()), left as u64);
    let export = lines(&store(folder.path(), &["export"]).code(0).out);
    assert_eq!((&export[1]["id"], &export[1]["cluster"]), (&"d".into(), &"d".into()));
}

/// Runs as somebody who may read a folder and what is in it, and write nothing there. The owner may do
/// nothing either, but permissions do not bind the root user: that one becomes nobody.
#[cfg(unix)]
fn as_reader(folder: &Path, args: &[&str]) -> Run {
    use std::os::unix::fs::MetadataExt;
    use std::process::Command;
    if folder.metadata().unwrap().uid() != 0 {
        return run(folder, args);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
    command.arg(env!("CARGO_BIN_EXE_firsthand")).args(args).current_dir(folder);
    Run::new(&command.output().unwrap())
}

/// Everything in a folder: names, bytes and times of the last change.
#[cfg(unix)]
fn state(folder: &Path) -> Vec<(std::path::PathBuf, std::time::SystemTime, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(state(&path)),
            false => {
                let changed = path.metadata().unwrap().modified().unwrap();
                found.push((path.clone(), changed, std::fs::read(&path).unwrap()));
            }
        }
    }
    let changed = folder.metadata().unwrap().modified().unwrap();
    found.push((folder.to_path_buf(), changed, Vec::new()));
    found.sort();
    found
}

/// Sets the permissions of a folder and of all that is in it.
#[cfg(unix)]
fn permit(folder: &Path, folders: u32, files: u32) {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => permit(&path, folders, files),
            false => set_permissions(&path, Permissions::from_mode(files)).unwrap(),
        }
    }
    set_permissions(folder, Permissions::from_mode(folders)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_store_can_be_read_without_permission_to_write() {
    let folder = three();
    write(folder.path(), "new.ndjson", line("new", FERRY));
    let commands: [&[&str]; 6] = [
        &["store", "info", "--store", "seen", "--format", "json"],
        &["store", "export", "--store", "seen"],
        &["store", "verify", "--store", "seen"],
        &["store", "get", "b", "--store", "seen"],
        &["store", "clusters", "--store", "seen"],
        &["check", "new.ndjson", "--store", "seen"],
    ];
    permit(folder.path(), 0o555, 0o444);
    let before = state(folder.path());
    // The test would show nothing if it could write.
    let deleted = as_reader(folder.path(), &["store", "delete", "b", "--store", "seen"]);
    assert_eq!(deleted.code, 2, "{deleted:?}");
    let answers = commands.map(|args| as_reader(folder.path(), args));
    assert!(before == state(folder.path()));
    permit(folder.path(), 0o755, 0o644);
    for (args, answer) in commands.iter().zip(answers) {
        let answer = answer.code(0);
        assert_eq!(answer.out, run(folder.path(), args).code(0).out, "{args:?}");
    }
}

/// An id that comes back with another text is another document: copies of its two texts have nothing in common.
#[test]
fn copies_of_both_texts_of_an_id_are_not_one_cluster() {
    let folder = three();
    let stream = |input: String| {
        let args = ["stream", "--store", "seen", "-q"];
        lines(&run_with(folder.path(), &args, input.as_bytes()).code(0).out)
    };
    // A text of its own, then copies of the new text and of the former one.
    let tower =
        "A crane fell on the church tower while the bells were being taken down for repair.";
    let answers = stream(line("a", tower) + &line("new", tower) + &line("old", FERRY));
    let told: Vec<_> =
        answers.iter().map(|a| (a["verdict"].as_str().unwrap(), &a["cluster"])).collect();
    assert_eq!(
        told,
        [("original", &"a".into()), ("duplicate", &"a".into()), ("duplicate", &"b".into())]
    );
    assert_eq!(answers[2]["original"], "b");
    let clusters = lines(&store(folder.path(), &["clusters", "--format", "jsonl"]).code(0).out);
    let mut sizes: Vec<_> =
        clusters.iter().map(|c| (c["cluster"].as_str().unwrap(), c["size"].as_u64())).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [("a", Some(2)), ("b", Some(2))]);
    // An edit of the original stays with its copies, and the cluster keeps its name.
    let answers = stream(
        line("new", &format!("{tower} Nobody was hurt.")) + &line("a", &format!("{tower} Again.")),
    );
    assert!(answers.iter().all(|a| a["cluster"] == "a"), "{answers:?}");
}

/// A short notice under another headline of the same site is an original on a stream; who asks is told why.
#[test]
fn pages_of_one_site_that_are_held_to_more_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let text = "The harbour will be closed on Monday. Please call the number below.";
    let page = |id: &str, title: &str, text: String| {
        let url = format!("http://port.example/{id}");
        serde_json::json!({ "id": id, "url": url, "title": title, "text": text }).to_string() + "\n"
    };
    let again = page("b", "Sports results", format!("{text} Thanks."));
    let input = page("a", "Weather today", text.to_owned()) + &again;
    let args = ["stream", "--store", "seen", "--profile", "feed", "-q"];
    let answers = lines(&run_with(folder.path(), &args, input.as_bytes()).code(0).out);
    assert_eq!(answers[1]["verdict"], "original");
    write(folder.path(), "b.jsonl", again);
    let explain = ["explain", "--store", "seen", "a", "b.jsonl"];
    let said = run(folder.path(), &explain).code(0).out.replace("\n  ", " ");
    assert!(said.starts_with("Not a near-duplicate of a. Similarity 0."), "{said}");
    assert!(said.contains("pages of one site with different headlines"), "{said}");
    let json = run(folder.path(), &[&explain[..], &["--format", "json"]].concat()).code(0).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["verdict"], &json["held_to_more"]), (&"original".into(), &true.into()));
}
