//! The line written for a document: its page, where and when it was published, its labels.

use std::io::{self, Write};

use firsthand_input::calendar::rfc3339;
use serde::Serialize;

use super::edits::Edit;
use super::language::GeneratedLanguage;
use super::plan::GroupKind;
use super::planted::Planted;
use super::shape::{Markup, ShapeParameters};
use super::site::{SiteFrame, Sites};
use super::story::Story;

/// The first minute of the collection, 2009-01-01, in minutes since 1970.
const START: u64 = 14_245 * 24 * 60;
/// Originals appear within a year, copies within a week of the previous document.
const YEAR: usize = 365 * 24 * 60;
const WEEK: usize = 7 * 24 * 60;

#[derive(Serialize)]
struct DocumentLine<'a> {
    id: String,
    url: String,
    time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<&'a str>,
    /// The near-duplicates by construction.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<String>,
    kind: &'static str,
    /// The template of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<String>,
    /// The document that was edited, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    edits: &'a [Edit],
}

/// Appends the line of a document.
pub(crate) fn write(
    language: &GeneratedLanguage,
    sites: &Sites,
    mix: &ShapeParameters,
    document: &Planted,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let Planted { slot, story, edits, rng } = document;
    let mut rng = rng.clone();
    let id = |member: u32| format!("g{:07}-{member}", slot.group);
    // The group's own draws, so that a copy knows where and when its original appeared.
    let mut group = sites.group(slot.group);
    let home = sites.draw(&mut group);
    let first = START + group.below(YEAR) as u64;
    let copied = slot.member > 0 && slot.kind != GroupKind::Template;
    // Pages of a template are on one site, and some copies are mirrors within theirs.
    let elsewhere = copied && (slot.kind == GroupKind::Chain || rng.chance(0.6));
    let site = if elsewhere { sites.draw(&mut rng) } else { home };
    let minutes = first + u64::from(slot.member) * WEEK as u64 / 8 + rng.below(WEEK / 8) as u64;
    let frame = sites.frame(site, language);

    let title = spelt(language, &story.title);
    let html = match mix.markup {
        Markup::Html => true,
        Markup::Half => site % 2 == 0,
        Markup::Lines => false,
    };
    let framed = (mix.markup != Markup::Half).then_some(&frame);
    let body =
        if html { page(language, &frame, &title, story) } else { text(language, framed, story) };
    let line = DocumentLine {
        id: id(slot.member),
        url: format!("http://{}/{}/{}.html", frame.host, slot.group, slot.member),
        time: rfc3339(minutes as i64 * 60_000),
        title: (!html).then_some(&title),
        text: (!html).then_some(&body),
        html: html.then_some(&body),
        cluster: matches!(slot.kind, GroupKind::Copies | GroupKind::Chain)
            .then(|| format!("c{:07}", slot.group)),
        kind: match slot.kind {
            GroupKind::Alone => "alone",
            GroupKind::Template => "template",
            _ if slot.member == 0 => "original",
            GroupKind::Copies => "copy",
            GroupKind::Chain => "version",
        },
        template: (slot.kind == GroupKind::Template).then(|| format!("t{:07}", slot.group)),
        of: copied.then(|| id(if slot.kind == GroupKind::Chain { slot.member - 1 } else { 0 })),
        edits,
    };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}

fn spelt(language: &GeneratedLanguage, words: &[u32]) -> String {
    let mut text = String::with_capacity(words.len() * 8);
    language.spell_all(words, &mut text);
    text
}

fn sentences(language: &GeneratedLanguage, sentences: &[Vec<u32>], out: &mut String) {
    for (at, sentence) in sentences.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        language.spell_all(sentence, out);
        out.push('.');
    }
}

/// One line per paragraph, between those of the frame.
fn text(language: &GeneratedLanguage, frame: Option<&SiteFrame>, story: &Story) -> String {
    let mut text = String::with_capacity(story.words() * 8);
    if let Some(frame) = frame {
        language.spell_all(&frame.navigation, &mut text);
        text.push('\n');
    }
    for (at, paragraph) in story.paragraphs().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        sentences(language, paragraph, &mut text);
    }
    if let Some(frame) = frame
        && !frame.footer.is_empty()
    {
        text.push('\n');
        sentences(language, &frame.footer, &mut text);
    }
    text
}

/// The words need no escaping: letters, digits and spaces.
fn page(language: &GeneratedLanguage, frame: &SiteFrame, title: &str, story: &Story) -> String {
    let mut html =
        format!("<!doctype html><html><head><title>{title}</title></head><body><nav><ul>");
    for &word in &frame.navigation {
        html.push_str("<li><a href=\"/\">");
        language.spell_all(&[word], &mut html);
        html.push_str("</a></li>");
    }
    html.push_str(&format!("</ul></nav><main><article><h1>{title}</h1>"));
    for paragraph in story.paragraphs() {
        html.push_str("<p>");
        sentences(language, paragraph, &mut html);
        html.push_str("</p>");
    }
    html.push_str("</article></main><footer><p>");
    sentences(language, &frame.footer, &mut html);
    html.push_str("</p></footer></body></html>");
    html
}
