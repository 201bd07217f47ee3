//! Sums up the words, links and running text of each element, and finds the main element.

use std::collections::HashMap;

use super::furniture_words;
use super::hints::{self, Hints};
use super::outline::{Outline, OutlineBlock};
use super::tags::Tag;

/// The contents of an element, and the hints of the names around it.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ElementFacts {
    pub(super) words: u32,
    pub(super) link_words: u32,
    /// Words of running text outside links.
    pub(super) prose: u32,
    /// The nearest surrounding element with more words.
    pub(super) wider: u32,
    /// The credible hints of the element and of those around it.
    pub(super) hints: Hints,
    /// It is the main element or inside it.
    pub(super) main: bool,
    /// It is, or is inside, an element that is named as the text of the article and has most of the
    /// running text.
    pub(super) body: bool,
}

/// The fewest words from which to judge the element around them.
const FEWEST: u32 = 8;
/// The fewest similar elements with running text that count as posts.
const PEERS: u32 = 3;
/// With fewer words of running text outside comments, the page is a forum and the comments are its
/// content.
const STORY: u32 = 40;

impl ElementFacts {
    pub(super) fn link_share(&self) -> f32 {
        share(self.link_words, self.words)
    }
}

/// The ratio of two counts; zero if both are zero.
pub(super) fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// The elements of a page, in the order of the outline's nodes; the first is the whole page.
pub(super) fn elements(outline: &Outline) -> Vec<ElementFacts> {
    let mut elements = vec![ElementFacts::default(); outline.nodes.len()];
    sum_up(outline, &mut elements);
    believe(outline, &mut elements);
    mark_main(outline, &mut elements);
    elements
}

/// Sums up the contents of each element, and finds the next wider one.
fn sum_up(outline: &Outline, elements: &mut [ElementFacts]) {
    for block in outline.blocks.iter().filter(|block| !block.hidden) {
        let element = &mut elements[block.node as usize];
        element.words += block.words;
        element.link_words += block.link_words;
        element.prose += if block.is_prose() { block.plain_words() } else { 0 };
    }
    // Parents come before children.
    for i in (1..elements.len()).rev() {
        let inner = elements[i];
        let outer = &mut elements[outline.nodes[i].parent as usize];
        outer.words += inner.words;
        outer.link_words += inner.link_words;
        outer.prose += inner.prose;
    }
    for i in 1..elements.len() {
        let parent = outline.nodes[i].parent;
        let outer = elements[parent as usize];
        elements[i].wider = if outer.words > elements[i].words { parent } else { outer.wider };
    }
}

/// Accepts the hints of names, except for an element with most of the running text: it is not
/// furniture, whatever its name.
fn believe(outline: &Outline, elements: &mut [ElementFacts]) {
    let all = elements[0].prose;
    let forum = all.saturating_sub(commented(outline, elements)) < STORY;
    let known = if forum { !hints::COMMENT } else { Hints::MAX };
    for i in 1..elements.len() {
        let node = &outline.nodes[i];
        let outer = elements[node.parent as usize];
        let element = &mut elements[i];
        let most = element.prose * 2 > all;
        let own = if most { node.own & hints::GOOD } else { node.own & known };
        element.hints = own | outer.hints;
        element.body = outer.body || (most && own & hints::BODY != 0);
    }
}

/// The words of running text in elements named as comments.
fn commented(outline: &Outline, elements: &[ElementFacts]) -> u32 {
    let mut inside = vec![false; elements.len()];
    let mut words = 0;
    for (i, node) in outline.nodes.iter().enumerate().skip(1) {
        let outer = inside[node.parent as usize];
        inside[i] = outer || node.own & hints::COMMENT != 0;
        if inside[i] && !outer {
            words += elements[i].prose;
        }
    }
    words
}

/// Marks the main element and everything inside it. Blocks add their weight to the element around
/// them, half of it to the next wider one and a quarter to the one after; links subtract.
fn mark_main(outline: &Outline, elements: &mut [ElementFacts]) {
    let mut scores = vec![0.0; elements.len()];
    let weighs = |block: &&OutlineBlock| !block.hidden && block.plain_words() >= FEWEST;
    for block in outline.blocks.iter().filter(weighs) {
        let weight = 1.0 + (block.plain_words() as f32 / 16.0).min(6.0);
        let mut at = around(elements, block);
        for part in [1.0, 0.5, 0.25] {
            scores[at] += weight * part;
            at = elements[at].wider as usize;
        }
    }
    let (mut best, mut highest) = (0, 0.0);
    for (i, score) in scores.iter().enumerate() {
        let score = score * (1.0 - elements[i].link_share());
        if score > highest {
            (best, highest) = (i, score);
        }
    }
    let best = among_peers(outline, elements, best);
    elements[best].main = true;
    for i in 1..elements.len() {
        elements[i].main |= elements[outline.nodes[i].parent as usize].main;
    }
}

/// The element around all posts if the best element is one of several posts: similar elements
/// together have at least as much running text as it has.
fn among_peers(outline: &Outline, elements: &[ElementFacts], best: usize) -> usize {
    // By parent and look: the number of elements with running text, and its words.
    let mut peers: HashMap<(u32, u64), (u32, u32)> = HashMap::new();
    for (node, element) in outline.nodes.iter().zip(elements).skip(1) {
        if element.prose > 0 {
            let (count, words) = peers.entry((node.parent, node.look)).or_default();
            *count += 1;
            *words += element.prose;
        }
    }
    let (mut at, mut widest) = (best, best);
    while at != 0 {
        let node = &outline.nodes[at];
        let (count, words) = peers.get(&(node.parent, node.look)).copied().unwrap_or((0, 0));
        let tells = node.look != furniture_words::hash(b"") ^ node.tag as u64
            || matches!(node.tag, Tag::Article | Tag::Li | Tag::Tr);
        if tells && count >= PEERS && words >= elements[at].prose * 2 {
            widest = node.parent as usize;
        }
        at = node.parent as usize;
    }
    widest
}

/// The smallest element that has more words than the block in it.
pub(super) fn around(elements: &[ElementFacts], block: &OutlineBlock) -> usize {
    let own = block.node as usize;
    if elements[own].words > block.words { own } else { elements[own].wider as usize }
}
