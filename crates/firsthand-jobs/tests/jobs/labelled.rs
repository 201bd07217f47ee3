//! Jobs on labelled documents, run without a process: evaluation, tuning, sampling and labels.

use firsthand::evaluate::PageKind;
use firsthand_jobs::evaluate::stream::evaluate_stream;
use firsthand_jobs::evaluate::{Evaluation, MeasureOptions, evaluate};
use firsthand_jobs::labels::{Layout, NamedSettings};
use firsthand_jobs::sample::{SampleOptions, histogram, sample};
use firsthand_jobs::tune::tune;
use firsthand_jobs::{
    Cancel, JobError, LabelError, Layers, Notice, Observer, Phase, Purpose, SampleError, Unobserved,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// A text of 120 words; the higher `changed`, the more words differ from other copies of the story.
fn text(story: usize, changed: usize) -> String {
    let word = |at: usize| match at % 4 {
        0 => ["the", "is", "of", "a"][at / 4 % 4].to_owned(),
        _ if at % 60 < changed => format!("changed{story}x{at}x{changed}"),
        _ => format!("word{story}x{at}"),
    };
    (0..120).map(word).collect::<Vec<_>>().join(" ")
}

/// Twelve clusters of three documents, and twelve documents outside any cluster.
fn collection() -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let mut records = String::new();
    for story in 0..24 {
        for copy in 0..if story < 12 { 3 } else { 1 } {
            let cluster = (story < 12).then(|| story.to_string());
            let (id, text) = (format!("{story}-{copy}"), text(story, copy * 4));
            records += &(json!({ "id": id, "text": text, "cluster": cluster }).to_string() + "\n");
        }
    }
    let path = folder.path().join("docs.jsonl");
    std::fs::write(&path, records).unwrap();
    (folder, vec![path])
}

fn method(name: &str, purpose: Purpose) -> NamedSettings {
    let layers = Layers { method: Some(name.to_owned()), ..Layers::default() };
    let settings = layers.resolve(purpose).unwrap();
    let (name, toml) = (name.to_owned(), String::new());
    NamedSettings { name, about: String::new(), settings, toml }
}

fn evaluation(inputs: &[PathBuf], observer: &dyn Observer) -> Result<Evaluation, JobError> {
    let layout = Layout::find(inputs, None, None)?;
    let methods =
        [method("shingles", Purpose::Collection), method("spotsigs", Purpose::Collection)];
    let output = Some(Path::new("results"));
    let options = MeasureOptions { floor: None, draws: 50, seed: 1, output };
    evaluate(&layout, &methods, &options, observer)
}

/// Keeps phases and notices.
#[derive(Default)]
struct Log {
    cancel: Cancel,
    /// Cancels the job when a method is measured.
    cancels: bool,
    lines: Mutex<Vec<String>>,
}

impl Observer for Log {
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn phase(&self, phase: Phase<'_>) {
        if let Phase::Measuring { method, number, of } = phase {
            self.lines.lock().unwrap().push(format!("{method} {number} {of}"));
            if self.cancels {
                self.cancel.cancel();
            }
        }
    }

    fn notice(&self, notice: Notice<'_>) {
        self.lines.lock().unwrap().push(format!("{notice:?}"));
    }
}

#[test]
fn an_evaluation_is_a_value() {
    let (_folder, inputs) = collection();
    let log = Log::default();
    let evaluation = evaluation(&inputs, &log).unwrap();
    assert_eq!(*log.lines.lock().unwrap(), ["shingles 1 2", "spotsigs 2 2"]);
    let labels = &evaluation.report.labels;
    assert_eq!((labels.documents, labels.clusters, labels.positive_pairs), (48, 12, 36));
    let shingles = &evaluation.report.methods[0];
    assert_eq!((shingles.direct.hits, shingles.errors.false_pairs), (36, 0));
    assert_eq!(shingles.direct.f1.value, 1.0);
    assert_eq!(shingles.cost.peak_memory, None);
    assert_eq!(evaluation.ids.len(), 48);
    let wrong: usize = evaluation.errors.iter().map(|wrong| wrong.list(&[]).count()).sum();
    assert_eq!(evaluation.examples.len(), wrong.min(10));
}

#[test]
fn an_evaluation_tells_where_originals_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("docs.jsonl");
    // Ten stories on one site; on another, ten pages have one text, but two of them are labelled as
    // copies of each other only. A third has lists.
    let record = |site: &str, at: usize, cluster: String, text: String| {
        let (id, url) = (format!("{site}-{at}"), format!("https://{site}.example/{at}"));
        json!({ "id": id, "url": url, "text": text, "cluster": cluster }).to_string() + "\n"
    };
    let mut records = String::new();
    for at in 0..10 {
        records += &record("paper", at, format!("p{at}"), text(at, 0));
        records += &record("form", at, format!("f{}", at.max(1)), text(50, 0));
        let lines = [" of ", " is ", " a "]
            .iter()
            .fold(text(100 + at, 0), |text, gap| text.replace(gap, "\n"));
        records += &record("list", at, format!("l{at}"), lines);
    }
    std::fs::write(&path, records).unwrap();
    let evaluation = evaluation(&[path], &Unobserved::default()).unwrap();
    let suppressed = &evaluation.report.methods[0].suppressed;
    // Of nine stories one is kept.
    assert_eq!((suppressed.all.documents, suppressed.all.originals), (30, 8));
    assert_eq!(suppressed.all.of_10_000, Some(8e4 / 30.0));
    assert_eq!((suppressed.sites.all, suppressed.sites.losing), (3, 1));
    let site = &suppressed.by_site[0];
    assert_eq!((&*site.name, site.suppressed.originals, site.recall), ("form.example", 8, 1.0));
    assert_eq!(suppressed.by_site.len(), 1);
    let kinds = suppressed.by_kind.iter();
    let kinds: Vec<_> = kinds.map(|kind| (kind.name, kind.suppressed.originals)).collect();
    assert_eq!(kinds, [(PageKind::Article, 0), (PageKind::List, 0), (PageKind::Form, 8)]);
    let lost: Vec<&str> = suppressed.originals.iter().map(|lost| &*lost.id).collect();
    assert_eq!(lost, (2..10).map(|at| format!("form-{at}")).collect::<Vec<_>>());
    assert!(suppressed.originals.iter().all(|lost| lost.original == "form-0"));
}

#[test]
fn the_same_labels_give_the_same_figures() {
    let (_folder, inputs) = collection();
    let figures = || {
        let evaluation = evaluation(&inputs, &Unobserved::default()).unwrap();
        let method = |at: usize| evaluation.report.methods[at].clone();
        [0, 1].map(|at| (method(at).direct, method(at).closure, method(at).best, method(at).curve))
    };
    assert_eq!(figures(), figures());
}

#[test]
fn a_cancelled_evaluation_ends_early() {
    let (_folder, inputs) = collection();
    let log = Log { cancels: true, ..Log::default() };
    assert!(matches!(evaluation(&inputs, &log), Err(JobError::Cancelled)));
    assert_eq!(*log.lines.lock().unwrap(), ["shingles 1 2"]);
}

#[test]
fn verdicts_on_a_stream() {
    let (_folder, inputs) = collection();
    let layout = Layout::find(&inputs, None, None).unwrap();
    let methods = [method("shingles", Purpose::Stream)];
    let options = MeasureOptions { floor: None, draws: 20, seed: 1, output: None };
    let (report, unreadable) =
        evaluate_stream(&layout, &methods, &[], 3, &options, &Unobserved::default()).unwrap();
    assert_eq!((unreadable, report.orders, report.grid.len()), (0, 3, 0));
    let random = &report.methods[0].random;
    assert_eq!((random.counts.found, random.counts.missed), (3 * 24, 0));
    assert_eq!((random.figures.precision.mean, random.figures.recall.mean), (1.0, 1.0));
    assert!(report.labels.notes.iter().any(|note| note.starts_with("3 orders only")));
}

#[test]
fn tuning_chooses_settings() {
    let (_folder, inputs) = collection();
    let layout = Layout::find(&inputs, None, None).unwrap();
    let mut again = method("shingles", Purpose::Collection);
    again.name = "shingles at another threshold".to_owned();
    again.settings.threshold = "0.9".parse().unwrap();
    let methods = vec![method("shingles", Purpose::Collection), again];
    let goal = firsthand::evaluate::Goal::F1;
    let options = MeasureOptions { floor: None, draws: 20, seed: 1, output: None };
    let tuning = tune(&layout, methods, None, goal, &options, &Unobserved::default()).unwrap();
    let [best] = &tuning.ranked[..] else { panic!("methods that differ in the threshold alone") };
    assert_eq!(best.name, "shingles");
    assert_eq!(tuning.chosen.map(|chosen| chosen.threshold), best.threshold);
}

/// Both methods make no error on these labels.
#[test]
fn labels_that_cannot_tell_methods_apart_keep_the_present_one() {
    let (_folder, inputs) = collection();
    let layout = Layout::find(&inputs, None, None).unwrap();
    let goal = firsthand::evaluate::Goal::F1;
    let options = MeasureOptions { floor: None, draws: 100, seed: 1, output: None };
    for present in [0, 1] {
        let methods = ["shingles", "spotsigs"].map(|name| method(name, Purpose::Collection));
        let settings = methods[present].settings.clone();
        let methods = methods.to_vec();
        let tuning = tune(&layout, methods, Some(present), goal, &options, &Unobserved::default());
        let tuning = tuning.unwrap();
        let kept = tuning.kept.expect("the labels show no difference");
        assert!(kept.lead.low <= 0.0, "{:?}", kept.lead);
        assert_eq!(kept.threshold, settings.threshold);
        assert_eq!(tuning.chosen, Some(settings));
    }
    // A threshold that finds nothing is clearly beaten.
    let mut poor = method("shingles", Purpose::Collection);
    poor.settings.threshold = "1".parse().unwrap();
    let methods = vec![method("spotsigs", Purpose::Collection), poor];
    let tuning = tune(&layout, methods, Some(1), goal, &options, &Unobserved::default()).unwrap();
    assert!(tuning.kept.is_none(), "{:?}", tuning.kept);
}

#[test]
fn a_sample_has_pairs_on_both_sides_of_the_threshold() {
    let (_folder, inputs) = collection();
    let mut settings = method("shingles", Purpose::Collection).settings;
    settings.threshold = "0.8".parse().unwrap();
    let options = SampleOptions { floor: None, pairs: 20, seed: 0 };
    let run = |settings| sample(&inputs, settings, &options, None, &Unobserved::default());
    let sampled = run(settings.clone()).unwrap();
    assert_eq!((sampled.pairs.len(), sampled.floor.to_string()), (20, "0.4".to_owned()));
    let above = sampled.pairs.iter().filter(|pair| pair.score >= 0.8).count();
    assert!((1..20).contains(&above), "{above}");
    assert_eq!(run(settings.clone()).unwrap(), sampled);

    let (histogram, _) =
        histogram(&inputs, settings.clone(), None, &Unobserved::default()).unwrap();
    assert_eq!((histogram.pairs(), histogram.exact), (36, 0));

    settings.threshold = "0.3".parse().unwrap();
    let options = SampleOptions { floor: Some("0.5".parse().unwrap()), ..options };
    let error = sample(&inputs, settings, &options, None, &Unobserved::default()).unwrap_err();
    let expected = |error: &SampleError| matches!(error, SampleError::FloorAboveThreshold { .. });
    assert!(matches!(&error, JobError::Sample(error) if expected(error)), "{error}");
}

#[test]
fn labels_that_cannot_be_used_are_typed_errors() {
    let (folder, inputs) = collection();
    let records = std::fs::read_to_string(&inputs[0]).unwrap();
    let bare = folder.path().join("bare.jsonl");
    std::fs::write(&bare, records.replace("\"cluster\"", "\"x\"")).unwrap();
    let error = evaluation(std::slice::from_ref(&bare), &Unobserved::default()).unwrap_err();
    assert!(matches!(error, JobError::Labels(LabelError::NoLabels)), "{error}");
    let pairs = folder.path().join("pairs.tsv");
    std::fs::write(&pairs, "0-0\t0-1\ty\n0-0\tnobody\tn\n").unwrap();
    let error = evaluation(&[bare], &Unobserved::default()).unwrap_err();
    assert!(matches!(error, JobError::Labels(LabelError::OneGradeOnly { .. })), "{error}");
    let empty = folder.path().join("empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    let error = evaluation(&[empty], &Unobserved::default()).unwrap_err();
    assert!(matches!(error, JobError::Labels(LabelError::NoDocuments { .. })), "{error}");
}
