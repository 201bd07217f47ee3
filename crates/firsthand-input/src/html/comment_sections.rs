//! Comment sections recognised by a heading such as `Comments` or `38 responses`.

use std::sync::LazyLock;

use super::outline::Outline;
use crate::word_table;

/// Texts of such headings in lower case, with or without a number before them.
static COMMENTS: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_table::words(include_str!("comment_sections/headings.txt")));
/// Beginnings of the word after a number, as in `3 responses to` with the title.
#[rustfmt::skip]
const COUNTED: [&str; 14] = [
    "comment", "response", "thought", "repl", "kommentar", "gedanke", "antwort", "réponse",
    "comentario", "comentário", "respuesta", "reactie", "komentar", "комментари",
];
/// The fewest words of running text before such a heading.
const STORY: u32 = 40;
/// The most bytes of such a heading.
const LONGEST: usize = 300;

/// For each block, whether it is in a comment section: from its heading to the end of the element
/// around the heading, or to the next heading of the same or a higher level.
pub(super) fn below_comments(outline: &Outline) -> Vec<bool> {
    let ends = subtree_ends(outline);
    let mut comment_sections = vec![false; outline.blocks.len()];
    let mut prose = 0;
    // The end of the current section and the level of its heading.
    let mut scope: Option<(u32, u8)> = None;
    for (i, block) in outline.blocks.iter().enumerate() {
        let level = outline.tag(block).heading_level();
        scope = scope
            .filter(|(end, from)| block.node < *end && level.is_none_or(|level| level > *from));
        if let Some(level) = level.filter(|_| prose >= STORY && !block.hidden)
            && says_comments(&outline.text[block.start..block.end])
        {
            let around = outline.nodes[block.node as usize].parent;
            scope = Some((ends[around as usize], level));
        }
        comment_sections[i] = scope.is_some();
        prose += if block.is_shown_prose() { block.plain_words() } else { 0 };
    }
    comment_sections
}

/// For each node, the first later node outside it.
fn subtree_ends(outline: &Outline) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..=outline.nodes.len() as u32).collect();
    // Children come after parents.
    for i in (1..ends.len()).rev() {
        let parent = outline.nodes[i].parent as usize;
        ends[parent] = ends[parent].max(ends[i]);
    }
    ends
}

fn says_comments(heading: &str) -> bool {
    if heading.len() > LONGEST {
        return false;
    }
    let lower = heading.to_lowercase();
    let words = lower.trim_start_matches(|c: char| !c.is_alphabetic());
    let counted = lower.starts_with(|c: char| c.is_ascii_digit())
        && COUNTED.iter().any(|word| words.starts_with(word));
    let words = words.trim_end_matches(|c: char| !c.is_alphabetic());
    counted || COMMENTS.contains(&words)
}
