//! What people have done with the clusters of a store: which of them were looked at, and their tags.

use crate::decisions::{Action, Active, State};
use firsthand::online::{Store, StoreError, Upkeep};
use std::collections::{BTreeSet, HashMap};

/// What people have done with clusters, by the names of the clusters.
#[derive(Clone, Debug, Default)]
pub struct Reviewed {
    states: HashMap<String, State>,
    tags: HashMap<String, BTreeSet<String>>,
}

impl Reviewed {
    /// Reads the decisions of a store, and looks up where the documents are that they name.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn read<S: Store>(upkeep: &mut Upkeep<S>) -> Result<Self, StoreError> {
        let lines = upkeep.decisions()?.to_vec();
        let active = Active::new(&lines);
        let mut clusters: HashMap<&str, Option<String>> = HashMap::new();
        let mut reviewed = Self::default();
        for (_, line) in active.lines() {
            if matches!(line.action, Action::Label | Action::Note) {
                continue;
            }
            let both = matches!(line.action, Action::Merge | Action::Split | Action::NotACopy);
            let others = line.others.iter().filter(|_| both);
            for id in line.documents.iter().chain(others).map(|one| &*one.id) {
                let Some(cluster) = cluster_of(upkeep, &mut clusters, id)? else { continue };
                let state = reviewed.states.entry(cluster).or_default();
                *state = match (line.action, *state) {
                    (Action::Skip, State::Open) => State::Skipped,
                    (Action::Skip, state) => state,
                    _ => State::Reviewed,
                };
            }
        }
        for (id, tags) in active.tags() {
            let Some(cluster) = cluster_of(upkeep, &mut clusters, id)? else { continue };
            let of_cluster = reviewed.tags.entry(cluster).or_default();
            of_cluster.extend(tags.into_iter().map(str::to_owned));
        }
        Ok(reviewed)
    }

    /// Whether somebody has looked at a cluster.
    pub fn state(&self, cluster: &str) -> State {
        self.states.get(cluster).copied().unwrap_or_default()
    }

    /// The tags of the documents of a cluster.
    pub fn tags(&self, cluster: &str) -> impl Iterator<Item = &str> {
        self.tags.get(cluster).into_iter().flatten().map(String::as_str)
    }
}

fn cluster_of<'a, S: Store>(
    upkeep: &mut Upkeep<S>,
    known: &mut HashMap<&'a str, Option<String>>,
    id: &'a str,
) -> Result<Option<String>, StoreError> {
    if let Some(cluster) = known.get(id) {
        return Ok(cluster.clone());
    }
    let cluster = upkeep.get(id)?.map(|found| found.cluster);
    known.insert(id, cluster.clone());
    Ok(cluster)
}
