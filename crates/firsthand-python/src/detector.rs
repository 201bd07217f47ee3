//! The waist of the engine: sign texts, find the keys under which they meet, compare them.

use crate::{errors, keywords};
use firsthand::{self as core, Document};
use firsthand_jobs::Purpose;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Signs and compares texts by settings that were checked.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct Detector {
    pub(crate) detector: core::Detector,
}

/// Everything that is kept of a document in order to compare it.
#[pyclass(frozen, eq, skip_from_py_object, module = "firsthand")]
#[derive(Clone, PartialEq)]
pub(crate) struct Features {
    pub(crate) features: core::Features,
}

/// The keys under which a document meets its near-duplicates.
#[pyclass(frozen, eq, get_all, skip_from_py_object, module = "firsthand")]
#[derive(Clone, PartialEq)]
pub(crate) struct Keys {
    keys: Vec<u64>,
    least_shared: u32,
}

/// How two texts compare.
#[pyclass(frozen, eq, get_all, skip_from_py_object, module = "firsthand")]
#[derive(Clone, PartialEq)]
pub(crate) struct Comparison {
    score: f64,
    verdict: &'static str,
    shared: usize,
    sizes: (usize, usize),
    near: bool,
    exact: bool,
    met: bool,
}

#[pymethods]
impl Detector {
    #[new]
    #[pyo3(signature = (**settings))]
    fn new(settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = keywords::resolve(settings, Purpose::Collection)?;
        let detector = core::Detector::new(settings).map_err(errors::of_settings)?;
        Ok(Self { detector })
    }

    /// The features of a text.
    #[pyo3(signature = (text, *, title=None, url=None))]
    fn sign(
        &self,
        py: Python<'_>,
        text: String,
        title: Option<String>,
        url: Option<String>,
    ) -> Features {
        py.detach(|| {
            let document = Document { title, url, ..Document::new("", text) };
            Features { features: self.detector.sign(&document) }
        })
    }

    /// The keys under which a document meets its near-duplicates: at least `sharing` of them are shared,
    /// where there are enough.
    #[pyo3(signature = (features, sharing=1))]
    fn keys(&self, features: &Features, sharing: u32) -> PyResult<Keys> {
        let keys = self.detector.keys_sharing(&features.features, sharing);
        let core::Keys { keys, least_shared } = keys.map_err(errors::of_settings)?;
        Ok(Keys { keys, least_shared })
    }

    /// Compares two documents: texts or features.
    fn compare(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Comparison> {
        let (a, b) = (self.features(a)?, self.features(b)?);
        let compared = self.detector.compare(&a, &b).map_err(errors::of_settings)?;
        Ok(Comparison::new(&compared, self.detector.settings().min_features))
    }

    /// The settings that hold, as TOML.
    #[getter]
    fn settings(&self) -> PyResult<String> {
        let written = toml::to_string(self.detector.settings());
        written.map_err(|error| errors::FirsthandError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        let settings = self.detector.settings();
        format!("<firsthand.Detector: threshold {}>", settings.threshold)
    }
}

impl Detector {
    fn features(&self, value: &Bound<'_, PyAny>) -> PyResult<core::Features> {
        if let Ok(features) = value.cast::<Features>() {
            return Ok(features.get().features.clone());
        }
        let text: String = value.extract().map_err(|_| {
            let kind = value.get_type().name();
            let kind = kind.map_or_else(|_| "another value".to_owned(), |kind| kind.to_string());
            PyTypeError::new_err(format!("compare takes texts or features, not {kind}"))
        })?;
        Ok(value.py().detach(|| self.detector.sign(&Document::new("", text))))
    }
}

#[pymethods]
impl Features {
    /// Features from the bytes of `to_bytes`.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let features =
            core::Features::from_bytes(bytes).map_err(|error| errors::of_bytes(&error))?;
        Ok(Self { features })
    }

    /// The features as bytes, the same on every machine.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.features.to_bytes())
    }

    /// The features: 64-bit hashes, ascending.
    #[getter]
    fn hashes(&self) -> Vec<u64> {
        self.features.hashes().to_vec()
    }

    fn __len__(&self) -> usize {
        self.features.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let make = slf.get_type().getattr("from_bytes")?;
        Ok((make, (slf.get().to_bytes(py),)))
    }

    fn __repr__(&self) -> String {
        format!("<firsthand.Features: {} hashes>", self.features.len())
    }
}

#[pymethods]
impl Keys {
    fn __repr__(&self) -> String {
        format!("<firsthand.Keys: {} keys, {} shared>", self.keys.len(), self.least_shared)
    }
}

impl Comparison {
    fn new(compared: &core::Comparison, min_features: usize) -> Self {
        let core::Comparison { score, shared, sizes, near, exact, met } = *compared;
        let least = min_features.max(1);
        let verdict = match (exact, near) {
            (true, _) => "exact-copy",
            (_, true) => "near-duplicate",
            _ if sizes.0 < least || sizes.1 < least => "too-short",
            _ => "different",
        };
        Self { score, verdict, shared, sizes, near, exact, met }
    }
}

#[pymethods]
impl Comparison {
    fn __repr__(&self) -> String {
        let Self { score, verdict, shared, .. } = self;
        let score = firsthand_jobs::numbers::score(*score);
        format!("<firsthand.Comparison: {verdict}, score {score}, {shared} features shared>")
    }
}
