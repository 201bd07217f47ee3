//! A whole collection: what was found, as tables.

use crate::columns::{ids, integers, reals, texts, truths};
use crate::explain::Explanation;
use crate::source::{Source, inputs};
use crate::table::{Table, escaped};
use crate::watch::Watch;
use crate::{errors, keywords};
use firsthand::Settings;
use firsthand::settings::parse_duration;
use firsthand_cli::single_settings;
use firsthand_jobs::beyond::Memory;
use firsthand_jobs::dedup::{self as job, Dedup, DedupOutcome};
use firsthand_jobs::numbers::counted;
use firsthand_jobs::results::{Contents, MOST_LISTED};
use firsthand_jobs::{Inputs, JobError, PairList, Purpose, TempFiles, explain::within};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::time::Duration;

/// What was found in a collection.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct DedupResult {
    #[pyo3(get)]
    rows: Py<Table>,
    #[pyo3(get)]
    pairs: Py<Table>,
    #[pyo3(get)]
    clusters: Py<Table>,
    #[pyo3(get)]
    report: Py<PyAny>,
    settings: Settings,
    source: Py<Source>,
    summary: String,
}

/// How a collection is searched, beside its settings.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct DedupOptions {
    pairs: String,
    max_pairs: Option<u64>,
    stop_after: Option<String>,
    threads: Option<usize>,
    memory: Option<Bytes>,
    scratch: Option<PathBuf>,
}

/// A number of bytes, or as it is written on the command line.
#[derive(FromPyObject)]
enum Bytes {
    Number(u64),
    Written(String),
}

/// Finds all near-duplicates of a collection.
#[pyfunction]
pub(crate) fn dedup(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    against: Option<&Bound<'_, Source>>,
    options: &Bound<'_, PyDict>,
    settings: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<DedupResult> {
    let options: DedupOptions = options.extract()?;
    let settings = keywords::resolve(Some(settings), Purpose::Collection)?;
    let pairs: PairList = keywords::choice("pairs", &options.pairs)?;
    let stop_after = options.stop_after.as_deref().map(duration).transpose()?;
    let (watch, used) = (Watch::default(), settings.clone());
    let max_pairs = options.max_pairs.unwrap_or(MOST_LISTED);
    let memory = memory(options.memory, options.scratch)?;
    let (inputs_of, reference) = (
        inputs(source, &watch.cancel),
        against.map_or_else(Inputs::default, |against| inputs(against, &watch.cancel)),
    );
    let names = settings.reading.fields.id.clone();
    let sources = (source.clone().unbind(), against.map(|against| against.clone().unbind()));
    let found = watch.run(py, options.threads, progress.as_ref(), |watch| {
        let request = Dedup {
            settings: used,
            inputs: inputs_of,
            against: reference,
            decisions: None,
            output: None,
            contents: Contents { pairs, max_pairs, ..Contents::default() },
            emit: None,
            memory,
            stop_after,
            stdin: None,
            explain: None,
            page: None,
            temp_files: &TempFiles::default(),
        };
        let outcome = job::run(request, watch)?;
        let are_numbers = sources.0.get().has_integers(&names)
            && sources.1.is_none_or(|against| against.get().has_integers(&names));
        Found::new(&outcome, are_numbers)
    });
    let failure = source.get().failure().take();
    let failure = failure.or_else(|| against.and_then(|against| against.get().failure().take()));
    if let Some(error) = failure {
        return Err(error);
    }
    let Found { rows, pairs, clusters, report, summary } = found?;
    Ok(DedupResult {
        rows: Py::new(py, rows?)?,
        pairs: Py::new(py, pairs?)?,
        clusters: Py::new(py, clusters?)?,
        report: crate::json::value(py, &report)?.unbind(),
        settings,
        source: source.clone().unbind(),
        summary,
    })
}

/// The bound on the memory of a search. Without one there is none: the results are tables in memory anyway.
fn memory(bytes: Option<Bytes>, scratch: Option<PathBuf>) -> PyResult<Memory> {
    let is_asked = bytes.is_some();
    let bytes = match bytes {
        None => u64::MAX,
        Some(Bytes::Number(bytes)) => bytes,
        Some(Bytes::Written(written)) => single_settings::bytes(&written).map_err(|advice| {
            errors::SettingsError::new_err(format!("memory = {written:?}: {advice}"))
        })?,
    };
    // Another search of the same table may be another table.
    Ok(Memory { bytes, is_asked, scratch, resume: false, ..Memory::default() })
}

fn duration(written: &str) -> PyResult<Duration> {
    let milliseconds = parse_duration(written).ok_or_else(|| {
        let advice = "write a time such as 90s or 5min";
        errors::SettingsError::new_err(format!("stop_after = {written:?}: {advice}"))
    })?;
    Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

/// Everything that is taken out of an outcome, while the interpreter is free.
struct Found {
    rows: PyResult<Table>,
    pairs: PyResult<Table>,
    clusters: PyResult<Table>,
    report: serde_json::Value,
    summary: String,
}

impl Found {
    fn new(outcome: &DedupOutcome, are_numbers: bool) -> Result<Self, JobError> {
        let rows = outcome.row_values()?;
        let pairs = outcome.pair_values()?;
        let members = outcome.member_values()?;
        let report = serde_json::json!({
            "counts": outcome.counts,
            "sources_losing_over_half": outcome.losses,
            "sites_losing_most_to_one_cluster": outcome.site_losses,
            "stopped": outcome.stopped,
            "remarks": outcome.unread.odd.by_remark,
            "seconds": outcome.took.as_secs_f64(),
        });
        let clusters = outcome.findings.cluster_count() as u64;
        let dropped = rows.iter().filter(|row| row.cluster.is_some() && !row.kept).count();
        let unread = rows.iter().filter(|row| row.id.is_none()).count();
        let summary = format!(
            "{}, {} in {}, {} not read",
            counted((rows.len() - unread) as u64, "document"),
            counted(dropped as u64, "near-duplicate"),
            counted(clusters, "cluster"),
            unread,
        );
        Ok(Self {
            rows: Table::new([
                ("id", ids(rows.iter().map(|row| row.id.as_deref()), are_numbers)),
                ("cluster", integers(rows.iter().map(|row| row.cluster.map(i64::from)))),
                ("original", ids(rows.iter().map(|row| row.original.as_deref()), are_numbers)),
                ("score", reals(rows.iter().map(|row| row.score))),
                ("exact", truths(rows.iter().map(|row| row.exact))),
                ("kept", truths(rows.iter().map(|row| Some(row.kept)))),
                ("reason", texts(rows.iter().map(|row| row.reason.as_deref()))),
            ]),
            pairs: Table::new([
                ("a", ids(pairs.iter().map(|pair| Some(&*pair.a)), are_numbers)),
                ("b", ids(pairs.iter().map(|pair| Some(&*pair.b)), are_numbers)),
                ("score", reals(pairs.iter().map(|pair| Some(pair.score)))),
                ("exact", truths(pairs.iter().map(|pair| Some(pair.exact)))),
            ]),
            clusters: Table::new([
                ("cluster", integers(members.iter().map(|member| Some(i64::from(member.cluster))))),
                ("size", integers(members.iter().map(|member| Some(member.size as i64)))),
                ("id", ids(members.iter().map(|member| Some(&*member.id)), are_numbers)),
                (
                    "original",
                    ids(members.iter().map(|member| Some(&*member.original)), are_numbers),
                ),
                ("score", reals(members.iter().map(|member| Some(member.score)))),
                ("exact", truths(members.iter().map(|member| member.exact))),
                ("via", ids(members.iter().map(|member| member.via.as_deref()), are_numbers)),
            ]),
            report,
            summary,
        })
    }
}

#[pymethods]
impl DedupResult {
    /// Why two documents match, or why they do not.
    fn explain(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<Explanation> {
        let (a, b) = (a.str()?.to_string(), b.str()?.to_string());
        let watch = Watch::default();
        let inputs = inputs(self.source.bind(py), &watch.cancel);
        let explained =
            watch.run(py, None, None, |watch| within(&inputs, [&a, &b], &self.settings, watch));
        match self.source.get().failure().take() {
            Some(error) => Err(error),
            None => Ok(Explanation::new(explained?)),
        }
    }

    /// The settings that held, as TOML.
    #[getter]
    fn settings(&self) -> PyResult<String> {
        let written = toml::to_string(&self.settings);
        written.map_err(|error| errors::FirsthandError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<firsthand.DedupResult: {}>", self.summary)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let clusters: String = self.clusters.bind(py).call_method0("_repr_html_")?.extract()?;
        Ok(format!("<p>{}</p>{clusters}", escaped(&self.summary)))
    }
}
