//! Word lists per language: the words that spot signatures start from, and the words they skip.
//!
//! Words are listed as the tokenizer yields them: NFKC, lower-cased, split at Unicode word
//! boundaries, with `'` for every apostrophe. `languages/*.txt` has them: sections in brackets, and
//! comments that start with `#`.

use std::sync::OnceLock;

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
///
/// ```
/// use firsthand::settings::Language;
///
/// let lists = Language::French.lists();
/// assert!(lists.elisions.contains(&"l'"));
/// // Signatures start at words that chains skip.
/// assert!(lists.antecedents.iter().all(|word| lists.stop_words.contains(word)));
/// ```
#[derive(Debug)]
pub struct Lists {
    /// The words a spot signature starts at: articles and the forms of be, can, will, have, do. For
    /// languages with few articles or none, other frequent words.
    pub antecedents: Vec<&'static str>,
    /// The words a chain skips. The antecedents are among them, and come first.
    pub stop_words: Vec<&'static str>,
    /// Elided words that are written together with the next one, such as `l'` in `l'homme`. Each
    /// ends with its only apostrophe and is a stop word, so a word is split after its first
    /// apostrophe if what precedes it is listed here.
    pub elisions: Vec<&'static str>,
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
        static LISTS: [OnceLock<Lists>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        LISTS[self as usize].get_or_init(|| Lists::parse(self.entry().1))
    }

    /// The code and the file of words.
    fn entry(self) -> (&'static str, &'static str) {
        match self {
            Language::Czech => ("cs", include_str!("languages/czech.txt")),
            Language::Danish => ("da", include_str!("languages/danish.txt")),
            Language::Dutch => ("nl", include_str!("languages/dutch.txt")),
            Language::English => ("en", include_str!("languages/english.txt")),
            Language::Finnish => ("fi", include_str!("languages/finnish.txt")),
            Language::French => ("fr", include_str!("languages/french.txt")),
            Language::German => ("de", include_str!("languages/german.txt")),
            Language::Greek => ("el", include_str!("languages/greek.txt")),
            Language::Hungarian => ("hu", include_str!("languages/hungarian.txt")),
            Language::Italian => ("it", include_str!("languages/italian.txt")),
            Language::Norwegian => ("nb", include_str!("languages/norwegian.txt")),
            Language::Polish => ("pl", include_str!("languages/polish.txt")),
            Language::Portuguese => ("pt", include_str!("languages/portuguese.txt")),
            Language::Romanian => ("ro", include_str!("languages/romanian.txt")),
            Language::Russian => ("ru", include_str!("languages/russian.txt")),
            Language::Spanish => ("es", include_str!("languages/spanish.txt")),
            Language::Swedish => ("sv", include_str!("languages/swedish.txt")),
            Language::Turkish => ("tr", include_str!("languages/turkish.txt")),
            Language::Ukrainian => ("uk", include_str!("languages/ukrainian.txt")),
        }
    }
}

impl Lists {
    /// Antecedents are written once and are stop words by construction.
    fn parse(file: &'static str) -> Self {
        let section = |name: &'static str| {
            let lines = file.lines().skip_while(move |&line| line != name).skip(1);
            let lines = lines.take_while(|line| !line.starts_with('['));
            lines.filter(|line| !line.starts_with('#')).flat_map(str::split_ascii_whitespace)
        };
        let antecedents: Vec<_> = section("[antecedents]").collect();
        let stop_words = antecedents.iter().copied().chain(section("[other stop words]")).collect();
        Self { antecedents, stop_words, elisions: section("[elisions]").collect() }
    }
}
