//! A run of the real binary: how it ended, what it found, what it cost.

use super::stage::Stage;
use serde_json::Value;
use std::fs::{self, File};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// Writes to the standard input of a run.
pub(crate) type Feed = Box<dyn FnOnce(ChildStdin) + Send>;

/// How often the memory of a run is looked at; the system keeps the highest value itself.
const LOOK: Duration = Duration::from_millis(3);

/// Longer than any run takes, even on a slow machine: only something that hangs is ended.
const HANGS: Duration = Duration::from_secs(1_200);

/// More memory than any case allows: a run that takes it has failed, and is ended before it takes that of others.
const FAR_TOO_MUCH: u64 = 5 << 29;

/// How a run ended.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) messages: String,
    pub(crate) memory: u64,
    pub(crate) took: Duration,
    report: Value,
    clusters: Vec<Value>,
}

impl Outcome {
    /// Runs `firsthand dedup in ... -o out -v` on a stage.
    pub(crate) fn of(stage: &Stage, args: &[&str], feed: Option<Feed>) -> Self {
        Self::by(Command::new(env!("CARGO_BIN_EXE_firsthand")), stage, args, feed)
    }

    /// The same by a command that runs the binary.
    pub(crate) fn by(
        mut command: Command,
        stage: &Stage,
        args: &[&str],
        feed: Option<Feed>,
    ) -> Self {
        let told = stage.root().join("messages");
        command.current_dir(stage.root()).args(["dedup", "in", "-o", "out", "-v"]).args(args);
        command.env("TMPDIR", stage.root().join("tmp")).stdout(Stdio::null());
        command.stderr(File::create(&told).unwrap());
        command.stdin(if feed.is_some() { Stdio::piped() } else { Stdio::null() });
        let started = Instant::now();
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let feeder = feed.map(|feed| std::thread::spawn(move || feed(stdin.unwrap())));
        let (code, seen) = watch(&mut child);
        let took = started.elapsed();
        if let Some(feeder) = feeder {
            feeder.join().unwrap();
        }
        let read = |name: &str| fs::read_to_string(stage.root().join(name)).unwrap_or_default();
        let report: Value = serde_json::from_str(&read("out/report.json")).unwrap_or_default();
        let clusters = read("out/clusters.jsonl");
        let clusters = clusters.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let memory = seen.max(report["peak_memory_bytes"].as_u64().unwrap_or(0));
        let messages = String::from_utf8_lossy(&fs::read(&told).unwrap()).into_owned();
        Self { code, messages, memory, took, report, clusters }
    }

    /// Runs `firsthand stream --store seen` on standard input. Its answers are the messages, each
    /// with its verdict in front.
    pub(crate) fn of_stream(stage: &Stage, args: &[&str], feed: Feed) -> Self {
        let told = stage.root().join("messages");
        let mut command = Command::new(env!("CARGO_BIN_EXE_firsthand"));
        command.current_dir(stage.root()).args(["stream", "--store", "seen", "-q"]).args(args);
        command.stdin(Stdio::piped()).stderr(Stdio::null()).stdout(File::create(&told).unwrap());
        let started = Instant::now();
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || feed(stdin));
        let (code, memory) = watch(&mut child);
        let took = started.elapsed();
        feeder.join().unwrap();
        let answers = fs::read_to_string(&told).unwrap();
        let line = |answer: &str| {
            let answer: Value = serde_json::from_str(answer).unwrap();
            let word = |name: &str| answer[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}\n", word("verdict"), word("id"), word("error"))
        };
        let messages = answers.lines().map(line).collect();
        Self { code, messages, memory, took, report: Value::Null, clusters: Vec::new() }
    }

    /// How many documents were read.
    pub(crate) fn documents(&self) -> usize {
        self.report["counts"]["documents"].as_u64().unwrap_or(0) as usize
    }

    /// How many other documents have the same text as this one.
    pub(crate) fn copies(&self, id: &str) -> usize {
        self.cluster(id).map_or(0, |cluster| cluster.len() - 1)
    }

    /// The documents that have the same text as this one, itself among them.
    pub(crate) fn cluster(&self, id: &str) -> Option<&Vec<Value>> {
        let members = self.clusters.iter().map(|cluster| cluster["members"].as_array().unwrap());
        let mut with = members.filter(|members| members.iter().any(|member| member["id"] == id));
        with.next()
    }

    /// Fails if the run left something behind besides its results.
    pub(crate) fn tidy(&self, stage: &Stage) {
        let names = |folder: &str| {
            let entries = fs::read_dir(stage.root().join(folder)).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert!(names("tmp").is_empty(), "temporary files are left: {:?}", names("tmp"));
        assert_eq!(names("out"), ["clusters.jsonl", "pairs.jsonl", "report.html", "report.json"]);
        assert_eq!(names("."), ["in", "messages", "out", "tmp"]);
    }
}

/// Waits for the end; gives the exit code (or minus the signal) and the most memory that was seen.
fn watch(child: &mut Child) -> (i32, u64) {
    let (started, mut most) = (Instant::now(), 0);
    loop {
        most = most.max(memory_of(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code().unwrap_or(-1), most);
        }
        if started.elapsed() > HANGS || most > FAR_TOO_MUCH {
            child.kill().unwrap();
        }
        std::thread::sleep(LOOK);
    }
}

/// The most memory a process has held, where the system says so.
fn memory_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
