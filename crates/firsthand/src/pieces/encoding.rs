//! Signed documents as bytes, for one version of the program only.

use crate::{
    bytes::{Reader, Writer},
    lines::{Headline, LinePart, PageLine},
    same_site::PageHead,
    sign::{PageLines, SignedPage},
    text_features::TextFeatures,
};
use std::sync::Arc;

/// Site and headline; nothing where they are not known.
pub(super) fn head(head: Option<&PageHead>) -> Vec<u8> {
    let mut out = Writer::default();
    if let Some(head) = head {
        head.write(&mut out);
    }
    out.finish()
}

pub(super) fn read_head(bytes: &[u8]) -> Option<PageHead> {
    PageHead::read(&mut Reader(bytes))
}

pub(super) fn page(signed: &SignedPage) -> Vec<u8> {
    let mut out = Writer::default();
    out.option(signed.fingerprint, Writer::wide);
    out.number(u64::from(signed.length));
    out.byte(u8::from(signed.by_language));
    features(&mut out, &signed.text);
    features(&mut out, &signed.rest);
    out.option(signed.page.as_deref(), |out, page| {
        out.text(&page.site);
        page.headline.write(out);
        page.head.write(out);
        out.number(page.lines.len() as u64);
        for line in &page.lines {
            out.fixed(line.hash);
            out.number(u64::from(line.words));
            out.byte(line.part as u8);
        }
    });
    out.finish()
}

pub(super) fn read_page(bytes: &[u8]) -> Option<SignedPage> {
    let mut from = Reader(bytes);
    let from = &mut from;
    Some(SignedPage {
        fingerprint: from.option(Reader::wide)?,
        length: u32::try_from(from.number()?).ok()?,
        by_language: from.byte()? != 0,
        text: read_features(from)?,
        rest: read_features(from)?,
        page: from.option(read_lines)?.map(Box::new),
        ..SignedPage::default()
    })
}

fn read_lines(from: &mut Reader<'_>) -> Option<PageLines> {
    let site = Arc::from(from.text()?);
    let headline = Headline::read(from)?;
    let head = PageHead::read(from)?;
    let count = from.number()?;
    let line = |_| {
        Some(PageLine {
            hash: from.fixed()?,
            words: u32::try_from(from.number()?).ok()?,
            part: match from.byte()? {
                0 => LinePart::Text,
                1 => LinePart::Rest,
                _ => LinePart::Named,
            },
        })
    };
    let lines = (0..count).map(line).collect::<Option<Vec<_>>>()?;
    Some(PageLines { site, headline, head, lines })
}

fn features(out: &mut Writer, text: &TextFeatures) {
    out.hashes(&text.features);
    out.byte(u8::from(text.is_set));
    out.number(text.spans.len() as u64);
    for &(first, last) in &text.spans {
        out.number(u64::from(first));
        out.number(u64::from(last - first));
    }
}

fn read_features(from: &mut Reader<'_>) -> Option<TextFeatures> {
    let (features, is_set) = (from.hashes()?, from.byte()? != 0);
    let count = from.number()?;
    let span = |_| {
        let first = u32::try_from(from.number()?).ok()?;
        Some((first, first.checked_add(u32::try_from(from.number()?).ok()?)?))
    };
    let spans = (0..count).map(span).collect::<Option<Vec<_>>>()?;
    Some(TextFeatures { features, weights: Vec::new(), spans, is_set })
}
