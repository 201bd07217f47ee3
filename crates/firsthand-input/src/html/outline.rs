//! Builds an outline from tokens: blocks of text in reading order, and the elements around them.
//!
//! There is no document tree. Open elements are on a stack of bounded depth, and later steps use a
//! flat list of elements, parents before children. Inline elements other than links are not
//! recorded, so unclosed formatting costs nothing.

use firsthand::settings::{Limit, Limits};

use super::attributes::Attributes;
use super::furniture_words;
use super::hints::{self, Hints};
use super::tags::{TAGS, Tag};
use super::text::TextBuilder;

/// An element that holds blocks.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) tag: Tag,
    /// The hints of the element itself.
    pub(super) own: Hints,
    /// A hash of tag and class, equal for similar elements.
    pub(super) look: u64,
    /// The number of buttons directly in it.
    pub(super) buttons: u32,
}

/// A paragraph, heading, list item, table cell or the like.
#[derive(Debug, Clone)]
pub(super) struct OutlineBlock {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) node: u32,
    pub(super) words: u32,
    pub(super) link_words: u32,
    /// A table cell that follows another cell of its row.
    pub(super) continues: bool,
    /// Inside an element that the page's style hides.
    pub(super) hidden: bool,
}

impl OutlineBlock {
    /// The words outside links.
    pub(super) fn plain_words(&self) -> u32 {
        self.words - self.link_words
    }

    /// Whether it is running text that is shown.
    pub(super) fn is_shown_prose(&self) -> bool {
        self.is_prose() && !self.hidden
    }

    /// Whether it reads like running text.
    pub(super) fn is_prose(&self) -> bool {
        self.plain_words() >= 15 && self.link_words * 3 < self.words
    }
}

/// Fewer words of running text are hidden for good.
const FEWEST_REVEALED: u32 = 40;

/// The blocks and elements of a page.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) text: String,
    pub(super) blocks: Vec<OutlineBlock>,
    pub(super) nodes: Vec<Node>,
    /// The limits that were exceeded.
    pub(super) beyond: Vec<Limit>,
}

impl Outline {
    /// Shows hidden blocks if they have far more running text than the others have words outside
    /// links: a script would show them. A notice of an error has less, even beside a short post.
    fn reveal(&mut self) {
        let (mut shown, mut hidden) = (0, 0);
        for block in &self.blocks {
            match block.hidden {
                true => hidden += if block.is_prose() { block.plain_words() } else { 0 },
                false => shown += block.plain_words(),
            }
        }
        if hidden >= FEWEST_REVEALED && hidden > shown * 2 {
            self.blocks.iter_mut().for_each(|block| block.hidden = false);
        }
    }

    /// The element that holds a block.
    pub(super) fn tag(&self, block: &OutlineBlock) -> Tag {
        self.nodes[block.node as usize].tag
    }

    fn note_beyond(&mut self, limit: Limit) {
        if !self.beyond.contains(&limit) {
            self.beyond.push(limit);
        }
    }

    /// The text of the first `h1`.
    pub(super) fn first_heading(&self) -> Option<&str> {
        let is_top = |block: &&OutlineBlock| self.tag(block) == Tag::H1;
        self.blocks.iter().find(is_top).map(|block| &self.text[block.start..block.end])
    }
}

/// An open element.
struct OpenElement {
    tag: Tag,
    silent: bool,
    hidden: bool,
    node: u32,
    /// The innermost open element with the same tag below this one.
    same: u16,
    /// The innermost element, this or one below it, that inline end tags do not cross.
    special: u16,
    /// The innermost element, this or one below it, that no end tag crosses.
    barrier: u16,
}

/// An open link.
#[derive(Clone, Copy)]
struct OpenLink {
    /// The length of the stack when it was opened.
    depth: usize,
    /// The words in links before it.
    words: u32,
}

/// A link of this many words that goes on in another block was never closed.
const LONGEST_LINK: u32 = 20;

/// Builds an [`Outline`].
pub(super) struct Builder {
    outline: Outline,
    text: TextBuilder,
    stack: Vec<OpenElement>,
    /// The innermost open element of each tag; 0 is the root.
    last: [u16; TAGS],
    /// The number of open elements beyond the depth limit, which are not on the stack.
    beyond: usize,
    depth: usize,
    max_blocks: usize,
    /// The open link.
    link: Option<OpenLink>,
    breaks: u8,
    /// Whether only a cell boundary separates the current text from the previous block.
    cell: bool,
}

impl Builder {
    pub(super) fn new(limits: &Limits) -> Self {
        let root = Node { parent: 0, tag: Tag::Html, own: 0, look: 0, buttons: 0 };
        let bottom = OpenElement {
            tag: Tag::Html,
            silent: false,
            hidden: false,
            node: 0,
            same: 0,
            special: 0,
            barrier: 0,
        };
        Self {
            outline: Outline { nodes: vec![root], ..Outline::default() },
            text: TextBuilder::default(),
            stack: vec![bottom],
            last: [0; TAGS],
            beyond: 0,
            depth: limits.html_depth.clamp(2, u64::from(u16::MAX)) as usize,
            max_blocks: limits.html_blocks.min(u64::from(u32::MAX)) as usize,
            link: None,
            breaks: 0,
            cell: false,
        }
    }

    fn top(&self) -> &OpenElement {
        // The root is never popped.
        &self.stack[self.stack.len() - 1]
    }

    /// Characters outside tags.
    pub(super) fn characters(&mut self, raw: &str) {
        if self.top().silent || raw.is_empty() {
            return;
        }
        let link = self.link.is_some();
        if self.last[Tag::Pre as usize] != 0 {
            // In preformatted text, an empty line separates paragraphs.
            let mut blank = false;
            for line in raw.split_inclusive('\n') {
                if line.trim().is_empty() && line.ends_with('\n') {
                    if blank {
                        self.end_block();
                    }
                    self.text.add("\n", link);
                } else {
                    self.text.add(line, link);
                }
                blank = line.ends_with('\n');
            }
        } else {
            self.text.add(raw, link);
        }
        self.after_characters(raw);
    }

    /// Characters without entities.
    pub(super) fn verbatim(&mut self, raw: &str) {
        if !self.top().silent {
            self.text.add_plain(raw, self.link.is_some());
            self.after_characters(raw);
        }
    }

    fn after_characters(&mut self, raw: &str) {
        if self.breaks > 0 && !raw.bytes().all(|b| b.is_ascii_whitespace()) {
            self.breaks = 0;
        }
    }

    /// A start tag.
    pub(super) fn open(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if attributes.cut {
            self.outline.note_beyond(Limit::HtmlAttributes);
        }
        match tag {
            Tag::Br => return self.line_break(),
            Tag::Hr => return self.end_block(),
            Tag::A => {
                let link = OpenLink { depth: self.stack.len(), words: self.text.all_link_words() };
                self.link = attributes.link.then_some(link);
                if is_button(attributes) {
                    self.count_button();
                }
                return;
            }
            Tag::Body | Tag::Html | Tag::Head => return self.end_block(),
            _ if !tag.is_tracked() => return,
            _ => {}
        }
        self.close_implied(tag);
        if tag == Tag::Button {
            self.count_button();
        }
        if tag.breaks() {
            self.end_block();
        } else if tag.is_special() {
            // Cells and controls separate words.
            self.text.space();
        }
        if attributes.closed && matches!(tag, Tag::Svg | Tag::Math) {
            return;
        }
        if self.stack.len() >= self.depth {
            self.outline.note_beyond(Limit::HtmlDepth);
            self.beyond += 1;
            return;
        }
        self.push(tag, attributes);
    }

    /// Counts a button in the element around it.
    fn count_button(&mut self) {
        let node = self.top().node as usize;
        self.outline.nodes[node].buttons += 1;
    }

    fn push(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        let top = self.top();
        let (parent, silent, hidden) = (top.node, top.silent, top.hidden);
        let (mut special, mut barrier) = (top.special, top.barrier);
        let here = self.stack.len() as u16;
        if tag.is_special() {
            special = here;
        }
        if tag.is_barrier() {
            barrier = here;
        }
        let undisplayed = is_undisplayed(tag, attributes);
        let mut node = parent;
        let own = hints::hints(tag, attributes);
        let tells = tag.is_special() || own != 0;
        if tells && self.outline.nodes.len() >= self.max_blocks {
            self.outline.note_beyond(Limit::HtmlBlocks);
        } else if tells {
            node = self.outline.nodes.len() as u32;
            let look = furniture_words::hash_of_names(attributes.class) ^ tag as u64;
            self.outline.nodes.push(Node { parent, tag, own, look, buttons: 0 });
        }
        let same = std::mem::replace(&mut self.last[tag as usize], here);
        // Hidden blocks are kept apart, since a script may show them; hidden words inside a line
        // are dropped.
        let silent = silent || tag.is_silent() || (undisplayed && !tag.breaks());
        let hidden = hidden || undisplayed;
        self.stack.push(OpenElement { tag, silent, hidden, node, same, special, barrier });
    }

    /// An end tag.
    pub(super) fn close(&mut self, tag: Tag) {
        match tag {
            Tag::Br => return self.line_break(),
            Tag::A => {
                self.link = None;
                return;
            }
            _ if !tag.is_tracked() => return,
            _ => {}
        }
        if self.beyond > 0 {
            self.beyond -= 1;
            if tag.breaks() {
                self.end_block();
            }
            return;
        }
        let top = self.top();
        let at = self.last[tag as usize];
        let limit = if !tag.is_special() {
            top.special
        } else if is_table_part(tag) {
            self.last[Tag::Table as usize]
        } else {
            self.barrier()
        };
        if tag.breaks() {
            self.end_block();
        }
        if at > 0 && (at >= limit) {
            self.pop_to(at as usize);
        }
    }

    /// The innermost element that an end tag does not cross. Buttons shield only paragraphs.
    fn barrier(&self) -> u16 {
        let mut at = self.top().barrier;
        while at > 0 && self.stack[usize::from(at)].tag == Tag::Button {
            at = self.stack[usize::from(at) - 1].barrier;
        }
        at
    }

    /// Closes elements whose end a start tag implies: a paragraph, list item or cell.
    fn close_implied(&mut self, tag: Tag) {
        let barrier = self.top().barrier;
        let last = |tag: Tag| self.last[tag as usize];
        let table = last(Tag::Table);
        let list = last(Tag::Ul).max(last(Tag::Ol)).max(last(Tag::Menu)).max(last(Tag::Dl));
        let over = match tag {
            Tag::Li => Some(last(Tag::Li)).filter(|at| *at > list),
            Tag::Dt | Tag::Dd => Some(last(Tag::Dt).max(last(Tag::Dd))).filter(|at| *at > list),
            Tag::Td | Tag::Th => Some(last(Tag::Td).max(last(Tag::Th))).filter(|at| *at > table),
            Tag::Tr => Some(last(Tag::Tr)).filter(|at| *at > table),
            Tag::Tbody | Tag::Thead | Tag::Tfoot => {
                let part = last(Tag::Tbody).max(last(Tag::Thead)).max(last(Tag::Tfoot));
                Some(part.max(last(Tag::Caption))).filter(|at| *at > table)
            }
            _ => None,
        };
        if let Some(at) = over.filter(|at| *at > 0 && (*at > barrier || is_table_part(tag))) {
            self.pop_to(at as usize);
        }
        let button = self.last[Tag::Button as usize];
        if tag == Tag::Button && button > self.barrier() {
            self.pop_to(button.into());
        }
        if tag.ends_paragraph() {
            // Drawings, formulas and option lists contain no blocks, so an unclosed one ends here.
            loop {
                let drawing = self.last[Tag::Svg as usize].max(self.last[Tag::Math as usize]);
                let options = self.last[Tag::Select as usize];
                if drawing > self.top().special {
                    self.pop_to(drawing.into());
                } else if options > 0 && options == self.top().special {
                    self.pop_to(options.into());
                } else {
                    break;
                }
            }
            let at = self.last[Tag::P as usize];
            if at > 0 && at > self.top().barrier {
                self.pop_to(at as usize);
            }
        }
    }

    /// Removes the open elements from `at` on.
    fn pop_to(&mut self, at: usize) {
        if self.stack.len() > at.max(1) {
            // Elements too deep for the stack were inside.
            self.beyond = 0;
        }
        while self.stack.len() > at.max(1) {
            if let Some(open) = self.stack.pop() {
                self.last[open.tag as usize] = open.same;
                if open.tag.breaks() {
                    self.finish_at(open.node, open.hidden);
                    self.cell = false;
                } else if matches!(open.tag, Tag::Td | Tag::Th) {
                    self.cell |= self.finish_at(open.node, open.hidden);
                }
            }
        }
        if self.link.is_some_and(|link| link.depth > self.stack.len()) {
            self.link = None;
        }
    }

    /// Two consecutive line breaks end a block.
    fn line_break(&mut self) {
        self.breaks = self.breaks.saturating_add(1);
        if self.breaks >= 2 {
            self.end_block();
        } else {
            self.text.space();
        }
    }

    fn end_block(&mut self) {
        let (node, hidden) = (self.top().node, self.top().hidden);
        let words = self.text.all_link_words();
        if self.link.is_some_and(|link| words - link.words >= LONGEST_LINK) {
            self.link = None;
        }
        self.finish_at(node, hidden);
        self.cell = false;
    }

    /// Ends the block inside `node`; returns whether it had any text.
    fn finish_at(&mut self, node: u32, hidden: bool) -> bool {
        if self.text.words == 0 {
            self.text.drop_line();
            return false;
        }
        if self.outline.blocks.len() >= self.max_blocks {
            self.outline.note_beyond(Limit::HtmlBlocks);
            self.text.space();
            return false;
        }
        let (start, end, words, link_words) = self.text.end_line();
        let continues = self.cell;
        let block = OutlineBlock { start, end, node, words, link_words, continues, hidden };
        self.outline.blocks.push(block);
        true
    }

    /// The finished outline.
    pub(super) fn finish(mut self) -> Outline {
        self.max_blocks = usize::MAX;
        self.end_block();
        self.outline.text = self.text.finish();
        self.outline.reveal();
        self.outline
    }
}

fn is_table_part(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Td
            | Tag::Th
            | Tag::Tr
            | Tag::Tbody
            | Tag::Thead
            | Tag::Tfoot
            | Tag::Caption
            | Tag::Table
    )
}

/// Whether a link is a button.
fn is_button(attributes: &Attributes<'_>) -> bool {
    let named = |name: &str| {
        let name = name.as_bytes();
        let begins = |word: &[u8]| {
            name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        begins(b"btn") || begins(b"button")
    };
    attributes.role == "button" || attributes.class.split_ascii_whitespace().any(named)
}

/// Whether an attribute or an inline style hides the element. What is only not to be read aloud is
/// hidden if it is a block: signs and initials are not.
fn is_undisplayed(tag: Tag, attributes: &Attributes<'_>) -> bool {
    let style = attributes.style;
    if attributes.hidden || (tag.breaks() && attributes.unspoken) {
        return true;
    }
    if style.len() < 12 {
        return false;
    }
    let plain: String = style
        .chars()
        .take(400)
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    plain.contains("display:none") || plain.contains("visibility:hidden")
}
