//! Streams for tests: documents through the online detector, with a store in memory.

use firsthand::{
    Document, Settings,
    online::{Answer, Arrival, Memory, Online, StreamDetector},
    settings::{Matcher, Measure, Scheme, Stream, Threshold, Window},
};

pub(crate) const HOUR: i64 = 3_600_000;

pub(crate) fn online(settings: &Settings) -> (StreamDetector, Online<Memory>) {
    let detector = StreamDetector::new(settings.clone()).unwrap();
    (detector.clone(), Online::new(detector, Memory::new()))
}

/// A document that arrives at its own time.
pub(crate) fn arrival(detector: &StreamDetector, document: &Document) -> Arrival {
    detector.sign(document, document.time.unwrap_or(0))
}

pub(crate) fn arrivals(detector: &StreamDetector, documents: &[Document]) -> Vec<Arrival> {
    documents.iter().map(|document| arrival(detector, document)).collect()
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
        stream: Stream { matcher: Some(Matcher::Exact), ..settings.stream.clone() },
        ..settings.clone()
    }
}

pub(crate) fn day(base: Settings) -> Settings {
    let window = Window { milliseconds: Some(24 * HOUR), ..Window::default() };
    Settings { stream: Stream { window, ..base.stream.clone() }, ..base }
}
