//! Results as values, for callers that make tables of their own: what was found, row by row.

use crate::findings::DropReason;
use crate::input_order::InputFate;
use crate::report::DedupOutcome;
use std::collections::HashMap;

/// What became of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct RowValue<'a> {
    /// The id of its document; none if it could not be read.
    pub id: Option<&'a str>,
    /// The number of its cluster, from 1; none if it has no near-duplicates.
    pub cluster: Option<u32>,
    /// The id of the original of the cluster.
    pub original: Option<&'a str>,
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairValue<'a> {
    /// The earlier document or, with a reference, the new one.
    pub a: &'a str,
    /// The other.
    pub b: &'a str,
    /// Their similarity.
    pub score: f64,
    /// Whether their normalised texts are equal.
    pub exact: bool,
}

/// A member of a cluster. The original is the first of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemberValue<'a> {
    /// The number of the cluster, from 1.
    pub cluster: u32,
    /// How many documents it has.
    pub size: usize,
    /// The id of the document.
    pub id: &'a str,
    /// The id of the original.
    pub original: &'a str,
    /// The similarity to the original, or to `via`.
    pub score: f64,
    /// Whether it has the text of the original, or of `via`; none for the original itself.
    pub exact: Option<bool>,
    /// The id of the member that it is near to, if that is not the original.
    pub via: Option<&'a str>,
}

impl DedupOutcome {
    /// One value for each input, in order: what was not read is among them.
    pub fn row_values(&self) -> impl Iterator<Item = RowValue<'_>> {
        let clusters = self.findings.clusters.iter().zip(1..);
        let originals: HashMap<usize, u32> =
            clusters.map(|(cluster, number)| (cluster.original, number)).collect();
        let fates = self.input_fates().into_iter();
        fates.map(move |fate| match fate {
            InputFate::Document(at) => self.row_of(self.findings.first() + at, &originals),
            InputFate::Unread(position) => {
                let error = self.unread.unreadable.list.get(&position);
                let error = error.or_else(|| self.unread.skipped.list.get(&position));
                let reason = error.map_or_else(
                    || "no document could be read from it".to_owned(),
                    |error| format!("no document could be read from it: {}", error.reason),
                );
                let (id, original, kept) = (None, None, false);
                let (cluster, score, exact) = (None, None, None);
                RowValue { id, cluster, original, score, exact, kept, reason: Some(reason) }
            }
        })
    }

    fn row_of(&self, at: usize, originals: &HashMap<usize, u32>) -> RowValue<'_> {
        let id = Some(&*self.findings.document(at).id);
        match self.findings.fate(at) {
            None => {
                let cluster = originals.get(&at).copied();
                let (original, score) = (id.filter(|_| cluster.is_some()), cluster.map(|_| 1.0));
                RowValue { id, cluster, original, score, exact: None, kept: true, reason: None }
            }
            Some(fate) => {
                let DropReason { original, member, .. } = fate;
                let cluster = self.findings.cluster_of_dropped(at).map(|cluster| cluster + 1);
                let reason = Some(fate.reason(self.settings.threshold));
                let (original, score) = (Some(&*original.id), Some(member.score));
                RowValue {
                    id,
                    cluster,
                    original,
                    score,
                    exact: Some(member.exact),
                    kept: false,
                    reason,
                }
            }
        }
    }

    /// The pairs that are listed, in order.
    pub fn pair_values(&self) -> impl Iterator<Item = PairValue<'_>> {
        let pairs = self.findings.listed(self.contents.pairs);
        pairs.map(|(a, b, found)| PairValue {
            a: &a.id,
            b: &b.id,
            score: found.score,
            exact: found.exact,
        })
    }

    /// All members of all clusters.
    pub fn member_values(&self) -> impl Iterator<Item = MemberValue<'_>> {
        self.findings.clusters.iter().zip(1..).flat_map(move |(cluster, number)| {
            let name = |at: usize| &*self.findings.document(at).id;
            cluster.members.iter().map(move |member| MemberValue {
                cluster: number,
                size: cluster.members.len(),
                id: name(member.document),
                original: name(cluster.original),
                score: member.score,
                exact: (member.document != cluster.original).then_some(member.exact),
                via: member.via.map(name),
            })
        })
    }
}
