//! How the decisions of a review were obeyed, in plain words.

use crate::numbers::{counted, grouped};
use crate::visible::visible;
use firsthand_jobs::decisions::Obeyed;

/// The most documents that are named.
const NAMED: usize = 3;

/// What was obeyed, and what was not.
pub(crate) fn lines(obeyed: &Obeyed) -> Vec<String> {
    let told = [(obeyed.parted, "kept apart"), (obeyed.joined, "joined")];
    let mut told: Vec<String> = told
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", counted(*count as u64, "pair")))
        .collect();
    if obeyed.kept > 0 {
        told.push(format!("{} chosen", counted(obeyed.kept as u64, "original")));
    }
    if told.is_empty() {
        told.push("nothing about clusters".to_owned());
    }
    let (count, file) = (counted(obeyed.decisions as u64, "decision"), visible(&obeyed.file));
    let mut lines = vec![format!("Obeyed {count} of {file}: {}.", told.join(", "))];
    if obeyed.not_obeyed_count > 0 {
        let named = obeyed.not_obeyed.iter().take(NAMED);
        let named: Vec<String> = named
            .map(|obstacle| format!("  {}: {}", visible(&obstacle.id), obstacle.reason))
            .collect();
        let more = match obeyed.not_obeyed_count.saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("\n  and {} more, in report.json", grouped(more as u64)),
        };
        let documents = counted(obeyed.not_obeyed_count as u64, "document");
        lines.push(format!(
            "Not all decisions could be obeyed; look again at {documents}:\n{}{more}",
            named.join("\n")
        ));
    }
    lines
}
