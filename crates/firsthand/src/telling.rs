//! Features that tell the headline of a page, and whether two pages differ in just these.
//!
//! Pages of one form say the same of different things: where one page names its subject, the other names
//! another. A story that a site publishes again under another headline still tells what it told before. So
//! pages of one site with different headlines are told apart by the words that only one of the two headlines
//! has: by the share of the features with such a word that the other page has as well, beside the share of all
//! features that they have in common.

use crate::tokens::Tokens;

/// The most features that are kept for each word of a headline: those with the lowest hashes, so that they are a
/// random sample.
const MOST: usize = 16;

/// With fewer features that tell what only one of two headlines says, nothing can be said.
const LEAST: u64 = 3;

/// The most words of a headline that count.
const WORDS: usize = 255;

/// The bits of a feature that are kept.
const BITS: u32 = 24;

/// Marks a word of a line that only repeats the headline, as every page has one.
const REPEATED: u8 = u8::MAX;

/// Features with the words of a headline, ascending: the place of the word among those of the headline,
/// which are ascending as well, and the first bits of the feature.
pub(crate) type Telling = Vec<u32>;

/// Finds the features of a text that tell its headline.
#[derive(Debug, Default)]
pub(crate) struct Teller {
    /// For each word of the text: 0, or 1 and its place in the headline.
    marks: Vec<u8>,
}

impl Teller {
    /// Begins with a text; the words of the headline are ascending.
    pub(crate) fn begin(&mut self, text: &Tokens, headline: &[u64]) {
        let headline = &headline[..headline.len().min(WORDS - 1)];
        self.marks.clear();
        if headline.is_empty() {
            return;
        }
        // Most words are ruled out by a few bits of their hash.
        let bit = |word: u64| 1u64 << (word >> 58);
        let filter = headline.iter().fold(0, |filter, word| filter | bit(*word));
        let place = |word: &u64| match filter & bit(*word) {
            0 => 0,
            _ => headline.binary_search(word).map_or(0, |at| at as u8 + 1),
        };
        self.marks.extend(text.hashes().iter().map(place));
        let mut start = 0;
        for &end in text.block_ends() {
            let line = &mut self.marks[start..end as usize];
            if !line.contains(&0) {
                line.fill(REPEATED);
            }
            start = end as usize;
        }
    }

    /// Adds a feature, made from the words from `first` to `last`, if it tells the headline.
    pub(crate) fn add(&self, feature: u64, (first, last): (u32, u32), telling: &mut Telling) {
        let Some(marks) = self.marks.get(first as usize..=last as usize) else { return };
        if marks.iter().all(|mark| *mark == 0) || marks.contains(&REPEATED) {
            return;
        }
        let places = marks.iter().filter(|mark| **mark > 0).map(|mark| u32::from(mark - 1));
        telling.extend(places.map(|place| place << BITS | first_bits(feature)));
    }
}

/// Keeps a sample of the features that are in the set that a page is compared by.
pub(crate) fn sample(telling: &mut Telling, set: &[u64]) {
    telling.retain(|told| has(set, *told));
    telling.sort_unstable();
    telling.dedup();
    let (mut word, mut kept) = (None, 0);
    telling.retain(|told| {
        let own = Some(told >> BITS);
        kept = if own == word { kept + 1 } else { 1 };
        word = own;
        kept <= MOST
    });
    telling.shrink_to_fit();
}

/// A page with its headline (ascending words), the features that tell it, and all of its features.
#[derive(Clone, Copy)]
pub(crate) struct ToldPage<'a> {
    pub(crate) headline: &'a [u64],
    pub(crate) telling: &'a [u32],
    pub(crate) set: &'a [u64],
}

impl ToldPage<'_> {
    /// How many features tell what the headline of the other does not say, and how many of them it has.
    fn told_by(&self, other: &Self) -> (u64, u64) {
        let is_own = |told: &&u32| {
            let word = self.headline.get((**told >> BITS) as usize);
            word.is_some_and(|word| other.headline.binary_search(word).is_err())
                && has(self.set, **told)
        };
        let mut own: Vec<u32> =
            self.telling.iter().filter(is_own).map(|told| bits(*told)).collect();
        own.sort_unstable();
        own.dedup();
        let shared = own.iter().filter(|told| has(other.set, **told)).count();
        (own.len() as u64, shared as u64)
    }
}

/// How two pages tell what only one of their headlines says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Neither tells enough of it to say more.
    Nothing,
    /// Both tell it as much as they tell anything else.
    Alike,
    /// They tell it differently: of the features with a word that only one headline has, less than three quarters
    /// as many are shared as of all features. Pages of one form do, and some stories that were rewritten.
    Apart,
    /// Each tells its own: less than two fifths as many are shared.
    Swapped,
}

/// How two pages that share a number of features tell what only one of their headlines says. A long text may gain
/// a part that its new headline tells, as long as it tells all of the old one.
pub(crate) fn told(a: ToldPage<'_>, b: ToldPage<'_>, shared: u64, is_long: bool) -> Told {
    let sides = [a.told_by(&b), b.told_by(&a)];
    let (told, common) = sides.iter().fold((0, 0), |sum, side| (sum.0 + side.0, sum.1 + side.1));
    if told < LEAST {
        return Told::Nothing;
    }
    let is_kept = |(told, common): &(u64, u64)| *told >= LEAST && 10 * common >= 9 * told;
    let sizes = (a.set.len() + b.set.len()) as u64;
    // The share of all features is 2 * shared / sizes.
    let is_below = |n: u64, d: u64| d * common * sizes < n * told * 2 * shared;
    match is_long && sides.iter().any(is_kept) {
        false if is_below(2, 5) => Told::Swapped,
        false if is_below(3, 4) => Told::Apart,
        _ => Told::Alike,
    }
}

fn first_bits(feature: u64) -> u32 {
    (feature >> (u64::BITS - BITS)) as u32
}

fn bits(told: u32) -> u32 {
    told & ((1 << BITS) - 1)
}

/// Whether an ascending set has a feature with these first bits.
fn has(set: &[u64], told: u32) -> bool {
    let at = set.partition_point(|feature| first_bits(*feature) < bits(told));
    set.get(at).is_some_and(|feature| first_bits(*feature) == bits(told))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scheme::Scheme, set::Sorter};

    /// A page by its headline and its text, of three-word shingles.
    struct Page {
        headline: Vec<u64>,
        telling: Telling,
        set: Vec<u64>,
    }

    fn page(headline: &str, text: &str) -> Page {
        let (text, title) = (Tokens::new(text), Tokens::new(headline));
        let mut headline = title.hashes().to_vec();
        headline.sort_unstable();
        headline.dedup();
        let (mut teller, mut telling, mut set) = (Teller::default(), Vec::new(), Vec::new());
        teller.begin(&text, &headline);
        Scheme::Words { n: 3 }.features(&text, |feature| {
            set.push(feature.hash);
            teller.add(feature.hash, (feature.first, feature.last), &mut telling);
        });
        Sorter::default().make_set(&mut set, false);
        sample(&mut telling, &set);
        Page { headline, telling, set }
    }

    impl Page {
        fn told(&self) -> ToldPage<'_> {
            ToldPage { headline: &self.headline, telling: &self.telling, set: &self.set }
        }

        fn beside(&self, other: &Page, is_long: bool) -> Told {
            let shared = self.set.iter().filter(|feature| other.set.contains(feature)).count();
            let result = told(self.told(), other.told(), shared as u64, is_long);
            let reverse = told(other.told(), self.told(), shared as u64, is_long);
            assert_eq!(result, reverse, "the order does not matter");
            result
        }
    }

    const FORM: &str = "# function\nThe # function returns the value that was set before. Call # with the name \
        of the field, or with its number; with neither, # returns an error. See also the list of functions.";
    const STORY: &str = "The ferry to the island did not sail on Monday because of the storm, and the harbour \
        was closed until noon. Nobody was hurt, the owner of the ferry said, but two boats were lost in the harbour.";

    #[test]
    fn pages_of_a_form_swap_what_their_headlines_say() {
        let of = |name: &str| page(&format!("{name} function"), &FORM.replace('#', name));
        assert_eq!(of("Left").beside(&of("Right"), false), Told::Swapped);
        assert_eq!(of("Left").beside(&of("Right"), true), Told::Swapped);
    }

    #[test]
    fn a_story_tells_the_same_below_another_headline() {
        let first = page("Storm stops ferry", STORY);
        let again = page("Two boats lost in harbour", &STORY.replace("Monday", "Tuesday"));
        assert_eq!(first.beside(&again, false), Told::Alike);
        // A headline that the text does not tell, whatever line repeats it.
        let strange = page("Weather and tides", &format!("Weather and tides\n{STORY}"));
        assert_eq!(first.beside(&strange, false), Told::Alike);
    }

    #[test]
    fn a_long_text_may_gain_a_part_that_its_new_headline_tells() {
        let more = "Later the mayor resigned. The mayor said that the harbour needs money, and that the mayor \
            alone cannot find it. A new mayor is to be elected in May; no mayor was ever elected sooner.";
        let first = page("Storm stops ferry", STORY);
        let later = page("Mayor resigned", &format!("{STORY}\n{more}"));
        assert_ne!(first.beside(&later, false), Told::Alike);
        assert_eq!(first.beside(&later, true), Told::Alike);
    }

    #[test]
    fn little_says_nothing() {
        assert_eq!(page("", STORY).beside(&page("Red", STORY), false), Told::Nothing);
        let red = page("Red", &format!("{STORY} red"));
        assert_eq!(page("Green", STORY).beside(&red, false), Told::Nothing);
    }

    #[test]
    fn a_sample_has_few_features_for_each_word() {
        let text: String = (0..100).map(|n| format!("red w{n} blue v{n} ")).collect();
        let page = page("red blue", &text);
        assert_eq!(page.telling.len(), 2 * MOST);
        assert!(page.telling.is_sorted() && page.telling.iter().all(|told| has(&page.set, *told)));
    }
}
