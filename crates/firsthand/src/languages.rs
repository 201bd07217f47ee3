//! Word lists per language: the words that spot signatures start from, and the words they skip.
//!
//! Words are listed as the tokenizer yields them: NFKC, lower-cased, split at Unicode word
//! boundaries, with `'` for every apostrophe.

mod czech;
mod danish;
mod dutch;
mod english;
mod finnish;
mod french;
mod german;
mod greek;
mod hungarian;
mod italian;
mod norwegian;
mod polish;
mod portuguese;
mod romanian;
mod russian;
mod spanish;
mod swedish;
mod turkish;
mod ukrainian;

#[cfg(test)]
mod tests;

/// A language that has word lists.
///
/// ```
/// use firsthand::settings::Language;
///
/// assert_eq!(Language::from_code("DE"), Some(Language::German));
/// assert_eq!(Language::German.code(), "de");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Czech, `cs`.
    Czech,
    /// Danish, `da`.
    Danish,
    /// Dutch, `nl`.
    Dutch,
    /// English, `en`.
    English,
    /// Finnish, `fi`.
    Finnish,
    /// French, `fr`.
    French,
    /// German, `de`.
    German,
    /// Modern Greek, `el`.
    Greek,
    /// Hungarian, `hu`.
    Hungarian,
    /// Italian, `it`.
    Italian,
    /// Norwegian Bokmål, `nb`.
    Norwegian,
    /// Polish, `pl`.
    Polish,
    /// European and Brazilian Portuguese, `pt`.
    Portuguese,
    /// Romanian, `ro`.
    Romanian,
    /// Russian, `ru`.
    Russian,
    /// Spanish, `es`.
    Spanish,
    /// Swedish, `sv`.
    Swedish,
    /// Turkish, `tr`.
    Turkish,
    /// Ukrainian, `uk`.
    Ukrainian,
}

/// The word lists of one language. No list contains a word twice.
#[derive(Debug)]
pub struct Lists {
    /// The words a spot signature starts at: articles and the forms of be, can, will, have, do. For
    /// languages with few articles or none, other frequent words.
    pub antecedents: &'static [&'static str],
    /// The words a chain skips. The antecedents are among them, and come first.
    pub stop_words: &'static [&'static str],
    /// Elided words that are written together with the next one, such as `l'` in `l'homme`. Each
    /// ends with its only apostrophe and is a stop word, so a word is split after its first
    /// apostrophe if what precedes it is listed here.
    pub elisions: &'static [&'static str],
}

impl Language {
    /// All languages that have lists, by name.
    pub const ALL: &[Language] = &[
        Language::Czech,
        Language::Danish,
        Language::Dutch,
        Language::English,
        Language::Finnish,
        Language::French,
        Language::German,
        Language::Greek,
        Language::Hungarian,
        Language::Italian,
        Language::Norwegian,
        Language::Polish,
        Language::Portuguese,
        Language::Romanian,
        Language::Russian,
        Language::Spanish,
        Language::Swedish,
        Language::Turkish,
        Language::Ukrainian,
    ];

    /// The ISO 639-1 code: two lower-case letters.
    pub fn code(self) -> &'static str {
        self.entry().0
    }

    /// The language with this ISO 639-1 code, in either case. `no`, Norwegian in general, is taken
    /// as Bokmål, which nearly all of it is.
    pub fn from_code(code: &str) -> Option<Self> {
        let code = if code.eq_ignore_ascii_case("no") { "nb" } else { code };
        Self::ALL.iter().copied().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// The word lists of this language.
    pub fn lists(self) -> &'static Lists {
        self.entry().1
    }

    fn entry(self) -> (&'static str, &'static Lists) {
        match self {
            Language::Czech => ("cs", &czech::LISTS),
            Language::Danish => ("da", &danish::LISTS),
            Language::Dutch => ("nl", &dutch::LISTS),
            Language::English => ("en", &english::LISTS),
            Language::Finnish => ("fi", &finnish::LISTS),
            Language::French => ("fr", &french::LISTS),
            Language::German => ("de", &german::LISTS),
            Language::Greek => ("el", &greek::LISTS),
            Language::Hungarian => ("hu", &hungarian::LISTS),
            Language::Italian => ("it", &italian::LISTS),
            Language::Norwegian => ("nb", &norwegian::LISTS),
            Language::Polish => ("pl", &polish::LISTS),
            Language::Portuguese => ("pt", &portuguese::LISTS),
            Language::Romanian => ("ro", &romanian::LISTS),
            Language::Russian => ("ru", &russian::LISTS),
            Language::Spanish => ("es", &spanish::LISTS),
            Language::Swedish => ("sv", &swedish::LISTS),
            Language::Turkish => ("tr", &turkish::LISTS),
            Language::Ukrainian => ("uk", &ukrainian::LISTS),
        }
    }
}

/// Concatenates the two lists, so that antecedents are written once and are stop words by
/// construction. `N` must be the sum of their lengths; anything else does not compile.
const fn joined<const N: usize>(
    antecedents: &[&'static str],
    others: &[&'static str],
) -> [&'static str; N] {
    assert!(antecedents.len() + others.len() == N);
    let mut all = [""; N];
    let mut at = 0;
    while at < N {
        all[at] =
            if at < antecedents.len() { antecedents[at] } else { others[at - antecedents.len()] };
        at += 1;
    }
    all
}
