//! The clusters of documents that pairs connect.

use crate::{
    clusters::{Cluster, group_documents},
    pairs::Pairs,
    settings::Settings,
    summary::Summary,
};
use std::collections::HashMap;

/// Documents that pairs connect, in the order of the input, and these pairs.
#[derive(Debug, Default)]
pub struct Component {
    /// The documents, each with what is known of its text.
    pub documents: Vec<ComponentText>,
    /// Texts with equal features, two at a time, by their first documents.
    pub identical: Vec<(u32, u32)>,
    /// Texts that reach the threshold and their similarity, by their first documents.
    pub pairs: Vec<(u32, u32, f64)>,
    /// Where new documents start, if there is a reference.
    pub split: Option<usize>,
}

/// A document of a component.
#[derive(Clone, Debug)]
pub struct ComponentText {
    /// Its id.
    pub id: String,
    /// Its time.
    pub time: Option<i64>,
    /// The length of its normalised text.
    pub length: u32,
    /// The first document of the collection that has its text.
    pub text: u32,
}

/// Groups documents that pairs connect, as the settings say: their pairs and clusters by place in the
/// component, which are those that the whole collection has of them.
///
/// ```
/// use firsthand::{Settings, pieces::{Component, ComponentText, group_component}};
///
/// let text = |text: u32| ComponentText { id: format!("{text}"), time: None, length: 9, text };
/// let component = Component {
///     documents: [7, 7, 20].map(text).to_vec(),
///     pairs: vec![(7, 20, 0.9)],
///     ..Component::default()
/// };
/// let (pairs, clusters) = group_component(&Settings::profile("corpus")?, component);
/// assert_eq!((pairs.count(), clusters.len()), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn group_component(settings: &Settings, component: Component) -> (Pairs, Vec<Cluster>) {
    let Component { documents, identical, pairs, split } = component;
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let documents: Vec<Summary> = documents
        .into_iter()
        .map(|document| {
            let next = numbers.len() as u32;
            let text = *numbers.entry(document.text).or_insert(next);
            Summary {
                id: document.id,
                time: document.time,
                length: document.length,
                features: 0,
                short: false,
                nothing_but_form: false,
                text: Some(text),
            }
        })
        .collect();
    let number = |text: u32| numbers.get(&text).copied();
    let mut first: Vec<u32> = (0..numbers.len() as u32).collect();
    for (a, b) in identical {
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            let (a, b) = (root(&mut first, a), root(&mut first, b));
            first[a.max(b) as usize] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); first.len()];
    for text in 0..first.len() as u32 {
        groups[root(&mut first, text) as usize].push(text);
    }
    groups.retain(|group| group.len() > 1);
    let mut scored: Vec<(u32, u32, f64)> = pairs
        .into_iter()
        .filter_map(|(a, b, score)| {
            let (a, b) = (root(&mut first, number(a)?), root(&mut first, number(b)?));
            (a != b).then_some((a.min(b), a.max(b), score))
        })
        .collect();
    scored.sort_unstable_by_key(|(a, b, _)| (*a, *b));
    scored.dedup_by_key(|(a, b, _)| (*a, *b));
    let pairs = Pairs::of_scored(&documents, &groups, &scored, split);
    let clusters = group_documents(settings, &documents, &pairs, split);
    (pairs, clusters)
}

fn root(first: &mut [u32], text: u32) -> u32 {
    let mut text = text;
    while first[text as usize] != text {
        first[text as usize] = first[first[text as usize] as usize];
        text = first[text as usize];
    }
    text
}
