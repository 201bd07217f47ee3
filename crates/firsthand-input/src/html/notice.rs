//! Finds the rules that apply to each block of a page, in linear time.

use std::collections::HashMap;

use super::elements::{ElementFacts, Elements, around, elements, share};
use super::furniture_words::Title;
use super::hints::{self, Hints};
use super::outline::{Outline, OutlineBlock};
use super::reason::{BlockReason, Reasons};
use super::shape::shape;
use super::tags::Tag;

/// The largest distance to running text that is distinguished.
const FAR: u32 = 5;
/// The most words of a block that may be a title or furniture.
const WORDY: u32 = 80;
/// The fewest words of running text on a page for their position to matter.
const ENOUGH: u32 = 100;
/// The share of link words from which an element counts as full of links.
const LINKY: f32 = 0.4;

/// The rule for each hint at furniture.
const NAMED: [(Hints, BlockReason); 9] = [
    (hints::NAVIGATION, BlockReason::Navigation),
    (hints::FOOT, BlockReason::Foot),
    (hints::SIDE, BlockReason::Side),
    (hints::COMMENT | hints::MESSAGE, BlockReason::Comment),
    (hints::ADVERT, BlockReason::Advert),
    (hints::SOCIAL, BlockReason::Social),
    (hints::RELATED, BlockReason::Related),
    (hints::OVERLAY, BlockReason::Overlay),
    (hints::DIALOG, BlockReason::Dialog),
];

/// The rules that apply to each block; none for hidden blocks.
pub(super) fn notice(outline: &Outline, title: Option<&str>) -> Vec<Reasons> {
    let page = PageFacts::new(outline, title);
    let blocks = outline.blocks.iter().enumerate();
    blocks
        .map(|(i, block)| {
            let mut reasons = Reasons::default();
            if !block.hidden {
                page.note_text(block, &mut reasons);
                page.note_place(i, block, &mut reasons);
                page.note_names(block, &mut reasons);
            }
            reasons
        })
        .collect()
}

/// Facts about the whole page.
struct PageFacts<'a> {
    outline: &'a Outline,
    elements: Vec<ElementFacts>,
    title: Title,
    /// For each block, the share of the running text in elements similar to its own.
    alike: Vec<f32>,
    /// For each block, the distance to the nearest running text.
    distance: Vec<u32>,
    /// For each block, whether it is in a comment section.
    comment_sections: Vec<bool>,
    has_body: bool,
    /// Whether the content is in an element that is named so.
    named_content: bool,
    plain: bool,
    nameless: bool,
}

impl<'a> PageFacts<'a> {
    fn new(outline: &'a Outline, title: Option<&str>) -> Self {
        let Elements { facts: elements, comment_sections, apart, named_content } =
            elements(outline);
        let named =
            NAMED.iter().fold(0, |all, (hint, _)| all | hint) & !(hints::OVERLAY | hints::DIALOG);
        let links = elements[0].link_share();
        Self {
            title: Title::new(title.unwrap_or_default()),
            alike: alike(outline, &apart, elements[0].prose),
            distance: distances(&outline.blocks, &apart),
            comment_sections,
            named_content,
            has_body: elements.iter().any(|element| element.body),
            plain: links < 0.1,
            nameless: links < LINKY && elements.iter().all(|element| element.hints & named == 0),
            elements,
            outline,
        }
    }

    /// Rules about the block itself.
    fn note_text(&self, block: &OutlineBlock, reasons: &mut Reasons) {
        let text = &self.outline.text[block.start..block.end];
        let tag = self.outline.nodes[block.node as usize].tag;
        let shape = shape(text);
        reasons.note(BlockReason::Prose, block.is_prose());
        reasons.note(BlockReason::LongProse, block.is_prose() && block.plain_words() >= 40);
        reasons.note(BlockReason::Sentence, shape.ends);
        reasons.note(BlockReason::Paragraph, tag == Tag::P);
        reasons.note(BlockReason::Heading, tag.is_heading());
        let row = self.row(block);
        let linked = block.link_words * 2 > block.words;
        let row_linked = row.is_none_or(|row| row.link_words * 2 > row.words);
        reasons.note(BlockReason::MostlyLinks, linked && row_linked);
        let wholly = |links: u32, words: u32| u64::from(links) * 10 > u64::from(words) * 9;
        let row_wholly = row.is_none_or(|row| wholly(row.link_words, row.words));
        reasons.note(BlockReason::WhollyLinks, wholly(block.link_words, block.words) && row_wholly);
        reasons.note(BlockReason::Preformatted, tag == Tag::Pre);

        reasons.note(BlockReason::Marks, shape.marks * 8 > block.words);
        if block.words <= WORDY {
            reasons.note(BlockReason::Label, shape.label);
            let (title, furniture) = self.title.compare(text);
            reasons.note(BlockReason::Title, title > 0.4);
            reasons.note(BlockReason::Headline, title > 0.4 && tag.is_heading());
            reasons.note(BlockReason::Furniture, furniture > 0.15);
        }
    }

    /// Rules about its neighbours and the elements around it.
    fn note_place(&self, i: usize, block: &OutlineBlock, reasons: &mut Reasons) {
        let own = &self.elements[block.node as usize];
        let inner = &self.elements[around(&self.elements, block)];
        let outer = &self.elements[inner.wider as usize];
        let enough = self.elements[0].prose >= ENOUGH;
        let prose = share(inner.prose, self.elements[0].prose);
        reasons.note(BlockReason::InContent, own.content);
        reasons.note(BlockReason::InNamedContent, own.content && self.named_content);
        reasons.note(BlockReason::BelowComments, self.comment_sections[i]);
        reasons.note(BlockReason::BesideProse, self.distance[i] <= 1);
        reasons.note(BlockReason::FarFromProse, self.distance[i] >= FAR && enough);
        reasons.note(BlockReason::MainElement, own.main);
        reasons.note(BlockReason::NearMain, inner.main || outer.main);
        reasons.note(BlockReason::RichElement, prose > 0.5);
        reasons.note(BlockReason::PoorElement, prose < 0.1 && enough);
        reasons.note(BlockReason::UnlikeMain, self.alike[i] < 0.05 && enough);
        reasons.note(BlockReason::LinkyElement, inner.link_share() > LINKY);
        reasons.note(BlockReason::LinkyRegion, outer.link_share() > LINKY);
    }

    /// The row of a table around a block, unless the table is there for the layout of the page.
    fn row(&self, block: &OutlineBlock) -> Option<&ElementFacts> {
        let mut at = block.node as usize;
        for _ in 0..4 {
            let node = &self.outline.nodes[at];
            if matches!(node.tag, Tag::Tr | Tag::Dl) {
                return Some(&self.elements[at]).filter(|row| row.words <= WORDY);
            }
            at = node.parent as usize;
        }
        None
    }

    /// Rules about the names around it, and the page.
    fn note_names(&self, block: &OutlineBlock, reasons: &mut Reasons) {
        let own = &self.elements[block.node as usize];
        reasons.note(BlockReason::Body, own.hints & hints::BODY != 0);
        let about_author = own.hints & hints::AUTHOR != 0;
        reasons.note(BlockReason::Author, about_author && block.is_prose());
        reasons.note(BlockReason::Content, own.hints & hints::CONTENT != 0);
        reasons.note(BlockReason::OutsideBody, self.has_body && !own.body);
        for (hint, reason) in NAMED {
            reasons.note(reason, own.hints & hint != 0);
        }
        reasons.note(BlockReason::PlainPage, self.plain);
        reasons.note(BlockReason::NamelessPage, self.nameless);
    }
}

/// For each block, the share of the running text in similar elements: the same tag and class, and
/// the same tag and class of the parent.
fn alike(outline: &Outline, apart: &[bool], all: u32) -> Vec<f32> {
    let looks = |block: &OutlineBlock| {
        let node = &outline.nodes[block.node as usize];
        (node.look, outline.nodes[node.parent as usize].look)
    };
    let mut prose: HashMap<(u64, u64), u32> = HashMap::new();
    let own = outline
        .blocks
        .iter()
        .zip(apart)
        .filter(|(block, apart)| block.is_shown_prose() && !**apart);
    for (block, _) in own {
        *prose.entry(looks(block)).or_default() += block.plain_words();
    }
    let found = |block: &OutlineBlock| prose.get(&looks(block)).copied().unwrap_or(0);
    outline.blocks.iter().map(|block| share(found(block), all)).collect()
}

/// For each block, the distance to the nearest other block of running text, up to [`FAR`].
fn distances(blocks: &[OutlineBlock], apart: &[bool]) -> Vec<u32> {
    let mut distances = vec![FAR; blocks.len()];
    let mut pass = |order: &mut dyn Iterator<Item = usize>| {
        let mut distance = FAR;
        for i in order {
            distances[i] = distances[i].min(distance);
            distance =
                if blocks[i].is_shown_prose() && !apart[i] { 1 } else { (distance + 1).min(FAR) };
        }
    };
    pass(&mut (0..blocks.len()));
    pass(&mut (0..blocks.len()).rev());
    distances
}
