//! Templates of sites: learned from all pages of a site, and applied to each of them.

use super::columns::{bytes, column, list, optional, unexpected};
use super::pieces::{Rows, Type, Value};
use super::rows::{RowKernel, order, text};
use super::{Batch, Batches};
use crate::errors;
use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_pyarrow::PyArrowType;
use arrow_schema::{Field, Schema};
use firsthand::pages::SignedPage;
use firsthand::{Templates, shuffle};
use pyo3::prelude::*;
use std::sync::Arc;

/// Learns what sites teach about their pages. Rows come site by site; the lines and features of the pages of
/// one site are kept at a time.
#[pyclass(module = "firsthand")]
pub(crate) struct TemplateKernel {
    rows: Py<RowKernel>,
    site: Option<String>,
    pages: Vec<SignedPage>,
}

#[pymethods]
impl TemplateKernel {
    #[new]
    fn new(rows: Py<RowKernel>) -> Self {
        Self { rows, site: None, pages: Vec::new() }
    }

    /// The same batch with two columns more: the site of each row, empty if it has none, and the hash of its
    /// text as it was published.
    fn keyed(&self, py: Python<'_>, batch: Batch) -> PyResult<Batch> {
        let kernel = self.rows.borrow(py);
        let kernel = &*kernel;
        let batch = batch.0;
        let (mut sites, mut texts) = (StringBuilder::new(), BinaryBuilder::new());
        py.detach(|| {
            for row in 0..batch.num_rows() {
                let document = kernel.document(&batch, row)?.ok();
                let site = document.as_ref().and_then(|document| document.site());
                sites.append_value(site.unwrap_or_default());
                let text =
                    document.and_then(|document| kernel.detector.sign(&document).fingerprint());
                texts.append_option(text.map(u128::to_be_bytes));
            }
            Ok::<(), PyErr>(())
        })?;
        let schema = batch.schema();
        let mut fields: Vec<Arc<Field>> = schema.fields().iter().cloned().collect();
        let mut columns = batch.columns().to_vec();
        let added: [(&str, ArrayRef); 2] =
            [("site_key", Arc::new(sites.finish())), ("text_key", Arc::new(texts.finish()))];
        for (name, array) in added {
            fields.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
            columns.push(array);
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
        let batch = batch.map_err(|error| errors::FirsthandError::new_err(error.to_string()))?;
        Ok(PyArrowType(batch))
    }

    /// The templates of sites whose rows are complete; rows are ordered by `site_key`, and within a site as
    /// in the input.
    fn learn(&mut self, py: Python<'_>, batch: Batch) -> Batches {
        let batch = batch.0;
        let mut out = Rows::new(TEMPLATES);
        for row in 0..batch.num_rows() {
            let site = text(&batch, "site_key", row).ok_or_else(|| unexpected("site_key", row))?;
            if self.site.as_deref() != Some(&*site) {
                self.write(&mut out)?;
                self.site = Some(site.into_owned());
            }
            let kernel = self.rows.borrow(py);
            if let Ok(document) = kernel.document(&batch, row)? {
                let kernel = &*kernel;
                self.pages.push(py.detach(|| kernel.detector.sign_page(&document)));
            }
        }
        out.finish()
    }

    /// The templates of the last site.
    fn finish(&mut self) -> Batches {
        let mut out = Rows::new(TEMPLATES);
        self.write(&mut out)?;
        out.finish()
    }
}

const TEMPLATES: &[(&str, Type)] = &[("site_key", Type::Text), ("template", Type::Bytes)];

impl TemplateKernel {
    fn write(&mut self, out: &mut Rows) -> PyResult<()> {
        let templates = Templates::learn(&std::mem::take(&mut self.pages));
        let Some(site) = self.site.take().filter(|_| templates != Templates::default()) else {
            return Ok(());
        };
        out.push([Value::Text(Some(&site)), Value::Bytes(Some(&templates.to_bytes()))])
    }
}

/// Signs pages without the furniture of their sites. Rows come site by site, the template of the site before
/// its pages; the template of one site is kept at a time.
#[pyclass(module = "firsthand")]
pub(crate) struct SiteKernel {
    rows: Py<RowKernel>,
    site: String,
    templates: Templates,
}

#[pymethods]
impl SiteKernel {
    #[new]
    fn new(rows: Py<RowKernel>) -> Self {
        Self { rows, site: String::new(), templates: Templates::default() }
    }

    /// The rows with their features.
    fn sign(&mut self, py: Python<'_>, batch: Batch) -> Batches {
        let batch = batch.0;
        let mut out = Rows::new(&[
            ("id", Type::Text),
            ("order", Type::Bytes),
            ("millis", Type::Long),
            ("features", Type::Bytes),
            ("problem", Type::Text),
        ]);
        let kernel = self.rows.borrow(py);
        let template = column(&batch, "template")?;
        for row in 0..batch.num_rows() {
            let site = text(&batch, "site_key", row).ok_or_else(|| unexpected("site_key", row))?;
            if self.site != *site {
                (self.site, self.templates) = (site.into_owned(), Templates::default());
            }
            if let Some(bytes) = bytes(template, row) {
                let read = Templates::from_bytes(bytes);
                self.templates = read.map_err(|error| errors::of_bytes(&error))?;
                continue;
            }
            let order = order(&batch, row);
            let (document, problem) = match kernel.document(&batch, row)? {
                Ok(document) => (document, None),
                Err(problem) => (firsthand::Document::default(), Some(problem)),
            };
            let features = match &problem {
                None => Some(self.features(&kernel, &batch, row, &document)?),
                Some(_) => None,
            };
            let id = text(&batch, "id", row);
            out.push([
                Value::Text(id.as_deref()),
                Value::Bytes(Some(&order)),
                Value::Long(document.time),
                Value::Bytes(features.as_deref()),
                Value::Text(problem.as_deref()),
            ])?;
        }
        out.finish()
    }
}

impl SiteKernel {
    /// The features of a page. If its text was published on several sites, the row names them and brings
    /// their templates.
    fn features(
        &self,
        kernel: &RowKernel,
        batch: &RecordBatch,
        row: usize,
        document: &firsthand::Document,
    ) -> PyResult<Vec<u8>> {
        let page = kernel.detector.sign_page(document);
        let several = optional(batch, "sites").and_then(|sites| list(sites, row));
        let Some(several) = several else {
            let features = shuffle::apply(&kernel.detector, &self.templates, &page, &[]);
            return Ok(features.to_bytes());
        };
        let mut templates = Templates::default();
        if let Some(parts) = optional(batch, "templates").and_then(|parts| list(parts, row)) {
            for part in (0..parts.len()).filter_map(|at| bytes(&parts, at)) {
                let read = Templates::from_bytes(part);
                templates.merge(read.map_err(|error| errors::of_bytes(&error))?);
            }
        }
        let names = (0..several.len()).filter_map(|at| bytes(&several, at));
        let names =
            names.map(|name| std::str::from_utf8(name).ok().filter(|name| !name.is_empty()));
        let names: Vec<Option<&str>> = names.collect();
        Ok(shuffle::apply(&kernel.detector, &templates, &page, &names).to_bytes())
    }
}
