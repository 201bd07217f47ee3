//! Results as values, for callers that make tables of their own: what was found, row by row.

use crate::dedup::unread_documents;
use crate::error::JobError;
use crate::input_order::InputFate;
use crate::report::DedupOutcome;
use firsthand::collections::Summary;
use std::borrow::Cow;
use std::io;

/// What became of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct RowValue<'a> {
    /// The id of its document; none if it could not be read.
    pub id: Option<Cow<'a, str>>,
    /// The number of its cluster, from 1; none if it has no near-duplicates.
    pub cluster: Option<u32>,
    /// The id of the original of the cluster.
    pub original: Option<Cow<'a, str>>,
    /// The similarity to the original, or to the member that it is near to; 1 for the original.
    pub score: Option<f64>,
    /// Whether it has the text of the original, or of that member; none for the original itself.
    pub exact: Option<bool>,
    /// Whether it is kept.
    pub kept: bool,
    /// Why it is not.
    pub reason: Option<String>,
}

/// A near-duplicate pair, by the ids of its documents.
#[derive(Clone, Debug, PartialEq)]
pub struct PairValue<'a> {
    /// The earlier document or, with a reference, the new one.
    pub a: Cow<'a, str>,
    /// The other.
    pub b: Cow<'a, str>,
    /// Their similarity.
    pub score: f64,
    /// Whether their normalised texts are equal.
    pub exact: bool,
}

/// A member of a cluster. The original is the first of each.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberValue<'a> {
    /// The number of the cluster, from 1.
    pub cluster: u32,
    /// How many documents it has.
    pub size: usize,
    /// The id of the document.
    pub id: Cow<'a, str>,
    /// The id of the original.
    pub original: Cow<'a, str>,
    /// The similarity to the original, or to `via`.
    pub score: f64,
    /// Whether it has the text of the original, or of `via`; none for the original itself.
    pub exact: Option<bool>,
    /// The id of the member that it is near to, if that is not the original.
    pub via: Option<Cow<'a, str>>,
}

impl DedupOutcome {
    /// One value for each input, in order: what was not read is among them.
    ///
    /// # Errors
    ///
    /// If documents are on disk and cannot be read.
    pub fn row_values(&self) -> Result<Vec<RowValue<'_>>, JobError> {
        self.rows().map_err(|source| unread_documents(self.scratch.as_deref(), source))
    }

    fn rows(&self) -> io::Result<Vec<RowValue<'_>>> {
        let row = |fate| match fate {
            InputFate::Document(at) => self.row_of(self.findings.first() + at),
            InputFate::Unread(position) => {
                let error = self.unread.unreadable.list.get(&position);
                let error = error.or_else(|| self.unread.skipped.list.get(&position));
                let reason = error.map_or_else(
                    || "no document could be read from it".to_owned(),
                    |error| format!("no document could be read from it: {}", error.reason),
                );
                let (id, original, kept) = (None, None, false);
                let (cluster, score, exact) = (None, None, None);
                Ok(RowValue { id, cluster, original, score, exact, kept, reason: Some(reason) })
            }
        };
        self.input_fates().into_iter().map(row).collect()
    }

    fn row_of(&self, at: usize) -> io::Result<RowValue<'_>> {
        let mut row = RowValue {
            id: Some(name(self.findings.document(at)?)),
            cluster: None,
            original: None,
            score: None,
            exact: None,
            kept: true,
            reason: None,
        };
        let Some(standing) = self.findings.standing(at)? else { return Ok(row) };
        row.cluster = Some(standing.cluster + 1);
        row.score = Some(1.0);
        match self.findings.fate(at)? {
            None => row.original = row.id.clone(),
            Some(fate) => {
                (row.kept, row.exact) = (false, Some(fate.member.exact));
                row.score = Some(fate.member.score);
                row.reason = Some(fate.reason(self.settings.threshold));
                row.original = Some(name(fate.original));
            }
        }
        Ok(row)
    }

    /// The pairs that are listed, in order.
    ///
    /// # Errors
    ///
    /// If documents are on disk and cannot be read.
    pub fn pair_values(&self) -> Result<Vec<PairValue<'_>>, JobError> {
        self.pairs().map_err(|source| unread_documents(self.scratch.as_deref(), source))
    }

    fn pairs(&self) -> io::Result<Vec<PairValue<'_>>> {
        let pairs = self.findings.listed(self.contents.pairs)?;
        let value = |read: io::Result<_>| {
            let (a, b, found): (_, _, firsthand::collections::Match) = read?;
            Ok(PairValue { a: name(a), b: name(b), score: found.score, exact: found.exact })
        };
        pairs.map(value).collect()
    }

    /// All members of all clusters.
    ///
    /// # Errors
    ///
    /// If documents are on disk and cannot be read.
    pub fn member_values(&self) -> Result<Vec<MemberValue<'_>>, JobError> {
        self.members().map_err(|source| unread_documents(self.scratch.as_deref(), source))
    }

    fn members(&self) -> io::Result<Vec<MemberValue<'_>>> {
        let mut values = Vec::new();
        let named = |at: usize| self.findings.document(at).map(name);
        for (cluster, number) in self.findings.clusters()?.zip(1..) {
            let cluster = cluster?;
            let original = named(cluster.original)?;
            for member in &cluster.members {
                values.push(MemberValue {
                    cluster: number,
                    size: cluster.members.len(),
                    id: named(member.document)?,
                    original: original.clone(),
                    score: member.score,
                    exact: (member.document != cluster.original).then_some(member.exact),
                    via: member.via.map(named).transpose()?,
                });
            }
        }
        Ok(values)
    }
}

fn name(document: Cow<'_, Summary>) -> Cow<'_, str> {
    match document {
        Cow::Borrowed(document) => Cow::Borrowed(&document.id),
        Cow::Owned(document) => Cow::Owned(document.id),
    }
}
