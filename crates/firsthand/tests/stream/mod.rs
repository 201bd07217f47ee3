//! Streams for tests: documents through the online detector, with a store in memory.
#![allow(dead_code)]

use firsthand::{
    Detector, Document, Measure, Scheme, Settings, Threshold,
    online::{Answer, Arrival, Index, Memory, Online, OnlineSettings, Window},
};

pub(crate) const HOUR: i64 = 3_600_000;

pub(crate) fn online(settings: &Settings) -> (Detector, Online<Memory>) {
    settings.check_online().unwrap();
    let detector = Detector::new(settings.clone()).unwrap();
    (detector.clone(), Online::new(detector, Memory::new()))
}

pub(crate) fn arrivals(detector: &Detector, documents: &[Document]) -> Vec<Arrival> {
    documents.iter().map(|document| Arrival::new(detector, document, 0)).collect()
}

pub(crate) fn stream(settings: &Settings, documents: &[Document]) -> Vec<Answer> {
    let (detector, mut online) = online(settings);
    let arrivals = arrivals(&detector, documents);
    online.add(&arrivals).unwrap()
}

/// Documents as sets of words: `a b c` is the text, each letter a word.
pub(crate) fn letters(settings: &Settings) -> Settings {
    Settings {
        scheme: Scheme::Words { n: 1 },
        measure: Measure::Jaccard,
        threshold: Threshold::new(1, 2).unwrap(),
        multiset: false,
        template: false,
        min_features: 1,
        online: OnlineSettings { index: Index::Exact, ..settings.online.clone() },
        ..settings.clone()
    }
}

pub(crate) fn day(base: Settings) -> Settings {
    let window = Window { milliseconds: Some(24 * HOUR), ..Window::default() };
    Settings { online: OnlineSettings { window, ..base.online.clone() }, ..base }
}
