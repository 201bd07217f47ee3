//! Builds documents from records, pages, mail and plain text.

use std::borrow::Cow;
use std::path::Path;

use firsthand::Document;
use firsthand::pages::{KnownSite, SiteClue, site_of_host};

use crate::deadline::Deadline;
use crate::error::Reason;
use crate::found_fields::FoundFields;
use crate::html::{self, Block, HtmlError, Page, SiteClues};
use crate::options::ReadOptions;
use crate::place::Place;
use crate::record::{self, FieldRecord, Slot};
use crate::remarks::Remarks;
use crate::{blocks, charset, host, mail, sniff, time};
use firsthand::settings::{Extract, Kind, Limit, Limits};

/// A document and its irregularities.
pub(crate) type Made = Result<(Document, Remarks), Reason>;

/// The document of a JSON object.
pub(crate) fn from_json(json: &[u8], place: &Place, options: &ReadOptions) -> Made {
    // Most records are flat, and then there is no depth to look into.
    if options.added_columns.is_empty()
        && let Some(record) = record::usual(json, &options.reading)
    {
        return from_record(record, place, options).map_err(|reason| with_fields(reason, json));
    }
    record::within(json, &options.reading.limits)?;
    let (json, replaced) = utf8(json);
    if !options.added_columns.is_empty()
        && let Some(name) =
            record::keys(&json).and_then(|keys| options.taken(keys.iter().map(|key| &**key)))
    {
        return Err(Reason::ColumnTaken(name));
    }
    let make = |record: FieldRecord<'_>| from_record(record, place, options);
    let made = record::made(&json, &options.reading.fields, make);
    let (document, mut remarks) = made.map_err(|reason| with_fields(reason, json.as_bytes()))?;
    remarks.replaced += replaced;
    Ok((document, remarks))
}

/// The reason, with the fields that there are in the place of those that are missed.
fn with_fields(reason: Reason, json: &[u8]) -> Reason {
    match reason {
        Reason::NoText { wanted, .. } => {
            let fields = record::keys(&utf8(json).0).unwrap_or_default();
            Reason::NoText { wanted, fields: fields.into() }
        }
        other => other,
    }
}

/// The document of a row of a table, whose cells are given with the fields that they are and the
/// number of characters that could not be decoded.
pub(crate) fn from_cells<'a>(
    cells: impl Iterator<Item = (Slot, usize, (Cow<'a, str>, u64))>,
    place: &Place,
    options: &ReadOptions,
) -> Made {
    let (mut record, mut replaced, mut has_text) = (FieldRecord::default(), 0, false);
    for (slot, rank, (text, broken)) in cells {
        has_text |= matches!(slot, Slot::Text | Slot::Html);
        replaced += broken;
        record.offer(slot, rank, text);
    }
    // The column exists, so a missing cell is an empty text.
    if !has_text {
        record.offer(Slot::Text, 0, Cow::Borrowed(""));
    }
    let (document, mut remarks) = from_record(record, place, options)?;
    remarks.replaced += replaced;
    Ok((document, remarks))
}

/// The document of a row of a table in memory, whose cells are given as for [`from_cells`]. A row without a
/// text is not a document: who made the table can tell a missing text from an empty one.
pub(crate) fn from_memory(
    cells: Vec<(Slot, usize, (Cow<'_, str>, u64))>,
    place: &Place,
    options: &ReadOptions,
) -> Made {
    let (mut record, mut replaced) = (FieldRecord::default(), 0);
    for (slot, rank, (text, broken)) in cells {
        replaced += broken;
        record.offer(slot, rank, text);
    }
    let (document, mut remarks) = from_record(record, place, options)?;
    remarks.replaced += replaced;
    Ok((document, remarks))
}

/// The page in some bytes, in the character set that it declares, and the number of characters that could
/// not be decoded.
pub(crate) fn decoded_page(bytes: &[u8]) -> (Cow<'_, str>, u64) {
    let decoded = charset::decode(bytes, html::declared_charset(bytes).as_deref());
    (decoded.text, decoded.replaced)
}

/// The document of a record of any format.
pub(crate) fn from_record(
    mut record: FieldRecord<'_>,
    place: &Place,
    options: &ReadOptions,
) -> Made {
    let mut page = Page::default();
    let mut remarks = Remarks { fields: FoundFields::of(record.slots()), ..Remarks::default() };
    let mut quoted_lines = Vec::new();
    let subject = record.word(Slot::Title);
    let text = match (record.take(Slot::Text), record.take(Slot::Html)) {
        // Mail has both: the plain part counts unless it is blank.
        (Some(text), html) if html.is_none() || !text.trim().is_empty() => {
            let (text, apart) = plain_text(text, subject.as_deref(), &mut remarks, options);
            quoted_lines = apart;
            text
        }
        (_, Some(html)) => {
            page = parse(&html, &mut remarks, options)?;
            std::mem::take(&mut page.text)
        }
        (Some(_), None) => String::new(),
        (None, None) => {
            let fields = &options.reading.fields;
            let other = record.strange.iter().find_map(|strange| {
                let names = match strange.slot {
                    Slot::Text => &fields.text,
                    Slot::Html => &fields.html,
                    _ => return None,
                };
                Some(Reason::NotAText {
                    field: names.get(strange.rank)?.clone(),
                    found: strange.kind,
                })
            });
            if let Some(reason) = other {
                return Err(reason);
            }
            let names: Vec<&str> =
                fields.text.iter().chain(&fields.html).map(String::as_str).collect();
            return Err(Reason::NoText { wanted: names.join(", "), fields: Box::default() });
        }
    };
    let id = record.take(Slot::Id).filter(|id| !id.trim().is_empty());
    let address = record.word(Slot::Url);
    let named = record.word(Slot::Host).map(|host| host.to_lowercase());
    let known_site = match &named {
        Some(host) if address.as_deref().and_then(host::of_url).as_ref() != Some(host) => {
            Some(KnownSite { name: site_of_host(host).to_owned(), clue: SiteClue::Record })
        }
        _ => site_of(address.as_deref(), SiteClue::Address).or_else(|| site_of_page(&page)),
    };
    let url = address.or(page.url);
    let host =
        named.or_else(|| url.as_deref().or(page.clues.base.as_deref()).and_then(host::of_url));
    let document = Document {
        id: id.map_or_else(|| place.id(), Cow::into_owned),
        text,
        title: subject.or(page.title),
        host,
        known_site,
        url,
        source: record.word(Slot::Source),
        sender: None,
        time: when(record.word(Slot::Time).or(page.time), &mut remarks),
        cluster: record.word(Slot::Cluster),
        links: page.links,
        rest: page.rest,
        anchors: page.anchors,
        doubtful: page.doubtful,
        quoted_lines,
        unlabelled: record.take(Slot::Labelled).is_some_and(|labelled| is_no(&labelled)),
    };
    checked(document, remarks, options)
}

/// The document of a whole file; no host name is looked for in the first `above` path components.
pub(crate) fn from_file(
    bytes: &[u8],
    kind: Kind,
    place: &Place,
    path: Option<(&Path, usize)>,
    options: &ReadOptions,
) -> Made {
    // A name may be wrong, unlike what was asked for.
    let is_named = options.reading.kind.is_none();
    let is_sure = kind != Kind::Text || !is_named;
    let start = &bytes[..bytes.len().min(sniff::START)];
    if is_named && matches!(kind, Kind::Text | Kind::Html) && sniff::is_plainly_binary(start) {
        return Err(Reason::NotText("it contains binary data".to_owned()));
    }
    let kind = if !is_sure && sniff::is_plainly_page(start) { Kind::Html } else { kind };
    let (mut document, remarks) = match kind {
        Kind::Mail => from_mail(bytes, place, options)?,
        Kind::Html => from_page(bytes, None, place, options)?,
        _ => from_text(bytes, None, place, options)?,
    };
    if kind == Kind::Mail {
        // Files are identified by their paths, also in the list of what is kept.
        document.id = place.id();
    }
    if document.host.is_none() {
        document.host = path.and_then(|(path, above)| host::of_path(path, above));
        if let Some(host) = &document.host {
            let name = site_of_host(host).to_owned();
            document.known_site = Some(KnownSite { name, clue: SiteClue::Folder });
        }
    }
    Ok((document, remarks))
}

/// The document of a page; `charset` is declared by a header.
pub(crate) fn from_page(
    bytes: &[u8],
    charset: Option<&str>,
    place: &Place,
    options: &ReadOptions,
) -> Made {
    let declared = charset.map(str::to_owned).or_else(|| html::declared_charset(bytes));
    let decoded = charset::decode(bytes, declared.as_deref());
    let mut remarks = Remarks { replaced: decoded.replaced, ..Remarks::default() };
    let page = parse(&decoded.text, &mut remarks, options)?;
    let document = Document {
        id: place.id(),
        known_site: site_of_page(&page),
        text: page.text,
        links: page.links,
        rest: page.rest,
        anchors: page.anchors,
        doubtful: page.doubtful,
        title: page.title,
        host: page.url.as_deref().or(page.clues.base.as_deref()).and_then(host::of_url),
        url: page.url,
        time: when(page.time, &mut remarks),
        ..Document::default()
    };
    checked(document, remarks, options)
}

/// The document of a plain text.
pub(crate) fn from_text(
    bytes: &[u8],
    charset: Option<&str>,
    place: &Place,
    options: &ReadOptions,
) -> Made {
    let decoded = charset::decode(bytes, charset);
    let mut remarks = Remarks { replaced: decoded.replaced, ..Remarks::default() };
    let (text, quoted_lines) = plain_text(decoded.text, None, &mut remarks, options);
    checked(Document { quoted_lines, ..Document::new(place.id(), text) }, remarks, options)
}

/// The document of a message: its new text without quotes and signatures, unless these are to be
/// kept and marked.
pub(crate) fn from_mail(bytes: &[u8], place: &Place, options: &ReadOptions) -> Made {
    let (limits, deadline) =
        (&options.reading.limits, Deadline::for_document(&options.reading.limits));
    let mut trouble = None;
    // A message has no page furniture, and its paragraphs may be short.
    let extract = match options.reading.extract {
        Extract::Main => Extract::Text,
        other => other,
    };
    let mut html = |page: &str| match html::extract(page, extract, limits, deadline) {
        Ok(page) => page.text,
        Err(error) => {
            trouble = Some(error);
            String::new()
        }
    };
    let message = mail::read(bytes, limits, deadline, &mut html);
    if let Some(error) = trouble {
        return Err(refused(error, limits));
    }
    let mut remarks = message.remarks.clone();
    if remarks.beyond.contains(&Limit::Seconds) {
        return Err(Reason::beyond(Limit::Seconds, limits));
    }
    let (text, quoted_lines) = new_text(message.blocks(), &mut remarks, options);
    let document = Document {
        text,
        quoted_lines,
        time: when(message.time, &mut remarks),
        id: message.id.unwrap_or_else(|| place.id()),
        title: message.subject,
        source: message.list.or_else(|| message.from.clone()),
        sender: message.from,
        ..Document::default()
    };
    checked(document, remarks, options)
}

/// The new text of a message, or all of it with quoted lines marked.
fn new_text(
    blocks: Vec<mail::MailBlock<'_>>,
    remarks: &mut Remarks,
    options: &ReadOptions,
) -> (String, Vec<bool>) {
    if options.blocks {
        let pieces = blocks.iter().map(|piece| block(piece.text, piece.kept, piece.reason));
        remarks.blocks = pieces.collect();
    }
    match options.reading.keep_quotes {
        true => mail::with_quotes(&blocks),
        false => (mail::kept(&blocks), Vec::new()),
    }
}

/// Plain text with one block per line, and which lines are quoted if requested.
fn plain_text(
    text: Cow<'_, str>,
    subject: Option<&str>,
    remarks: &mut Remarks,
    options: &ReadOptions,
) -> (String, Vec<bool>) {
    if options.reading.mail {
        return new_text(mail::split(&text, subject), remarks, options);
    }
    let text = blocks::one_a_line(text);
    if options.blocks {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let kept = |line: &str| block(line, true, "plain text is kept as it is");
        remarks.blocks = lines.map(kept).collect();
    }
    (text, Vec::new())
}

/// A block of plain text as a block of a page.
fn block(text: &str, kept: bool, reason: &'static str) -> Block {
    let words = u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX);
    Block { text: text.to_owned(), kept, reason, tag: "text", words, link_words: 0, hidden: false }
}

fn parse(html: &str, remarks: &mut Remarks, options: &ReadOptions) -> Result<Page, Reason> {
    let limits = &options.reading.limits;
    let page = if options.blocks && options.reading.extract == Extract::Main {
        html::blocks(html, limits, Deadline::for_document(limits)).map(|(page, blocks)| {
            remarks.blocks = blocks;
            page
        })
    } else {
        html::extract(html, options.reading.extract, limits, Deadline::for_document(limits))
    };
    let page = page.map_err(|error| refused(error, limits))?;
    page.beyond.iter().for_each(|limit| remarks.beyond(*limit));
    remarks.doubtful = page.doubtful;
    Ok(page)
}

/// The site of a URL.
pub(crate) fn site_of(url: Option<&str>, clue: SiteClue) -> Option<KnownSite> {
    Some(KnownSite { name: host::site_of_url(url?)?, clue })
}

/// The site that a page tells by itself, the surest clue first.
fn site_of_page(page: &Page) -> Option<KnownSite> {
    let SiteClues { base, linked, files } = &page.clues;
    let linked = || {
        let host = host::of_url(&format!("//{}", linked.as_deref()?))?;
        Some(KnownSite { name: site_of_host(&host).to_owned(), clue: SiteClue::Links })
    };
    let assets =
        |files: u64| KnownSite { name: format!("assets:{files:016x}"), clue: SiteClue::Assets };
    site_of(page.url.as_deref(), SiteClue::Canonical)
        .or_else(|| site_of(base.as_deref(), SiteClue::Base))
        .or_else(linked)
        .or_else(|| files.map(assets))
}

/// The reason for a page that cannot be read.
pub(crate) fn refused(error: HtmlError, limits: &Limits) -> Reason {
    match error {
        HtmlError::Beyond(limit) => Reason::beyond(limit, limits),
        HtmlError::Failed { .. } => Reason::BadPage(error.to_string()),
    }
}

/// Parses a time; remarks if that fails.
pub(crate) fn when(written: Option<String>, remarks: &mut Remarks) -> Option<i64> {
    let written = written?;
    let time = time::parse(&written);
    remarks.bad_time |= time.is_none();
    time
}

/// Whether a Boolean, as records and tables write it, is false.
fn is_no(word: &str) -> bool {
    ["false", "0", "no", "n"].iter().any(|no| word.trim().eq_ignore_ascii_case(no))
}

fn checked(document: Document, remarks: Remarks, options: &ReadOptions) -> Made {
    if document.text.len() as u64 > options.reading.limits.document {
        return Err(Reason::beyond(Limit::Document, &options.reading.limits));
    }
    Ok((document, remarks))
}

/// Bytes as text, with U+FFFD for invalid UTF-8, and the number of replacements.
pub(crate) fn utf8(bytes: &[u8]) -> (Cow<'_, str>, u64) {
    // The lossy conversion goes byte by byte, which costs more than parsing the line.
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), 0),
        Err(_) => {
            let broken = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            (String::from_utf8_lossy(bytes), broken as u64)
        }
    }
}
