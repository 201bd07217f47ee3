//! A cluster as it stands now: what was found, regrouped by what people have decided since.

use super::error::ReviewError;
use super::record::{ClusterRecord, MemberRecord};
use super::standing::{Standing, State};
use super::{Decided, Review};
use crate::decisions::{Decision, constraints};
use firsthand::collections::{Cluster, Known, Member, regroup};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

/// The most clusters that are shown as one.
const REGION: usize = 100;

/// A cluster as it stands now.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterView {
    /// Its number.
    pub number: u32,
    /// The clusters that were merged with it, itself included.
    pub clusters: Vec<u32>,
    /// What it has become: one group, or several where people parted it. The one with the original that
    /// was found comes first.
    pub groups: Vec<GroupView>,
    /// Whether somebody has looked at it.
    pub state: State,
    /// All tags of its members.
    pub tags: Vec<String>,
}

/// Documents that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct GroupView {
    /// The members, the original first; a document on its own has no other.
    pub members: Vec<MemberView>,
    /// Why the first is the original, in words.
    pub why: String,
}

/// A document of a cluster as it stands now.
#[derive(Clone, Debug, Serialize)]
pub struct MemberView {
    /// What was found.
    pub record: MemberRecord,
    /// The cluster that it was found in.
    pub cluster: u32,
    /// Its similarity to the original, or to `via`; none where only a person says so.
    pub score: Option<f64>,
    /// Whether it has the text of the original, or of `via`.
    pub exact: bool,
    /// The member that it is near, if that is not the original.
    pub via: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Notes on it, each with the person and the time.
    pub notes: Vec<Remark>,
}

/// A note.
#[derive(Clone, Debug, Serialize)]
pub struct Remark {
    /// What it says.
    pub note: String,
    /// Who wrote it.
    pub person: Option<String>,
    /// When.
    pub time: String,
}

impl GroupView {
    /// The original.
    pub fn original(&self) -> Option<&MemberView> {
        self.members.first()
    }
}

impl ClusterView {
    /// The group that a document is in.
    pub fn group_of(&self, id: &str) -> Option<&GroupView> {
        self.groups.iter().find(|group| group.members.iter().any(|one| one.record.id == id))
    }
}

impl Review {
    /// A cluster as it stands now, by its number.
    ///
    /// # Errors
    ///
    /// If there is none of this number, or it cannot be read.
    pub fn view(&self, number: u32) -> Result<ClusterView, ReviewError> {
        self.with_decided(|Decided { lines, index, standing, .. }| {
            let at = index.position(number).ok_or(ReviewError::NoCluster(number))? as u32;
            let mut region = standing.region(at);
            if region.len() > REGION {
                region = region.into_iter().filter(|row| *row != at).take(REGION - 1).collect();
                region.insert(at);
            }
            let rows = region.iter().map(|row| &index.rows[*row as usize]);
            let records: Vec<ClusterRecord> =
                rows.map(|row| self.material.cluster(row)).collect::<Result<_, _>>()?;
            let said: Vec<Option<Decision>> =
                standing.lines_of(&region).into_iter().map(|at| lines[at].clone()).collect();
            let own = records.iter().position(|record| record.cluster == number).unwrap_or(0);
            let groups = self.groups(&records, own, &said, standing)?;
            let (state, tags) = standing.of_cluster(index, number);
            Ok(ClusterView {
                number,
                clusters: records.iter().map(|record| record.cluster).collect(),
                groups,
                state,
                tags: tags.into_iter().map(str::to_owned).collect(),
            })
        })
    }

    fn groups(
        &self,
        records: &[ClusterRecord],
        own: usize,
        said: &[Option<Decision>],
        standing: &Standing,
    ) -> Result<Vec<GroupView>, ReviewError> {
        let documents: Vec<(u32, &MemberRecord)> = records
            .iter()
            .flat_map(|record| record.members.iter().map(|member| (record.cluster, member)))
            .collect();
        let position: HashMap<&str, usize> =
            documents.iter().enumerate().map(|(at, (_, member))| (&*member.id, at)).collect();
        let found = found(records, &position);
        let edges = edges(&found);
        let near = |a: usize, b: usize| edges.get(&(a, b)).copied();
        let neighbours = |a: usize| {
            let mut near: Vec<usize> =
                edges.keys().filter(|(from, _)| *from == a).map(|(_, to)| *to).collect();
            near.sort_unstable();
            near
        };
        let time = |at: usize| documents[at].1.milliseconds().unwrap_or(i64::MAX);
        let prefer = |a: usize, b: usize| -> Ordering { (time(a), a).cmp(&(time(b), b)) };
        let text = |at: usize| Ok(documents[at].1.text.clone());
        let (constraints, _) = constraints(said, &position, text)?;
        let known = Known {
            near: &near,
            neighbours: &neighbours,
            similarity: &|_, _| f64::NAN,
            prefer: &prefer,
            may_lead: &|_| true,
        };
        let clusters = regroup(found, &constraints, known).clusters;
        let member = |member: &Member| {
            let (cluster, record) = documents[member.document];
            MemberView {
                record: record.clone(),
                cluster,
                score: Some(member.score).filter(|score| !score.is_nan()),
                exact: member.exact,
                via: member.via.map(|via| documents[via].1.id.clone()),
                tags: standing.tags(&record.id).map(str::to_owned).collect(),
                notes: standing.notes(&record.id).filter_map(remark).collect(),
            }
        };
        let mut groups: Vec<(usize, GroupView)> = Vec::new();
        let mut placed: BTreeSet<usize> = BTreeSet::new();
        for cluster in &clusters {
            placed.extend(cluster.members.iter().map(|member| member.document));
            let members: Vec<MemberView> = cluster.members.iter().map(member).collect();
            let why = self.why(&members, standing, records);
            groups.push((cluster.original, GroupView { members, why }));
        }
        for at in (0..documents.len()).filter(|at| !placed.contains(at)) {
            let alone = Member { document: at, score: 1.0, exact: true, via: None, decided: false };
            let why = "on its own: it is a copy of none of the others".to_owned();
            groups.push((at, GroupView { members: vec![member(&alone)], why }));
        }
        let first = records[own].members.first().map(|member| &member.id);
        groups.sort_by_key(|(at, group)| {
            let is_main = group.members.iter().any(|one| Some(&one.record.id) == first);
            (!is_main, group.members.len() == 1, *at)
        });
        Ok(groups.into_iter().map(|(_, group)| group).collect())
    }

    /// Why the first of the members is the original.
    fn why(
        &self,
        members: &[MemberView],
        standing: &Standing,
        records: &[ClusterRecord],
    ) -> String {
        let Some(original) = members.first() else { return String::new() };
        let id = &original.record.id;
        if let Some(person) = standing.kept_by(id) {
            return match person {
                Some(person) => format!("chosen by {person}"),
                None => "chosen in a review".to_owned(),
            };
        }
        if !records.iter().any(|record| record.original == *id) {
            return "the first of those that were parted from the original".to_owned();
        }
        self.material.why_original().to_owned()
    }
}

fn remark(line: &Decision) -> Option<Remark> {
    let (person, time) = (line.person.clone(), line.time.clone());
    Some(Remark { note: line.note.clone()?, person, time })
}

/// The clusters as they were found, by positions.
fn found(records: &[ClusterRecord], position: &HashMap<&str, usize>) -> Vec<Cluster> {
    let at = |id: &str| position.get(id).copied();
    let cluster = |record: &ClusterRecord| {
        let original = at(&record.members.first()?.id)?;
        let members = record.members.iter().filter_map(|member| {
            Some(Member {
                document: at(&member.id)?,
                score: member.score,
                exact: member.exact.unwrap_or(true),
                via: member.via.as_deref().and_then(at),
                decided: member.decided,
            })
        });
        Some(Cluster { original, members: members.collect() })
    };
    records.iter().filter_map(cluster).collect()
}

/// The pairs that are known: each member with its original, or with the one that it is near.
fn edges(found: &[Cluster]) -> HashMap<(usize, usize), (f64, bool)> {
    let mut edges = HashMap::new();
    for cluster in found {
        for member in cluster.members.iter().filter(|one| one.document != cluster.original) {
            let other = member.via.unwrap_or(cluster.original);
            if !member.decided {
                edges.insert((member.document, other), (member.score, member.exact));
                edges.insert((other, member.document), (member.score, member.exact));
            }
        }
    }
    edges
}
