//! The texts of a cluster, read again, and what two of them have in common.

use super::Review;
use super::error::ReviewError;
use super::record::MemberRecord;
use crate::decisions::text_hash;
use crate::observer::Unobserved;
use crate::reading::{Pass, Reading};
use crate::texts::Wanted;
use firsthand::collections::{Collection, Signed};
use firsthand::explain::{Explanation, explain};
use firsthand::{Detector, Document};
use firsthand_input::{Item, Kind, ReadOptions};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

/// Inputs of at most this number of bytes are signed as a whole, so that what is shown of page furniture
/// and scores is what the search made of it.
const WHOLE: u64 = 64 << 20;
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

/// The inputs, signed.
pub(super) struct Whole(pub(super) Collection);

impl Review {
    /// The text of a member, read again.
    ///
    /// # Errors
    ///
    /// If it is gone.
    pub fn text(&self, member: &MemberRecord) -> Result<ShownText, ReviewError> {
        let wanted = Wanted { id: &member.id, place: member.place.as_ref() };
        let in_a_cluster = |place: &crate::descriptions::DocumentPlace| {
            // Documents with ids of their own cannot be told by their places.
            member.place.is_some() || self.index.cluster_of(&place.id()).is_some()
        };
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = texts.get(wanted, &in_a_cluster)?;
        drop(texts);
        let fresh = match &member.text {
            Some(hash) if *hash == text_hash(&found.document.text) => Freshness::Same,
            Some(_) => Freshness::Changed,
            None => Freshness::Unknown,
        };
        let is_page = found.is_file && {
            let kind = self.settings.reading.kind.or(firsthand_input::kind_of(&found.file).0);
            kind == Some(Kind::Html)
        };
        Ok(ShownText { document: found.document, fresh, page: is_page.then_some(found.file) })
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
        if let Some(Whole(collection)) = self.whole()
            && let Ok(explanation) = explain(collection, &a.document, &b.document)
        {
            return Ok(Difference { a, b, explanation, by_themselves: false });
        }
        let both = vec![Document::clone(&a.document), Document::clone(&b.document)];
        let collection = self.signed(both)?;
        let explained = explain(&collection, &a.document, &b.document);
        let explanation = explained.map_err(|error| ReviewError::Explain(error.to_string()))?;
        let has_site = explanation.a.site.is_some() || explanation.b.site.is_some();
        let by_themselves = has_site && self.settings.template;
        Ok(Difference { a, b, explanation, by_themselves })
    }

    /// A collection of a few documents.
    pub(super) fn signed(&self, documents: Vec<Document>) -> Result<Collection, ReviewError> {
        let detector = Detector::new(self.settings.clone())
            .map_err(|error| ReviewError::Explain(error.to_string()))?;
        Ok(Collection::new(Signed::new(&detector, [documents].into_iter(), |batch| batch)))
    }

    /// The inputs, signed when they are first asked for, if they are small and still there.
    pub(super) fn whole(&self) -> Option<&Whole> {
        self.whole.get_or_init(|| self.sign_whole().map(Whole)).as_ref()
    }

    fn sign_whole(&self) -> Option<Collection> {
        let detector = Detector::new(self.settings.clone()).ok()?;
        let open = |inputs: &[PathBuf]| {
            let options = ReadOptions::new(self.settings.reading.clone());
            if inputs.iter().any(|input| input.as_os_str() == "-" || !input.exists()) {
                return None;
            }
            Reading::open(inputs, options, None, &Unobserved::default()).ok()
        };
        let mut new = open(&self.inputs)?;
        let mut reference = match self.against.is_empty() {
            true => None,
            false => Some(open(&self.against)?),
        };
        let bytes = new.batches.total_bytes()?
            + reference.as_ref().map_or(Some(0), |reference| reference.batches.total_bytes())?;
        if bytes > WHOLE {
            return None;
        }
        let observer = Unobserved::default();
        let pass = Pass::new(&observer, None);
        let reference = reference
            .as_mut()
            .map(|reference| pass.sign(reference, 0, &detector, |_| |_: &Item| {}));
        let new = pass.sign(&mut new, 1, &detector, |_| |_: &Item| {});
        pass.finish().ok()?;
        match reference {
            None => Some(Collection::new(new)),
            Some(reference) => Collection::against(reference, new).ok(),
        }
    }
}
