//! Which of the fields that are looked for occur in records.

use crate::record::Slot;
use firsthand::settings::Fields;

/// Says that there was a record at all.
const ANY: u16 = 1 << 15;

/// The fields that a record has, or that any of some records has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundFields(u16);

impl FoundFields {
    /// Those of a record with these.
    pub(crate) fn of(slots: impl Iterator<Item = Slot>) -> Self {
        Self(slots.fold(ANY, |bits, slot| bits | 1 << slot as u16))
    }

    /// As a number: what several records have is the bitwise or of theirs.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// What [`bits`](Self::bits) returned.
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Fields whose names were chosen, and that no record has: the last part of the key of their setting, and the
    /// names. None if there was no record.
    pub fn missing(self, fields: &Fields) -> Vec<(&'static str, &[String])> {
        if self.0 & ANY == 0 {
            return Vec::new();
        }
        let usual = Fields::default();
        let all = [
            (Slot::Id, "id", &fields.id, &usual.id),
            (Slot::Text, "text", &fields.text, &usual.text),
            (Slot::Html, "html", &fields.html, &usual.html),
            (Slot::Title, "title", &fields.title, &usual.title),
            (Slot::Url, "url", &fields.url, &usual.url),
            (Slot::Host, "host", &fields.host, &usual.host),
            (Slot::Source, "source", &fields.source, &usual.source),
            (Slot::Time, "time", &fields.time, &usual.time),
            (Slot::Cluster, "cluster", &fields.cluster, &usual.cluster),
            (Slot::Labelled, "labelled", &fields.labelled, &usual.labelled),
        ];
        // A name that stands for another field, too, may have been found as that.
        let is_apart = |slot: Slot, name: &String| {
            all.iter().all(|(other, _, names, _)| *other == slot || !names.contains(name))
        };
        let is_missing = |slot: Slot| self.0 & (1 << slot as u16) == 0;
        let chosen = all.iter().filter(|(slot, _, names, usual)| {
            names != usual && is_missing(*slot) && names.iter().all(|name| is_apart(*slot, name))
        });
        chosen.map(|(_, key, names, _)| (*key, names.as_slice())).collect()
    }
}
