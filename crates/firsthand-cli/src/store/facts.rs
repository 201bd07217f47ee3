//! What there is to say about a store, for people and for programs.

use crate::clock::rfc3339;
use crate::numbers::{bytes, grouped};
use crate::visible::visible;
use anyhow::Result;
use firsthand::Settings;
use firsthand::online::Holdings;
use serde_json::{Map, Value, json};

pub(super) struct StoreInfo<'a> {
    pub(super) address: &'a str,
    pub(super) holdings: Holdings,
    /// What the store says about itself.
    pub(super) facts: Vec<(String, String)>,
    pub(super) config: &'a Settings,
}

impl StoreInfo<'_> {
    pub(super) fn text(&self) -> Result<String> {
        let Holdings { documents, bytes: size, buckets, times, clock, given_up, late, capped } =
            self.holdings;
        let span = times.map_or("none".to_owned(), |(first, last)| {
            format!("from {} to {}", rfc3339(first), rfc3339(last))
        });
        let mut rows = vec![
            ("documents".to_owned(), format!("{}, {}", grouped(documents), bytes(size))),
            ("their times".to_owned(), span),
            ("parts of the window".to_owned(), grouped(buckets)),
            ("given up for size".to_owned(), grouped(given_up)),
            ("too late to keep".to_owned(), grouped(late)),
            ("look-ups capped".to_owned(), grouped(capped)),
        ];
        if let Some(clock) = clock {
            rows.insert(2, ("clock".to_owned(), rfc3339(clock)));
        }
        rows.extend(self.facts.iter().cloned());
        let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let mut text = format!("Store {}\n", visible(self.address));
        for (label, value) in &rows {
            text += &format!("  {:<width$}  {}\n", visible(label), visible(value));
        }
        text += "\nSettings, ready for --config\n\n";
        for line in toml::to_string(self.config)?.lines() {
            text += &format!("  {line}\n");
        }
        Ok(text)
    }

    pub(super) fn json(&self) -> Result<Value> {
        let holdings = &self.holdings;
        let facts: Map<String, Value> =
            self.facts.iter().map(|(label, value)| (label.clone(), json!(value))).collect();
        Ok(json!({
            "store": self.address,
            "documents": holdings.documents,
            "bytes": holdings.bytes,
            "parts": holdings.buckets,
            "first": holdings.times.map(|(first, _)| rfc3339(first)),
            "last": holdings.times.map(|(_, last)| rfc3339(last)),
            "clock": holdings.clock.map(rfc3339),
            "given_up": holdings.given_up,
            "late": holdings.late,
            "capped": holdings.capped,
            "facts": facts,
            "settings": serde_json::to_value(self.config)?,
        }))
    }
}
