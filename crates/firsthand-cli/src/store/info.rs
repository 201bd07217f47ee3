//! `firsthand store info` as text.

use crate::numbers::{bytes, grouped};
use crate::visible::visible;
use firsthand::online::Holdings;
use firsthand::settings::duration;
use firsthand_input::calendar::rfc3339;
use firsthand_jobs::store::StoreInfo;
use firsthand_store::Fact;

/// A table of what the store holds.
pub(super) fn text(info: &StoreInfo) -> String {
    let Holdings { documents, bytes: size, buckets, times, clock, jumped, given_up, late, capped } =
        info.holdings;
    let span = times.map_or("none".to_owned(), |(first, last)| {
        format!("from {} to {}", rfc3339(first), rfc3339(last))
    });
    let mut rows = vec![
        ("documents".to_owned(), format!("{}, {}", grouped(documents), bytes(size))),
        ("their times".to_owned(), span),
        ("parts of the window".to_owned(), grouped(buckets)),
        ("dropped for size".to_owned(), grouped(given_up)),
        ("too late to keep".to_owned(), grouped(late)),
        ("capped lookups".to_owned(), grouped(capped)),
    ];
    if let Some(jumped) = jumped {
        let text = format!(
            "to {}; the window stays, and nothing is forgotten, until documents have moved on from there",
            rfc3339(jumped)
        );
        rows.insert(2, ("clock has jumped".to_owned(), text));
    }
    if let Some(clock) = clock {
        // A median is well before the latest document where few documents arrive in an hour.
        let of = match jumped {
            Some(_) => "the median of its latest documents before that jumped",
            None => "the median of its latest documents",
        };
        let moved = match info.settings.stream.window.milliseconds {
            Some(_) => "; the window goes back from there",
            None => "",
        };
        let text = format!("{} ({of}{moved})", rfc3339(clock));
        rows.insert(2, ("time of the stream".to_owned(), text));
    }
    if let Some(span) = info.settings.stream.window.milliseconds {
        rows.insert(2, ("window".to_owned(), duration(span)));
    }
    rows.extend(info.facts.iter().map(|(label, value)| (label.clone(), fact(value))));
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let mut text = format!("Store {}\n", visible(&info.address));
    for (label, value) in &rows {
        text += &format!("  {:<width$}  {}\n", visible(label), visible(value));
    }
    text + "--settings prints the settings that it was made with.\n"
}

/// A value as people read it.
pub(super) fn fact(value: &Fact) -> String {
    match value {
        Fact::Text(text) => text.clone(),
        Fact::Count(number) => grouped(*number),
        Fact::Bytes(number) => bytes(*number),
    }
}
