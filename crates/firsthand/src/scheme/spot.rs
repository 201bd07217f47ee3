//! Spot signatures: chains of content words that follow a stop word (SpotSigs, section 3).
//!
//! `the(2,3)` starts wherever *the* occurs and takes three steps of two words each; a step that
//! lands on a stop word moves on to the next word that is not one. Stop words are evenly spread
//! over prose and rare in page furniture, and so are the signatures.

use super::{Antecedent, Feature, chars, lexicon};
use crate::{languages::Language, tokens::Tokens};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const SEED: u64 = 3;

/// The settings of spot signatures.
///
/// ```
/// use firsthand::settings::Spot;
///
/// let spot = Spot { antecedents: vec!["the(2,3)".parse()?], ..Spot::default() };
/// assert_eq!(spot.antecedents[0].to_string(), "the(2,3)");
/// # Ok::<(), firsthand::settings::AntecedentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Spot {
    /// Words from one step of the chain to the next, for antecedents that state none.
    pub distance: usize,
    /// Words in a chain, for antecedents that state none.
    pub chain: usize,
    /// The antecedents; empty means those of the document's language: its articles and the forms
    /// of be, can, will, have and do.
    pub antecedents: Vec<Antecedent>,
    /// Whether the antecedent itself is part of the signature.
    pub with_antecedent: bool,
    /// The language, as an ISO 639-1 code; `auto` detects it from the stop words of each document.
    #[serde(with = "language")]
    pub language: Option<Language>,
    /// A document with fewer signatures, such as a list, a table or a text in a language without
    /// lists, is compared by grams of characters instead.
    pub min_spots: usize,
    /// The length of these grams. A text too short for `min_spots` grams end to end has none.
    pub grams: usize,
}

impl Default for Spot {
    fn default() -> Self {
        Self {
            distance: 1,
            chain: 2,
            antecedents: Vec::new(),
            with_antecedent: true,
            language: None,
            min_spots: 5,
            grams: 5,
        }
    }
}

/// A word of the document, or the elided word before it.
struct Step {
    hash: u64,
    /// The token it came from.
    token: u32,
    stop: bool,
    antecedent: bool,
}

impl Spot {
    pub(super) fn features(&self, tokens: &Tokens, mut emit: impl FnMut(Feature)) {
        match self.steps(tokens) {
            Some(steps) => self.chains(&steps, |hashes, at| emit(feature(hashes, at))),
            None if self.has_grams(tokens) => chars::features(tokens, self.grams, emit),
            None => {}
        }
    }

    /// Whether a text without signatures is long enough to be compared by grams.
    fn has_grams(&self, tokens: &Tokens) -> bool {
        let letters = tokens.words().flat_map(str::chars);
        letters.take(self.min_spots * self.grams).count() == self.min_spots * self.grams
    }

    /// The words with their roles in the document's language; `None` if too few are antecedents.
    fn steps(&self, tokens: &Tokens) -> Option<Vec<Step>> {
        let hashes = tokens.hashes();
        let roles: Vec<_> = hashes.iter().map(|&hash| lexicon::roles(hash)).collect();
        let language = match self.language {
            Some(language) => Language::ALL.iter().position(|&known| known == language),
            None => lexicon::detect(&roles),
        };
        if language.is_none() && self.antecedents.is_empty() {
            return None;
        }
        let bit = language.map_or(0, |language| 1u32 << language);
        let elisions = language.map_or(&[][..], |at| &Language::ALL[at].lists().elisions);
        let own: Vec<u64> =
            self.antecedents.iter().map(|own| xxh3_64(own.word.as_bytes())).collect();
        let mut steps = Vec::with_capacity(hashes.len());
        for (token, (&hash, roles)) in hashes.iter().zip(&roles).enumerate() {
            let mut push = |hash: u64, roles: lexicon::Roles| {
                steps.push(Step {
                    hash,
                    token: token as u32,
                    stop: roles.stop_word & bit != 0,
                    antecedent: if own.is_empty() {
                        roles.antecedent & bit != 0
                    } else {
                        own.contains(&hash)
                    },
                });
            };
            let elided = match elisions {
                [] => None,
                _ if roles.stop_word & bit != 0 => None,
                _ => split_elision(tokens.word(token), elisions),
            };
            match elided {
                Some((article, word)) => {
                    for part in [article, word] {
                        let hash = xxh3_64(part.as_bytes());
                        push(hash, lexicon::roles(hash));
                    }
                }
                None => push(hash, *roles),
            }
        }
        let spots = steps.iter().filter(|step| step.antecedent).count();
        (spots >= self.min_spots).then_some(steps)
    }

    /// Calls `found` with the hashes and the tokens of each signature.
    fn chains(&self, steps: &[Step], mut found: impl FnMut(&[u64], &[u32])) {
        let mut own: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
        for antecedent in &self.antecedents {
            let steps = antecedent.steps.unwrap_or((self.distance, self.chain));
            own.entry(xxh3_64(antecedent.word.as_bytes())).or_default().push(steps);
        }
        let default = [(self.distance, self.chain)];
        let (mut hashes, mut tokens) = (Vec::new(), Vec::new());
        for (start, step) in steps.iter().enumerate() {
            if !step.antecedent {
                continue;
            }
            let specs = own.get(&step.hash).map_or(&default[..], Vec::as_slice);
            for &(distance, chain) in specs {
                hashes.clear();
                tokens.clear();
                tokens.push(step.token);
                if self.with_antecedent {
                    hashes.push(step.hash);
                }
                let mut at = start;
                while tokens.len() <= chain {
                    at += distance;
                    while at < steps.len() && steps[at].stop {
                        at += 1;
                    }
                    // A chain cut off by the end of the document is kept as it is.
                    let Some(next) = steps.get(at) else { break };
                    hashes.push(next.hash);
                    tokens.push(next.token);
                }
                if tokens.len() > 1 {
                    found(&hashes, &tokens);
                }
            }
        }
    }

    /// The signatures in the notation of the paper, `the:south:carolina`.
    pub(super) fn described(&self, tokens: &Tokens, mut emit: impl FnMut(Feature, &str)) {
        let Some(steps) = self.steps(tokens) else {
            if self.has_grams(tokens) {
                chars::described(tokens, self.grams, emit);
            }
            return;
        };
        self.chains(&steps, |hashes, at| {
            let antecedent = usize::from(!self.with_antecedent);
            let words = at.iter().enumerate().map(|(step, &token)| {
                let word = tokens.word(token as usize);
                match step.checked_sub(antecedent) {
                    Some(step) => part(word, hashes[step]),
                    None => word,
                }
            });
            emit(feature(hashes, at), &words.collect::<Vec<_>>().join(":"));
        });
    }

    /// The language whose lists are used for a document, if any.
    pub(crate) fn language_of(&self, tokens: &Tokens) -> Option<Language> {
        self.language.or_else(|| {
            let roles: Vec<_> = tokens.hashes().iter().copied().map(lexicon::roles).collect();
            Some(Language::ALL[lexicon::detect(&roles)?])
        })
    }
}

fn feature(hashes: &[u64], tokens: &[u32]) -> Feature {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    let (first, last) = (tokens[0], tokens[tokens.len() - 1]);
    Feature { hash: xxh3_64_with_seed(&bytes, SEED), first, last }
}

/// The word itself, or the part of an elided word that has this hash.
fn part(word: &str, hash: u64) -> &str {
    let parts = word.find('\'').map(|at| word.split_at(at + 1));
    let found = parts.and_then(|(elided, rest)| {
        [elided, rest].into_iter().find(|part| xxh3_64(part.as_bytes()) == hash)
    });
    found.unwrap_or(word)
}

/// `l'homme` as `l'` and `homme`.
fn split_elision<'a>(word: &'a str, elisions: &[&str]) -> Option<(&'a str, &'a str)> {
    let end = word.find('\'')? + 1;
    let (elided, rest) = word.split_at(end);
    (elisions.contains(&elided) && !rest.is_empty()).then_some((elided, rest))
}

mod language {
    use crate::languages::Language;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        language: &Option<Language>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(language.map_or("auto", Language::code))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Language>, D::Error> {
        let code = String::deserialize(deserializer)?;
        if code == "auto" {
            return Ok(None);
        }
        Language::from_code(&code).map(Some).ok_or_else(|| {
            let known: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
            D::Error::custom(format!(
                "no word lists for language {code:?}: use auto or one of {}",
                known.join(", ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signatures(spot: &Spot, text: &str) -> Vec<String> {
        let tokens = Tokens::new(text);
        let mut found = Vec::new();
        spot.described(&tokens, |_, text| found.push(text.to_owned()));
        found
    }

    fn english(antecedents: &[&str]) -> Spot {
        Spot {
            antecedents: antecedents.iter().map(|word| word.parse().unwrap()).collect(),
            language: Some(Language::English),
            min_spots: 0,
            ..Spot::default()
        }
    }

    #[test]
    fn a_text_with_few_spots_is_compared_by_grams() {
        let table = "Monday rain 12 Tuesday snow 9 Wednesday sun 14 Thursday cloud 11";
        assert!(signatures(&Spot::default(), table).contains(&"monda".to_owned()));
        assert!(signatures(&Spot::default(), "Monday 12 14 9").is_empty());
    }

    #[test]
    fn the_seven_signatures_of_the_paper() {
        let sentence = "At a rally to kick off a weeklong campaign for the South Carolina primary, \
            Obama tried to set the record straight from an attack circulating widely on the \
            Internet that is designed to play into prejudices against Muslims and fears of \
            terrorism.";
        let expected = [
            "a:rally:kick",
            "a:weeklong:campaign",
            "the:south:carolina",
            "the:record:straight",
            "an:attack:circulating",
            "the:internet:designed",
            "is:designed:play",
        ];
        assert_eq!(signatures(&english(&["a", "an", "the", "is"]), sentence), expected);
    }

    #[test]
    fn each_antecedent_may_have_its_own_steps() {
        let text = "the quick brown fox sees lazy dogs";
        assert_eq!(signatures(&english(&["the(2,3)"]), text), ["the:brown:sees:dogs"]);
        let both = signatures(&english(&["the(1,1)", "the(2,2)"]), text);
        assert_eq!(both, ["the:quick", "the:brown:sees"]);
    }

    #[test]
    fn chains_are_cut_at_the_end_if_one_word_is_left() {
        assert_eq!(signatures(&english(&["the"]), "saw the dog"), ["the:dog"]);
        assert!(signatures(&english(&["the"]), "dogs of the").is_empty());
    }

    #[test]
    fn the_antecedent_can_be_left_out() {
        let spot = Spot { with_antecedent: false, ..english(&["a", "the"]) };
        let tokens = Tokens::new("a grey cat and the grey cat");
        let mut hashes = Vec::new();
        spot.features(&tokens, |feature| hashes.push(feature.hash));
        assert_eq!(hashes.len(), 2);
        assert_eq!(hashes[0], hashes[1]);
    }

    #[test]
    fn the_language_chooses_the_antecedents() {
        let spot = Spot::default();
        let german = "Der Minister hat am Montag die neue Brücke über den Fluss eröffnet, und \
            viele Bürger waren mit ihren Kindern zu der Feier gekommen.";
        assert!(signatures(&spot, german).contains(&"die:neue:brücke".to_owned()));
        let french = "Le ministre a ouvert le nouveau pont sur l'estuaire de la rivière, et les \
            habitants sont venus avec leurs enfants pour la fête de l'ouverture.";
        let found = signatures(&spot, french);
        assert!(found.iter().any(|s| s.starts_with("l':estuaire:rivière")), "{found:?}");
    }

    #[test]
    fn languages_without_lists_get_grams() {
        let found = signatures(
            &Spot::default(),
            "我们在北京大学学习中文和历史，每天早上八点钟开始上课，下午去图书馆看书。",
        );
        assert!(found.contains(&"我们在北京".to_owned()), "{found:?}");
    }
}
