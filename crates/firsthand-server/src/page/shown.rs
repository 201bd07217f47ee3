//! Text of documents as a page shows it: what cannot be seen or turns the direction of writing is
//! spelled out, and markup is text.

use firsthand_jobs::visible::visible;
use maud::{Markup, html};

/// A text.
pub(super) fn shown(text: &str) -> Markup {
    let plain: String =
        text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }).collect();
    html! { (visible(&plain)) }
}

/// A name of a readable length.
pub(super) fn name(text: &str) -> Markup {
    let cut = text.char_indices().nth(200).map(|(end, _)| end);
    html! {
        @match cut {
            None => (shown(text)),
            Some(end) => { (shown(&text[..end])) "…" }
        }
    }
}

/// The day of a time by RFC 3339.
pub(super) fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// The day and the minute of a time by RFC 3339.
pub(super) fn minute(time: &str) -> String {
    match (time.get(..10), time.get(11..16)) {
        (Some(day), Some("00:00")) => day.to_owned(),
        (Some(day), Some(minute)) => format!("{day} {minute}"),
        _ => time.to_owned(),
    }
}

/// An address: text, and a link only where somebody asks for it.
pub(super) fn address(url: &str) -> Markup {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    html! {
        @if is_web {
            details.address {
                summary { "address" }
                span dir="auto" { (name(url)) } " "
                a href=(url) target="_blank" rel="noopener noreferrer nofollow" { "open in a new tab" }
            }
        } @else {
            span dir="auto" { (name(url)) }
        }
    }
}
