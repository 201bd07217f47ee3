//! The extractors that are compared, each as a function from a page to its text.

use firsthand_input::{Deadline, Extract, Limits};

/// Gives the main text of a page, or nothing if it fails on it.
pub type Extractor = fn(&str) -> Option<String>;

/// Name and function of each; the first is ours.
pub const CANDIDATES: [(&str, Extractor); 9] = [
    ("firsthand", |html| firsthand(html, Extract::Main)),
    ("dom_smoothie 0.19, formatted", dom_smoothie),
    ("libreadability 0.3", |html| {
        libreadability::extract(html, None).ok().map(|article| article.text_content)
    }),
    ("legible 0.5", |html| legible::parse(html, None, None).ok().map(|page| page.text_content)),
    ("trafilatura 0.6", |html| trafilatura(html, false)),
    ("trafilatura 0.6, with fallback", |html| trafilatura(html, true)),
    ("rs-trafilatura 0.2", |html| rs_trafilatura::extract(html).ok().map(|page| page.content_text)),
    ("firsthand, all visible text", |html| firsthand(html, Extract::Text)),
    ("tags stripped", |html| Some(stripped(html))),
];

fn firsthand(html: &str, mode: Extract) -> Option<String> {
    let limits = Limits::default();
    firsthand_input::extract(html, mode, &limits, Deadline::never()).ok().map(|page| page.text)
}

fn dom_smoothie(html: &str) -> Option<String> {
    use dom_smoothie::{Config, Readability, TextMode};
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let article = Readability::new(html, None, Some(config)).ok()?.parse().ok()?;
    Some(article.text_content.to_string())
}

fn trafilatura(html: &str, fallback: bool) -> Option<String> {
    let options = trafilatura::Options::default().with_fallback(fallback);
    trafilatura::extract(html, &options).ok().map(|page| page.content_text)
}

/// The page without scripts, styles and whatever stands between angle brackets.
fn stripped(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let tag = after.get(..6).unwrap_or_default().to_ascii_lowercase();
        let end = match tag.as_str() {
            "script" => "</script",
            tag if tag.starts_with("style") => "</style",
            tag if tag.starts_with("!--") => "--",
            _ => "",
        };
        let after = &after[after.find(end).unwrap_or(after.len())..];
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    text + rest
}
