//! The texts of a cluster, and what two of them have in common.

use super::Review;
use super::error::ReviewError;
use super::record::MemberRecord;
use firsthand::collections::{Collection, Signed};
use firsthand::explain::{Explanation, explain};
use firsthand::{Detector, Document};
use std::path::PathBuf;
use std::sync::Arc;

/// The largest page that is shown as it is.
const PAGE: u64 = 10 << 20;

/// Whether a text is still the one that was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It is.
    Same,
    /// It has changed since.
    Changed,
    /// The results do not tell.
    Unknown,
}

/// A text as it is in the inputs now.
#[derive(Clone, Debug)]
pub struct ShownText {
    /// The document.
    pub document: Arc<Document>,
    /// Whether it is still the one that was compared.
    pub fresh: Freshness,
    /// The file, if it is a page that can be shown as it is.
    pub page: Option<PathBuf>,
}

/// Two texts and what they have in common.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The original, or the member that the other is near.
    pub a: ShownText,
    /// The other.
    pub b: ShownText,
    /// What they have in common.
    pub explanation: Explanation,
    /// Whether they were compared by themselves, without the other pages of their sites.
    pub by_themselves: bool,
}

impl Review {
    /// The text of a member.
    ///
    /// # Errors
    ///
    /// If it is gone.
    pub fn text(&self, member: &MemberRecord) -> Result<ShownText, ReviewError> {
        self.material.text(member)
    }

    /// The length of a text; 0 if it is gone.
    pub(super) fn length(&self, member: &MemberRecord) -> usize {
        self.text(member).map_or(0, |text| text.document.text.len())
    }

    /// A page as it is, for a frame that runs nothing and fetches nothing.
    ///
    /// # Errors
    ///
    /// If it is no page, too large, or gone.
    pub fn page(&self, member: &MemberRecord) -> Result<Vec<u8>, ReviewError> {
        let text = self.text(member)?;
        let file = text.page.ok_or(ReviewError::Senseless(
            "only files of HTML can be shown as pages; others are shown as text",
        ))?;
        if file.metadata()?.len() > PAGE {
            return Err(ReviewError::Senseless("the page is too large to be shown"));
        }
        Ok(std::fs::read(file)?)
    }

    /// What two members have in common.
    ///
    /// # Errors
    ///
    /// If one of them is gone.
    pub fn difference(
        &self,
        a: &MemberRecord,
        b: &MemberRecord,
    ) -> Result<Difference, ReviewError> {
        let (a, b) = (self.text(a)?, self.text(b)?);
        if let Some(collection) = self.material.whole()
            && let Ok(explanation) = explain(collection, &a.document, &b.document)
        {
            return Ok(Difference { a, b, explanation, by_themselves: false });
        }
        let both = vec![Document::clone(&a.document), Document::clone(&b.document)];
        let collection = self.signed(both)?;
        let explained = explain(&collection, &a.document, &b.document);
        let explanation = explained.map_err(|error| ReviewError::Explain(error.to_string()))?;
        let has_site = explanation.a.site.is_some() || explanation.b.site.is_some();
        let by_themselves = has_site && self.settings().template;
        Ok(Difference { a, b, explanation, by_themselves })
    }

    /// A collection of a few documents.
    pub(super) fn signed(&self, documents: Vec<Document>) -> Result<Collection, ReviewError> {
        let detector = Detector::new(self.settings().clone())
            .map_err(|error| ReviewError::Explain(error.to_string()))?;
        Ok(Collection::new(Signed::new(&detector, [documents].into_iter(), |batch| batch)))
    }
}
