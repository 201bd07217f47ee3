//! A stream as its users meet it: verdicts, order, restarts, settings, windows, signals.

use super::{Run, command, lines, names, run, run_with, write};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) const FERRY: &str = "The night ferry to Skarholm ran aground on a mud bank shortly before \
    midnight with forty passengers on board. Nobody was hurt, the harbour office said on Monday \
    morning. A tug is to pull the ship free when the tide is high again.";

pub(crate) const POND: &str = "After three dry summers the orchard keepers on the island have dug a \
    pond that holds enough water for six weeks. They share the pump with the school garden, where \
    children grow beans and pumpkins for the market.";

pub(crate) fn line(id: &str, text: &str) -> String {
    json!({ "id": id, "text": text }).to_string() + "\n"
}

fn at(id: &str, text: &str, time: &str) -> String {
    json!({ "id": id, "text": text, "time": time }).to_string() + "\n"
}

/// Id, verdict, original and whether it was here before.
fn told(run: &Run) -> Vec<(String, String, Option<String>, bool)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let row = |answer: Value| {
        let id = text(&answer["id"]).unwrap_or_default();
        let verdict = text(&answer["verdict"]).unwrap();
        (id, verdict, text(&answer["original"]), answer["repeated"].as_bool().unwrap())
    };
    lines(&run.out).into_iter().map(row).collect()
}

fn verdicts(run: &Run) -> Vec<String> {
    told(run).into_iter().map(|(_, verdict, ..)| verdict).collect()
}

#[test]
fn the_example_gets_every_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let example = root().join("examples/stream.ndjson");
    let args = ["stream", "--store", "seen", "--profile", "alert", example.to_str().unwrap()];
    let run = run(folder.path(), &args).code(3);
    let some = |id: &str| Some(id.to_owned());
    let expected = [
        ("harbour-1", "original", None, false),
        ("gazette-1", "duplicate", some("harbour-1"), false),
        ("bulletin-1", "duplicate", some("harbour-1"), false),
        ("orchard-1", "original", None, false),
        ("harbour-2", "update", some("harbour-1"), false),
        ("ticker-1", "too_short", None, false),
        ("gazette-1", "duplicate", some("harbour-1"), true),
        ("broken-1", "error", None, false),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(id, verdict, original, again)| (id.to_owned(), verdict.to_owned(), original, again))
        .collect();
    assert_eq!(told(&run), expected);
    let answers = lines(&run.out);
    assert_eq!(
        answers[4]["changed"],
        json!([{"before": "forty passengers", "after": "forty-three passengers", "kind": "count"}])
    );
    assert_eq!((&answers[1]["exact"], &answers[2]["exact"]), (&json!(true), &json!(false)));
    let score = answers[2]["score"].as_f64().unwrap();
    assert!((0.6..1.0).contains(&score), "{score}");
    // The names and their order are a promise.
    let first = run.out.lines().next().unwrap();
    assert_eq!(
        first,
        "{\"id\":\"harbour-1\",\"verdict\":\"original\",\"original\":null,\"score\":null,\
         \"cluster\":\"harbour-1\",\"exact\":false,\"via\":null,\"changed\":[],\"repeated\":false,\
         \"error\":null}"
    );
    assert!(run.err.contains("Judged 7 documents"), "{}", run.err);
    assert!(run.err.contains("2 originals, 3 duplicates (2 exact), 1 update, 1 too short"));
}

#[test]
fn answers_come_in_order_and_the_same_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let mut input = String::new();
    for number in 0..1500 {
        input += &match number % 5 {
            0 => line(&format!("n{number}"), FERRY),
            1 => "\n".to_owned(),
            2 => format!("{{\"id\":\"n{number}\"}}\n"),
            _ => line(&format!("n{number}"), &format!("{POND} Number {} said so.", number / 50)),
        };
    }
    let stream = |store: &str, threads: &str| {
        let args = ["stream", "--store", store, "--threads", threads];
        run_with(folder.path(), &args, input.as_bytes()).code(3)
    };
    let one = stream("one", "1");
    let ids: Vec<String> = told(&one).into_iter().map(|(id, ..)| id).collect();
    let expected: Vec<String> =
        (0..1500).filter(|number| number % 5 != 1).map(|number| format!("n{number}")).collect();
    assert_eq!(ids, expected);
    assert_eq!(stream("four", "4").out, one.out);
    assert!(one.err.contains("Ignored 300 blank lines."), "{}", one.err);
}

#[test]
fn a_restart_remembers_and_a_changed_text_is_a_new_generation() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |input: String| {
        run_with(folder.path(), &["stream", "--store", "seen"], input.as_bytes()).code(0)
    };
    let first = stream(line("a", FERRY));
    assert!(first.err.contains("A new store, with the settings of the profile archive"));
    let again = stream(line("a", FERRY) + &line("b", FERRY));
    assert!(!again.err.contains("A new store"), "{}", again.err);
    let some = |id: &str| Some(id.to_owned());
    assert_eq!(told(&again)[0], ("a".to_owned(), "original".to_owned(), None, true));
    assert_eq!(told(&again)[1], ("b".to_owned(), "duplicate".to_owned(), some("a"), false));
    let changed = stream(line("b", POND) + &line("c", POND) + &line("b", POND));
    assert_eq!(told(&changed)[0], ("b".to_owned(), "original".to_owned(), None, false));
    assert_eq!(told(&changed)[1], ("c".to_owned(), "duplicate".to_owned(), some("b"), false));
    assert_eq!(told(&changed)[2], ("b".to_owned(), "original".to_owned(), None, true));
}

#[test]
fn check_says_the_same_and_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let check = ["check", "--store", "seen"];
    run_with(folder.path(), &check, line("a", FERRY).as_bytes()).code(2).says("no store in seen");
    assert_eq!(names(folder.path()), [""; 0]);
    run_with(folder.path(), &["stream", "--store", "seen"], line("a", FERRY).as_bytes()).code(0);
    let input = line("b", FERRY) + &line("c", POND) + &line("d", POND);
    let dry = ["stream", "--store", "seen", "--dry-run"];
    for args in [&check[..], &dry] {
        let run = run_with(folder.path(), args, input.as_bytes()).code(0);
        assert_eq!(verdicts(&run), ["duplicate", "original", "original"], "{}", run.out);
        assert!(run.err.contains("Nothing was stored."), "{}", run.err);
    }
    let info = run(folder.path(), &["store", "info", "--store", "seen", "--format", "json"]);
    let info: Value = serde_json::from_str(&info.code(0).out).unwrap();
    assert_eq!(info["documents"], 1);
}

/// A stream that is fed line by line.
pub(crate) struct Talk {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk {
    pub(crate) fn new(folder: &Path, args: &[&str]) -> Self {
        let mut command = command(folder, args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output) }
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, lines: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Sends lines and waits for one answer.
    pub(crate) fn ask(&mut self, lines: &str) -> Value {
        self.send(lines);
        self.hear()
    }

    /// Waits for an answer.
    pub(crate) fn hear(&mut self) -> Value {
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer:?}: {error}"))
    }

    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = std::process::Command::new("kill").args([name, &id]).status().unwrap();
        assert!(status.success());
    }

    /// Ends the input and waits for the end.
    pub(crate) fn end(mut self) -> Run {
        drop(self.input.take());
        Run::new(&self.child.wait_with_output().unwrap())
    }
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let mut talk = Talk::new(folder.path(), &["stream", "--store", "seen", "-q"]);
    assert_eq!(talk.ask(&line("a", FERRY))["verdict"], "original");
    assert_eq!(talk.ask(&("\n".to_owned() + &line("b", FERRY)))["original"], "a");
    assert_eq!(talk.ask("{}\n")["verdict"], "error");
    talk.end().code(3);
}

#[test]
fn a_second_opener_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut talk = Talk::new(folder.path(), &["stream", "--store", "seen", "-q"]);
    talk.ask(&line("a", FERRY));
    for args in [&["stream", "--store", "seen"][..], &["store", "compact", "--store", "seen"]] {
        run(folder.path(), args).code(2).says("the store seen is open in another process");
    }
    assert_eq!(talk.ask(&line("b", FERRY))["verdict"], "duplicate");
    talk.end().code(0);
    run(folder.path(), &["store", "compact", "--store", "seen"]).code(0);
}

#[test]
fn a_store_can_be_read_while_a_stream_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut talk = Talk::new(folder.path(), &["stream", "--store", "seen", "-q"]);
    talk.ask(&line("a", FERRY));
    let store = |args: &[&str]| {
        run(folder.path(), &[&["store"], args, &["--store", "seen"]].concat()).code(0).out
    };
    for number in 1..4 {
        let info: Value = serde_json::from_str(&store(&["info", "--format", "json"])).unwrap();
        assert_eq!(info["documents"], number);
        assert_eq!(lines(&store(&["export"])).len(), number);
        assert!(store(&["verify"]).contains("no problems"));
        let check = ["check", "--store", "seen", "-q"];
        let checked = run_with(folder.path(), &check, line("z", FERRY).as_bytes()).code(0);
        assert_eq!(lines(&checked.out)[0]["original"], "a");
        let copy = format!("copy{number}");
        store(&["backup", &copy]);
        assert_eq!(talk.ask(&line(&format!("b{number}"), FERRY))["verdict"], "duplicate");
    }
    talk.end().code(0);
    let info = run(folder.path(), &["store", "info", "--store", "copy3"]).code(0).out;
    assert!(info.contains("3, "), "{info}");
}

#[test]
fn other_settings_are_refused_or_begin_a_new_generation() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |flags: &[&str]| {
        let args = [&["stream", "--store", "seen", "-q"], flags].concat();
        run_with(folder.path(), &args, line("a", FERRY).as_bytes())
    };
    let repeated = |run: Run| lines(&run.code(0).out)[0]["repeated"].clone();
    let feed = &["--profile", "feed", "--threshold", "0.5"][..];
    assert_eq!(repeated(stream(feed)), false);
    // Its own settings, named or not, and a flag that says the same.
    assert_eq!(repeated(stream(&[])), true);
    assert_eq!(repeated(stream(feed)), true);
    assert_eq!(repeated(stream(&["--window", "24h", "--threshold", "0.5"])), true);
    let refused = stream(&["--profile", "alert", "--threshold", "0.77"]).code(2);
    assert!(refused.err.contains("threshold: \"0.5\" in the store, \"0.77\" asked for"));
    assert!(refused.err.contains("numbers: \"plain\" in the store, \"guard\" asked for"));
    assert!(refused.err.contains("--new-generation"), "{}", refused.err);
    stream(&["--mail", "true"]).code(2).says("reading.mail: false in the store, true asked for");
    assert_eq!(repeated(stream(&["--profile", "alert", "--new-generation"])), false);
    assert_eq!(repeated(stream(&[])), true);
}

#[test]
fn settings_that_cannot_be_used_on_a_stream_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["."], "is a folder: name files of JSON lines, or use `firsthand watch`"),
        (&["--window", "24"], "write a time such as 24h"),
        (&["--window-documents", "0"], "0 is not in 1.."),
        (&["--grouping", "ring"], "there is no \"ring\""),
        (&["--matcher", "tree"], "there is no matcher \"tree\""),
        (&["--matcher", "exact", "--recall", "0.9"], "--recall does not go with the matcher exact"),
        (&["--matcher", "sketch"], "--matcher sketch does not apply to a stream"),
        (&["--original", "longest"], "--original longest does not apply to a stream"),
        (&["--method", "cosine"], "tf-idf"),
        (&["--profile", "fed"], "there is no profile \"fed\""),
        (&["nowhere.ndjson"], "nowhere.ndjson: there is no such file"),
    ];
    for (flags, says) in cases {
        let args = [&["stream", "--store", "seen"], flags].concat();
        run(folder.path(), &args).code(2).says(says);
    }
    assert_eq!(names(folder.path()), [""; 0]);
    run(folder.path(), &["stream"]).code(2).says("--store");
    run(folder.path(), &["stream", "--store", ""]).code(2).says("--store is empty");
}

#[test]
fn a_config_file_may_hold_what_flags_say() {
    let folder = tempfile::tempdir().unwrap();
    let config = "profile = \"feed\"\nnumbers = \"guard\"\n[stream]\ngrouping = \"chain\"\n\
                  [stream.window]\ntime = \"1h\"\n[stream.matcher]\nkind = \"exact\"\n";
    write(folder.path(), "mine.toml", config);
    let args = ["stream", "--store", "seen", "--config", "mine.toml"];
    run_with(folder.path(), &args, line("a", FERRY).as_bytes()).code(0);
    let info = run(folder.path(), &["store", "info", "--store", "seen", "--format", "json"]);
    let info: Value = serde_json::from_str(&info.code(0).out).unwrap();
    let settings = &info["settings"];
    assert_eq!(settings["grouping"], "chain");
    assert_eq!(settings["stream"]["window"]["time"], "1h");
    assert_eq!(settings["matcher"]["kind"], "exact");
    assert_eq!(settings["numbers"], "guard");
    let same =
        ["--window", "1h", "--grouping", "chain", "--matcher", "exact", "--numbers", "guard"];
    let args = [&["stream", "--store", "seen", "--threshold", "0.48", "-q"], &same[..]].concat();
    run(folder.path(), &args).code(0);
}

#[test]
fn a_window_of_a_day_reaches_back_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |store: &str, later: &str, flags: &[&str]| {
        let input = at("a", FERRY, "2024-03-04T06:00:00Z") + &at("b", FERRY, later);
        let args = [&["stream", "--store", store, "-q"], flags].concat();
        verdicts(&run_with(folder.path(), &args, input.as_bytes()).code(0)).pop().unwrap()
    };
    let day = &["--window", "24h"][..];
    assert_eq!(stream("one", "2024-03-05T05:59:00Z", day), "duplicate");
    assert_eq!(stream("two", "2024-03-05T06:00:00Z", day), "duplicate");
    assert_eq!(stream("three", "2024-03-05T06:01:00Z", day), "original");
    // A late document looks the other way.
    assert_eq!(stream("four", "2024-03-03T06:01:00Z", day), "duplicate");
    assert_eq!(stream("five", "2024-03-03T05:59:00Z", day), "original");
    assert_eq!(stream("six", "2024-03-05T06:01:00Z", &["--window", "endless"]), "duplicate");
    let arrival = &["--window", "24h", "--time", "arrival"][..];
    assert_eq!(stream("seven", "2024-03-09T06:01:00Z", arrival), "duplicate");
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_stream_in_order() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let folder = tempfile::tempdir().unwrap();
        let mut talk = Talk::new(folder.path(), &["stream", "--store", "seen"]);
        assert_eq!(talk.ask(&line("a", FERRY))["verdict"], "original");
        talk.signal(signal);
        // Its input is still open.
        let status = talk.child.wait().unwrap();
        assert_eq!(status.code(), Some(code));
        talk.end().says("Judged 1 document");
        let again =
            run_with(folder.path(), &["stream", "--store", "seen"], line("a", FERRY).as_bytes());
        assert!(told(&again.code(0))[0].3);
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let input: String = (0..3000).map(|number| line(&number.to_string(), FERRY)).collect();
    write(folder.path(), "many.ndjson", input);
    let mut child = command(folder.path(), &["stream", "--store", "seen", "-q", "many.ndjson"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    Run::new(&child.wait_with_output().unwrap()).code(0).says("");
    run(folder.path(), &["store", "verify", "--store", "seen"]).code(0);
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_cannot_be_written_is_fatal() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "one.ndjson", line("a", FERRY));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = command(folder.path(), &["stream", "--store", "seen", "one.ndjson"]);
    let run = Run::new(&command.stdout(full).output().unwrap()).code(2);
    assert!(run.err.contains("cannot write to standard output"), "{}", run.err);
}

#[test]
fn files_may_be_compressed_and_standard_input_too() {
    let folder = tempfile::tempdir().unwrap();
    let packed = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    write(folder.path(), "a.ndjson.gz", packed(&line("a", FERRY)));
    write(folder.path(), "b.ndjson", line("b", FERRY));
    let args = ["stream", "--store", "memory:", "a.ndjson.gz", "-", "b.ndjson"];
    let run = run_with(folder.path(), &args, &packed(&line("c", FERRY))).code(0);
    assert_eq!(verdicts(&run), ["original", "duplicate", "duplicate"]);
    assert_eq!(names(folder.path()), ["a.ndjson.gz", "b.ndjson"]);
}

#[test]
fn exit_codes_tell_what_there_was() {
    let folder = tempfile::tempdir().unwrap();
    let stream = |input: &str, code: i32| {
        let args = ["stream", "--store", "memory:", "--exit-code"];
        run_with(folder.path(), &args, input.as_bytes()).code(code)
    };
    stream("", 0);
    stream(&line("a", FERRY), 0);
    stream(&(line("a", FERRY) + &line("b", FERRY)), 1);
    stream(&(line("a", FERRY) + &line("b", FERRY) + "x\n"), 3);
}

#[test]
fn pages_are_read_as_in_a_collection() {
    let folder = tempfile::tempdir().unwrap();
    let page = format!(
        "<html><head><title>News</title></head><body><nav><a href=/>Home</a></nav><p>{FERRY}</p>\
         </body></html>"
    );
    let input = line("a", FERRY) + &json!({"id": "b", "html": page}).to_string() + "\n";
    let run = run_with(folder.path(), &["stream", "--store", "memory:"], input.as_bytes()).code(0);
    assert_eq!(lines(&run.out)[1]["original"], "a", "{}", run.out);
    assert_eq!(lines(&run.out)[1]["score"], 1.0, "{}", run.out);
    let fields = ["stream", "--store", "memory:", "--id-field", "key", "--text-field", "words"];
    let input = json!({"key": "k", "words": FERRY}).to_string();
    let run = run_with(folder.path(), &fields, input.as_bytes()).code(0);
    assert_eq!(told(&run)[0].0, "k");
}
