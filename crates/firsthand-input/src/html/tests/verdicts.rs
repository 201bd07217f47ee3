//! Which blocks are kept and why, and that the kept ones form the text.

use proptest::prelude::*;

use super::{PROSE, STORY, page};
use crate::deadline::Deadline;
use crate::html::reason::{BlockReason, RULES};
use crate::html::{Block, Extract, Page};
use firsthand::settings::Limits;

pub(super) fn blocks(html: &str) -> (Page, Vec<Block>) {
    crate::html::blocks(html, &Limits::default(), Deadline::never()).unwrap()
}

/// Whether blocks form a text: in order, each on its own line or, if it may share one, after a
/// space.
fn make_up<'a>(blocks: impl Iterator<Item = &'a Block>, text: &str) -> bool {
    let mut rest = Some(text);
    let mut first = true;
    for block in blocks {
        if !std::mem::replace(&mut first, false) {
            rest = rest.and_then(|rest| rest.strip_prefix('\n').or(rest.strip_prefix(' ')));
        }
        rest = rest.and_then(|rest| rest.strip_prefix(&block.text));
    }
    rest == Some("")
}

/// Checks the invariants of the blocks of any page.
fn check(html: &str) {
    let (main, blocks) = blocks(html);
    assert_eq!(main, page(html, Extract::Main), "{html}");
    assert!(make_up(blocks.iter().filter(|block| block.kept), &main.text), "{html}\n{blocks:#?}");
    let visible = blocks.iter().filter(|block| block.reason != BlockReason::Hidden.words());
    assert!(make_up(visible, &page(html, Extract::Text).text), "{html}\n{blocks:#?}");
    for block in &blocks {
        assert!(!block.reason.is_empty() && !block.tag.is_empty(), "{block:?}");
        assert!(block.words > 0 && block.link_words <= block.words, "{block:?}");
        assert!(!block.text.contains('\n') && block.text.trim() == block.text, "{block:?}");
    }
}

#[test]
fn kept_blocks_make_the_text_of_sample_pages() {
    let rows = "<tr><td>Monday<td>6:40<td>18:20".repeat(6);
    let table = format!("<table>{rows}<tr><td>{PROSE}<td>late</table>");
    let pages = [
        STORY.to_owned(),
        PROSE.repeat(5),
        format!("<title>Times</title>{PROSE}{table}{PROSE}<footer>{table}</footer>"),
        format!("<div style='display:none'>not shown</div>{}text", PROSE.repeat(3)),
        "<x-note class=box>one</x-note><span class=nav>two</span>three".to_owned(),
        String::new(),
    ];
    pages.iter().for_each(|html| check(html));
}

proptest! {
    #[test]
    fn kept_blocks_make_the_text(
        pieces in prop::collection::vec(
            prop_oneof![
                3 => prop::sample::select(vec![
                    "<p>", "</p>", "<div>", "</div>", "<table>", "<tr>", "<td>", "</td>", "<th>",
                    "</table>", "<ul>", "<li>", "</ul>", "<h1>", "</h1>", "<br>", "<pre>", "</pre>",
                    "<a href=x>", "</a>", "<b>", "<span class=share>", "</span>", "<nav>", "</nav>",
                    "<div style='display:none'>", "<footer>", "</footer>", "<x-y>", "</x-y>",
                    "<svg>", "<select>", "<button>", "</button>", "<title>", "</title>",
                    "<script>", "</script>", "<!--", "-->", "<main>", "<div class=story-body>",
                ]).prop_map(str::to_owned),
                1 => "[a-z .,|\n]{0,80}",
                1 => Just(PROSE.to_owned()),
                1 => ".{0,12}",
            ],
            0..40,
        )
    ) {
        check(&pieces.concat());
    }
}

/// Whether each block of a page is kept, and why.
fn reasons(html: &str) -> Vec<(bool, &'static str)> {
    let (_, blocks) = blocks(&format!("<title>Harbour bridge reopens</title>{html}"));
    blocks.iter().map(|block| (block.kept, block.reason)).collect()
}

#[test]
fn blocks_tell_what_they_are() {
    let link = "See <a href=x>the harbour office</a> for the times of all the ferries today.";
    let (_, blocks) = blocks(&format!("{PROSE}<h2>Ferries</h2><ul><li>{link}</ul>"));
    let told: Vec<_> = blocks.iter().map(|b| (b.tag, b.words, b.link_words)).collect();
    assert_eq!(told, [("p", 29, 0), ("h2", 1, 0), ("li", 12, 3)]);
    assert!(blocks[0].text.starts_with("The harbour bridge") && blocks[0].kept);
}

#[test]
fn blocks_are_kept_or_dropped_for_a_reason() {
    let links = "<a href=1>One thing</a> <a href=2>Another thing</a> <a href=3>A third thing</a>";
    let text = "Eleven people said that they had not seen anything like it in the whole of March.";
    let cases: Vec<(&str, String, bool, BlockReason)> = vec![
        ("prose", format!("<p>{text}</p>"), true, BlockReason::MainElement),
        ("title", "<h1>Harbour bridge reopens</h1>".into(), true, BlockReason::Title),
        ("heading", "<h2>A long wait</h2>".into(), true, BlockReason::Heading),
        ("links", format!("<ul><li>{links}<li>{links}</ul>"), false, BlockReason::MostlyLinks),
        ("footer", format!("<footer><p>{text}</p></footer>"), false, BlockReason::Foot),
        ("comments", format!("<div id=comments><p>{text}</p></div>"), false, BlockReason::Comment),
        ("copyright", "<div>© 2020 Coast Courier</div>".into(), false, BlockReason::Label),
        ("hidden", format!("<div style='display:none'>{text}</div>"), false, BlockReason::Hidden),
        ("body", format!("<div class=share>{text}</div>"), false, BlockReason::OutsideBody),
    ];
    for (name, block, kept, reason) in cases {
        let story = PROSE.repeat(3);
        let menu = format!("<nav>{links}</nav>");
        let (html, at) = match name {
            "body" => (format!("<div class=story-body>{story}</div>{block}"), 3),
            "footer" | "comments" | "copyright" => {
                (format!("{menu}<div><div>{story}</div></div>{menu}{block}"), 5)
            }
            _ => (format!("{menu}<div>{story}{block}{PROSE}</div>"), 4),
        };
        let found = reasons(&html);
        assert_eq!(found[at], (kept, reason.words()), "{name}: {found:?}");
    }
}

#[test]
fn every_rule_is_listed_once_and_has_words() {
    for (i, (rule, weight, words)) in RULES.iter().enumerate() {
        assert!(RULES[..i].iter().all(|other| other.0 != *rule), "{rule:?} is listed twice");
        assert!(*weight != 0 && rule.words() == *words && !words.is_empty(), "{rule:?}");
    }
    for reason in [
        BlockReason::Hidden,
        BlockReason::AmongKept,
        BlockReason::LeadsToKept,
        BlockReason::TooMany,
    ] {
        assert!(!reason.words().is_empty(), "{reason:?}");
    }
}
