//! Which blocks make the text of a page, and why.

use super::notice;
use super::outline::Outline;
use super::reason::{BlockReason, Reasons};

/// Scores above these make content; the next is tried where the one before finds next to nothing.
const ENOUGH: [i32; 2] = [0, -3];
/// Fewer words than this are next to nothing.
const FEWEST: u32 = 25;
/// A page of more blocks is no article; weighing them would cost more than it tells.
const MOST: usize = 20_000;
/// Cells of one row share a line up to this many words each.
const CELL: u32 = 25;

/// What became of a block.
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

/// Keeps what stands between blocks that are kept: a heading before one, and a block that is alone
/// between two, unless it is made of links or a name speaks against it.
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

/// Keeps the items of a list, or the cells of a table, between blocks that are kept, if no link
/// and no name speaks against any of them.
fn join_lists(outline: &Outline, noticed: &[Reasons], verdicts: &mut [BlockVerdict]) {
    // Where the items begin that might be kept.
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

/// The lines of a text, and how much of each is links.
#[derive(Default)]
pub(super) struct LinkedLines {
    pub(super) text: String,
    /// For each line, percent of its words that are in links.
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

/// A line for each block that is kept; short cells of a row are put on one.
fn join(outline: &Outline, keep: impl Fn(usize) -> bool) -> LinkedLines {
    let text = String::with_capacity(outline.text.len());
    let mut lines = LinkedLines { text, links: Vec::new() };
    // The last block written and whether it was short, and the words of the line and its links.
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
