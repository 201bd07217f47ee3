//! Chooses the blocks that form the text of a page, with reasons.

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

/// Whether a block is kept, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockVerdict {
    pub(crate) kept: bool,
    pub(crate) reason: BlockReason,
}

/// The verdict on each block.
pub(super) fn verdicts(outline: &Outline, title: Option<&str>) -> Vec<BlockVerdict> {
    if outline.blocks.len() > MOST {
        return keep_visible(outline, BlockReason::TooMany);
    }
    let noticed = notice::notice(outline, title);
    for enough in ENOUGH {
        let mut verdicts = weigh(outline, &noticed, enough);
        let kept = outline.blocks.iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
        if kept.map(|(block, _)| block.words).sum::<u32>() >= FEWEST {
            join_up(&noticed, &mut verdicts);
            join_lists(outline, &noticed, &mut verdicts);
            return verdicts;
        }
    }
    keep_visible(outline, BlockReason::NothingElse)
}

fn keep_visible(outline: &Outline, reason: BlockReason) -> Vec<BlockVerdict> {
    let verdict = |hidden| match hidden {
        true => BlockVerdict { kept: false, reason: BlockReason::Hidden },
        false => BlockVerdict { kept: true, reason },
    };
    outline.blocks.iter().map(|block| verdict(block.hidden)).collect()
}

fn weigh(outline: &Outline, noticed: &[Reasons], enough: i32) -> Vec<BlockVerdict> {
    let weigh = |reasons: &Reasons, hidden: bool| {
        let (score, pro, contra) = reasons.weigh();
        match score > enough && !hidden {
            true => BlockVerdict { kept: true, reason: pro },
            false => BlockVerdict {
                kept: false,
                reason: if hidden { BlockReason::Hidden } else { contra },
            },
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
            verdicts[i - 1] = BlockVerdict { kept: true, reason: BlockReason::LeadsToKept };
        } else if between && !rules.names_furniture() {
            verdicts[i - 1] = BlockVerdict { kept: true, reason: BlockReason::AmongKept };
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
                verdicts[item] = BlockVerdict { kept: true, reason: BlockReason::AmongKept };
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

/// The lines of a text, and the share of links in each.
#[derive(Default)]
pub(super) struct LinkedLines {
    pub(super) text: String,
    /// For each line, the percentage of its words that are in links.
    pub(super) links: Vec<u8>,
}

/// The main text.
pub(super) fn main_text(outline: &Outline, verdicts: &[BlockVerdict]) -> LinkedLines {
    join(outline, |i| verdicts[i].kept)
}

/// All visible text.
pub(super) fn all_text(outline: &Outline) -> LinkedLines {
    join(outline, |i| !outline.blocks[i].hidden)
}

/// One line per kept block; short cells of a row share a line.
fn join(outline: &Outline, keep: impl Fn(usize) -> bool) -> LinkedLines {
    let text = String::with_capacity(outline.text.len());
    let mut lines = LinkedLines { text, links: Vec::new() };
    // The last block and whether it was short; then the words and link words of the line.
    let mut before: Option<(usize, bool)> = None;
    let mut line = (0u32, 0u32);
    for (i, block) in outline.blocks.iter().enumerate() {
        if !keep(i) {
            continue;
        }
        let short = block.words <= CELL;
        match before {
            None => {}
            Some((last, true)) if last + 1 == i && short && block.continues => {
                lines.text.push(' ');
            }
            Some(_) => {
                lines.text.push('\n');
                lines.links.push(percent(std::mem::take(&mut line)));
            }
        }
        let text = &outline.text[block.start..block.end];
        line = (line.0 + block.words, line.1 + block.link_words);
        lines.links.extend(text.bytes().filter(|&byte| byte == b'\n').map(|_| percent(line)));
        lines.text.push_str(text);
        before = Some((i, short));
    }
    lines.links.extend(before.map(|_| percent(line)));
    lines
}

fn percent((words, links): (u32, u32)) -> u8 {
    (u64::from(links.min(words)) * 100 / u64::from(words.max(1))) as u8
}
