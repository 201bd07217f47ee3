//! What a stream has done, in plain words.

use crate::numbers::{bytes, counted, counted_with, duration, grouped};
use firsthand::online::{Holdings, LeftOut};
use firsthand_jobs::answers::AnswerCounts;
use firsthand_jobs::stream::StreamSummary;

/// What was answered, a sentence per line.
pub(crate) fn answers(summary: &StreamSummary) -> Vec<String> {
    let StreamSummary { counts, blank_lines, left_out, elapsed, .. } = summary;
    let AnswerCounts { originals, duplicates, exact, updates, too_short, errors, repeated, .. } =
        *counts;
    let documents = counts.documents();
    // Of a folder that was watched for an hour it says nothing.
    let rate = match (documents as f64 / elapsed.as_secs_f64().max(1e-6)) as u64 {
        0 => String::new(),
        rate => format!(" ({} per second)", grouped(rate)),
    };
    let mut lines = vec![format!(
        "Judged {} in {}{rate}: {}, {}{}, {}, {} too short.",
        counted(documents, "document"),
        duration(*elapsed),
        counted(originals, "original"),
        counted(duplicates, "duplicate"),
        if exact > 0 { format!(" ({} exact)", grouped(exact)) } else { String::new() },
        counted(updates, "update"),
        grouped(too_short),
    )];
    if repeated > 0 {
        let (count, had) = (grouped(repeated), if repeated == 1 { "has" } else { "have" });
        lines
            .push(format!("{count} of them {had} been seen before and got the same answer again."));
    }
    if counts.outside_window > 0 {
        let (count, were) = match counts.outside_window {
            1 => ("1".to_owned(), "was"),
            many => (grouped(many), "were"),
        };
        let kept = match left_out.too_late {
            0 => String::new(),
            late => format!("; {} of these came too late to be kept", grouped(late)),
        };
        lines.push(format!(
            "{count} of them {were} outside the window, and compared only with documents of the same \
             time{kept}."
        ));
    }
    if errors > 0 {
        let count = counted(errors, "error");
        lines.push(format!("Answered with {count}; each answer gives the reason."));
    }
    if *blank_lines > 0 {
        lines.push(format!("Ignored {}.", counted(*blank_lines, "blank line")));
    }
    lines
}

/// What a store holds and what it gave up, a sentence per line.
pub(crate) fn holdings(holdings: &Holdings, left_out: LeftOut) -> Vec<String> {
    let Holdings { documents, given_up, late, capped, .. } = *holdings;
    let mut lines = vec![format!(
        "The store holds {} ({}).",
        counted(documents, "document"),
        bytes(holdings.bytes)
    )];
    if left_out.forgotten > 0 {
        let count = counted_with(left_out.forgotten, "document", ("has", "have"));
        lines.push(format!("In this run, {count} left the window and been forgotten."));
    }
    // A store counts these over all runs.
    let since = "Since the store was made,";
    if given_up > 0 {
        let count = counted(given_up, "document");
        lines.push(format!(
            "{since} {count} had to leave the window early to keep it within its size; a larger \
             --window-documents or --window-bytes keeps more."
        ));
    }
    // Those of this run have been told.
    if late > left_out.too_late {
        let count = counted(late, "document");
        lines.push(format!(
            "{since} {count} arrived too late for the window and could not be kept."
        ));
    }
    if capped > 0 {
        let lookups = counted(capped, "lookup");
        lines.push(format!(
            "{since} {lookups} met a very common key and compared only some of the documents under it."
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_over_all_runs_say_since_when() {
        let lines = holdings(&Holdings { late: 2, ..Holdings::default() }, LeftOut::default());
        let late = "Since the store was made, 2 documents arrived too late for the window and could \
                    not be kept.";
        assert_eq!(lines[1..], [late]);
    }
}
