//! Documents out of records, pages and text files.

use std::borrow::Cow;
use std::path::Path;

use firsthand::Document;

use crate::error::Reason;
use crate::html::{self, Page};
use crate::kind::Kind;
use crate::record::{self, Record};
use crate::settings::Settings;
use crate::{blocks, host, surrogates, time};

/// The document of one line of JSONL; `fallback_id` names a record that has no id.
pub(crate) fn from_line(
    line: &[u8],
    fallback_id: impl FnOnce() -> String,
    settings: &Settings,
) -> Result<Document, Reason> {
    let line = lossy(line);
    match record::parse(&line, &settings.fields) {
        Ok(record) => from_record(record, fallback_id, settings),
        Err(reason) => {
            let mended = surrogates::mend(&line).ok_or(reason)?;
            from_record(record::parse(&mended, &settings.fields)?, fallback_id, settings)
        }
    }
}

fn from_record(
    record: Record<'_>,
    fallback_id: impl FnOnce() -> String,
    settings: &Settings,
) -> Result<Document, Reason> {
    let mut page = Page::default();
    let text = match (record.text.get(), record.html.get()) {
        // Mail has both: the plain part counts, unless it is blank.
        (Some(text), html) if html.is_none() || !text.trim().is_empty() => blocks::one_a_line(text),
        (_, Some(html)) => {
            page = parse(&html, settings)?;
            std::mem::take(&mut page.text)
        }
        (Some(_), None) => String::new(),
        (None, None) => {
            let fields = &settings.fields;
            let names: Vec<&str> =
                fields.text.iter().chain(&fields.html).map(String::as_str).collect();
            return Err(Reason::NoText(names.join(", ")));
        }
    };
    let id = record.id.get().filter(|id| !id.trim().is_empty());
    let url = record.url.word().or(page.url);
    let host = record.host.word().map(|host| host.to_lowercase());
    let time = record.time.word().or(page.time);
    Ok(Document {
        id: id.map_or_else(fallback_id, Cow::into_owned),
        text,
        title: record.title.word().or(page.title),
        host: host.or_else(|| url.as_deref().and_then(host::of_url)),
        url,
        source: record.source.word(),
        time: time.as_deref().and_then(time::parse),
        cluster: record.cluster.word(),
    })
}

/// The document of one file; `above` components of its path are not looked at for a host name.
pub(crate) fn from_file(
    bytes: &[u8],
    kind: Kind,
    id: String,
    path: Option<(&Path, usize)>,
    settings: &Settings,
) -> Result<Document, Reason> {
    let content = lossy(without_mark(bytes));
    let page = match kind {
        Kind::Html => parse(&content, settings)?,
        Kind::Text | Kind::Jsonl => Page { text: blocks::one_a_line(content), ..Page::default() },
    };
    let by_path = || path.and_then(|(path, above)| host::of_path(path, above));
    Ok(Document {
        id,
        text: page.text,
        title: page.title,
        host: page.url.as_deref().and_then(host::of_url).or_else(by_path),
        url: page.url,
        source: None,
        time: page.time.as_deref().and_then(time::parse),
        cluster: None,
    })
}

fn parse(html: &str, settings: &Settings) -> Result<Page, Reason> {
    html::extract(html, settings.extract, &settings.limits.html)
        .map_err(|error| Reason::BadPage(error.to_string()))
}

/// Bytes without the byte-order mark that some editors put in front.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Bytes as text, with U+FFFD for what is not UTF-8.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // The lossy conversion looks at every byte singly, which costs more than parsing the line.
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
