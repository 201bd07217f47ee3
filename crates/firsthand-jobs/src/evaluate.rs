//! Evaluation: labelled documents are read, every method runs on them, and the report says how good
//! each method is, how certain that is, and what it costs.

mod evidence;
mod files;
mod ladder;
mod machine;
mod measure;
mod report;
mod rows;
pub mod stream;
mod wrong_pairs;

pub use evidence::{GroupQuality, SiteCounts, SuppressedOriginal, SuppressedOriginals};
pub use measure::scores;
pub use report::{
    BestAt, ClusterQuality, CurvePoint, EvaluationReport, F1Difference, HeldOutQuality, MethodCost,
    MethodReport, PairErrors, PairQuality, WrongPair,
};
pub use rows::best_method;
pub use wrong_pairs::WrongPairs;

use crate::error::JobError;
use crate::labels::{Labels, Layout, NamedSettings, ReadingCache};
use crate::observer::{Notice, Observer, Phase};
use evidence::PageGroups;
use firsthand::evaluate::{Assessment, Plan, Subject, assess};
use firsthand::explain::Explanation;
use firsthand::settings::Threshold;
use firsthand_input::calendar::rfc3339;
use measure::MethodRun;
use std::path::Path;

/// How methods are measured.
#[derive(Clone, Copy, Debug)]
pub struct MeasureOptions<'a> {
    /// The lowest threshold to look at; 0.2 or half of the method's own if unset.
    pub floor: Option<Threshold>,
    /// Bootstrap draws for the 95 % intervals.
    pub draws: usize,
    /// Determines draws, splits and orders.
    pub seed: u64,
    /// Where results go, which is not read.
    pub output: Option<&'a Path>,
}

/// The result of an evaluation.
#[derive(Debug)]
pub struct Evaluation {
    /// What `report.json` holds, but for the peak memory, which takes a process per method.
    pub report: EvaluationReport,
    /// Per method of the report, every pair on which it is wrong.
    pub errors: Vec<WrongPairs>,
    /// The worst errors of the best method; if it makes few, of the next best as well.
    pub examples: Vec<ExplainedError>,
    /// The ids of all documents.
    pub ids: Vec<String>,
    /// Inputs that could not be read.
    pub unreadable: usize,
}

/// A pair on which a method is wrong, with both texts.
#[derive(Clone, Debug)]
pub struct ExplainedError {
    /// The name of the method, as in the report.
    pub method: String,
    /// The pair.
    pub wrong: WrongPair,
    /// What the method sees in the pair, with the passages of both documents.
    pub explanation: Explanation,
}

/// Measures methods on labelled documents. The worst errors are explained if results go anywhere.
///
/// # Errors
/// If the documents cannot be read or have no labels, if no method can be measured, or if the
/// observer asks to stop.
pub fn evaluate(
    layout: &Layout,
    methods: &[NamedSettings],
    options: &MeasureOptions<'_>,
    observer: &dyn Observer,
) -> Result<Evaluation, JobError> {
    let mut cache = ReadingCache::new(layout, options.output, observer);
    let first = methods.first().ok_or(JobError::NothingMeasured)?;
    let Labels { truth, summary, unreadable } = cache.labels(&first.settings.reading)?;
    // One kind for each page, whatever text a method reads of it.
    let groups = PageGroups::new(&cache.documents(&first.settings.reading)?.documents);
    let measured = cache.each(methods, |method, documents| {
        let run = measure::measure(method, documents, &truth, &groups, options)?;
        if run.unlisted > 0 {
            let method = &method.name;
            observer.notice(Notice::PairsNotCounted { method, pairs: run.unlisted });
        }
        Ok(run)
    })?;
    if measured.is_empty() {
        return Err(JobError::NothingMeasured);
    }
    let ids = cache.into_ids();
    observer.phase(Phase::Other("drawing for the intervals"));
    let (places, mut runs): (Vec<usize>, Vec<MethodRun>) = measured.into_iter().unzip();
    let subjects: Vec<Subject> = runs.iter().map(|run| run.subject.clone()).collect();
    let plan = Plan { draws: options.draws, seed: options.seed, ..Plan::default() };
    let assessments: Vec<Assessment> = assess(&truth, &subjects, &plan);
    let reports = places.iter().zip(&runs).zip(&assessments);
    let reports = reports
        .map(|((&at, run), assessment)| rows::method(&methods[at], run, assessment, &truth, &ids))
        .collect::<Vec<_>>();
    let examples = examples(&reports, &mut runs);
    let report = EvaluationReport {
        version: env!("CARGO_PKG_VERSION"),
        made: rfc3339(machine::now()),
        machine: machine::name(),
        threads: rayon::current_num_threads(),
        labels: summary,
        differences: rows::differences(&reports, &assessments),
        methods: reports,
    };
    let errors = runs.into_iter().map(|run| run.errors).collect();
    Ok(Evaluation { report, errors, examples, ids, unreadable })
}

/// The worst errors of the best method; if it makes few, of the next best as well.
fn examples(reports: &[MethodReport], runs: &mut [MethodRun]) -> Vec<ExplainedError> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    let value = |at: usize| reports[at].held_out.f1.value;
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    let all = order.into_iter().flat_map(|at| std::mem::take(&mut runs[at].examples));
    all.take(measure::EXPLAINED).collect()
}
