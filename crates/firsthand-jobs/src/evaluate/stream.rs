//! Evaluation of verdicts on a stream: labelled documents arrive one by one, in many orders, and each
//! verdict is scored as it is given.

mod files;
mod grid;
mod groups;
mod measure;
mod report;

pub use grid::grid;
pub use report::{
    GridRow, StreamEvaluation, StreamGroup, StreamGroups, StreamMethodReport, StreamQuality,
    TimeOrderQuality, WrongVerdict,
};

use super::evidence::PageGroups;
use super::{MeasureOptions, machine};
use crate::error::JobError;
use crate::labels::{Labels, Layout, NamedSettings, ReadingCache};
use crate::numbers::counted;
use crate::observer::{Notice, Observer};
use firsthand_input::calendar::rfc3339;

/// The rules, as of Rodier and Carter (2020), section 3.2, and where they go further.
pub const SCORING: &str = "The first document that arrives from a cluster is its original. A \
    duplicate counts as found if it is linked to any earlier document of its cluster, as a duplicate \
    or as an update. Precision is the share of links that are right, recall the share of duplicates \
    that are found; a document that cannot be compared counts as called an original, and the very \
    first is not counted. Strictly, a duplicate with a wrong link also counts as missed. Documents \
    without labels arrive like all others; they are not scored, nor are links to them or between \
    pairs graded as neither.";

/// With fewer orders than this the mean is uncertain.
const ENOUGH_ORDERS: usize = 20;

/// Measures the verdicts of methods on labelled documents that arrive in this many random orders; the
/// report, and the number of inputs that could not be read. For the methods of `grid`, only the quality
/// over random orders is measured.
///
/// # Errors
/// If the documents cannot be read or have no labels, if no method can be measured, or if the
/// observer asks to stop.
pub fn evaluate_stream(
    layout: &Layout,
    methods: &[NamedSettings],
    grid: &[NamedSettings],
    orders: usize,
    options: &MeasureOptions<'_>,
    observer: &dyn Observer,
) -> Result<(StreamEvaluation, usize), JobError> {
    let mut cache = ReadingCache::new(layout, options.output, observer);
    let first = methods.first().ok_or(JobError::NothingMeasured)?;
    let Labels { truth, mut summary, unreadable } = cache.labels(&first.settings.reading)?;
    if orders < ENOUGH_ORDERS {
        let orders = counted(orders as u64, "order");
        let note = format!("{orders} only: the mean is more certain with {ENOUGH_ORDERS} or more");
        observer.notice(Notice::Labels { note: &note });
        summary.notes.push(note);
    }
    let pages = PageGroups::new(&cache.documents(&first.settings.reading)?.documents);
    let measured = cache.each(methods, |method, documents| {
        measure::measure(method, &documents.documents, &truth, &pages, orders, options)
    })?;
    if measured.is_empty() {
        return Err(JobError::NothingMeasured);
    }
    let rows = cache.each(grid, |method, documents| {
        measure::quality(method, &documents.documents, &truth, orders, options)
    })?;
    let report = StreamEvaluation {
        version: env!("CARGO_PKG_VERSION"),
        made: rfc3339(machine::now()),
        machine: machine::name(),
        threads: rayon::current_num_threads(),
        scoring: SCORING,
        orders,
        seed: options.seed,
        labels: summary,
        methods: measured.into_iter().map(|(_, report)| report).collect(),
        grid: grid::rows(grid, rows),
    };
    Ok((report, unreadable))
}
