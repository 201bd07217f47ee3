//! Chooses the blocks that form the text of a page, with reasons.

use firsthand::pages::{Rest, RestLine};

use super::notice;
use super::outline::Outline;
use super::reason::{BlockReason, Reasons};

/// Minimum scores (exclusive) of content; the second is tried if the first finds hardly anything.
const ENOUGH: [i32; 2] = [0, -3];
/// Fewer words than this are hardly anything.
const FEWEST: u32 = 25;
/// A page of more blocks is not an article, and its blocks are not scored.
const MOST: usize = 20_000;
/// The most words of a cell that shares a line with other cells of its row.
const CELL: u32 = 25;

/// Content of which less than one part in this many is dropped is kept nearly whole.
const NEARLY_ALL: u64 = 5;
/// Where less than one word in this many of what is dropped is in links, it is no list of links.
const FEW_LINKS: u64 = 10;
/// Fewer words of running text than this are no story.
const STORY: u64 = 40;

/// As many words of running text as this are much.
const MUCH: u64 = 60;

/// Whether a block is kept, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockVerdict {
    pub(crate) kept: bool,
    pub(crate) reason: BlockReason,
    /// Whether an element around it is named as page furniture.
    pub(crate) named: bool,
}

impl BlockVerdict {
    fn new(kept: bool, reason: BlockReason) -> Self {
        Self { kept, reason, named: false }
    }
}

/// The verdicts on the blocks of a page.
pub(super) struct Choice {
    /// In the order of the blocks.
    pub(super) verdicts: Vec<BlockVerdict>,
    /// Whether the text may not be what the page is about.
    pub(super) doubtful: bool,
}

/// Chooses the blocks that form the main text.
pub(super) fn choose(outline: &Outline, title: Option<&str>) -> Choice {
    if outline.blocks.len() > MOST {
        return Choice { verdicts: keep_visible(outline, BlockReason::TooMany), doubtful: false };
    }
    let noticed = notice::notice(outline, title);
    for enough in ENOUGH {
        let mut verdicts = weigh(outline, &noticed, enough);
        let kept = outline.blocks.iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
        if kept.map(|(block, _)| block.words).sum::<u32>() >= FEWEST {
            join_up(&noticed, &mut verdicts);
            join_lists(outline, &noticed, &mut verdicts);
            keep_content(outline, &noticed, &mut verdicts);
            let doubtful = doubt(outline, &noticed, &mut verdicts);
            for (verdict, reasons) in verdicts.iter_mut().zip(&noticed) {
                verdict.named = reasons.names_furniture();
            }
            return Choice { verdicts, doubtful };
        }
    }
    let shown = outline.blocks.iter().filter(|block| block.is_shown_prose());
    let prose: u64 = shown.map(|block| u64::from(block.plain_words())).sum();
    let mut verdicts = keep_visible(outline, BlockReason::NothingElse);
    drop_named(outline, &noticed, &mut verdicts);
    Choice { verdicts, doubtful: prose >= MUCH }
}

fn keep_visible(outline: &Outline, reason: BlockReason) -> Vec<BlockVerdict> {
    let verdict = |hidden| match hidden {
        true => BlockVerdict::new(false, BlockReason::Hidden),
        false => BlockVerdict::new(true, reason),
    };
    outline.blocks.iter().map(|block| verdict(block.hidden)).collect()
}

/// Drops what is named as furniture, unless hardly anything is left then.
fn drop_named(outline: &Outline, noticed: &[Reasons], verdicts: &mut [BlockVerdict]) {
    let blocks = outline.blocks.iter().zip(noticed).zip(&*verdicts);
    let own = blocks.filter(|((_, reasons), verdict)| verdict.kept && !reasons.names_furniture());
    let enough = own.map(|((block, _), _)| block.words).sum::<u32>() >= FEWEST;
    for (verdict, reasons) in verdicts.iter_mut().zip(noticed) {
        verdict.named = reasons.names_furniture();
        if enough && verdict.kept && verdict.named {
            *verdict = BlockVerdict { kept: false, reason: reasons.weigh().2, named: true };
        }
    }
}

fn weigh(outline: &Outline, noticed: &[Reasons], enough: i32) -> Vec<BlockVerdict> {
    let weigh = |reasons: &Reasons, hidden: bool| {
        let (score, pro, contra) = reasons.weigh();
        match score > enough && !hidden {
            true => BlockVerdict::new(true, pro),
            false => BlockVerdict::new(false, if hidden { BlockReason::Hidden } else { contra }),
        }
    };
    let blocks = outline.blocks.iter().zip(noticed);
    blocks.map(|(block, reasons)| weigh(reasons, block.hidden)).collect()
}

/// Keeps a heading before a kept block, and a single block between two kept ones, unless links or
/// names mark it as furniture.
fn join_up(noticed: &[Reasons], verdicts: &mut [BlockVerdict]) {
    for i in (1..verdicts.len()).rev() {
        let before = verdicts[i - 1];
        if !verdicts[i].kept || before.kept || before.reason == BlockReason::Hidden {
            continue;
        }
        let rules = noticed[i - 1];
        let between = i >= 2 && verdicts[i - 2].kept && !rules.has(BlockReason::MostlyLinks);
        if rules.has(BlockReason::Heading) {
            verdicts[i - 1] = BlockVerdict::new(true, BlockReason::LeadsToKept);
        } else if between && !rules.names_furniture() {
            verdicts[i - 1] = BlockVerdict::new(true, BlockReason::AmongKept);
        }
    }
}

/// Keeps the items of a list, or the cells of a table, between kept blocks, unless links or names
/// mark any of them as furniture.
fn join_lists(outline: &Outline, noticed: &[Reasons], verdicts: &mut [BlockVerdict]) {
    // The first item that might be kept.
    let mut start = None;
    for i in 0..verdicts.len() {
        if verdicts[i].kept {
            for item in start.map_or(i..i, |start| start..i) {
                verdicts[item] = BlockVerdict::new(true, BlockReason::AmongKept);
            }
            start = Some(i + 1);
        } else if verdicts[i].reason == BlockReason::Hidden
            || noticed[i].speaks_of_furniture()
            || !outline.tag(&outline.blocks[i]).is_item()
        {
            start = None;
        }
    }
}

/// If what is kept inside the element that holds the content is not nearly all of it, and what is
/// dropped are no links, or nothing kept is a story: keeps all of it that is not furniture by name or
/// by word. Manuals, tables and lists do not read like running text, and are content all the same.
/// Where no name tells the content, running text must not be most of it, nor links much of what is
/// dropped: that would be a story and what stands around it.
fn keep_content(outline: &Outline, noticed: &[Reasons], verdicts: &mut [BlockVerdict]) {
    let named = noticed.iter().any(|reasons| reasons.has(BlockReason::InNamedContent));
    let of_links = if named { BlockReason::WhollyLinks } else { BlockReason::MostlyLinks };
    let is_inside = |reasons: Reasons| {
        reasons.has(BlockReason::InContent) && !reasons.surely_speaks_of_furniture()
    };
    let (mut all, mut kept, mut links, mut story) = (0u64, 0u64, 0u64, 0u64);
    for ((block, reasons), verdict) in outline.blocks.iter().zip(noticed).zip(&*verdicts) {
        let words = u64::from(block.words);
        if verdict.kept && reasons.has(BlockReason::Prose) {
            story += u64::from(block.plain_words());
        }
        if is_inside(*reasons) {
            all += words;
            kept += if verdict.kept { words } else { 0 };
            links += if !verdict.kept && reasons.has(of_links) { words } else { 0 };
        }
    }
    let dropped = all - kept;
    let told = named || story * 2 < all;
    if told && dropped * NEARLY_ALL > all && (links * FEW_LINKS <= dropped || story < STORY) {
        for (verdict, reasons) in verdicts.iter_mut().zip(noticed) {
            if !verdict.kept && is_inside(*reasons) {
                *verdict = BlockVerdict::new(true, BlockReason::OfContent);
            }
        }
    }
}

/// Whether more running text is left out than words are kept, and it is much, and no name says that
/// it is furniture. If hardly anything is kept, it is kept as well: rather more than less.
fn doubt(outline: &Outline, noticed: &[Reasons], verdicts: &mut [BlockVerdict]) -> bool {
    let is_left_out = |verdict: &BlockVerdict, reasons: Reasons| {
        let told = reasons.names_furniture() || reasons.has(BlockReason::Label);
        !verdict.kept && reasons.has(BlockReason::Prose) && !told
    };
    let (mut kept, mut left_out) = (0u64, 0u64);
    for ((block, reasons), verdict) in outline.blocks.iter().zip(noticed).zip(&*verdicts) {
        let words = u64::from(block.plain_words());
        kept += if verdict.kept { words } else { 0 };
        left_out += if is_left_out(verdict, *reasons) { words } else { 0 };
    }
    let doubtful = left_out >= MUCH && left_out > kept;
    if doubtful && kept < STORY {
        for (verdict, reasons) in verdicts.iter_mut().zip(noticed) {
            if is_left_out(verdict, *reasons) {
                *verdict = BlockVerdict::new(true, BlockReason::NothingElse);
            }
        }
    }
    doubtful
}

/// The lines of a text, and the share of links in each.
#[derive(Default)]
pub(super) struct LinkedLines {
    pub(super) text: String,
    /// For each line, the percentage of its words that are in links.
    pub(super) links: Vec<u8>,
    /// What else is visible.
    pub(super) rest: Rest,
}

/// Where a block goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Text,
    Rest { named: bool },
    Nowhere,
}

/// The main text, and the rest of what is visible.
pub(super) fn main_text(outline: &Outline, verdicts: &[BlockVerdict]) -> LinkedLines {
    join(outline, |i| match verdicts[i] {
        BlockVerdict { kept: true, .. } => Fate::Text,
        BlockVerdict { named, .. } if !outline.blocks[i].hidden => Fate::Rest { named },
        _ => Fate::Nowhere,
    })
}

/// All visible text.
pub(super) fn all_text(outline: &Outline) -> LinkedLines {
    join(outline, |i| if outline.blocks[i].hidden { Fate::Nowhere } else { Fate::Text })
}

/// One line per block; short cells of a row share a line.
fn join(outline: &Outline, fate: impl Fn(usize) -> Fate) -> LinkedLines {
    let text = String::with_capacity(outline.text.len());
    let mut lines = LinkedLines { text, ..LinkedLines::default() };
    // The last block and its fate if the next cell of its row may share its line.
    let mut open: Option<(usize, Fate)> = None;
    let mut line = (0u32, 0u32);
    for (i, block) in outline.blocks.iter().enumerate() {
        let fate = fate(i);
        let text = &outline.text[block.start..block.end];
        let is_cell =
            block.continues && block.words <= CELL && open == Some((i.wrapping_sub(1), fate));
        let breaks = text.bytes().filter(|&byte| byte == b'\n').count();
        match fate {
            Fate::Nowhere => continue,
            Fate::Text => {
                if is_cell {
                    lines.text.push(' ');
                } else if !lines.text.is_empty() {
                    lines.text.push('\n');
                    lines.links.push(percent(std::mem::take(&mut line)));
                }
                line = (line.0 + block.words, line.1 + block.link_words);
                lines.links.extend(std::iter::repeat_n(percent(line), breaks));
                lines.text.push_str(text);
            }
            Fate::Rest { named } => {
                let rest = &mut lines.rest;
                if is_cell {
                    rest.text.push(' ');
                } else if !rest.text.is_empty() {
                    rest.text.push('\n');
                }
                let before = lines.links.len() as u32 + u32::from(!lines.text.is_empty());
                let more = breaks + usize::from(!is_cell);
                rest.lines.extend(std::iter::repeat_n(RestLine { before, named }, more));
                rest.text.push_str(text);
            }
        }
        open = (block.words <= CELL).then_some((i, fate));
    }
    if !lines.text.is_empty() {
        lines.links.push(percent(line));
    }
    lines
}

fn percent((words, links): (u32, u32)) -> u8 {
    (u64::from(links.min(words)) * 100 / u64::from(words.max(1))) as u8
}
