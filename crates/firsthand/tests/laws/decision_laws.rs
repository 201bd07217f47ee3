//! Laws of decisions: whatever was decided, in whatever order, parted documents are never in one cluster,
//! joined ones are, and chosen originals stand.

use firsthand::collections::{
    Cluster, Collection, Constraints, Pairs, Signed, group, group_by_decisions,
};
use firsthand::settings::Grouping;
use firsthand::{Detector, Document, Settings};
use proptest::prelude::*;
use std::collections::HashMap;

/// Few texts that drift from one another, so that there are chains and exact copies.
fn texts(picks: &[(u8, u8)]) -> Vec<Document> {
    let words = |story: u8, drift: u8| -> String {
        let word = |at: usize| match at < 3 * usize::from(drift) {
            true => format!("other{}x{at}", story),
            false => format!("word{}x{at}", story),
        };
        (0..40).map(word).collect::<Vec<_>>().join(" ")
    };
    let document = |(at, &(story, drift)): (usize, &(u8, u8))| {
        Document::new(format!("{at}"), words(story % 2, drift % 6))
    };
    picks.iter().enumerate().map(document).collect()
}

fn collection(documents: &[Document], grouping: Grouping, split: Option<usize>) -> Collection {
    let settings = Settings { grouping: Some(grouping), ..Settings::profile("corpus").unwrap() };
    let detector = Detector::new(settings).unwrap();
    let sign = |part: &[Document]| Signed::new(&detector, [part.to_vec()].into_iter(), |all| all);
    match split {
        None => Collection::new(sign(documents)),
        Some(at) => Collection::against(sign(&documents[..at]), sign(&documents[at..])).unwrap(),
    }
}

fn cluster_of(clusters: &[Cluster]) -> HashMap<usize, usize> {
    let mut of = HashMap::new();
    for (at, cluster) in clusters.iter().enumerate() {
        assert!(cluster.members.len() > 1);
        assert_eq!(cluster.members[0].document, cluster.original);
        for member in &cluster.members {
            assert_eq!(of.insert(member.document, at), None, "in two clusters");
        }
    }
    of
}

#[derive(Clone, Copy, Debug)]
enum Decided {
    Part(usize, usize),
    Join(usize, usize),
    Keep(usize),
}

fn decided(documents: usize) -> impl Strategy<Value = Decided> {
    let at = move || 0..documents;
    prop_oneof![
        3 => (at(), at()).prop_map(|(a, b)| Decided::Part(a, b)),
        1 => (at(), at()).prop_map(|(a, b)| Decided::Join(a, b)),
        1 => at().prop_map(Decided::Keep),
    ]
}

fn constraints(decisions: &[Decided]) -> Constraints {
    let mut constraints = Constraints::default();
    for decision in decisions {
        match *decision {
            Decided::Part(a, b) => constraints.part(a, b),
            Decided::Join(a, b) => constraints.join(a, b),
            Decided::Keep(a) => constraints.keep(a),
        }
    }
    constraints
}

proptest! {
    #[test]
    fn decisions_hold(
        picks in prop::collection::vec((any::<u8>(), any::<u8>()), 12),
        decisions in prop::collection::vec(decided(12), 0..14),
        is_component in any::<bool>(),
        split in prop::option::of(2usize..10),
    ) {
        let documents = texts(&picks);
        let grouping = if is_component { Grouping::Component } else { Grouping::Star };
        let collection = collection(&documents, grouping, split);
        let (pairs, _): (Pairs, _) = collection.matches().unwrap();
        let constraints = constraints(&decisions);
        let regrouped = group_by_decisions(&collection, &pairs, &constraints);
        let of = cluster_of(&regrouped.clusters);
        let together = |a: usize, b: usize| of.contains_key(&a) && of.get(&a) == of.get(&b);
        for decision in &decisions {
            match *decision {
                Decided::Part(a, b) if a != b => prop_assert!(!together(a, b)),
                // Against a reference, new documents are only in clusters of its documents.
                Decided::Join(a, b) if a != b && split.is_none() => {
                    prop_assert!(together(a, b) || regrouped.refused.contains(&(a, b)));
                }
                _ => {}
            }
        }
        if split.is_none() {
            for cluster in &regrouped.clusters {
                let mut kept = decisions.iter().filter_map(|decision| match decision {
                    Decided::Keep(at) if of.get(at) == of.get(&cluster.original) => Some(*at),
                    _ => None,
                });
                if let Some(last) = kept.next_back() {
                    prop_assert_eq!(cluster.original, last);
                }
            }
        }
        // Whatever is neither joined nor decided upon is there by a verified pair.
        for cluster in &regrouped.clusters {
            for member in cluster.members[1..].iter().filter(|member| !member.decided) {
                let other = member.via.unwrap_or(cluster.original);
                prop_assert!(pairs.get(member.document, other).is_some());
                prop_assert!(together(member.document, other));
            }
        }
    }

    #[test]
    fn without_decisions_nothing_changes(
        picks in prop::collection::vec((any::<u8>(), any::<u8>()), 1..16),
    ) {
        let collection = collection(&texts(&picks), Grouping::Star, None);
        let (pairs, _) = collection.matches().unwrap();
        let regrouped = group_by_decisions(&collection, &pairs, &Constraints::default());
        prop_assert_eq!(regrouped.clusters, group(&collection, &pairs));
    }
}

#[test]
fn a_parted_copy_does_not_come_back_by_way_of_a_third() {
    // All three are copies of one another.
    let documents = texts(&[(0, 0), (0, 1), (0, 1)]);
    let collection = collection(&documents, Grouping::Component, None);
    let (pairs, _) = collection.matches().unwrap();
    let regrouped = group_by_decisions(&collection, &pairs, &constraints(&[Decided::Part(0, 1)]));
    let of = cluster_of(&regrouped.clusters);
    // The longest is the original, and the third stays with it.
    assert_eq!((of.get(&0), of.get(&1), of.get(&2)), (None, Some(&0), Some(&0)));
}
