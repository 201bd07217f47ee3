//! The law of equal results: whatever the memory, the number of threads and the order of spilling, a
//! collection on disk gives the bytes that it gives in memory.

use firsthand::Settings;
use firsthand::settings::{Grouping, Measure, Original, Scheme, Threshold};
use firsthand_jobs::beyond::Memory;
use firsthand_jobs::dedup::{self, Dedup, Output};
use firsthand_jobs::largest::LargeCluster;
use firsthand_jobs::report::DocumentCounts;
use firsthand_jobs::results::{ColumnNames, Contents};
use firsthand_jobs::{
    Cancel, JobError, MemoryError, Notice, Observer, PairList, TempFiles, Unobserved,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// So little that nothing fits.
const LEAST: u64 = 1;

/// A document of a generated collection.
#[derive(Clone, Debug)]
struct Record {
    id: usize,
    words: Vec<String>,
    /// The site, and what stands around the text there.
    site: Option<usize>,
    time: Option<u32>,
}

impl Record {
    fn line(&self) -> String {
        let text = self.words.join(" ");
        let menu = |site: usize| {
            format!("home news shop of site {site}\\n{text}\\nabout all rights {site}")
        };
        let text = self.site.map_or(text.clone(), menu);
        let mut line = format!("{{\"id\": \"d{}\", \"text\": \"{text}\"", self.id);
        if let Some(site) = self.site {
            line += &format!(
                ", \"url\": \"https://site{site}.example/{}\", \"title\": \"{}\"",
                self.id,
                self.words.first().cloned().unwrap_or_default()
            );
        }
        if let Some(time) = self.time {
            line += &format!(", \"time\": \"2024-01-{:02}T00:00:00Z\"", time % 28 + 1);
        }
        line + "}\n"
    }
}

fn write(folder: &Path, name: &str, records: &[Record]) -> PathBuf {
    let path = folder.join(name);
    let lines: String = records.iter().map(Record::line).collect();
    fs::write(&path, lines + "broken\n").unwrap();
    path
}

/// How a run is done.
#[derive(Clone, Debug)]
struct Run<'a> {
    settings: &'a Settings,
    inputs: &'a [PathBuf],
    against: &'a [PathBuf],
    contents: Contents,
    memory: u64,
    /// The room on the disk.
    room: u64,
    threads: usize,
}

/// All files of the results by name, but for figures that are of the run and not of the collection.
type Results = BTreeMap<String, Vec<u8>>;

fn run(run: &Run<'_>, folder: &Path) -> Result<Results, JobError> {
    run_watched(run, folder, &Unobserved::default())
}

fn run_watched(run: &Run<'_>, folder: &Path, observer: &dyn Observer) -> Result<Results, JobError> {
    let output = folder.join("out");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(run.threads).build().unwrap();
    // Of pages, texts are shown only from memory.
    let page = |counts: &DocumentCounts, _, clusters: &[LargeCluster]| match run.settings.template {
        true => format!("{counts:?}"),
        false => format!("{counts:?} {clusters:#?}"),
    };
    let outcome = pool.install(|| {
        let temp_files = TempFiles::default();
        let job = Dedup {
            settings: run.settings.clone(),
            inputs: run.inputs.to_vec().into(),
            against: run.against.to_vec().into(),
            decisions: None,
            output: Some(Output { path: output.clone(), force: true, dry_run: false }),
            contents: run.contents.clone(),
            emit: None,
            memory: Memory {
                bytes: run.memory,
                is_asked: true,
                room: run.room,
                ..Memory::default()
            },
            stop_after: None,
            stdin: None,
            explain: None,
            page: Some(&page),
            temp_files: &temp_files,
        };
        dedup::run(job, observer)
    })?;
    assert!(outcome.findings.is_on_disk() || run.memory > LEAST);
    drop(outcome);
    let mut results = Results::new();
    collect(&output, &output, &mut results);
    assert!(!results.keys().any(|name| name.starts_with(".firsthand")), "{:?}", results.keys());
    fs::remove_dir_all(&output).unwrap();
    let report = results.get_mut("report.json").unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(report).unwrap();
    for own in ["seconds", "peak_memory_bytes", "scratch", "threads", "cost"] {
        json.as_object_mut().unwrap().remove(own);
    }
    *report = serde_json::to_vec_pretty(&json).unwrap();
    Ok(results)
}

fn collect(root: &Path, folder: &Path, results: &mut Results) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, results);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            results.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// Fails with the first file that differs.
fn same(a: &Results, b: &Results) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in a {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        prop_assert!(bytes == &b[name], "{}:\n{}\n---\n{}", name, shown(bytes), shown(&b[name]));
    }
    Ok(())
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let text = prop::collection::vec("[a-f]{1,2}", 0..30);
    let fresh = prop::collection::vec(text, 1..14);
    let copies = prop::collection::vec((0usize..40, 0usize..30, prop::option::of("[a-f]")), 0..24);
    let about = prop::collection::vec(
        (0usize..12, prop::option::of(0usize..3), prop::option::of(any::<u32>())),
        40,
    );
    (fresh, copies, about).prop_map(|(mut texts, copies, about)| {
        for (of, place, word) in copies {
            let mut copy = texts[of % texts.len()].clone();
            if let (Some(old), Some(word)) = (copy.get_mut(place), word) {
                *old = word;
            }
            texts.push(copy);
        }
        let about = about.into_iter().cycle();
        let record = |(words, (id, site, time))| Record { id, words, site, time };
        texts.into_iter().zip(about).map(record).collect()
    })
}

fn contents(pairs: PairList) -> Contents {
    Contents {
        kept: true,
        dropped: true,
        annotate: Some(ColumnNames::parse("kept=is_kept").unwrap()),
        csv: true,
        pairs,
        ..Contents::default()
    }
}

const MEASURES: [Measure; 5] =
    [Measure::Jaccard, Measure::MaxOverlap, Measure::Cosine, Measure::Dice, Measure::Containment];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn results_do_not_depend_on_memory(
        all in records(),
        (measure, multiset, threshold, n) in (0usize..5, any::<bool>(), 30u64..95, 1usize..4),
        (pages, split, lists, original) in (any::<bool>(), prop::option::of(0usize..30), 0usize..3, 0usize..4),
        (memory, threads, component) in (0usize..4, 1usize..4, any::<bool>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let base = Settings::profile(if pages { "archive" } else { "corpus" }).unwrap();
        let settings = Settings {
            scheme: Scheme::Words { n },
            threshold: Threshold::new(threshold, 100).unwrap(),
            measure: MEASURES[measure],
            multiset,
            grouping: component.then_some(Grouping::Component),
            original: Some([Original::Earliest, Original::Latest, Original::Longest, Original::First][original]),
            min_features: n,
            ..base
        };
        let (old, new) = all.split_at(split.unwrap_or(0).min(all.len() - 1));
        let (third, rest) = new.split_at(new.len() / 3);
        let inputs = [write(folder.path(), "a.jsonl", third), write(folder.path(), "b.jsonl", rest)];
        let against = split.map(|_| write(folder.path(), "old.jsonl", old));
        let pairs = [PairList::Capped, PairList::All, PairList::Star][lists];
        let in_memory = Run {
            settings: &settings,
            inputs: &inputs,
            against: against.as_slice(),
            contents: contents(pairs),
            memory: u64::MAX,
            room: u64::MAX,
            threads: 2,
        };
        let memory = [LEAST, 300, 1_000, 3_000][memory];
        let on_disk = Run { memory, threads, ..in_memory.clone() };
        let expected = run(&in_memory, folder.path()).unwrap();
        match run(&on_disk, folder.path()) {
            // Even a site of this size may be too large for so little.
            Err(JobError::Memory(MemoryError::LargeSite { needed, .. })) if pages => {
                prop_assert!(needed > memory);
                let enough = Run { memory: 40_000, ..on_disk };
                same(&expected, &run(&enough, folder.path()).unwrap())?;
            }
            found => same(&expected, &found.unwrap())?,
        }
    }

    #[test]
    fn a_full_disk_leaves_no_result_and_can_be_mended(
        all in records(),
        room in 1_000u64..40_000,
        against in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { min_features: 1, ..Settings::profile("corpus").unwrap() };
        let (old, new) = all.split_at(all.len() / 2);
        let inputs = [write(folder.path(), "a.jsonl", new)];
        let against = against.then(|| write(folder.path(), "old.jsonl", old));
        let in_memory = Run {
            settings: &settings,
            inputs: &inputs,
            against: against.as_slice(),
            contents: contents(PairList::All),
            memory: u64::MAX,
            room: u64::MAX,
            threads: 2,
        };
        let expected = run(&in_memory, folder.path()).unwrap();
        let full = Run { memory: LEAST, room, ..in_memory.clone() };
        match run(&full, folder.path()) {
            Err(JobError::Memory(MemoryError::Full { folder, .. })) => {
                prop_assert!(folder.join("manifest.json").exists(), "a later run can go on");
                let beside = fs::read_dir(folder.parent().unwrap()).unwrap();
                prop_assert_eq!(beside.count(), 1, "there is no result");
            }
            found => same(&expected, &found.unwrap())?,
        }
        let mended = Run { room: u64::MAX, ..full };
        same(&expected, &run(&mended, folder.path()).unwrap())?;
    }
}

/// Notes the steps of a run.
#[derive(Default)]
struct Steps {
    cancel: Cancel,
    names: Mutex<Vec<&'static str>>,
}

impl Observer for Steps {
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn notice(&self, notice: Notice<'_>) {
        if let Notice::StepDone { name, .. } = notice {
            self.names.lock().unwrap().push(name);
        }
    }
}

/// Texts of 40 words: of three, the second is nearly the first, and now and then the third is its copy.
fn many_records() -> Vec<Record> {
    let text =
        |of: usize| (0..40).map(move |at| format!("w{}", (of * 7919 + at * 104_729) % 9_973));
    let record = |id: usize| {
        let mut words: Vec<String> = text(if id % 3 == 1 { id - 1 } else { id }).collect();
        match id % 3 {
            1 => words[id % 40] = "changed".to_owned(),
            2 if id.is_multiple_of(5) => words = text(id - 2).collect(),
            _ => {}
        }
        Record { id, words, site: None, time: Some(id as u32) }
    };
    (0..1_000).map(record).collect()
}

/// There is the memory for counters, and not for the texts.
#[test]
fn features_that_are_counted_as_they_are_read_give_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let all = many_records();
    let inputs = [write(folder.path(), "a.jsonl", &all[300..])];
    let old = [write(folder.path(), "old.jsonl", &all[..300])];
    let none: &[PathBuf] = &[];
    for (measure, multiset, threshold, against) in [
        (Measure::Jaccard, false, 80, none),
        (Measure::Containment, false, 40, none),
        (Measure::Dice, true, 60, &old),
        (Measure::Cosine, false, 90, &old),
    ] {
        let settings = Settings {
            scheme: Scheme::Words { n: 3 },
            measure,
            multiset,
            threshold: Threshold::new(threshold, 100).unwrap(),
            ..Settings::profile("corpus").unwrap()
        };
        let in_memory = Run {
            settings: &settings,
            inputs: &inputs,
            against,
            contents: contents(PairList::All),
            memory: u64::MAX,
            room: u64::MAX,
            threads: 2,
        };
        let expected = run(&in_memory, folder.path()).unwrap();
        assert!(expected["pairs.jsonl"].len() > 1_000);
        for threads in [1, 2] {
            let on_disk = Run { memory: 700_000, threads, ..in_memory.clone() };
            let steps = Steps::default();
            let found = run_watched(&on_disk, folder.path(), &steps).unwrap();
            same(&expected, &found).unwrap();
            let names = steps.names.into_inner().unwrap();
            assert!(names.contains(&"ruling out") && !names.contains(&"counting"), "{names:?}");
        }
    }
}
