//! Sums up the words, links and running text of each element, and finds the main element and the
//! one that is named as the page's content.

use std::collections::HashMap;

use super::comment_sections::below_comments;
use super::furniture_words;
use super::hints::{self, Hints};
use super::outline::{Node, Outline, OutlineBlock};
use super::tags::Tag;

/// The contents of an element, and the hints of the names around it.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ElementFacts {
    pub(super) words: u32,
    pub(super) link_words: u32,
    /// Words outside links.
    plain: u32,
    /// Words of running text outside links.
    pub(super) prose: u32,
    /// The nearest surrounding element with more words.
    pub(super) wider: u32,
    /// The number of buttons.
    pub(super) buttons: u32,
    /// The credible hints of the element and of those around it.
    pub(super) hints: Hints,
    /// It is the main element or inside it.
    pub(super) main: bool,
    /// It is, or is inside, an element that is named as the text of the article and has most of the
    /// running text.
    pub(super) body: bool,
    /// It is, or is inside, the element that is named as content and has most of the text.
    pub(super) content: bool,
}

/// The elements of a page, and what of it is not of the page's own.
pub(super) struct Elements {
    /// In the order of the outline's nodes; the first is the whole page.
    pub(super) facts: Vec<ElementFacts>,
    /// For each block, whether it is in a comment section.
    pub(super) comment_sections: Vec<bool>,
    /// For each block, whether it is a comment or part of a dialog: its words do not tell where the
    /// main text is.
    pub(super) apart: Vec<bool>,
    /// Whether the content is in an element that is named so.
    pub(super) named_content: bool,
}

/// What is not of the page's own: its words do not tell where the main text is.
const APART: Hints = hints::COMMENT | hints::MESSAGE | hints::DIALOG;
/// The fewest words from which to judge the element around them.
const FEWEST: u32 = 8;
/// The fewest similar elements with running text that count as posts.
const PEERS: u32 = 3;
/// With fewer words of running text outside comments, the page is a forum and the comments are its
/// content.
const STORY: u32 = 40;
/// Elements with a smaller share of links do not point to other pages.
const PLAIN: f32 = 0.1;
/// The percentage of the words that are nearly all of them.
const NEARLY_ALL: u64 = 85;
/// The fewest words of a page beside its dialogs.
const BESIDE_DIALOG: u32 = 25;
/// The most words of a dialog for each of its buttons.
const WORDS_PER_BUTTON: u32 = 60;
/// The fewest buttons of a dialog that is not named as one.
const BUTTONS: u32 = 2;

impl ElementFacts {
    pub(super) fn link_share(&self) -> f32 {
        share(self.link_words, self.words)
    }
}

/// The ratio of two counts; zero if both are zero.
pub(super) fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// The elements of a page.
pub(super) fn elements(outline: &Outline) -> Elements {
    let mut facts = vec![ElementFacts::default(); outline.nodes.len()];
    sum_up(outline, &mut facts);
    believe_comments(outline, &mut facts);
    let comment_sections = below_comments(outline);
    let strange = |block: &OutlineBlock| facts[block.node as usize].hints & APART != 0;
    let blocks = outline.blocks.iter().zip(&comment_sections);
    let apart: Vec<bool> =
        blocks.map(|(block, below)| !block.hidden && (*below || strange(block))).collect();
    if apart.contains(&true) {
        set_apart(outline, &apart, &mut facts);
    }
    believe(outline, &mut facts);
    mark_main(outline, &apart, &mut facts);
    let named_content = mark_content(outline, &mut facts);
    Elements { facts, comment_sections, apart, named_content }
}

/// Sums up the contents of each element, and finds the next wider one.
fn sum_up(outline: &Outline, elements: &mut [ElementFacts]) {
    for block in outline.blocks.iter().filter(|block| !block.hidden) {
        let element = &mut elements[block.node as usize];
        element.words += block.words;
        element.link_words += block.link_words;
        element.plain += block.plain_words();
        element.prose += if block.is_prose() { block.plain_words() } else { 0 };
    }
    // Parents come before children.
    for i in (1..elements.len()).rev() {
        elements[i].buttons += outline.nodes[i].buttons;
        let inner = elements[i];
        let outer = &mut elements[outline.nodes[i].parent as usize];
        outer.words += inner.words;
        outer.link_words += inner.link_words;
        outer.plain += inner.plain;
        outer.prose += inner.prose;
        outer.buttons += inner.buttons;
    }
    for i in 1..elements.len() {
        let parent = outline.nodes[i].parent;
        let outer = elements[parent as usize];
        elements[i].wider = if outer.words > elements[i].words { parent } else { outer.wider };
    }
}

/// Takes the words of blocks that are apart out of the sums, but for those that tell how full of links
/// an element is.
fn set_apart(outline: &Outline, apart: &[bool], elements: &mut [ElementFacts]) {
    elements.iter_mut().for_each(|element| (element.plain, element.prose) = (0, 0));
    for (block, apart) in outline.blocks.iter().zip(apart) {
        if !block.hidden && !apart {
            let element = &mut elements[block.node as usize];
            element.plain += block.plain_words();
            element.prose += if block.is_prose() { block.plain_words() } else { 0 };
        }
    }
    for i in (1..elements.len()).rev() {
        let inner = elements[i];
        let outer = &mut elements[outline.nodes[i].parent as usize];
        outer.plain += inner.plain;
        outer.prose += inner.prose;
    }
}

/// Accepts names of comments and dialogs. Elements with most of the running text are not comments,
/// unless they are named so and a story stands before them; nor are they if hardly any text is left
/// beside them: then the page is a forum.
fn believe_comments(outline: &Outline, elements: &mut [ElementFacts]) {
    let page = elements[0];
    let forum = page.prose.saturating_sub(commented(outline, elements)) < STORY;
    let before = prose_before(outline);
    let good = holds_good(outline);
    for i in 1..elements.len() {
        let node = &outline.nodes[i];
        let outer = elements[node.parent as usize];
        let element = &mut elements[i];
        let most = element.prose * 2 > page.prose;
        let mut own = match (forum, most) {
            (true, _) => 0,
            (_, true) if before[i] < STORY => 0,
            (_, true) => node.own & hints::COMMENT,
            _ => node.own & (hints::COMMENT | hints::MESSAGE),
        };
        if is_dialog(node, element, &page, good[i] || outer.hints & hints::GOOD != 0) {
            own |= hints::DIALOG;
        }
        // The good names serve to tell dialogs inside.
        element.hints = own | outer.hints | node.own & hints::GOOD;
    }
}

/// For each element, the words of running text that stand before it on the page.
fn prose_before(outline: &Outline) -> Vec<u32> {
    let mut before = vec![0; outline.nodes.len()];
    let (mut words, mut known) = (0, 0);
    for block in outline.blocks.iter().filter(|block| block.is_shown_prose()) {
        let node = block.node as usize;
        // Elements are listed in the order in which they begin.
        if node >= known {
            before[known..=node].fill(words);
            known = node + 1;
        }
        words += block.plain_words();
    }
    before[known..].fill(words);
    before
}

/// Accepts the hints of other names, except for an element with most of the running text, or
/// elements of one look that have it together: they are not furniture, whatever their name.
fn believe(outline: &Outline, elements: &mut [ElementFacts]) {
    let page = elements[0];
    let looks = sums_by_look(outline, elements);
    for i in 1..elements.len() {
        let node = &outline.nodes[i];
        let outer = elements[node.parent as usize];
        let element = &mut elements[i];
        let most = element.prose * 2 > page.prose;
        let alike = node.own & !hints::GOOD != 0
            && looks
                .get(&node.look)
                .is_some_and(|all| all.prose * 2 > page.prose && all.link_share() < PLAIN);
        let own = if most || alike { node.own & hints::GOOD } else { node.own };
        element.hints = element.hints & APART | own & !APART | outer.hints;
        element.body = outer.body || (most && own & hints::BODY != 0);
    }
}

/// Whether an element is a dialog: it says so, or has several buttons and few words for each of
/// them. One that is the whole page is none.
fn is_dialog(node: &Node, element: &ElementFacts, page: &ElementFacts, good: bool) -> bool {
    let named = node.own & hints::DIALOG != 0;
    let asks = !good
        && element.buttons >= BUTTONS
        && element.prose > 0
        && element.words <= element.buttons * WORDS_PER_BUTTON;
    let is_beside = page.words >= element.words + BESIDE_DIALOG;
    (named || asks) && is_beside && node.own & hints::GOOD == 0
}

/// For each element, whether it or one inside it is named as content.
fn holds_good(outline: &Outline) -> Vec<bool> {
    let mut good: Vec<bool> =
        outline.nodes.iter().map(|node| node.own & hints::GOOD != 0).collect();
    for i in (1..good.len()).rev() {
        let inner = good[i];
        good[outline.nodes[i].parent as usize] |= inner;
    }
    good
}

/// What named elements of each look contain together.
fn sums_by_look(outline: &Outline, elements: &[ElementFacts]) -> HashMap<u64, ElementFacts> {
    let mut looks: HashMap<u64, ElementFacts> = HashMap::new();
    for (node, element) in outline.nodes.iter().zip(elements).skip(1) {
        let nests = outline.nodes[node.parent as usize].look == node.look;
        if node.own & !hints::GOOD != 0 && element.prose > 0 && !nests {
            let all = looks.entry(node.look).or_default();
            all.words += element.words;
            all.link_words += element.link_words;
            all.prose += element.prose;
        }
    }
    looks
}

/// The words of running text in elements named as comments.
fn commented(outline: &Outline, elements: &[ElementFacts]) -> u32 {
    let mut inside = vec![false; elements.len()];
    let mut words = 0;
    for (i, node) in outline.nodes.iter().enumerate().skip(1) {
        let outer = inside[node.parent as usize];
        inside[i] = outer || node.own & (hints::COMMENT | hints::MESSAGE) != 0;
        if inside[i] && !outer {
            words += elements[i].prose;
        }
    }
    words
}

/// Marks the main element and everything inside it. Blocks add their weight to the element around
/// them, half of it to the next wider one and a quarter to the one after; links subtract.
fn mark_main(outline: &Outline, apart: &[bool], elements: &mut [ElementFacts]) {
    let mut scores = vec![0.0; elements.len()];
    for (block, apart) in outline.blocks.iter().zip(apart) {
        if block.hidden || *apart || block.plain_words() < FEWEST {
            continue;
        }
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

/// Marks the element that holds the content of the page: the innermost that is named as content or
/// article and has most of the running text; else the part that the page declares its main one, if
/// that has most of the words outside links; else the smallest element with nearly all words outside
/// links and outside what is named as furniture.
fn mark_content(outline: &Outline, elements: &mut [ElementFacts]) -> bool {
    let page = elements[0];
    let has_most = |i: &usize| match page.prose >= STORY {
        true => elements[*i].prose * 2 > page.prose,
        false => elements[*i].plain * 2 > page.plain,
    };
    let own = |i: usize| outline.nodes[i].own;
    let named = (1..elements.len()).rev().find(|i| own(*i) & hints::GOOD != 0 && has_most(i));
    let declared = || {
        let has_most = |i: usize| elements[i].plain * 2 > page.plain;
        (1..elements.len()).find(|&i| own(i) & hints::LANDMARK != 0 && has_most(i))
    };
    let named = named.or_else(declared);
    let content = named.unwrap_or_else(|| smallest_whole(outline, elements));
    elements[content].content = true;
    for i in content + 1..elements.len() {
        elements[i].content |= elements[outline.nodes[i].parent as usize].content;
    }
    named.is_some()
}

/// The smallest element with nearly all words outside what is named as furniture. Links count if
/// there is hardly any running text: the page may be a list of them.
fn smallest_whole(outline: &Outline, elements: &[ElementFacts]) -> usize {
    let is_list = elements[0].prose < STORY;
    let mut unnamed = vec![0u32; elements.len()];
    for block in outline.blocks.iter().filter(|block| !block.hidden) {
        let node = block.node as usize;
        if elements[node].hints & hints::FURNITURE == 0 {
            unnamed[node] += if is_list { block.words } else { block.plain_words() };
        }
    }
    for i in (1..elements.len()).rev() {
        unnamed[outline.nodes[i].parent as usize] += unnamed[i];
    }
    let nearly_all = |words: u32| u64::from(words) * 100 > u64::from(unnamed[0]) * NEARLY_ALL;
    (1..elements.len()).rev().find(|i| nearly_all(unnamed[*i])).unwrap_or(0)
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
