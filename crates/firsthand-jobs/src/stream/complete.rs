//! Decisions as people make them, completed: those whom they name belong to clusters, and what is said of
//! a cluster is said of all of its members.

use crate::decisions::{Action, Decision, Named};
use firsthand::online::{Store, StoreError, Upkeep};

/// Fills in what a decision leaves out, from the clusters as they are now.
pub(super) fn complete<S: Store>(
    upkeep: &mut Upkeep<S>,
    decision: &mut Decision,
) -> Result<(), StoreError> {
    let Some(first) = decision.documents.first().map(|one| one.id.clone()) else { return Ok(()) };
    let is_left_out = decision.others.is_empty();
    match decision.action {
        // The rest of the cluster.
        Action::Split | Action::Keep if is_left_out => {
            let members = members(upkeep, &first)?;
            let is_named = |id: &String| decision.documents.iter().any(|one| one.id == *id);
            let rest: Vec<String> = members.into_iter().filter(|id| !is_named(id)).collect();
            decision.others = named(rest);
        }
        Action::NotACopy | Action::IsACopy if is_left_out => {
            let original = upkeep.get(&first)?.map(|found| found.original);
            decision.others = named(original.filter(|original| *original != first));
        }
        Action::Merge if !is_left_out => {
            for side in [&mut decision.documents, &mut decision.others] {
                let mut all: Vec<String> = Vec::new();
                for one in &*side {
                    let members = members(upkeep, &one.id)?;
                    let members = if members.is_empty() { vec![one.id.clone()] } else { members };
                    all.extend(
                        members.into_iter().filter(|id| !all.contains(id)).collect::<Vec<_>>(),
                    );
                }
                *side = named(all);
            }
        }
        _ => {}
    }
    Ok(())
}

fn named(ids: impl IntoIterator<Item = String>) -> Vec<Named> {
    ids.into_iter().map(|id| Named { id, text: None }).collect()
}

/// The ids of all members of the cluster of a document, the original first; none if it is not there.
fn members<S: Store>(upkeep: &mut Upkeep<S>, id: &str) -> Result<Vec<String>, StoreError> {
    let Some(found) = upkeep.get(id)? else { return Ok(Vec::new()) };
    let Some(original) = upkeep.get(&found.original)? else { return Ok(vec![id.to_owned()]) };
    Ok(std::iter::once(found.original).chain(original.copies).collect())
}
