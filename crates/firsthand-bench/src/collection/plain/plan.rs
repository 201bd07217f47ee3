//! The plan of a plain collection: clusters, their kinds and sizes, in shuffled order.

use crate::rng::Rng;

/// The share of documents that are copies of another one.
const COPY_SHARE: f64 = 0.4;
const SMALLEST: usize = 2;
const LARGEST: usize = 12;
/// The random stream of the plan; clusters are numbered from 0 and never reach it.
const STREAM: u64 = u64::MAX - 1;

/// How the documents of a cluster are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ClusterKind {
    /// A document without copies.
    Alone,
    /// An original and edited copies of it.
    Copies,
}

/// A document to be generated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedMember {
    /// The cluster, numbered from 0.
    pub(crate) cluster: u32,
    /// The position within the cluster; 0 is the original.
    pub(crate) member: u32,
    /// The kind of the cluster.
    pub(crate) kind: ClusterKind,
}

/// The documents of a collection, in output order.
pub(crate) struct PlainPlan {
    pub(crate) slots: Vec<PlannedMember>,
}

impl PlainPlan {
    /// Plans exactly `documents` documents; the last cluster may be cut short.
    pub(crate) fn new(documents: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed, &[STREAM]);
        let copied = share_of_copied_originals();
        let mut slots = Vec::with_capacity(documents);
        let mut cluster = 0;
        while slots.len() < documents {
            let (kind, size) = if rng.chance(copied) {
                (ClusterKind::Copies, rng.between(SMALLEST, LARGEST))
            } else {
                (ClusterKind::Alone, 1)
            };
            let room = documents - slots.len();
            slots.extend((0..size.min(room) as u32).map(|member| PlannedMember {
                cluster,
                member,
                kind,
            }));
            cluster += 1;
        }
        rng.shuffle(&mut slots);
        Self { slots }
    }
}

/// The share of originals that must be copied for the given share of copies.
fn share_of_copied_originals() -> f64 {
    let mean_copies = (SMALLEST + LARGEST) as f64 / 2.0 - 1.0;
    COPY_SHARE / (1.0 - COPY_SHARE) / mean_copies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_in_ten_documents_are_copies() {
        let plan = PlainPlan::new(20_000, 7);
        assert_eq!(plan.slots.len(), 20_000);
        let copies = plan.slots.iter().filter(|slot| slot.member > 0).count();
        assert!((7_500..8_500).contains(&copies), "{copies} copies");
    }

    #[test]
    fn sizes_run_from_two_to_twelve() {
        let plan = PlainPlan::new(20_000, 7);
        let clusters = plan.slots.iter().map(|slot| slot.cluster).max().expect("some") + 1;
        let mut sizes = vec![0; clusters as usize];
        plan.slots.iter().for_each(|slot| sizes[slot.cluster as usize] += 1);
        let mut of_copies: Vec<usize> = plan
            .slots
            .iter()
            .filter(|slot| slot.kind == ClusterKind::Copies && slot.member == 0)
            .map(|slot| sizes[slot.cluster as usize])
            .collect();
        of_copies.sort_unstable();
        assert!(of_copies.last() == Some(&LARGEST));
        // Only the last cluster, cut short by the end of the collection, may be smaller than two.
        assert!(of_copies.iter().filter(|&&size| size < SMALLEST).count() <= 1);
    }

    #[test]
    fn the_order_is_shuffled() {
        let plan = PlainPlan::new(1000, 7);
        let next_door = plan.slots.windows(2).filter(|w| w[0].cluster == w[1].cluster).count();
        assert!(next_door < 50, "{next_door} neighbours of one cluster");
    }
}
