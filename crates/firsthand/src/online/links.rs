//! Links from documents to their originals, followed to the end.

use super::store::Seq;

/// The most links that are followed to an original.
pub(super) const LINKS: usize = 10_000;

/// Where a document leads.
#[derive(Clone, Copy)]
pub(super) struct Onward {
    /// The next one on the way to its original; `None` if it is one.
    pub(super) next: Option<Seq>,
    /// Whether it was deleted or superseded.
    pub(super) is_dead: bool,
}

/// The last document on the way to the original that is still there.
pub(super) fn root(onward_of: impl Fn(Seq) -> Option<Onward>, seq: Seq) -> Seq {
    let (mut at, mut onward) = (seq, onward_of(seq));
    for _ in 0..LINKS {
        let Some(next) = onward.and_then(|onward| onward.next) else { break };
        let Some(of_next) = onward_of(next) else { break };
        (at, onward) = (next, Some(of_next));
    }
    // A dead end leads nowhere.
    if onward.is_some_and(|onward| onward.is_dead) { seq } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next document of 1, 2, ..., whether each is dead, and where 1 leads.
    type Case<'a> = (&'a [(Option<Seq>, bool)], Seq);

    #[test]
    fn links_are_followed_to_the_last_that_is_there() {
        let cases: [Case<'_>; 6] = [
            (&[(None, false)], 1),
            (&[(Some(2), false), (Some(3), true), (None, false)], 3),
            (&[(Some(2), false), (Some(9), false)], 2),
            (&[(Some(2), false), (None, true)], 1),
            (&[(Some(9), false)], 1),
            (&[(Some(2), false), (Some(1), false)], 1),
        ];
        for (links, expected) in cases {
            let onward_of = |seq: Seq| {
                let (next, is_dead) = *links.get(seq as usize - 1)?;
                Some(Onward { next, is_dead })
            };
            assert_eq!(root(onward_of, 1), expected, "{links:?}");
        }
    }
}
