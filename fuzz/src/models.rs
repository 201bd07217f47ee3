//! Checks for any bytes that are read as a model.

use firsthand::model::{Model, ModelError, ModelFile, VERSION};
use firsthand::{Detector, Document, Settings};
use std::sync::Arc;

/// A text with everything that features depend on: quotes, capitals, digits, links, stop words, blocks.
const TEXT: &str = "The Night Ferry ran aground at 23:40.\n> None of the 40 was hurt.\nMore: \
    http://a.example/ferry the ferry the ferry";

/// A model is refused with a reason, or gives the same text the same weights each time.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(written) = serde_json::from_slice::<ModelFile>(bytes) else { return };
    // Version and fingerprint are usually wrong; test what comes after them too.
    let said = Model::new(written.clone());
    let model = match Model::sealed(ModelFile { version: VERSION, ..written }) {
        Ok(model) => Arc::new(model),
        Err(ModelError::Unusable(reason)) => return assert!(!reason.is_empty() && said.is_err()),
        Err(error) => return assert!(!error.to_string().is_empty() && said.is_err()),
    };
    let document = Document {
        title: Some("Night ferry aground".to_owned()),
        url: Some("http://a.example/ferry".to_owned()),
        ..Document::new("a", TEXT)
    };
    let shown = model.show(&document, true);
    assert!(!shown.is_empty(), "a text has grams");
    let sorted = shown.is_sorted_by(|a, b| a.weight >= b.weight);
    assert!(sorted && shown.iter().all(|gram| gram.weight >= 0.0 && gram.weight.is_finite()));

    // A model that is written is read back as the same model.
    let again = serde_json::to_vec(model.written()).expect("a model can be written");
    let again: ModelFile = serde_json::from_slice(&again).expect("and read");
    // Digits beyond the written precision may be lost.
    if again.weights != model.written().weights {
        return;
    }
    let again = Model::new(again).expect("and used");
    assert_eq!(again.fingerprint(), model.fingerprint());
    assert_eq!(again.show(&document, true), shown);
    if let Ok(detector) = Detector::new(Settings::default().with_model(&model)) {
        detector.sign(&document);
    }
}
