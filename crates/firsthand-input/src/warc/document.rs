//! Builds documents from records.

use std::borrow::Cow;

use super::coding;
use super::fields::{HeaderFields, media_type};
use super::http;
use crate::build_document::{self, Made};
use crate::error::Reason;
use crate::host;
use crate::options::ReadOptions;
use crate::place::Place;
use crate::sniff::{self, Doubt};
use firsthand::pages::SiteClue;
use firsthand::settings::{Kind, Limit};

/// The headers and the body of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordParts<'a> {
    pub(crate) fields: HeaderFields<'a>,
    pub(crate) body: &'a [u8],
}

/// The content of a record.
struct Payload<'a> {
    form: PayloadKind,
    media: String,
    charset: Option<String>,
    /// The HTTP headers, if it is a response.
    http: Option<HeaderFields<'a>>,
    body: &'a [u8],
}

/// The kind of a payload.
#[derive(Clone, Copy)]
enum PayloadKind {
    Page,
    Text,
    Mail,
    /// To be determined by the content.
    Unsure,
}

/// The document of a record. A revisit has the content of its original, and its own URL and date.
pub(super) fn make(
    own: HeaderFields<'_>,
    content: RecordParts<'_>,
    place: &Place,
    options: &ReadOptions,
) -> Made {
    let payload = payload(content)?;
    let body = match payload.http {
        Some(fields) => coding::decoded(payload.body, fields, &options.reading.limits)?,
        None => Cow::Borrowed(payload.body),
    };
    let form = payload.sure(&body)?;
    let charset = payload.charset.as_deref();
    let (mut document, mut remarks) = match form {
        Kind::Html => build_document::from_page(&body, charset, place, options)?,
        Kind::Mail => build_document::from_mail(&body, place, options)?,
        _ => build_document::from_text(&body, charset, place, options)?,
    };
    let uri = own.bare("WARC-Target-URI").or_else(|| own.bare("WARC-Refers-To-Target-URI"));
    let id = uri.clone().or_else(|| own.bare("WARC-Record-ID"));
    document.id = id.unwrap_or_else(|| place.id());
    if let Some(uri) = uri {
        document.host = host::of_url(&uri);
        let site = build_document::site_of(Some(&uri), SiteClue::Address);
        document.known_site = site.or(document.known_site);
        document.url = Some(uri);
    }
    if document.time.is_none() {
        let server = |name: &str| payload.http.and_then(|fields| fields.get(name));
        let visited = own.get("WARC-Date").or_else(|| server("Last-Modified"));
        document.time = build_document::when(visited.or_else(|| server("Date")), &mut remarks);
    }
    Ok((document, remarks))
}

/// The reason for not reading a record that is too large, by its first bytes.
pub(crate) fn too_large(start: RecordParts<'_>, options: &ReadOptions) -> Reason {
    let document = payload(start).and_then(|payload| payload.sure(payload.body));
    document.map_or_else(|reason| reason, |_| Reason::beyond(Limit::File, &options.reading.limits))
}

fn payload(RecordParts { fields, body }: RecordParts<'_>) -> Result<Payload<'_>, Reason> {
    let (media, charset) = media_type(&fields.get("Content-Type").unwrap_or_default());
    if fields.bare("WARC-Target-URI").is_some_and(|uri| uri.starts_with("metadata:")) {
        return Err(Reason::NotText("metadata of the crawler".to_owned()));
    }
    if media != "application/http" && !(media.is_empty() && body.starts_with(b"HTTP/")) {
        return Ok(Payload { form: form(&media)?, media, charset, http: None, body });
    }
    let response = http::parse(body)?;
    if !(200..300).contains(&response.status) {
        return Err(Reason::Status(response.status));
    }
    let said = response.fields.get("Content-Type").unwrap_or_default();
    let (media, charset) = media_type(&said);
    let http = Some(response.fields);
    Ok(Payload { form: form(&media)?, media, charset, http, body: response.body })
}

fn form(media: &str) -> Result<PayloadKind, Reason> {
    Ok(match media {
        "text/html" | "application/xhtml+xml" => PayloadKind::Page,
        "text/plain" | "text/markdown" | "text/x-markdown" => PayloadKind::Text,
        "message/rfc822" => PayloadKind::Mail,
        ""
        | "application/octet-stream"
        | "binary/octet-stream"
        | "application/unknown"
        | "unknown/unknown"
        | "text/xml"
        | "application/xml" => PayloadKind::Unsure,
        _ => return Err(Reason::NotText(media.chars().take(80).collect())),
    })
}

impl Payload<'_> {
    /// The kind, confirmed by the content.
    fn sure(&self, body: &[u8]) -> Result<Kind, Reason> {
        let start = &body[..body.len().min(sniff::START)];
        match self.form {
            PayloadKind::Page if !sniff::is_plainly_binary(start) => Ok(Kind::Html),
            PayloadKind::Text if !sniff::is_plainly_binary(start) => Ok(Kind::Text),
            PayloadKind::Page | PayloadKind::Text => {
                Err(Reason::NotText(format!("declared as {}, but is not", self.media)))
            }
            PayloadKind::Mail => Ok(Kind::Mail),
            PayloadKind::Unsure => match sniff::kind(start, Doubt::Strange) {
                Some(kind @ (Kind::Html | Kind::Mail)) => Ok(kind),
                _ if self.media.is_empty() => {
                    Err(Reason::NotText("unknown binary data".to_owned()))
                }
                _ => Err(Reason::NotText(self.media.clone())),
            },
        }
    }
}
