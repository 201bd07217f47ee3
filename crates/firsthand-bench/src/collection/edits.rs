//! The edits of a copy, each with the share it really changed.

use serde::Serialize;

use super::language::GeneratedLanguage;
use super::story::Story;
use crate::rng::Rng;

/// A change of a text. The share is relative to the words before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Edit {
    pub(crate) kind: EditKind,
    pub(crate) share: f64,
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EditKind {
    /// Words replaced in place.
    Words,
    /// Sentences removed at the end.
    Cut,
    /// New sentences inserted.
    Insert,
    /// The first sentences moved to the end.
    Move,
    /// Another title.
    Title,
    /// Other values filled into a template.
    Values,
}

/// The largest share of a copy's words that is replaced.
const MOST_REPLACED: f64 = 0.12;
const MOST_CUT: f64 = 0.3;
const MOST_INSERTED: f64 = 0.25;

/// Edits a copy: a third of them not at all, the others in one way or two.
pub(crate) fn copy(
    story: &mut Story,
    language: &GeneratedLanguage,
    seed: u64,
    rng: &mut Rng,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    if rng.chance(0.35) {
        return edits;
    }
    for _ in 0..rng.between(1, 2) {
        edits.extend(match rng.below(6) {
            // Squared, so that light edits are more frequent.
            0..3 => words(story, language, MOST_REPLACED * rng.unit().powi(2), rng),
            3 => cut(story, MOST_CUT * rng.unit()),
            4 => insert(story, language, seed, MOST_INSERTED * rng.unit(), rng),
            _ => move_first(story, rng),
        });
    }
    if rng.chance(0.2) {
        story.title = (0..rng.between(3, 8)).map(|_| language.content(rng)).collect();
        edits.push(Edit { kind: EditKind::Title, share: 0.0 });
    }
    edits
}

/// Each version from the one before: some words replaced, now and then a sentence inserted or
/// removed.
pub(crate) fn version(
    story: &mut Story,
    language: &GeneratedLanguage,
    seed: u64,
    rng: &mut Rng,
) -> Vec<Edit> {
    let rate = 0.01 + 0.05 * rng.unit();
    let mut edits: Vec<Edit> = words(story, language, rate, rng).into_iter().collect();
    if rng.chance(0.3) {
        edits.extend(insert(story, language, seed, 0.08 * rng.unit(), rng));
    }
    if rng.chance(0.2) {
        edits.extend(cut(story, 0.12 * rng.unit()));
    }
    edits
}

fn words(
    story: &mut Story,
    language: &GeneratedLanguage,
    rate: f64,
    rng: &mut Rng,
) -> Option<Edit> {
    let before = story.words();
    let mut changed = 0;
    for sentence in &mut story.sentences {
        for at in 0..sentence.len() {
            if rng.chance(rate) {
                let left = at.checked_sub(1).map(|left| sentence[left]);
                let word = language.next(left, rng);
                changed += usize::from(word != sentence[at]);
                sentence[at] = word;
            }
        }
    }
    edit(EditKind::Words, changed, before)
}

fn cut(story: &mut Story, share: f64) -> Option<Edit> {
    let before = story.words();
    let mut lost = 0;
    while story.can_lose_last() {
        let last = story.sentences.last().map_or(0, Vec::len);
        if (lost + last) as f64 > share * before as f64 {
            break;
        }
        lost += last;
        story.sentences.pop();
    }
    edit(EditKind::Cut, lost, before)
}

fn insert(
    story: &mut Story,
    language: &GeneratedLanguage,
    seed: u64,
    share: f64,
    rng: &mut Rng,
) -> Option<Edit> {
    let before = story.words();
    let at = rng.below(story.sentences.len() + 1);
    let mut added = 0;
    loop {
        let sentence = language.sentence(seed, rng);
        if (added + sentence.len()) as f64 > share * before as f64 {
            return edit(EditKind::Insert, added, before);
        }
        added += sentence.len();
        story.sentences.insert(at, sentence);
    }
}

fn move_first(story: &mut Story, rng: &mut Rng) -> Option<Edit> {
    let before = story.words();
    let some = rng.below(story.sentences.len() / 2 + 1);
    let moved = story.sentences[..some].iter().map(Vec::len).sum();
    story.sentences.rotate_left(some);
    edit(EditKind::Move, moved, before)
}

/// The record of a change; `None` if nothing changed.
pub(crate) fn edit(kind: EditKind, words: usize, of: usize) -> Option<Edit> {
    let share = (words as f64 / of.max(1) as f64 * 1e4).round() / 1e4;
    (words > 0).then_some(Edit { kind, share })
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;

    #[test]
    fn shares_are_what_was_changed() {
        let language = GeneratedLanguage::new(7);
        let mix = Shape::Mixed.mix().expect("figures");
        let mut done = [0; 4];
        for number in 0..200 {
            let mut rng = Rng::new(7, &[number]);
            let base = Story::new(&language, &mix, 7, &mut rng);
            let words_before = base.words() as f64;
            let mut copy = base.clone();
            if let Some(edit) = words(&mut copy, &language, 0.1, &mut rng) {
                let flat = |story: &Story| story.sentences.concat();
                let (a, b) = (flat(&base), flat(&copy));
                let changed = a.iter().zip(&b).filter(|(a, b)| a != b).count() as f64;
                assert!((edit.share - changed / words_before).abs() < 1e-4);
                done[0] += 1;
            }
            let mut copy = base.clone();
            if let Some(edit) = cut(&mut copy, 0.3) {
                assert!(edit.share <= 0.3);
                let lost = words_before - copy.words() as f64;
                assert!((edit.share - lost / words_before).abs() < 1e-4);
                assert!(base.sentences.starts_with(&copy.sentences));
                done[1] += 1;
            }
            let mut copy = base.clone();
            if let Some(edit) = insert(&mut copy, &language, 7, 0.25, &mut rng) {
                let added = copy.words() as f64 - words_before;
                assert!((edit.share - added / words_before).abs() < 1e-4);
                done[2] += 1;
            }
            let mut copy = base.clone();
            if move_first(&mut copy, &mut rng).is_some() {
                assert_ne!(copy, base);
                copy.sentences.sort();
                let mut same = base.sentences.clone();
                same.sort();
                assert_eq!(copy.sentences, same);
                done[3] += 1;
            }
        }
        assert!(done.iter().all(|&times| times > 50), "{done:?}");
    }
}
