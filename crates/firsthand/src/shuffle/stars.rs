//! Stars in one pass over the pairs of classes.
//!
//! In the order of preference, each class joins the most similar original so far, or becomes one. Whether a
//! class is an original thus depends on those before it, in chains that may be long: rounds over the whole
//! graph would be as many as the longest chain has links. But if pairs come in the order of their later
//! class, all that has to be known of the earlier ones is which of them are members. So one pass is enough,
//! and what is kept is a name for each member.

use crate::hashed::BuildHashed;
use std::collections::HashSet;

/// Decides which original each class joins. Classes that no call of [`Stars::join`] names as the later one
/// have no near-duplicate before them: they are originals.
///
/// ```
/// use firsthand::shuffle::Stars;
///
/// // The second is near to the first and joins it. The third is near to the second only, which is no
/// // original, so it is one itself; the fourth is near to the second and to the third.
/// let mut stars = Stars::default();
/// assert_eq!(stars.join(2, [(1, 0.9)]), Some((1, 0.9)));
/// assert_eq!(stars.join(3, [(2, 0.9)]), None);
/// assert_eq!(stars.join(4, [(2, 0.95), (3, 0.8)]), Some((3, 0.8)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stars {
    members: HashSet<u128, BuildHashed>,
}

impl Stars {
    /// The original that a class joins, with the similarity; none if it becomes an original. `near` are the
    /// classes near to it that are preferred to it, in the order of preference; the calls are in this
    /// order, too.
    pub fn join(
        &mut self,
        class: u128,
        near: impl IntoIterator<Item = (u128, f64)>,
    ) -> Option<(u128, f64)> {
        let originals = near.into_iter().filter(|(near, _)| !self.members.contains(near));
        // Of several that are equally similar, the first.
        let best = originals.reduce(|best, next| if next.1 > best.1 { next } else { best });
        if best.is_some() {
            self.members.insert(class);
        }
        best
    }

    /// The number of members so far, each of which is kept in some forty bytes.
    pub fn members(&self) -> usize {
        self.members.len()
    }
}
