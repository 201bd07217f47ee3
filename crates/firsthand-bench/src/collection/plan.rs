//! The plan of a collection: groups, their kinds and sizes, in shuffled order.

use super::shape::ShapeParameters;
use crate::rng::Rng;

/// The random stream of the plan.
const STREAM: u64 = 1;
/// The exponent by which group sizes fall off: most groups are small, a few are large.
const TAIL: f64 = 1.5;

/// How the documents of a group are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GroupKind {
    /// A document without copies.
    Alone,
    /// An original and edited copies of it.
    Copies,
    /// An original and versions, each made from the previous one.
    Chain,
    /// Pages with the same sentences but other values; not copies of each other.
    Template,
}

/// A document to be generated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedDocument {
    /// The group, numbered from 0.
    pub(crate) group: u32,
    /// The position within the group; 0 is the original.
    pub(crate) member: u32,
    /// The kind of the group.
    pub(crate) kind: GroupKind,
}

/// The documents of a collection, in output order.
pub(crate) struct CollectionPlan {
    pub(crate) slots: Vec<PlannedDocument>,
}

impl CollectionPlan {
    /// Plans exactly `documents` documents; the last group may be cut short.
    pub(crate) fn new(mix: &ShapeParameters, documents: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed, &[STREAM]);
        let mut slots: Vec<PlannedDocument> = Vec::with_capacity(documents);
        let mut made = mix.shares.map(|_| 0usize);
        let mut group = 0;
        while slots.len() < documents {
            // The kind furthest below its share comes next, so that shares hold at any size.
            let wanted = (slots.len() + 1) as f64;
            let (mut next, mut behind) = (0, f64::MIN);
            for (at, (_, share)) in mix.shares.iter().enumerate() {
                let missing = share * wanted - made[at] as f64;
                if *share > 0.0 && missing > behind {
                    (next, behind) = (at, missing);
                }
            }
            let kind = mix.shares[next].0;
            let size = size(kind, mix.largest, &mut rng).min(documents - slots.len());
            slots.extend((0..size as u32).map(|member| PlannedDocument { group, member, kind }));
            made[next] += size;
            group += 1;
        }
        rng.shuffle(&mut slots);
        Self { slots }
    }
}

fn size(kind: GroupKind, largest: usize, rng: &mut Rng) -> usize {
    let mut heavy = |smallest: f64| {
        let drawn = smallest * (1.0 - rng.unit()).powf(-1.0 / TAIL);
        (drawn as usize).min(largest)
    };
    match kind {
        GroupKind::Alone => 1,
        GroupKind::Copies => heavy(2.0),
        GroupKind::Chain => rng.between(3, 12),
        GroupKind::Template => heavy(5.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;

    #[test]
    fn shares_are_as_stated_and_sizes_heavy_tailed() {
        let mix = Shape::Mixed.mix().expect("figures");
        let plan = CollectionPlan::new(&mix, 20_000, 7);
        assert_eq!(plan.slots.len(), 20_000);
        for (kind, share) in mix.shares {
            let number = plan.slots.iter().filter(|slot| slot.kind == kind).count() as f64;
            assert!((number / 20_000.0 - share).abs() < 0.01, "{kind:?}: {number}");
        }
        let copies = |least: u32| {
            let all = plan.slots.iter().filter(|slot| slot.kind == GroupKind::Copies);
            all.filter(|slot| slot.member + 1 == least).count()
        };
        // At least 2, 4 and 16 documents: each time fewer by a power of 1.5.
        assert!(copies(2) > 2 * copies(4) && copies(4) > 4 * copies(16) && copies(16) > 0);
        assert_eq!(copies(41), 0);
    }

    #[test]
    fn the_order_is_shuffled() {
        let plan = CollectionPlan::new(&Shape::Chains.mix().expect("figures"), 1000, 7);
        let next_door = plan.slots.windows(2).filter(|w| w[0].group == w[1].group).count();
        assert!(next_door < 50, "{next_door} neighbours of one group");
    }
}
