//! The story of a page, as places in its markup, so that a copy differs from it in nothing else.

use std::ops::Range;

/// A run of fewer words is not taken for a line of the story: a menu may have the same.
const LEAST_WORDS: usize = 4;

/// Elements whose content nobody sees.
const HIDDEN: [&str; 5] = ["script", "style", "noscript", "template", "textarea"];

/// The words of a text: lower case, without marks.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// The words of a piece of markup without tags.
pub(super) fn words_of_markup(markup: &str) -> Vec<String> {
    words(&htmlize::unescape(markup))
}

/// The text between tags in the body of a page, run by run, without what nobody sees.
pub(super) fn text_runs(html: &str) -> Vec<Range<usize>> {
    // The same length, byte by byte.
    let lower = html.to_ascii_lowercase();
    let mut runs = Vec::new();
    let mut at = lower.find("<body").unwrap_or(0);
    while at < html.len() {
        let rest = &lower[at..];
        if !rest.starts_with('<') {
            let end = rest.find('<').map_or(html.len(), |end| at + end);
            if html[at..end].chars().any(char::is_alphanumeric) {
                runs.push(at..end);
            }
            at = end;
            continue;
        }
        let end = match rest.strip_prefix("<!--") {
            Some(_) => "-->".to_owned(),
            None => {
                let name = HIDDEN.iter().find(|name| {
                    let after = rest[1..].strip_prefix(**name);
                    after.is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric()))
                });
                name.map_or_else(|| ">".to_owned(), |name| format!("</{name}"))
            }
        };
        at = match rest.find(&end) {
            // The tag that ends a hidden element ends where any tag does.
            Some(found) if end.starts_with("</") => at + found,
            Some(found) => at + found + end.len(),
            None => html.len(),
        };
    }
    runs
}

/// The runs that are lines of the main text.
pub(super) fn story(html: &str, main_text: &str) -> Vec<Range<usize>> {
    let spaced = |words: &[String]| format!(" {} ", words.join(" "));
    let main = spaced(&words(main_text));
    let mut runs = text_runs(html);
    runs.retain(|run| {
        let words = words_of_markup(&html[run.clone()]);
        words.len() >= LEAST_WORDS && main.contains(&spaced(&words))
    });
    runs
}

/// The runs that `is_own` says no other page of the site has.
pub(super) fn own_runs(html: &str, is_own: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut runs = text_runs(html);
    runs.retain(|run| {
        let words = words_of_markup(&html[run.clone()]);
        words.len() >= LEAST_WORDS && is_own(&words.join(" "))
    });
    runs
}

/// What stands between the tags of the first element of a name, from `from` on.
pub(super) fn inside(html: &str, name: &str, from: usize) -> Option<Range<usize>> {
    let lower = html[from..].to_ascii_lowercase();
    let start = format!("<{name}");
    let mut at = 0;
    loop {
        let tag = at + lower[at..].find(&start)?;
        at = tag + start.len();
        if lower[at..].starts_with(|c: char| c.is_alphanumeric()) {
            continue;
        }
        let first = at + lower[at..].find('>')? + 1;
        let last = first + lower[first..].find(&format!("</{name}"))?;
        return Some(from + first..from + last);
    }
}

/// The title as it is written, on one line.
pub(super) fn title(html: &str) -> String {
    let title = inside(html, "title", 0).map_or("", |place| &html[place]);
    htmlize::unescape(title).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Markup without its tags.
pub(super) fn without_tags(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut in_tag = false;
    for c in markup.chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => {
                in_tag = false;
                text.push(' ');
            }
            _ if in_tag => {}
            _ => text.push(c),
        }
    }
    text
}

/// The page with other text in some places, which do not overlap.
pub(super) fn replaced(html: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    let mut page = String::with_capacity(html.len());
    let mut at = 0;
    for (place, text) in edits {
        page.push_str(&html[at..place.start]);
        page.push_str(&text);
        at = place.end;
    }
    page + &html[at..]
}
