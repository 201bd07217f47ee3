//! The weighing of blocks: decision trees, whose answers add up to the evidence for content.

use super::features::Row;
use super::trees::{LEAVES, NODES, ROOTS};

/// One decision: go left if the number with this index is at most the bound, else right. A way
/// that is not negative leads to the next decision; `!way` of a negative one is a leaf.
pub(super) type Node = (u8, f32, i16, i16);

/// Evidence above this, in thousandths of log odds, makes content. It is a little below even:
/// missing a paragraph costs more than keeping a stray line.
const ENOUGH: i32 = -323;

/// Whether a block is content.
pub(super) fn is_content(row: &Row) -> bool {
    let evidence: i32 = ROOTS.iter().map(|root| i32::from(LEAVES[leaf(row, *root)])).sum();
    evidence > ENOUGH
}

fn leaf(row: &Row, root: i16) -> usize {
    let mut at = root;
    while at >= 0 {
        let (feature, bound, left, right) = NODES[at as usize];
        at = if row[usize::from(feature)] <= bound { left } else { right };
    }
    !at as usize
}
