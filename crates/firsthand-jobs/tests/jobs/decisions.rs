//! Decisions from a review to the next run: what was parted, joined and kept stays so, unless the text
//! changed.

use firsthand::Settings;
use firsthand::collections::{Cluster, Member};
use firsthand::settings::Original;
use firsthand_jobs::beyond::Memory;
use firsthand_jobs::decisions::{Action, Grade};
use firsthand_jobs::dedup::{self, Dedup, DedupOutcome, Output};
use firsthand_jobs::results::Contents;
use firsthand_jobs::review::{
    ExportFormat, Freshness, Query, Request, Review, ReviewError, Rule, Sort, State,
};
use firsthand_jobs::{Inputs, TempFiles, Unobserved};
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const FERRY: &str = "The ferry to the island will not sail today because of the storm in the north, \
                     the harbour master said, and nobody knows when it will sail again";
const COUNCIL: &str = "The council of the town has voted for a new bridge over the river, which is to be \
                       built within two years and to cost nine million crowns";

/// Four copies of one story and two of another.
fn write_inputs(folder: &Path, last: &str) -> PathBuf {
    let record = |id: &str, day: u32, text: String| {
        let line = serde_json::json!({"id": id, "title": format!("Title {id}"), "text": text,
            "source": format!("source {}", day % 2), "time": format!("2026-01-0{day}")});
        format!("{line}\n")
    };
    let path = folder.join("news.jsonl");
    let lines = [
        record("a", 1, FERRY.to_owned()),
        record("b", 2, format!("{FERRY}.")),
        record("c", 3, format!("{FERRY}, he said on Monday.")),
        record("d", 4, format!("{FERRY}, {last}.")),
        record("e", 5, COUNCIL.to_owned()),
        record("f", 6, format!("{COUNCIL}, as 12 people said.")),
    ];
    fs::write(&path, lines.concat()).unwrap();
    path
}

fn run(folder: &Path) -> DedupOutcome {
    let temp_files = TempFiles::default();
    let job = Dedup {
        settings: Settings {
            original: Some(Original::Earliest),
            ..Settings::profile("corpus").unwrap()
        },
        inputs: vec![folder.join("news.jsonl")].into(),
        against: Inputs::default(),
        decisions: None,
        output: Some(Output { path: folder.join("result"), force: true, dry_run: false }),
        contents: Contents::default(),
        emit: None,
        memory: Memory::default(),
        stop_after: None,
        stdin: None,
        explain: None,
        page: None,
        temp_files: &temp_files,
    };
    dedup::run(job, &Unobserved::default()).unwrap()
}

/// The clusters by the ids of their members, originals first.
fn clusters(outcome: &DedupOutcome) -> Vec<Vec<String>> {
    let ids = |cluster: io::Result<Cow<'_, Cluster>>| {
        let id = |member: &Member| outcome.findings.document(member.document).unwrap().id.clone();
        cluster.unwrap().members.iter().map(id).collect()
    };
    outcome.findings.clusters().unwrap().map(ids).collect()
}

fn request(action: Action, cluster: u32, documents: &[&str]) -> Request {
    Request {
        action,
        cluster: Some(cluster),
        documents: documents.iter().map(|id| (*id).to_owned()).collect(),
        with: None,
        tags: Vec::new(),
        note: None,
        rule: None,
        grade: None,
        person: Some("Ada".to_owned()),
    }
}

fn groups(review: &Review, cluster: u32) -> Vec<Vec<String>> {
    let view = review.view(cluster).unwrap();
    let ids = |group: &firsthand_jobs::review::GroupView| {
        group.members.iter().map(|member| member.record.id.clone()).collect()
    };
    view.groups.iter().map(ids).collect()
}

fn sorted(mut clusters: Vec<Vec<String>>) -> Vec<String> {
    clusters.iter_mut().for_each(|cluster| cluster[1..].sort_unstable());
    clusters.iter().map(|cluster| cluster.concat()).collect()
}

#[test]
fn what_was_decided_holds_in_the_next_run_unless_the_text_changed() {
    let folder = tempfile::tempdir().unwrap();
    write_inputs(folder.path(), "he added");
    let first = run(folder.path());
    assert_eq!(sorted(clusters(&first)), ["abcd", "ef"]);
    assert!(first.decisions.is_none());
    let review = Review::open(&folder.path().join("result")).unwrap();
    review.act(request(Action::NotACopy, 1, &["d"])).unwrap();
    review.act(request(Action::Keep, 1, &["c"])).unwrap();
    let merge = Request { with: Some("2".to_owned()), ..request(Action::Merge, 1, &[]) };
    let merged = review.act(merge).unwrap();
    assert_eq!(review.view(1).unwrap().clusters, [1, 2]);
    review.undo(Some(merged), None).unwrap();
    assert_eq!(sorted(groups(&review, 1)), ["cab", "d"]);
    drop(review);

    let second = run(folder.path());
    assert_eq!(sorted(clusters(&second)), ["cab", "ef"]);
    let obeyed = second.decisions.unwrap();
    assert_eq!((obeyed.parted, obeyed.joined, obeyed.kept, obeyed.not_obeyed_count), (1, 0, 1, 0));
    assert!(folder.path().join("result/decisions.jsonl").exists());

    write_inputs(folder.path(), "she added");
    let third = run(folder.path());
    assert_eq!(sorted(clusters(&third)), ["cabd", "ef"]);
    let obeyed = third.decisions.unwrap();
    assert_eq!((obeyed.parted, obeyed.not_obeyed_count, obeyed.changed()), (0, 1, 1));
    assert_eq!(obeyed.not_obeyed[0].id, "d");
}

#[test]
fn members_are_split_out_joined_and_chosen() {
    let folder = tempfile::tempdir().unwrap();
    write_inputs(folder.path(), "he added");
    run(folder.path());
    let review = Review::open(&folder.path().join("result")).unwrap();
    // The original is split out: the others stay together.
    review.act(request(Action::Split, 1, &["a"])).unwrap();
    assert_eq!(groups(&review, 1).iter().map(Vec::len).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(groups(&review, 1)[0], ["a"]);
    drop(review);
    let split = run(folder.path());
    assert!(sorted(clusters(&split)).contains(&"bcd".to_owned()), "{:?}", clusters(&split));
    let review = Review::open(&folder.path().join("result")).unwrap();
    review.undo(None, None).unwrap();
    review.redo(None).unwrap();
    review.undo(None, None).unwrap();
    assert!(matches!(review.undo(None, None), Err(ReviewError::NotThere(_))));
    drop(review);
    assert_eq!(sorted(clusters(&run(folder.path()))), ["abcd", "ef"]);
    // Two clusters become one, in which a person's word stands for a pair.
    let review = Review::open(&folder.path().join("result")).unwrap();
    review.act(Request { with: Some("e".to_owned()), ..request(Action::Merge, 1, &[]) }).unwrap();
    let rule = Request { rule: Some(Rule::Longest), ..request(Action::Keep, 1, &[]) };
    review.act(rule).unwrap();
    drop(review);
    let merged = run(folder.path());
    assert_eq!(merged.findings.cluster_count(), 1);
    let cluster = merged.findings.clusters().unwrap().next().unwrap().unwrap();
    assert_eq!(cluster.members.len(), 6);
    assert!(cluster.members.iter().any(|member| member.decided));
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_line() {
    let folder = tempfile::tempdir().unwrap();
    write_inputs(folder.path(), "he added");
    run(folder.path());
    let review = Review::open(&folder.path().join("result")).unwrap();
    let refused = [
        request(Action::Split, 1, &[]),
        request(Action::Split, 1, &["a", "b", "c", "d"]),
        request(Action::NotACopy, 1, &["a"]),
        request(Action::Keep, 1, &["a", "b"]),
        request(Action::Tag, 1, &[]),
        request(Action::Note, 1, &[]),
        request(Action::Merge, 1, &[]),
        request(Action::Skip, 9, &[]),
        request(Action::Tag, 1, &["nobody"]),
        Request { with: Some("1".to_owned()), ..request(Action::Merge, 1, &[]) },
        Request { tags: vec!["x".repeat(1_000)], ..request(Action::Tag, 1, &[]) },
        Request { grade: Some(Grade::Yes), ..request(Action::Label, 1, &["a", "nobody"]) },
        request(Action::Undo, 1, &[]),
    ];
    for request in refused {
        assert!(review.act(request.clone()).is_err(), "{request:?}");
    }
    assert_eq!(review.version(), 0);
    let second = Review::open(&folder.path().join("result")).unwrap_err().to_string();
    assert!(second.contains("in use"), "{second}");
}

#[test]
fn a_review_lists_shows_and_exports() {
    let folder = tempfile::tempdir().unwrap();
    write_inputs(folder.path(), "he added");
    run(folder.path());
    let review = Review::open(&folder.path().join("result")).unwrap();
    let tags = vec!["ferry".to_owned()];
    review.act(Request { tags, ..request(Action::Tag, 1, &["b", "c"]) }).unwrap();
    review.act(request(Action::Skip, 2, &[])).unwrap();
    let note = Some("=look".to_owned());
    review.act(Request { note, ..request(Action::Note, 1, &[]) }).unwrap();
    let numbers =
        |query: &Query| review.list(query).rows.iter().map(|row| row.number).collect::<Vec<_>>();
    assert_eq!(numbers(&Query::default()), [1, 2]);
    assert_eq!(numbers(&Query { sort: Sort::Newest, ..Query::default() }), [2, 1]);
    assert_eq!(numbers(&Query { state: Some(State::Skipped), ..Query::default() }), [2]);
    assert_eq!(numbers(&Query { tag: "ferry".to_owned(), ..Query::default() }), [1]);
    assert_eq!(numbers(&Query { text: "TITLE f".to_owned(), ..Query::default() }), [2]);
    let first = Query { limit: Some(1), ..Query::default() };
    let next = review.list(&first).next;
    assert_eq!(numbers(&Query { after: next, ..first }), [2]);
    assert_eq!(review.beside(&Query::default(), 1), (None, Some(2)));

    let cluster = review.cluster(2).unwrap();
    let (e, f) = (&cluster.members[0], &cluster.members[1]);
    let difference = review.difference(e, f).unwrap();
    assert_eq!(difference.a.fresh, Freshness::Same);
    assert!(!difference.by_themselves && difference.explanation.score == f.score);
    let stack = review.stack(&review.view(1).unwrap().groups[0]).unwrap();
    assert_eq!((stack.texts, stack.blocks.len()), (4, 1));
    assert_eq!(stack.blocks[0].variants.len(), 3);

    let export = |format| {
        let mut out = Vec::new();
        review.export(format, &mut out).unwrap();
        out
    };
    let lines = String::from_utf8(export(ExportFormat::Jsonl)).unwrap();
    assert_eq!(lines.lines().count(), 7);
    let head: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(head["export"]["firsthand"], env!("CARGO_PKG_VERSION"));
    assert_eq!(head["export"]["decisions"], 3);
    let table = String::from_utf8(export(ExportFormat::Csv)).unwrap();
    assert!(table.contains(",'=look,") && table.contains(",ferry,"), "{table}");
    assert!(cfg!(not(feature = "parquet")) || export(ExportFormat::Parquet).starts_with(b"PAR1"));

    // Labels come from pairs on both sides of the threshold, and hold no say in clusters.
    let (_, pair) = review.next_to_label().unwrap();
    let (a, b) = (pair.a.id.clone(), pair.b.id.clone());
    let label = Request { grade: Some(Grade::No), ..request(Action::Label, 1, &[&a, &b]) };
    review.act(label).unwrap();
    let mut labels = Vec::new();
    review.labels(&mut labels).unwrap();
    assert_eq!(String::from_utf8(labels).unwrap(), format!("a\tb\tgrade\n{a}\t{b}\tn\n"));
    assert_ne!(review.next_to_label().map(|(_, pair)| (pair.a.id, pair.b.id)), Some((a, b)));

    write_inputs(folder.path(), "she added");
    let changed = review.cluster(1).unwrap();
    let fresh = |id: &str| {
        let member = changed.members.iter().find(|member| member.id == id).unwrap();
        review.text(member).unwrap().fresh
    };
    assert_eq!((fresh("a"), fresh("d")), (Freshness::Same, Freshness::Changed));
    fs::remove_file(folder.path().join("news.jsonl")).unwrap();
    let gone = review.text(&changed.members[0]).unwrap_err().to_string();
    assert!(gone.contains("not there any more"), "{gone}");
}
