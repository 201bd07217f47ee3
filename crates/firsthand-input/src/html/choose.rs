//! Which blocks make the text of a page.

use super::features;
use super::model;
use super::outline::Outline;

/// Fewer words than this are no main text, unless the page has hardly more.
const FEWEST: u32 = 25;
/// Cells of one row share a line up to this many words each.
const CELL: u32 = 25;

/// The main text: the blocks that the model takes for content; all of them if it finds next to
/// nothing.
pub(super) fn main_text(outline: &Outline, title: Option<&str>) -> String {
    let rows = features::describe(outline, title);
    let keep: Vec<bool> = rows.iter().map(model::is_content).collect();
    let words = |kept: bool| -> u32 {
        let blocks = outline.blocks.iter().zip(&keep);
        blocks.filter(|(_, keep)| !kept || **keep).map(|(block, _)| block.words).sum()
    };
    let (kept, all) = (words(true), words(false));
    if kept < FEWEST || kept * 50 < all {
        return all_text(outline);
    }
    join(outline, |i| keep[i])
}

/// All visible text.
pub(super) fn all_text(outline: &Outline) -> String {
    join(outline, |_| true)
}

/// A line for each block that is kept; short cells of a row are put on one.
fn join(outline: &Outline, keep: impl Fn(usize) -> bool) -> String {
    let mut text = String::with_capacity(outline.text.len());
    // The last block written and whether it was short.
    let mut before: Option<(usize, bool)> = None;
    for (i, block) in outline.blocks.iter().enumerate() {
        if !keep(i) {
            continue;
        }
        let short = block.words <= CELL;
        match before {
            None => {}
            Some((last, true)) if last + 1 == i && short && block.continues => text.push(' '),
            Some(_) => text.push('\n'),
        }
        text.push_str(&outline.text[block.start..block.end]);
        before = Some((i, short));
    }
    text
}
