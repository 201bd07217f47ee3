//! A folder that is watched: what is there, what comes, what is half there, and after a restart.

use super::online::{FERRY, POND, Talk, line};
use super::{Run, lines, names, read, run, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn once(folder: &Path, flags: &[&str]) -> Run {
    // Files of this test are whole when it starts.
    let settle = ["--settle", "0ms"];
    let args = [&["watch", "in", "--store", "seen", "--once"], &settle[..], flags].concat();
    run(folder, &args)
}

fn ids(run: &Run) -> Vec<String> {
    lines(&run.out).iter().map(|answer| answer["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_there_is_taken_once_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let page = format!("<html><body><p>{FERRY}</p></body></html>");
    write(folder.path(), "in/a.txt", FERRY);
    write(folder.path(), "in/deep/er/b.html", page);
    write(folder.path(), "in/c.ndjson", line("own", POND) + "broken\n" + "{\"text\":\"short\"}\n");
    write(folder.path(), "in/d.txt.part", POND);
    write(folder.path(), "in/d.tmp", POND);
    write(folder.path(), "in/.hidden.txt", POND);
    write(folder.path(), "in/empty.txt", "");
    write(folder.path(), "in/picture.png", [0x89, b'P', b'N', b'G', 0, 1, 2, 3]);
    let before = names(&folder.path().join("in"));
    let first = once(folder.path(), &[]).code(3).says("in/empty.txt is empty");
    let answers = lines(&first.out);
    let told: Vec<_> =
        answers.iter().map(|a| (a["id"].as_str(), a["verdict"].as_str().unwrap())).collect();
    let expected = [
        (Some("a.txt"), "original"),
        (Some("own"), "original"),
        (None, "error"),
        (Some("c.ndjson:3"), "too_short"),
        (Some("deep/er/b.html"), "duplicate"),
    ];
    assert_eq!(told, expected);
    assert!(answers[2]["error"].as_str().unwrap().contains("in/c.ndjson, line 2"));
    assert_eq!(answers[4]["original"], "a.txt");
    assert_eq!(names(&folder.path().join("in")), before);
    // What was done is not read again, whichever way the folder is written.
    assert_eq!(once(folder.path(), &[]).code(0).out, "");
    let args = ["watch", "./in/", "--store", "seen", "--once", "--settle", "0ms"];
    assert_eq!(run(folder.path(), &args).code(0).out, "");
    // Another text under the same name is a new generation.
    write(folder.path(), "in/a.txt", format!("{POND} It rained."));
    let changed = once(folder.path(), &[]).code(0);
    assert_eq!(lines(&changed.out)[0]["original"], "own", "{}", changed.out);
    assert_eq!(ids(&changed), ["a.txt"]);
}

#[test]
fn files_are_taken_as_they_come() {
    for flags in [&[][..], &["--poll", "0.05"]] {
        let folder = tempfile::tempdir().unwrap();
        let inbox = folder.path().join("in");
        write(folder.path(), "in/first.txt", FERRY);
        let args = [&["watch", "in", "--store", "seen", "--settle", "200ms"], flags].concat();
        let mut watch = Talk::new(folder.path(), &args);
        assert_eq!(watch.hear()["id"], "first.txt");
        // Renamed into place.
        write(folder.path(), "in/.second", FERRY);
        fs::rename(inbox.join(".second"), inbox.join("second.txt")).unwrap();
        let second = watch.hear();
        assert_eq!(
            (&second["id"], &second["original"]),
            (&"second.txt".into(), &"first.txt".into())
        );
        // In a folder that was not there before.
        fs::create_dir(inbox.join("new")).unwrap();
        write(folder.path(), "in/new/third.ndjson", line("third", FERRY));
        assert_eq!(watch.hear()["id"], "third");
        watch.signal("-TERM");
        watch.end().code(143).says("Judged 3 documents");
        assert_eq!(once(folder.path(), &[]).code(0).out, "");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_being_written_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    // Someone who keeps a file open gets twenty times as long.
    let args = ["watch", "in", "--store", "seen", "--settle", "3s"];
    let mut watch = Talk::new(folder.path(), &args);
    let place = |name: &str, text: &str| {
        write(folder.path(), "in/.whole", text);
        fs::rename(folder.path().join("in/.whole"), folder.path().join("in").join(name)).unwrap();
    };
    place("ready.txt", POND);
    assert_eq!(watch.hear()["id"], "ready.txt");
    let mut file = fs::File::create(folder.path().join("in/slow.txt")).unwrap();
    std::io::Write::write_all(&mut file, &FERRY.as_bytes()[..80]).unwrap();
    // A whole file that comes later is taken first.
    place("whole.txt", POND);
    assert_eq!(watch.hear()["id"], "whole.txt");
    std::io::Write::write_all(&mut file, &FERRY.as_bytes()[80..]).unwrap();
    drop(file);
    let slow = watch.hear();
    assert_eq!((&slow["id"], &slow["verdict"]), (&"slow.txt".into(), &"original".into()));
    // All of it was read: a whole copy is an exact one.
    place("copy.txt", FERRY);
    let copy = watch.hear();
    assert_eq!((&copy["original"], &copy["exact"]), (&"slow.txt".into(), &Value::Bool(true)));
    watch.signal("-INT");
    watch.end().code(130);
}

/// Waits until a file has this many lines; only what hangs is given up.
fn wait_for(folder: &Path, name: &str, count: usize) -> Vec<Value> {
    for _ in 0..6_000 {
        let text = fs::read_to_string(folder.join(name)).unwrap_or_default();
        if text.lines().count() >= count && text.ends_with('\n')
            || count == 0 && folder.join(name).exists()
        {
            return lines(&text);
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{name} does not get {count} lines");
}

#[test]
fn a_hang_up_opens_the_answers_anew() {
    for args in [&["watch", "in", "--settle", "0ms"][..], &["stream"]] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("in")).unwrap();
        let args = [args, &["--store", "seen", "--out", "v", "-q"]].concat();
        let mut talk = Talk::new(folder, &args);
        let mut send = |id: &str| match args[0] {
            "watch" => write(folder, &format!("in/{id}.ndjson"), line(id, FERRY)),
            _ => talk.send(&line(id, FERRY)),
        };
        send("a");
        assert_eq!(wait_for(folder, "v", 1)[0]["id"], "a");
        fs::rename(folder.join("v"), folder.join("v.1")).unwrap();
        send("b");
        assert_eq!(wait_for(folder, "v.1", 2)[1]["id"], "b");
        talk.signal("-HUP");
        wait_for(folder, "v", 0);
        match args[0] {
            "watch" => write(folder, "in/c.ndjson", line("c", FERRY)),
            _ => talk.send(&line("c", FERRY)),
        }
        assert_eq!(wait_for(folder, "v", 1)[0]["id"], "c");
        assert_eq!(lines(&read(folder, "v.1")).len(), 2);
        talk.signal("-TERM");
        talk.end().code(143);
    }
}

#[test]
fn what_cannot_be_read_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.txt", FERRY);
    write(folder.path(), "in/broken.jsonl.gz", [0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 9, 9, 9, 9]);
    write(folder.path(), "in/z.txt", FERRY);
    let run = once(folder.path(), &["--out", "verdicts.ndjson"]).code(3);
    assert_eq!(run.out, "");
    let answers = lines(&read(folder.path(), "verdicts.ndjson"));
    let verdicts: Vec<_> = answers.iter().map(|a| a["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["original", "error", "duplicate"]);
    assert!(answers[1]["error"].as_str().unwrap().contains("in/broken.jsonl.gz"));
    once(folder.path(), &["--out", "verdicts.ndjson"]).code(0);
    assert_eq!(lines(&read(folder.path(), "verdicts.ndjson")).len(), 3);
}

#[test]
fn a_folder_that_would_eat_its_own_output_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.txt", FERRY);
    let refused = once(folder.path(), &["--out", "in/verdicts.ndjson"]).code(2);
    refused.says("lies in the folder that is watched");
    assert_eq!(names(&folder.path().join("in")), ["a.txt"]);
    let args = ["watch", "nowhere", "--store", "seen"];
    run(folder.path(), &args).code(2).says("nowhere: there is no such folder to watch");
    // A store in the folder is no input.
    let args = ["watch", ".", "--store", "in/seen", "--once", "--settle", "0ms"];
    let first = run(folder.path(), &args).code(0);
    assert_eq!(ids(&first), ["in/a.txt"]);
    assert_eq!(run(folder.path(), &args).code(0).out, "");
}

#[test]
fn a_store_in_the_folder_is_not_taken_for_input() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.txt", FERRY);
    let args = ["watch", "in", "--store", "in/seen", "--settle", "0ms"];
    let mut watch = Talk::new(folder.path(), &args);
    assert_eq!(watch.hear()["id"], "a.txt");
    for name in ["b.txt", "c.txt", "d.txt"] {
        write(folder.path(), "in/.new", POND);
        fs::rename(folder.path().join("in/.new"), folder.path().join("in").join(name)).unwrap();
        assert_eq!(watch.hear()["id"], name);
    }
    watch.signal("-TERM");
    let end = watch.end().code(143);
    assert_eq!(end.out, "");
    end.says("Judged 4 documents");
}
