//! Mail: mailboxes to messages, and messages to their new text.
//!
//! A message is split into parts without recursion (`parts`), the part to read is chosen (`choose`)
//! and decoded (`transfer`, `decode`, `flowed`), and its text is divided into what the author wrote
//! and what is quoted, a signature or added by programs (`quotes`). Every step takes linear time,
//! and broken messages are read as far as possible.

mod choose;
mod cited;
mod decode;
mod flowed;
mod header;
pub(crate) mod mbox;
mod names;
mod parameters;
mod parts;
mod postmark;
mod quotes;
mod sniff;
#[cfg(test)]
mod tests;
mod transfer;
mod words;

use header::{HeaderField, MailHeaders};
use quotes::Answers;

use crate::deadline::Deadline;
use crate::remarks::Remarks;
use firsthand::settings::Limits;

pub(crate) use quotes::{MailBlock, kept, split, with_quotes};
pub(crate) use sniff::{looks_like_mail, looks_like_mbox};

/// A parsed message.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// The subject, decoded.
    pub(crate) subject: Option<String>,
    /// The address of the author.
    pub(crate) from: Option<String>,
    /// The message id, without brackets.
    pub(crate) id: Option<String>,
    /// The date as written, or that of the last hop if there is none.
    pub(crate) time: Option<String>,
    /// The mailing list or newsgroups.
    pub(crate) list: Option<String>,
    /// The whole text.
    text: String,
    /// Whether it is a reply or a forward.
    answers: Answers,
    /// Irregularities.
    pub(crate) remarks: Remarks,
}

impl Message {
    /// The text divided into blocks.
    pub(crate) fn blocks(&self) -> Vec<MailBlock<'_>> {
        quotes::split_as(&self.text, self.answers)
    }
}

/// Parses a message; `html_text` extracts the text of a page.
pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    deadline: Deadline,
    html_text: &mut dyn FnMut(&str) -> String,
) -> Message {
    let mut message = Message::default();
    let parts = parts::walk(bytes, limits, deadline, &mut message.remarks);
    let headers = &parts.headers;
    let mut value = |field: HeaderField| {
        let (text, replaced) = words::text(headers.get(field)?);
        message.remarks.replaced += replaced;
        Some(text).filter(|text| !text.is_empty())
    };
    message.subject = value(HeaderField::Subject);
    message.from = value(HeaderField::From).and_then(|value| names::address(&value));
    message.id = value(HeaderField::MessageId).and_then(|value| names::message_id(&value));
    message.time = value(HeaderField::Date).or_else(|| received(headers));
    message.list = [
        HeaderField::ListId,
        HeaderField::Newsgroups,
        HeaderField::XMailingList,
        HeaderField::MailingList,
    ]
    .into_iter()
    .find_map(value)
    .and_then(|value| names::list(&value));
    message.text = choose::text(bytes, &parts, &mut message.remarks, html_text);
    message.answers = match Answers::by_subject(message.subject.as_deref()) {
        Answers::Nothing if headers.get(HeaderField::InReplyTo).is_some() => Answers::Reply,
        answers => answers,
    };
    message
}

/// The date at the end of the first `Received`.
fn received(headers: &MailHeaders<'_>) -> Option<String> {
    let (value, _) = words::text(headers.get(HeaderField::Received)?);
    let (_, date) = value.rsplit_once(';')?;
    Some(date.trim().to_owned()).filter(|date| !date.is_empty())
}
