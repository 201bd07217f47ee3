//! What stands at the end of a text and is not of it: signatures, list footers, disclaimers.
//!
//! The end is the end of the author's own lines, which may be before a quote. What is found there
//! is set apart and the lines before it are looked at again, a few times; each time only a few
//! lines, for no signature is long.

use super::lines::{Lines, Look, Mark};
use super::phrases::{Phrases, is_rule};

/// As many lines are looked at from the end.
const WINDOW: usize = 40;

/// As many things stand at the end at most.
const ROUNDS: usize = 8;

/// Marks what stands at the end.
pub(super) fn mark(lines: &mut Lines<'_>) {
    let mut end = lines.len();
    for _ in 0..ROUNDS {
        while end > 0 && !lines.is_new(end - 1) {
            end -= 1;
        }
        let stop = end.saturating_sub(WINDOW);
        let start = (stop..end).rev().take_while(|at| lines.marks[*at] == Mark::New).last();
        let mut window = Vec::with_capacity(WINDOW);
        for at in start.unwrap_or(end)..end {
            if lines.looks[at] != Look::Blank {
                let opens = at == 0 || !lines.is_new(at - 1);
                window.push(Line { at, text: lines.line(at), opens, look: lines.looks[at] });
            }
        }
        let Some((at, mark)) = find(&window) else { return };
        lines.mark(at..end, mark);
        end = at;
    }
}

/// A line near the end.
struct Line<'a> {
    at: usize,
    text: &'a str,
    look: Look,
    /// It starts a paragraph.
    opens: bool,
}

/// The first line of the last thing that stands at the end, and what it is.
fn find(window: &[Line<'_>]) -> Option<(usize, Mark)> {
    for at in (0..window.len()).rev() {
        let above = at.checked_sub(1).map(|above| &window[above]).filter(|above| is_ruled(above));
        if let Some(mark) = starts(&window[at], &window[at + 1..], above.is_some()) {
            return Some((above.unwrap_or(&window[at]).at, mark));
        }
    }
    None
}

fn is_ruled(line: &Line<'_>) -> bool {
    line.look == Look::Ruled && is_rule(line.text)
}

/// Whether something at the end starts with a line, by the lines after it.
fn starts(line: &Line<'_>, after: &[Line<'_>], ruled: bool) -> Option<Mark> {
    let text = line.text;
    if matches!(text, "--" | "—" | "- --") {
        let mark = told(after, 3).unwrap_or(Mark::Signature);
        return (after.len() <= 20 && !is_prose(after)).then_some(mark);
    }
    if line.look == Look::Ruled {
        let ruled = is_rule(text) || text == "---" || text.contains("Yahoo! Groups Sponsor");
        return ruled_off(text, after).filter(|_| ruled);
    }
    if (line.opens || ruled) && after.len() <= 25 && DISCLAIMERS.begin(text.as_bytes()) {
        return Some(Mark::Disclaimer);
    }
    if (line.opens || ruled) && after.len() <= 12 && FOOTERS.begin(text.as_bytes()) {
        return Some(Mark::Footer);
    }
    if after.len() <= 3 && SENT_FROM.begin(text.as_bytes()) {
        return Some(Mark::Signature);
    }
    let named = text.ends_with("mailing list") || text.contains("mailing list <");
    let list = named && text.len() < 80 && after.first().is_some_and(|next| is_contact(next.text));
    let link = after.is_empty() && text.contains("/listinfo/") && !text.contains(' ');
    (after.len() <= 5 && list || link).then_some(Mark::Footer)
}

/// Whether many long lines follow, as in no signature.
fn is_prose(after: &[Line<'_>]) -> bool {
    let long = |line: &Line<'_>| {
        line.text.len() >= 45 && !line.text.contains("  ") && !line.text.contains(['|', '@'])
    };
    after.len() > 6 && after[..6].iter().all(long)
}

/// What stands below a rule.
fn ruled_off(rule: &str, after: &[Line<'_>]) -> Option<Mark> {
    if after.is_empty() {
        return None;
    }
    if let Some(mark) = told(after, 4) {
        return (after.len() <= 25).then_some(mark);
    }
    let short = after.iter().all(|line| line.text.len() <= 90 && line.look != Look::Arrow);
    let few = if rule == "---" { 3 } else { 0 };
    let contact = |line: &Line<'_>| is_contact(line.text);
    let signed = after.len() <= few || after.len() <= 10 && after.iter().any(contact);
    (short && signed).then_some(Mark::Signature)
}

/// What the first lines say about themselves.
fn told(lines: &[Line<'_>], count: usize) -> Option<Mark> {
    lines.iter().take(count).find_map(|line| {
        if DISCLAIMERS.begin(line.text.as_bytes()) {
            Some(Mark::Disclaimer)
        } else if FOOTERS.begin(line.text.as_bytes()) || FOOTER_WORDS.are_in(line.text) {
            Some(Mark::Footer)
        } else {
            None
        }
    })
}

/// An address, a link or a telephone number.
fn is_contact(text: &str) -> bool {
    if text.contains('@') || text.contains("://") || text.contains("www.") {
        return true;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 7 && {
        let lower = text.to_ascii_lowercase();
        let words = ["tel", "fax", "phone", "voice", "mobil", "call"];
        text.starts_with(['+', '(']) || words.iter().any(|word| lower.contains(word))
    }
}

/// How footers of lists and free mail services start.
#[rustfmt::skip]
static FOOTERS: Phrases = Phrases::new(&[
    "to unsubscribe", "to subscribe", "unsubscribe", "to be removed", "to remove your", "to stop receiving",
    "to post to this", "to post a message", "if you no longer wish", "if you wish to unsubscribe",
    "if you want to unsubscribe", "you received this message because", "you are receiving this",
    "you're receiving this", "you have received this message because", "you received this email because",
    "you are currently subscribed", "this message was sent to", "this email was sent to",
    "this sf.net email is sponsored", "your use of yahoo", "yahoo! groups links", "do you yahoo",
    "visit this group at", "visit your group", "for help using this mailing list", "for more options, visit",
    "for additional commands", "um sich abzumelden", "pour se désinscrire", "pour vous désabonner",
    "para cancelar", "per cancellarti", "чтобы отписаться",
]);

/// Words of footers below a rule.
#[rustfmt::skip]
static FOOTER_WORDS: Phrases = Phrases::new(&[
    "mailing list", "unsubscribe", "/listinfo", "sponsored by", "yahoo! groups", "do you yahoo", "msn hotmail",
    "msn messenger", "hotmail.com", "get your free", "free e-mail", "free email", "listserv", "majordomo",
    "mailman", "list archive", "you received this", "mailto:",
]);

/// How disclaimers and notes of virus scanners start.
#[rustfmt::skip]
static DISCLAIMERS: Phrases = Phrases::new(&[
    "disclaimer", "confidentiality", "confidential:", "legal notice", "this e-mail and any", "this email and any",
    "this message and any", "this e-mail is confidential", "this email is confidential",
    "this e-mail message is", "this email message is", "this e-mail contains", "this email contains",
    "this message contains confidential", "this communication is confidential", "this e-mail may contain",
    "this email may contain", "this transmission", "the information contained in this",
    "the information in this", "the contents of this e", "privileged/confidential",
    "if you are not the intended", "diese e-mail enthält", "diese nachricht enthält", "ce message et toutes",
    "ce message est confidentiel", "este mensaje", "esta mensagem", "questo messaggio", "dit bericht",
    "no virus found in", "outgoing mail is certified", "this email has been checked",
]);

/// What telephones and programs add.
#[rustfmt::skip]
static SENT_FROM: Phrases = Phrases::new(&[
    "sent from my", "sent from mail for", "sent from outlook", "sent from yahoo", "sent via", "sent using",
    "sent with", "get outlook for", "von meinem", "gesendet von", "envoyé de mon", "envoyé depuis",
    "enviado desde mi", "enviado do meu", "inviato da", "inviato dal", "verstuurd vanaf", "verzonden met",
    "skickat från min", "sendt fra min", "отправлено с", "wysłane z",
]);
