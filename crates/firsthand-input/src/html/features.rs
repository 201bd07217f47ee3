//! What is known about each block, as numbers for the model: the block itself, its neighbours, the
//! elements around it and the page as a whole. Linear in blocks and elements.

use std::collections::HashMap;

use super::cues::Title;
use super::hints::HINTS;
use super::outline::{Block, Outline};
use super::tags::Tag;

/// The numbers before the hints.
const PLAIN: usize = 51;
/// How many numbers describe a block.
pub(super) const FEATURES: usize = PLAIN + 2 * HINTS;

/// The description of one block.
pub(super) type Row = [f32; FEATURES];

/// Distances to the next good block are not told apart beyond this.
const FAR: u32 = 20;
/// Blocks of more words are neither titles nor furniture.
const WORDY: u32 = 80;

/// What the characters of a block say.
#[derive(Default, Clone, Copy)]
struct Shape {
    letters: u32,
    stops: u32,
    commas: u32,
    capitals: u32,
    digits: u32,
    marks: u32,
    ends: bool,
}

/// Sums over the blocks inside an element.
#[derive(Default, Clone, Copy)]
struct Sums {
    words: u32,
    links: u32,
    good: u32,
    blocks: u32,
    score: f32,
    /// The nearest element around this one that holds more words.
    wider: u32,
    best: bool,
}

impl Sums {
    fn link_density(&self) -> f32 {
        share(self.links, self.words)
    }
}

fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

fn log(count: u32) -> f32 {
    ((count + 1) as f32).ln()
}

fn shape(text: &str) -> Shape {
    let mut shape = Shape::default();
    let mut before = b' ';
    for &byte in text.as_bytes() {
        match byte {
            b'.' | b'!' | b'?' => shape.stops += 1,
            b',' | b';' => shape.commas += 1,
            b'0'..=b'9' => shape.digits += 1,
            b'|' | b'>' | b'/' => shape.marks += 1,
            b'A'..=b'Z' if before == b' ' => shape.capitals += 1,
            _ => {}
        }
        before = byte;
        // Continuation bytes are no characters of their own.
        shape.letters += u32::from(byte & 0xc0 != 0x80);
    }
    if !text.is_ascii() {
        for character in text.chars().filter(|c| !c.is_ascii()) {
            match character {
                '\u{3002}' | '\u{ff01}' | '\u{ff1f}' => shape.stops += 1,
                '\u{3001}' | '\u{ff0c}' => shape.commas += 1,
                '\u{a9}' | '\u{bb}' | '\u{ab}' | '\u{2022}' | '\u{b7}' | '\u{203a}' => {
                    shape.marks += 1;
                }
                _ => {}
            }
        }
    }
    let end = text.trim_end_matches(['"', '\'', ')', '\u{201d}', '\u{2019}', '\u{bb}', ']']);
    shape.ends = end.ends_with(['.', '!', '?', ':', '\u{2026}', '\u{3002}']);
    shape
}

/// A block that reads like running text.
fn is_good(block: &Block) -> bool {
    plain_words(block) >= 15 && block.link_words * 3 < block.words
}

fn plain_words(block: &Block) -> u32 {
    block.words - block.link_words
}

/// For each block the share of the page's good words that stand in elements made alike: same tag,
/// same class, same parent's tag and class.
fn alike(outline: &Outline, page: &Sums) -> Vec<f32> {
    let looks = |block: &Block| {
        let node = &outline.nodes[block.node as usize];
        let parent = &outline.nodes[node.parent as usize];
        (node.look, parent.look)
    };
    let mut good: HashMap<(u64, u64), u32> = HashMap::new();
    for block in outline.blocks.iter().filter(|block| is_good(block)) {
        *good.entry(looks(block)).or_default() += plain_words(block);
    }
    let found = |block: &Block| good.get(&looks(block)).copied().unwrap_or(0);
    outline.blocks.iter().map(|block| share(found(block), page.good)).collect()
}

/// The mean depth of the words that read like running text.
fn main_depth(outline: &Outline) -> f32 {
    let (mut sum, mut words) = (0.0, 0.0);
    for block in outline.blocks.iter().filter(|block| is_good(block)) {
        let weight = plain_words(block) as f32;
        sum += weight * f32::from(outline.nodes[block.node as usize].depth);
        words += weight;
    }
    if words > 0.0 { sum / words } else { 0.0 }
}

/// Sums over the blocks of each element, and the element that most looks like the main one.
fn sum_up(outline: &Outline, shapes: &[Shape]) -> Vec<Sums> {
    let nodes = &outline.nodes;
    let mut sums = vec![Sums::default(); nodes.len()];
    for block in &outline.blocks {
        let sum = &mut sums[block.node as usize];
        sum.words += block.words;
        sum.links += block.link_words;
        sum.blocks += 1;
        sum.good += if is_good(block) { plain_words(block) } else { 0 };
    }
    // Parents stand before children.
    for i in (1..nodes.len()).rev() {
        let sum = sums[i];
        let parent = &mut sums[nodes[i].parent as usize];
        parent.words += sum.words;
        parent.links += sum.links;
        parent.blocks += sum.blocks;
        parent.good += sum.good;
    }
    for i in 1..nodes.len() {
        let parent = nodes[i].parent as usize;
        let wider =
            if sums[parent].words > sums[i].words { parent as u32 } else { sums[parent].wider };
        sums[i].wider = wider;
    }
    for (block, shape) in outline.blocks.iter().zip(shapes) {
        if plain_words(block) < 8 {
            continue;
        }
        let score = 1.0 + shape.commas as f32 + (plain_words(block) as f32 / 16.0).min(3.0);
        let mut at = around(&sums, block);
        for part in [1.0, 0.5, 0.25] {
            sums[at].score += score * part;
            at = sums[at].wider as usize;
        }
    }
    let best = (0..nodes.len())
        .map(|i| (sums[i].score * (1.0 - sums[i].link_density()), i))
        .fold((0.0, 0), |best, next| if next.0 > best.0 { next } else { best });
    sums[best.1].best = true;
    for i in 1..nodes.len() {
        sums[i].best |= sums[nodes[i].parent as usize].best;
        sums[i].score *= 1.0 - sums[i].link_density();
    }
    sums
}

/// The smallest element around a block that holds more than the block.
fn around(sums: &[Sums], block: &Block) -> usize {
    let own = block.node as usize;
    if sums[own].words > block.words { own } else { sums[own].wider as usize }
}

/// For each block, how far the nearest good block before it is.
fn distances<'a>(blocks: impl Iterator<Item = &'a Block>) -> Vec<u32> {
    let mut distance = FAR;
    blocks
        .map(|block| {
            let here = distance;
            distance = if is_good(block) { 1 } else { (distance + 1).min(FAR) };
            here
        })
        .collect()
}

/// Describes every block of a page.
pub(super) fn describe(outline: &Outline, title: Option<&str>) -> Vec<Row> {
    let blocks = &outline.blocks;
    let texts = || blocks.iter().map(|b| &outline.text[b.start..b.end]);
    let shapes: Vec<Shape> = texts().map(shape).collect();
    let sums = sum_up(outline, &shapes);
    let title = Title::new(title.unwrap_or_default());
    let alike = alike(outline, &sums[0]);
    let main_depth = main_depth(outline);
    let page = sums[0];
    let best_score = sums.iter().map(|s| s.score).fold(0.0, f32::max).max(0.01);
    let best_sum = sums.iter().find(|s| s.best).copied().unwrap_or_default();
    let before = distances(blocks.iter());
    let mut after = distances(blocks.iter().rev());
    after.reverse();
    let good_blocks = blocks.iter().filter(|b| is_good(b)).count() as u32;

    let (mut words_before, mut good_before) = (0, 0);
    let (mut since_heading, mut seen_h1) = (FAR, 0.0);
    let mut rows = Vec::with_capacity(blocks.len());
    for (i, (block, text)) in blocks.iter().zip(texts()).enumerate() {
        let shape = shapes[i];
        let node = &outline.nodes[block.node as usize];
        let mut row = [0.0; FEATURES];
        let mut next = 0;
        let mut put = |value: f32| {
            row[next] = value;
            next += 1;
        };
        let words = block.words;
        // The block.
        put(log(words));
        put(share(block.link_words, words));
        put(share(shape.letters, words));
        put(share(shape.stops, words));
        put(share(shape.commas, words));
        put(f32::from(u8::from(shape.ends)));
        put(share(shape.capitals, words));
        put(share(shape.digits, shape.letters));
        put(share(shape.marks, words));
        put(kind(node.tag));
        let (list, cell, quote) = surroundings(outline, block.node);
        put(list);
        put(cell);
        put(quote);
        let (title_share, furniture) =
            if words <= WORDY { title.compare(text) } else { (0.0, 0.0) };
        put(title_share);
        put(furniture);
        // Its neighbours.
        for offset in [-1i64, 1, -2, 2] {
            let other = usize::try_from(i as i64 + offset).ok().and_then(|i| blocks.get(i));
            put(other.map_or(0.0, |b| log(plain_words(b))));
            put(other.map_or(1.0, |b| share(b.link_words, b.words)));
        }
        let window = &blocks[i.saturating_sub(3)..(i + 4).min(blocks.len())];
        put(log(window.iter().map(plain_words).sum()));
        put(share(window.iter().map(|b| b.link_words).sum(), window.iter().map(|b| b.words).sum()));
        put(before[i] as f32);
        put(after[i] as f32);
        // Its place.
        put(share(words_before, page.words));
        put(share(good_before, page.good));
        put(share(i as u32, blocks.len() as u32));
        put(since_heading as f32);
        put(seen_h1);
        // The elements around it.
        let mut at = around(&sums, block);
        for _ in 0..3 {
            let sum = &sums[at];
            put(sum.link_density());
            put(share(sum.good, page.good));
            put(share(sum.good, sum.words));
            at = sum.wider as usize;
        }
        let inner = &sums[around(&sums, block)];
        put(log(inner.words));
        put(inner.score / best_score);
        put(f32::from(u8::from(inner.best)) + f32::from(u8::from(sums[block.node as usize].best)));
        put(alike[i]);
        put((f32::from(node.depth) - main_depth).clamp(-12.0, 12.0));
        // The page.
        put(page.link_density());
        put(log(page.words));
        put(share(page.good, page.words));
        put(log(good_blocks));
        put(share(best_sum.words, page.words));
        debug_assert!(next <= PLAIN);
        let near = nearest_hints(outline, block.node);
        for bit in 0..HINTS {
            row[PLAIN + bit] = (near >> bit & 1) as f32;
            row[PLAIN + HINTS + bit] = (node.all >> bit & 1) as f32;
        }
        rows.push(row);
        words_before += words;
        if is_good(block) {
            good_before += plain_words(block);
        }
        since_heading = if node.tag.is_heading() { 0 } else { (since_heading + 1).min(FAR) };
        if node.tag == Tag::H1 {
            seen_h1 = 1.0;
        }
    }
    rows
}

/// The kind of element a block stands in, ordered from heading to container.
fn kind(tag: Tag) -> f32 {
    match tag {
        Tag::H1 => 0.0,
        Tag::H2 => 1.0,
        Tag::H3 => 2.0,
        Tag::H4 | Tag::H5 | Tag::H6 => 3.0,
        Tag::P => 5.0,
        Tag::Blockquote | Tag::Pre => 6.0,
        Tag::Li | Tag::Dd | Tag::Dt => 8.0,
        Tag::Td | Tag::Th | Tag::Caption => 9.0,
        Tag::Figcaption | Tag::Span | Tag::Custom => 10.0,
        _ => 7.0,
    }
}

/// Whether a list, a table cell or a quotation is within three elements.
fn surroundings(outline: &Outline, node: u32) -> (f32, f32, f32) {
    let (mut list, mut cell, mut quote) = (0.0, 0.0, 0.0);
    let mut at = node;
    for _ in 0..3 {
        let node = &outline.nodes[at as usize];
        match node.tag {
            Tag::Li | Tag::Dl | Tag::Ul | Tag::Ol => list = 1.0,
            Tag::Td | Tag::Th => cell = 1.0,
            Tag::Blockquote | Tag::Figure => quote = 1.0,
            _ => {}
        }
        at = node.parent;
    }
    (list, cell, quote)
}

/// The hints of the element and of the two around it.
fn nearest_hints(outline: &Outline, node: u32) -> u32 {
    let mut found = 0;
    let mut at = node;
    for _ in 0..3 {
        let node = &outline.nodes[at as usize];
        found |= node.own;
        at = node.parent;
    }
    found
}
