//! Checks for any page.

use firsthand_input::{Block, Deadline, Extract, Limits, Page, blocks, extract};

/// Reads a page in every mode.
pub(crate) fn check(html: &str, limits: &Limits) {
    let page = |mode| extract(html, mode, limits, Deadline::never());
    let Ok(main) = page(Extract::Main) else {
        assert!(html.len() as u64 > limits.file, "only a page that is too long is refused");
        return;
    };
    let (Ok(all), Ok(none)) = (page(Extract::Text), page(Extract::None)) else {
        panic!("one mode reads the page and another does not");
    };
    let Ok((shown, blocks)) = blocks(html, limits, Deadline::never()) else {
        panic!("the page can be read but not shown");
    };
    assert_eq!(none.text, html, "the page as it is");
    assert_eq!(main, shown, "what is shown is what is read");
    assert_eq!(letters(&main.text), kept(&blocks), "the text is what is kept, and nothing else");
    assert_eq!((&main.title, &main.url, &main.time), (&all.title, &all.url, &all.time));
    for text in [&main.text, &all.text] {
        tidy(text);
    }
    counts(&blocks);
    part_of(&letters(&main.text), &letters(&all.text));
    if !html.contains(['&', '\0']) {
        part_of(&letters(&all.text), html);
    }
    words_are_there(&main);
}

fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}

fn kept(blocks: &[Block]) -> String {
    blocks.iter().filter(|block| block.kept).map(|block| letters(&block.text)).collect()
}

/// Blocks are not empty, and their counts are plausible.
fn counts(blocks: &[Block]) {
    for block in blocks {
        assert!(!block.text.trim().is_empty(), "an empty block");
        assert!(!block.reason.is_empty(), "no reason given");
        assert!(block.link_words <= block.words);
        assert!(block.words as usize <= block.text.len());
        tidy(&block.text);
    }
}

/// White space is collapsed.
fn tidy(text: &str) {
    assert!(!text.contains("  ") && !text.contains("\n\n"), "white space is left: {text:?}");
    assert_eq!(text, text.trim_matches([' ', '\n']), "white space around");
}

/// Every character of `part` is in `whole`, in the same order.
fn part_of(part: &str, whole: &str) {
    let mut rest = whole.chars();
    for (i, c) in part.char_indices() {
        assert!(rest.any(|other| other == c), "{:?} is nowhere in the page", &part[i..]);
    }
}

/// Present values are not blank.
fn words_are_there(page: &Page) {
    for value in [&page.title, &page.url, &page.time].into_iter().flatten() {
        assert!(!value.trim().is_empty(), "blank instead of absent: {page:?}");
    }
}
