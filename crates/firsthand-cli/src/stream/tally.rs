//! What was answered, counted, and said in plain words at the end.

use crate::numbers::{bytes, counted, duration, grouped};
use firsthand::online::{Answer, Holdings, Verdict};
use std::time::Duration;

/// Answers by kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) originals: u64,
    pub(crate) duplicates: u64,
    pub(crate) exact: u64,
    pub(crate) updates: u64,
    pub(crate) too_short: u64,
    pub(crate) errors: u64,
    pub(crate) repeated: u64,
    pub(crate) blank: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, answer: &Answer) {
        let count = match answer.verdict {
            Verdict::Original => &mut self.originals,
            Verdict::Duplicate => &mut self.duplicates,
            Verdict::Update => &mut self.updates,
            Verdict::TooShort => &mut self.too_short,
            Verdict::Error => &mut self.errors,
        };
        *count += 1;
        self.exact += u64::from(answer.verdict == Verdict::Duplicate && answer.exact);
        self.repeated += u64::from(answer.repeated);
    }

    /// Documents that were judged.
    pub(crate) fn documents(&self) -> u64 {
        self.originals + self.duplicates + self.updates + self.too_short
    }

    pub(crate) fn summary(&self, took: Duration) -> Vec<String> {
        let Self { originals, duplicates, exact, updates, too_short, errors, repeated, blank } =
            *self;
        let documents = self.documents();
        let rate = grouped((documents as f64 / took.as_secs_f64().max(1e-6)) as u64);
        let mut lines = vec![format!(
            "Judged {} in {} ({rate} a second): {}, {}{}, {}, {} too short.",
            counted(documents, "document"),
            duration(took),
            counted(originals, "original"),
            counted(duplicates, "duplicate"),
            if exact > 0 { format!(" ({} exact)", grouped(exact)) } else { String::new() },
            counted(updates, "update"),
            grouped(too_short),
        )];
        if repeated > 0 {
            let (count, were) = (grouped(repeated), if repeated == 1 { "was" } else { "were" });
            lines
                .push(format!("{count} of them {were} here before and got the same answer again."));
        }
        if errors > 0 {
            let count = counted(errors, "error");
            lines.push(format!("Answered with {count}: the reason stands in each answer."));
        }
        if blank > 0 {
            lines.push(format!("Passed over {}.", counted(blank, "blank line")));
        }
        lines
    }
}

/// What a store holds and what it gave up, in words.
pub(crate) fn held(holdings: &Holdings) -> Vec<String> {
    let Holdings { documents, given_up, late, capped, .. } = *holdings;
    let mut lines = vec![format!(
        "The store holds {} ({}).",
        counted(documents, "document"),
        bytes(holdings.bytes)
    )];
    if given_up > 0 {
        let count = counted(given_up, "document");
        lines.push(format!(
            "The window gave up {count} before their time, to stay within its size; a larger \
             --window-documents or --window-bytes keeps more."
        ));
    }
    if late > 0 {
        let count = counted(late, "document");
        lines.push(format!("{count} came too late for the window and could not be kept."));
    }
    if capped > 0 {
        let keys = counted(capped, "look-up");
        lines.push(format!("{keys} met a very common key and looked at a part of what it has."));
    }
    lines
}
