//! Windows of a store, and the times of documents that move them.

use super::online::FERRY;
use super::stores::{documents, store, three};
use super::{lines, run, run_with};

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_millis() as i64
}

const HOUR: i64 = 3_600_000;

/// Documents with these times, which have nothing in common.
fn dated(name: &str, times: impl Iterator<Item = i64>) -> String {
    let record = |(number, time): (usize, i64)| {
        let text: String = (0..30).map(|at| format!("{name}{number}word{at} ")).collect();
        let id = format!("{name}{number}");
        serde_json::json!({"id": id, "text": text, "time": time}).to_string() + "\n"
    };
    times.enumerate().map(record).collect()
}

#[test]
fn times_ahead_of_the_clock_forget_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |input: String| {
        let args = ["stream", "--store", "seen", "--profile", "feed"];
        run_with(folder.path(), &args, input.as_bytes()).code(0).err
    };
    let now = now();
    stream(dated("old", (0..60).map(|at| now - 20 * HOUR + at * HOUR / 4)));
    stream(dated("ahead", (0..200).map(|_| now + 72 * HOUR)));
    assert_eq!(documents(folder.path()), 260);
    assert!(store(folder.path(), &["verify"]).code(0).out.contains("no problems"));
}

#[test]
fn a_jump_of_the_times_is_said_and_confirmed_by_what_follows() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |input: String| {
        let args = ["stream", "--store", "seen", "--profile", "feed"];
        run_with(folder.path(), &args, input.as_bytes()).code(0).err
    };
    let then = now() - 5000 * HOUR;
    stream(dated("old", (0..60).map(|at| then + at * HOUR / 4)));
    let said = stream(dated("jump", (0..60).map(|_| then + 100 * HOUR)));
    assert!(said.contains("has jumped from") && said.contains("nothing is forgotten"), "{said}");
    let by = firsthand_input::calendar::rfc3339(then + 100 * HOUR);
    assert!(said.contains(&format!("with a document dated {by}, the time")), "{said}");
    assert_eq!(documents(folder.path()), 120);
    let info = store(folder.path(), &["info"]).code(0).out;
    assert!(info.contains("clock has jumped"), "{info}");
    assert!(info.contains(" (the median of its latest documents before that jumped;"), "{info}");
    // Another run tells what was before it, and blames none of its own documents.
    let said = stream(dated("again", (0..1).map(|_| then)));
    assert!(said.contains("in an earlier run, the time of the stream"), "{said}");
    let window = info.lines().find(|line| line.trim().starts_with("window")).unwrap();
    assert!(window.ends_with(" 24h"), "{window}");
    stream(dated("on", (0..200).map(|at| then + 100 * HOUR + at * HOUR / 20)));
    let info = store(folder.path(), &["info"]).code(0).out;
    assert!(!info.contains("clock has jumped"), "{info}");
    assert!(
        info.contains(" (the median of its latest documents; the window goes back from there)"),
        "{info}"
    );
    assert_eq!(documents(folder.path()), 260);
}

#[test]
fn a_copy_outside_of_the_window_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, time: i64| {
        serde_json::json!({"id": id, "text": FERRY, "time": time}).to_string() + "\n"
    };
    let now = now();
    let input = record("a", now) + &record("late", now - 14 * 24 * HOUR) + &record("b", now);
    let args = ["stream", "--store", "seen", "--profile", "feed", "-q"];
    let answers = lines(&run_with(folder.path(), &args, input.as_bytes()).code(0).out);
    assert_eq!(answers[0].get("outside_window"), None);
    assert_eq!(
        (&answers[1]["verdict"], &answers[1]["outside_window"]),
        (&"original".into(), &true.into())
    );
    assert_eq!(
        (&answers[2]["verdict"], answers[2].get("outside_window")),
        (&"duplicate".into(), None)
    );
    let args = ["check", "--store", "seen", "-q"];
    let late = record("later", now - 14 * 24 * HOUR);
    let checked = lines(&run_with(folder.path(), &args, late.as_bytes()).code(0).out);
    assert_eq!(checked[0]["outside_window"], true);
    let args = ["check", "--store", "seen", "-q", "--format", "text"];
    let said = run_with(folder.path(), &args, late.as_bytes()).code(0).out;
    assert!(said.contains("(outside the window)"), "{said}");
    let said = store(folder.path(), &["get", "late"]).code(0).out;
    assert!(said.contains("outside the window when it arrived"), "{said}");
}

#[test]
fn the_end_of_a_run_accounts_for_documents_outside_of_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |input: String| {
        let args = ["stream", "--store", "seen", "--profile", "feed"];
        let done = run_with(folder.path(), &args, input.as_bytes()).code(0);
        let outside = lines(&done.out).iter().filter(|line| line["outside_window"] == true).count();
        (outside, done.err)
    };
    let then = now() - 50_000 * HOUR;
    let recent = dated("recent", (0..1).map(|_| now()));
    let (outside, said) = stream(recent + &dated("old", (0..20).map(|at| then + at * 6 * HOUR)));
    assert_eq!(outside, 20);
    assert!(said.contains("20 of them were outside the window"), "{said}");
    assert!(!said.contains("too late"), "{said}");
    let forgotten = 21 - documents(folder.path());
    assert!(forgotten > 1, "{said}");
    let left =
        format!("In this run, {forgotten} documents have left the window and been forgotten.");
    assert!(said.contains(&left), "{said}");

    let on = dated("on", (0..30).map(|_| then + 114 * HOUR));
    let (outside, said) = stream(on + &dated("older", (0..3).map(|at| then - (100 + at) * HOUR)));
    assert_eq!(outside, 3);
    let late = "3 of them were outside the window, and compared only with documents of the same time; \
                3 of these came too late to be kept.";
    assert!(said.contains(late) && !said.contains("Since the store was made"), "{said}");
    let (_, said) = stream(dated("next", (0..1).map(|_| then + 114 * HOUR)));
    assert!(said.contains("Since the store was made, 3 documents arrived too late"), "{said}");
}

#[test]
fn an_earlier_document_takes_the_place_of_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, hours: i64| {
        let time = now() - hours * HOUR;
        serde_json::json!({"id": id, "text": FERRY, "time": time}).to_string() + "\n"
    };
    let args = ["stream", "--store", "seen", "--profile", "feed", "--original", "earliest", "-q"];
    let input = record("first", 3) + &record("copy", 2) + &record("earlier", 5);
    run_with(folder.path(), &args, input.as_bytes()).code(0);
    let get = |id: &str| store(folder.path(), &["get", id]).code(0).out;
    let now = "now      earlier has taken its place as the original of the cluster\n";
    assert!(get("first").contains(now), "{}", get("first"));
    // The place of a copy was not taken by anybody.
    let now = "now      the original of its cluster is earlier\n";
    assert!(get("copy").contains(now), "{}", get("copy"));
    assert!(!get("earlier").contains("now "), "{}", get("earlier"));
}

#[test]
fn a_window_may_become_narrower_and_wider() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |window: &str, input: String| {
        let args = ["stream", "--store", "seen", "--window", window];
        run_with(folder.path(), &args, input.as_bytes()).code(0).err
    };
    let then = now() - 5000 * HOUR;
    stream("48h", dated("first", (0..200).map(|at| then + at * HOUR / 4)));
    assert_eq!(documents(folder.path()), 200);
    let said = stream("12h", dated("second", (0..60).map(|at| then + 50 * HOUR + at * HOUR / 60)));
    assert!(said.contains("The window is 12h; it was 48h."), "{said}");
    let left = documents(folder.path());
    assert!((100..160).contains(&left), "{left}");
    // Counted when the store is opened; what arrives then moves the window on.
    let outside = said.split(" documents are outside of it").next().unwrap();
    let outside: u64 = outside.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((1..=260 - left).contains(&outside), "{outside} and {left}: {said}");
    let said = stream("48h", dated("third", (0..1).map(|_| then + 51 * HOUR)));
    assert!(said.contains("The window is 48h; it was 12h: documents before"), "{said}");
    assert!(said.contains("holds in full from"), "{said}");
    assert_eq!(documents(folder.path()), left + 1);
    let info = store(folder.path(), &["info", "--settings"]).code(0).out;
    assert!(info.contains("time = \"48h\""), "{info}");
}

#[test]
fn windows_are_printed_as_people_write_them() {
    let folder = three();
    let info = store(folder.path(), &["info"]).code(0).out;
    assert!(info.contains(" 24h\n") && !info.contains("86,400,000"), "{info}");
    let stored = store(folder.path(), &["info", "--settings"]).code(0).out;
    let settings = run(folder.path(), &["config", "show", "--profile", "feed"]).code(0).out;
    for shown in [stored, settings] {
        assert!(shown.contains("time = \"24h\"") && !shown.contains("86400000"), "{shown}");
    }
}
