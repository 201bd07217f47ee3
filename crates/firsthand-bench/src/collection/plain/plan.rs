//! What is planted in a collection: clusters, their kinds and sizes, in shuffled order.

use crate::rng::Rng;

/// So many of the documents are copies of another one.
const COPY_SHARE: f64 = 0.4;
const SMALLEST: usize = 2;
const LARGEST: usize = 12;
/// The stream of the plan; clusters are numbered from 0 and never reach it.
const STREAM: u64 = u64::MAX - 1;

/// How the documents of a cluster came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A document without any copy.
    Alone,
    /// An original and edited copies of it.
    Copies,
}

/// One document to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The cluster, numbered from 0.
    pub(crate) cluster: u32,
    /// The place within the cluster; 0 is the original.
    pub(crate) member: u32,
    /// The kind of the cluster.
    pub(crate) kind: Kind,
}

/// The documents of a collection, in the order in which they are written.
pub(crate) struct Plan {
    pub(crate) slots: Vec<Slot>,
}

impl Plan {
    /// Plans exactly so many documents; the last cluster may be cut short.
    pub(crate) fn new(documents: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed, &[STREAM]);
        let copied = share_of_copied_originals();
        let mut slots = Vec::with_capacity(documents);
        let mut cluster = 0;
        while slots.len() < documents {
            let (kind, size) = if rng.chance(copied) {
                (Kind::Copies, rng.between(SMALLEST, LARGEST))
            } else {
                (Kind::Alone, 1)
            };
            let room = documents - slots.len();
            slots.extend((0..size.min(room) as u32).map(|member| Slot { cluster, member, kind }));
            cluster += 1;
        }
        rng.shuffle(&mut slots);
        Self { slots }
    }
}

/// How many of the originals must be copied for the stated share of copies.
fn share_of_copied_originals() -> f64 {
    let mean_copies = (SMALLEST + LARGEST) as f64 / 2.0 - 1.0;
    COPY_SHARE / (1.0 - COPY_SHARE) / mean_copies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_in_ten_documents_are_copies() {
        let plan = Plan::new(20_000, 7);
        assert_eq!(plan.slots.len(), 20_000);
        let copies = plan.slots.iter().filter(|slot| slot.member > 0).count();
        assert!((7_500..8_500).contains(&copies), "{copies} copies");
    }

    #[test]
    fn sizes_run_from_two_to_twelve() {
        let plan = Plan::new(20_000, 7);
        let clusters = plan.slots.iter().map(|slot| slot.cluster).max().expect("some") + 1;
        let mut sizes = vec![0; clusters as usize];
        plan.slots.iter().for_each(|slot| sizes[slot.cluster as usize] += 1);
        let mut of_copies: Vec<usize> = plan
            .slots
            .iter()
            .filter(|slot| slot.kind == Kind::Copies && slot.member == 0)
            .map(|slot| sizes[slot.cluster as usize])
            .collect();
        of_copies.sort_unstable();
        assert!(of_copies.last() == Some(&LARGEST));
        // Only the cluster that the end of the collection cuts may be smaller than two.
        assert!(of_copies.iter().filter(|&&size| size < SMALLEST).count() <= 1);
    }

    #[test]
    fn the_order_is_shuffled() {
        let plan = Plan::new(1000, 7);
        let next_door = plan.slots.windows(2).filter(|w| w[0].cluster == w[1].cluster).count();
        assert!(next_door < 50, "{next_door} neighbours of one cluster");
    }
}
