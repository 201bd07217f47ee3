//! The differences of two texts, word by word.

use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};
use std::time::Duration;
use utoipa::ToSchema;

/// How long the smallest difference is looked for; after that, a larger one has to do.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where a passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// In both texts.
    Both,
    /// Only in the first.
    First,
    /// Only in the second.
    Second,
}

/// A passage of one text or of both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Change {
    /// Where it is.
    side: Side,
    /// What it says.
    text: String,
}

/// The passages of two texts, in their order.
pub(crate) fn diff(a: &str, b: &str) -> Vec<Change> {
    let differences =
        TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_words(a, b);
    let mut changes: Vec<Change> = Vec::new();
    for change in differences.iter_all_changes() {
        let side = match change.tag() {
            ChangeTag::Equal => Side::Both,
            ChangeTag::Delete => Side::First,
            ChangeTag::Insert => Side::Second,
        };
        match changes.last_mut() {
            Some(last) if last.side == side => last.text.push_str(change.value()),
            _ => changes.push(Change { side, text: change.value().to_owned() }),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_texts_are_in_their_difference() {
        let (a, b) = ("The ferry sailed\nat noon.", "The ferry did not sail\nat noon or later.");
        let changes = diff(a, b);
        let text = |without: Side| -> String {
            changes.iter().filter(|it| it.side != without).map(|it| it.text.as_str()).collect()
        };
        assert_eq!((text(Side::Second).as_str(), text(Side::First).as_str()), (a, b));
        assert_eq!(changes[0], Change { side: Side::Both, text: "The ferry ".to_owned() });
    }
}
