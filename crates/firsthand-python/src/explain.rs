//! Why two documents match: the verdict, the passages, and both texts side by side.

use crate::keywords;
use crate::watch::Watch;
use firsthand::Document;
use firsthand_jobs::Purpose;
use firsthand_jobs::explain::{self as job, Explained};
use firsthand_pages::explanation::{self, Look};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Two documents and how they compare.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct Explanation {
    explained: Explained,
    json: serde_json::Value,
}

impl Explanation {
    pub(crate) fn new(explained: Explained) -> Self {
        let json = serde_json::to_value(&explained.explanation).unwrap_or_default();
        Self { explained, json }
    }
}

/// Compares two texts, as a collection of the two would, and says why.
#[pyfunction]
#[pyo3(signature = (a, b, **settings))]
pub(crate) fn explain(
    py: Python<'_>,
    a: String,
    b: String,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Explanation> {
    let settings = keywords::resolve(settings, Purpose::Collection)?;
    let (a, b) = (Document::new("a", a), Document::new("b", b));
    let explained = Watch::default().run(py, None, None, |_| job::of_two(a, b, &settings))?;
    Ok(Explanation::new(explained))
}

#[pymethods]
impl Explanation {
    /// The similarity, from 0 to 1.
    #[getter]
    fn score(&self) -> f64 {
        self.explained.explanation.score
    }

    /// The verdict in a word.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::json::value(py, self.json.get("verdict").unwrap_or(&serde_json::Value::Null))
    }

    /// The number of features that both have.
    #[getter]
    fn shared(&self) -> usize {
        self.explained.explanation.overlap
    }

    /// Everything, as `firsthand explain --format json` writes it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::json::value(py, &self.json)
    }

    fn __str__(&self) -> String {
        explanation::text(&self.explained.explanation, Look { width: 100, colour: false }, false)
    }

    fn __repr__(&self) -> String {
        let verdict = self.json.get("verdict").and_then(|verdict| verdict.as_str());
        let score = firsthand_jobs::numbers::score(self.explained.explanation.score);
        format!("<firsthand.Explanation: {}, score {score}>", verdict.unwrap_or_default())
    }

    fn _repr_html_(&self) -> String {
        explanation::notebook(&self.explained.explanation)
    }
}
