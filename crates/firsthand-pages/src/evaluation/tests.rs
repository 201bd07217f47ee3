//! The page of a made-up report: complete, and safe whatever documents hold.

use super::page as write;
use firsthand::collections::{Collection, Signed};
use firsthand::evaluate::{Fate, Interval, PageKind, Suppressed};
use firsthand::{Detector, Document, Settings, explain};
use firsthand_jobs::evaluate::{
    BestAt, ClusterQuality, CurvePoint, EvaluationReport, ExplainedError, F1Difference,
    GroupQuality, HeldOutQuality, MethodCost, MethodReport, PairErrors, PairQuality, SiteCounts,
    SuppressedOriginals, WrongPair,
};
use firsthand_jobs::labels::LabelSummary;

const HOSTILE: &str = "<script>document.title='taken'</script>\"'><img src=x onerror=alert(1)>\
    \u{202e}\u{7}\u{1b}[2J</style></title>";

fn interval(value: f64) -> Interval {
    Interval { value, low: (value - 0.03).max(0.0), high: (value + 0.02).min(1.0) }
}

fn method(name: &str, number: usize) -> MethodReport {
    let peak = 0.35 + 0.04 * number as f64 % 0.5;
    let top = 0.97 - 0.021 * number as f64;
    let point = |threshold: f64| {
        let precision = top / (1.0 + (-(threshold - peak + 0.12) * 25.0).exp());
        let recall = top / (1.0 + ((threshold - peak - 0.25) * 12.0).exp());
        let f1 = 2.0 * precision * recall / (precision + recall);
        CurvePoint { threshold, precision, recall, f1 }
    };
    let curve: Vec<CurvePoint> = (0..=80).map(|at| point(0.2 + 0.01 * f64::from(at))).collect();
    let own = point(peak + 0.05);
    let quality = |point: CurvePoint| PairQuality {
        precision: interval(point.precision),
        recall: interval(point.recall),
        f1: interval(point.f1),
        stated: 130,
        hits: 121,
    };
    let best = BestAt { value: interval(own.f1 + 0.01), threshold: Some(peak) };
    MethodReport {
        name: name.to_owned(),
        about: format!("what {name} does"),
        config: "threshold = \"0.45\"\n[scheme]\nkind = \"words\"\n".to_owned(),
        threshold: peak + 0.05,
        floor: 0.2,
        direct: quality(own),
        closure: quality(own),
        best,
        recall_at_99: best,
        held_out: HeldOutQuality { f1: interval(own.f1 - 0.01), runs: vec![own; 5] },
        clusters: Some(ClusterQuality {
            b_cubed_precision: 0.99,
            b_cubed_recall: 0.98,
            b_cubed_f1: 0.985 - 0.01 * number as f64,
            ari: 0.9,
        }),
        curve,
        cost: MethodCost {
            parse_seconds: 0.21,
            sign_seconds: 0.03 * (number + 1) as f64,
            match_seconds: 0.004 * (number + 1) as f64,
            match_over_threshold: (3..=10)
                .map(|at| (f64::from(at) / 10.0, 0.02 * (number + 1) as f64 / f64::from(at * at)))
                .collect(),
            peak_memory: (number != 1).then_some(40_000_000 + 3_000_000 * number as u64),
            signatures: 120_000 * (number + 1) as u64,
            verified: 500,
        },
        suppressed: suppressed(),
        errors: PairErrors { false_pairs: 9, missed_pairs: 16, worst: Vec::new() },
    }
}

/// One original of 40 documents is lost, on a hostile site.
fn suppressed() -> SuppressedOriginals {
    let all =
        Suppressed::new([Fate::Kept; 39].into_iter().chain([Fate::Suppressed { original: 0 }]));
    let (precision, recall, f1) = (0.9, 0.8, 0.85);
    let kind = GroupQuality {
        name: PageKind::List,
        precision,
        recall,
        f1,
        positive_pairs: 12,
        suppressed: all,
    };
    let name = HOSTILE.to_owned();
    let site = GroupQuality { name, precision, recall, f1, positive_pairs: 12, suppressed: all };
    let sites = SiteCounts { all: 7, losing: 1 };
    SuppressedOriginals {
        all,
        by_kind: vec![kind],
        by_site: vec![site],
        sites,
        originals: Vec::new(),
    }
}

pub(super) fn report(names: &[&str]) -> EvaluationReport {
    let methods: Vec<MethodReport> =
        names.iter().enumerate().map(|(number, name)| method(name, number)).collect();
    let differences = methods
        .iter()
        .skip(1)
        .enumerate()
        .map(|(number, other)| {
            let value = 0.02 * number as f64;
            let around = Interval { value, low: value - 0.03, high: value + 0.03 };
            let (best, other) = (names[0].to_owned(), other.name.clone());
            F1Difference { best, other, max_f1: around, f1: around }
        })
        .collect();
    EvaluationReport {
        version: "0.1.0",
        made: "2026-03-01T12:00:00Z".to_owned(),
        machine: "Some processor, 8 GB".to_owned(),
        threads: 2,
        labels: LabelSummary {
            notes: Vec::new(),
            inputs: vec!["news/docs.jsonl".to_owned()],
            documents: 1476,
            counted: 1476,
            clusters: 78,
            positive_pairs: 137,
            ignored_pairs: 41,
            rule: "Two documents of one cluster are a positive pair.".to_owned(),
            cluster_sizes: vec![(2, 60), (3, 12), (4, 4), (5, 1), (9, 1)],
        },
        methods,
        differences,
    }
}

pub(super) fn example(
    method: &str,
    a: (&str, &str),
    b: (&str, &str),
    stated: bool,
) -> ExplainedError {
    let detector = Detector::new(Settings::default()).unwrap();
    let (a, b) = (Document::new(a.0, a.1), Document::new(b.0, b.1));
    let documents = vec![a.clone(), b.clone()];
    let signed = Signed::new(&detector, [documents].into_iter(), |batch| batch);
    let collection = Collection::new(signed);
    let explanation = explain(&collection, &a, &b).unwrap();
    let wrong = WrongPair { a: a.id, b: b.id, stated, score: explanation.score };
    ExplainedError { method: method.to_owned(), wrong, explanation }
}

#[test]
fn everything_is_on_the_page() {
    let names = ["spotsigs", "shingles", "profile:mail"];
    let report = report(&names);
    let texts = [
        ("one", "The ferry did not sail today because of the storm.\nThe end of the story."),
        ("-two", "The ferry did not sail on Monday because of the storm.\nThe end of the story."),
    ];
    let examples = [
        example("spotsigs", texts[0], texts[1], true),
        example("profile:mail", texts[1], texts[0], false),
    ];
    let page = write(&report, &examples);
    for name in names {
        // A row in two tables, a chip, and a name in three pictures.
        assert!(page.matches(name).count() >= 6, "{name}");
    }
    for number in 0..names.len() {
        let lines = page.matches(&format!("<g class=\"series m{number}\"><title>")).count();
        assert_eq!(lines, 4, "lines of method {number}");
    }
    for id in ["f1", "recall", "forest", "time", "sizes"] {
        assert!(page.contains(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\"")));
    }
    assert!(page.contains("<del>today</del>") && page.contains("<ins>on Monday</ins>"));
    let command = "firsthand explain --in news/docs.jsonl --method spotsigs -- one &#39;-two&#39;";
    assert!(page.contains(command));
    assert!(page.contains("--profile mail"));
    assert!(page.contains("How labels are read.") && page.contains("Their bias:"));
    assert!(page.contains("Some processor, 8 GB") && page.contains("2026-03-01T12:00:00Z"));
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn nothing_of_a_document_becomes_markup() {
    let mut report = report(&["spotsigs", HOSTILE]);
    report.labels.inputs = vec![HOSTILE.to_owned()];
    report.labels.rule = HOSTILE.to_owned();
    report.machine = HOSTILE.to_owned();
    report.methods[0].about = HOSTILE.to_owned();
    report.methods[0].config = HOSTILE.to_owned();
    let text = format!("{HOSTILE} the same\nonly here {HOSTILE}");
    let other = format!("{HOSTILE} not the same {HOSTILE}");
    let ids = (format!("1{HOSTILE}"), format!("2{HOSTILE}"));
    let mut example = example(HOSTILE, (&ids.0, &text), (&ids.1, &other), true);
    example.explanation.a.title = Some(HOSTILE.to_owned());
    let page = write(&report, &[example]);
    assert_eq!(page.matches("<script>").count(), 1, "the page's own");
    assert!(!page.contains("<img") && !page.contains("onerror=alert(1)>"));
    assert!(!page.contains(['\u{202e}', '\u{7}', '\u{1b}']));
    assert_eq!(page.matches("</style>").count(), 1);
    assert_eq!(page.matches("</title></style>").count(), 0);
}

#[test]
fn long_texts_make_no_long_page() {
    let long = "A sentence about the ferry, and another one about the harbour. ".repeat(20_000);
    let blocks = long.replace(". ", ".\n");
    let examples: Vec<ExplainedError> = (0..10)
        .map(|number| {
            let text = if number % 2 == 0 { &long } else { &blocks };
            let other = format!("{}Another end.", text.replace("harbour", "quay"));
            let id = format!("{number}").repeat(100_000);
            example("spotsigs", (&id, text), ("other", &other), true)
        })
        .collect();
    assert!(examples[0].explanation.passages.len() < examples[1].explanation.passages.len());
    let short = write(&report(&["spotsigs"]), &[]).len();
    let long = write(&report(&["spotsigs"]), &examples).len();
    assert!(long - short < 2_000_000, "{} more", long - short);
}

#[test]
fn a_report_of_nothing_is_a_page_all_the_same() {
    let mut report = report(&[]);
    report.labels.cluster_sizes.clear();
    let page = write(&report, &[]);
    assert!(page.contains("No pair is wrong"));
    assert!(page.ends_with("</html>\n"));
    let mut report = super::tests::report(&["one"]);
    let method = &mut report.methods[0];
    method.curve.clear();
    method.cost.match_over_threshold = vec![(0.5, f64::NAN)];
    method.direct.f1 = Interval { value: f64::NAN, low: f64::NAN, high: f64::NAN };
    method.held_out = HeldOutQuality { f1: method.direct.f1, runs: Vec::new() };
    method.clusters = None;
    let page = write(&report, &[]);
    assert!(!page.contains("NaN") && !page.contains("Best on held-out documents"), "{page}");
}
