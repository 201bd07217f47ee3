//! A document of a group: an original, a copy, a version of a chain or a page of a template.

use super::edits::{self, Edit, EditKind};
use super::language::{GeneratedLanguage, is_stop};
use super::plan::{GroupKind, PlannedDocument};
use super::shape::ShapeParameters;
use super::story::Story;
use crate::rng::Rng;

/// The random streams of groups and of their members.
const GROUPS: u64 = 3;
const MEMBERS: u64 = 4;

/// A document before it is put on a page.
pub(crate) struct Planted {
    pub(crate) slot: PlannedDocument,
    pub(crate) story: Story,
    pub(crate) edits: Vec<Edit>,
    /// The remaining draws, for what surrounds the story.
    pub(crate) rng: Rng,
}

/// Generates a planned document.
pub(crate) fn document(
    language: &GeneratedLanguage,
    mix: &ShapeParameters,
    seed: u64,
    slot: &PlannedDocument,
) -> Planted {
    let group = &mut Rng::new(seed, &[GROUPS, slot.group.into()]);
    let member = |number: u32| Rng::new(seed, &[MEMBERS, slot.group.into(), number.into()]);
    let mut story = Story::new(language, mix, seed, group);
    let mut rng = member(slot.member);
    let edits = match slot.kind {
        GroupKind::Template => fill_in(&mut story, language, group, &mut rng),
        GroupKind::Copies if slot.member > 0 => edits::copy(&mut story, language, seed, &mut rng),
        GroupKind::Chain if slot.member > 0 => {
            for number in 1..slot.member {
                edits::version(&mut story, language, seed, &mut member(number));
            }
            edits::version(&mut story, language, seed, &mut rng)
        }
        GroupKind::Alone | GroupKind::Copies | GroupKind::Chain => Vec::new(),
    };
    Planted { slot: *slot, story, edits, rng }
}

/// Fills values into the group's slots for them, including the title.
fn fill_in(
    story: &mut Story,
    language: &GeneratedLanguage,
    group: &mut Rng,
    rng: &mut Rng,
) -> Vec<Edit> {
    let rate = 0.08 + 0.4 * group.unit();
    let words = story.words();
    let mut values = 0;
    for sentence in &mut story.sentences {
        for word in sentence {
            // Values replace content words of a sentence, not its grammar.
            if group.chance(rate) && !is_stop(*word) {
                *word = language.value(rng);
                values += 1;
            }
        }
    }
    story.title.iter_mut().for_each(|word| *word = language.value(rng));
    edits::edit(EditKind::Values, values, words).into_iter().collect()
}
