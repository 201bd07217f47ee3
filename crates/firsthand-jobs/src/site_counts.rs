//! How the sites of documents are known, counted on all threads.

use firsthand::Document;
use firsthand::pages::SiteClue;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of documents by what tells their site.
#[derive(Debug, Default)]
pub(crate) struct SiteCounts {
    /// In the order of [`SiteClue::ALL`].
    known: [AtomicU64; SiteClue::ALL.len()],
    unknown: AtomicU64,
}

impl SiteCounts {
    /// Counts a document.
    pub(crate) fn add(&self, document: &Document) {
        self.add_many(clue_of(document), 1);
    }

    /// Counts documents by the [number](clue_of) of what tells their site.
    pub(crate) fn add_many(&self, clue: usize, documents: u64) {
        self.known.get(clue).unwrap_or(&self.unknown).fetch_add(documents, Ordering::Relaxed);
    }

    /// The counts that are not zero, by the word for each clue; `none` for documents without a site.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        let known = SiteClue::ALL.into_iter().map(SiteClue::label).zip(&self.known);
        let all = known.chain([("none", &self.unknown)]);
        let counts = all.map(|(label, count)| (label, count.load(Ordering::Relaxed)));
        counts.filter(|(_, count)| *count > 0).collect()
    }
}

/// What tells the site of a document, by number.
pub(crate) fn clue_of(document: &Document) -> usize {
    let clue = document.known_site.as_ref().map(|site| site.clue);
    let at = SiteClue::ALL.iter().position(|known| Some(*known) == clue);
    at.unwrap_or(SiteClue::ALL.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::pages::KnownSite;

    #[test]
    fn documents_are_counted_by_what_tells_their_site() {
        let counts = SiteCounts::default();
        let site = |clue| Some(KnownSite { name: "site.example".to_owned(), clue });
        let document = |clue: Option<SiteClue>| Document {
            known_site: clue.and_then(site),
            ..Document::new("a", "A text")
        };
        let clues = [Some(SiteClue::Links), None, Some(SiteClue::Assets), Some(SiteClue::Links)];
        clues.map(document).iter().for_each(|document| counts.add(document));
        let found: Vec<_> = counts.counts().into_iter().collect();
        assert_eq!(found, [("assets", 1), ("links", 2), ("none", 1)]);
    }
}
