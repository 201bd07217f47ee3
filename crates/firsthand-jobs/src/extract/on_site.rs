//! What becomes of the blocks of a page once the other pages of its site are known.

use firsthand::Document;
use firsthand::collections::Collection;
use firsthand::explain::{ExplainedLine, PageIdentity, line_fates, page_identity};
use firsthand::pages::{LineFate, LinePart};
use firsthand_input::Block;
use serde::Serialize;

/// A page among the pages of its site.
#[derive(Debug)]
pub struct PageOnSite {
    /// The text that it is compared by.
    pub text: String,
    /// Its blocks, and what becomes of them.
    pub blocks: Vec<BlockOnSite>,
    /// Which page of the site it is.
    pub identity: PageIdentity,
}

/// A block of a page, and what becomes of it.
#[derive(Debug, Serialize)]
pub struct BlockOnSite {
    /// The block, and what the page alone tells of it.
    #[serde(flatten)]
    pub block: Block,
    /// What becomes of it; of a block of several lines, of the first of them that is compared.
    pub fate: LineFate,
    /// Why, if the site decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

impl PageOnSite {
    /// A page of the collection; `blocks` are what its reader has made of it.
    pub(super) fn new(collection: &Collection, document: &Document, blocks: &[Block]) -> Self {
        let lines = line_fates(collection, document);
        let compared = lines.iter().filter(|line| line.fate.is_compared());
        let text = compared.map(|line| line.text).collect::<Vec<_>>().join("\n");
        let made: Vec<Block>;
        let blocks = match blocks {
            [] => {
                made = lines.iter().map(as_block).collect();
                &made
            }
            blocks => blocks,
        };
        let blocks = with_fates(&lines, blocks);
        Self { text, blocks, identity: page_identity(collection, document) }
    }
}

/// A line of a document whose reader tells no blocks.
fn as_block(line: &ExplainedLine<'_>) -> Block {
    let kept = line.part == LinePart::Text;
    Block {
        text: line.text.to_owned(),
        kept,
        reason: if kept { "all text is kept" } else { "it is not text" },
        tag: "text",
        words: u32::try_from(line.text.split_whitespace().count()).unwrap_or(u32::MAX),
        link_words: 0,
        hidden: false,
    }
}

fn with_fates(lines: &[ExplainedLine<'_>], blocks: &[Block]) -> Vec<BlockOnSite> {
    let of = |is_text: bool| {
        let lines = lines.iter().filter(move |line| (line.part == LinePart::Text) == is_text);
        UnreadLines { lines: lines.map(|line| (line.text, line.fate)).collect(), next: 0 }
    };
    let (mut text, mut rest) = (of(true), of(false));
    let fate = |block: &Block| match (block.kept, block.hidden) {
        (true, _) => text.fate(&block.text).unwrap_or(LineFate::Text),
        (false, false) => rest.fate(&block.text).unwrap_or(LineFate::Beside),
        (false, true) => LineFate::Beside,
    };
    let fates: Vec<LineFate> = blocks.iter().map(fate).collect();
    let blocks = blocks.iter().cloned().zip(fates);
    blocks.map(|(block, fate)| BlockOnSite { block, fate, why: why(fate) }).collect()
}

fn why(fate: LineFate) -> Option<&'static str> {
    match fate {
        LineFate::Furniture => Some("pages of the site that tell different stories have it"),
        LineFate::Rescued => Some("no other page of the site has it"),
        LineFate::Text | LineFate::Beside => None,
    }
}

/// Lines in reading order, in which blocks are found one after another. A block may have several lines,
/// and short cells of a row share one.
struct UnreadLines<'a> {
    lines: Vec<(&'a str, LineFate)>,
    next: usize,
}

impl UnreadLines<'_> {
    /// What becomes of the next block: of its first line that is compared, or else of its first.
    fn fate(&mut self, block: &str) -> Option<LineFate> {
        let lines = block.split('\n').map(str::trim).filter(|line| !line.is_empty());
        let fates: Vec<LineFate> = lines.filter_map(|line| self.take(line)).collect();
        fates.iter().find(|fate| fate.is_compared()).or(fates.first()).copied()
    }

    fn take(&mut self, part: &str) -> Option<LineFate> {
        let (line, fate) = self.lines.get_mut(self.next)?;
        *line = line.strip_prefix(part)?.trim_start();
        self.next += usize::from(line.is_empty());
        Some(*fate)
    }
}
