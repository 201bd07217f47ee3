//! Rules for every word list, and the example of the SpotSigs paper.

use std::collections::HashSet;

use super::{Language, Lists};

fn all() -> impl Iterator<Item = (Language, &'static Lists)> {
    Language::ALL.iter().map(|&language| (language, language.lists()))
}

fn each_word() -> impl Iterator<Item = (Language, &'static str)> {
    all().flat_map(|(language, lists)| {
        lists.stop_words.iter().chain(&lists.elisions).map(move |&word| (language, word))
    })
}

/// Whether NFKC leaves the letter alone whatever is next to it. True of the precomposed letters of
/// these alphabets, except the few compatibility letters named here.
fn is_nfkc_letter(letter: char) -> bool {
    let compatibility = matches!(letter, 'ª' | 'µ' | 'º' | 'ĳ' | 'ŀ' | 'ŉ' | 'ſ');
    let latin = matches!(letter, 'a'..='z' | '\u{df}'..='\u{17f}' | '\u{218}'..='\u{21b}');
    let greek = matches!(letter, '\u{390}'..='\u{3ce}');
    let cyrillic = matches!(letter, '\u{430}'..='\u{45f}' | '\u{491}');
    letter.is_alphabetic() && !compatibility && (latin || greek || cyrillic)
}

#[test]
fn every_antecedent_is_a_stop_word() {
    for (language, lists) in all() {
        for word in &lists.antecedents {
            assert!(lists.stop_words.contains(word), "{language:?}: {word}");
        }
    }
}

#[test]
fn no_list_is_short_or_long() {
    for (language, lists) in all() {
        let (antecedents, stop_words) = (lists.antecedents.len(), lists.stop_words.len());
        assert!((20..=90).contains(&antecedents), "{language:?}: {antecedents} antecedents");
        assert!((100..=350).contains(&stop_words), "{language:?}: {stop_words} stop words");
    }
}

#[test]
fn no_list_holds_a_word_twice() {
    for (language, lists) in all() {
        for list in [&lists.antecedents, &lists.stop_words, &lists.elisions] {
            let mut seen = HashSet::new();
            for word in list {
                assert!(seen.insert(word), "{language:?}: {word}");
            }
        }
    }
}

#[test]
fn words_are_spelt_as_the_tokenizer_yields_them() {
    for (language, word) in each_word() {
        assert_eq!(word, word.to_lowercase(), "{language:?}");
        assert!(word.chars().any(char::is_alphabetic), "{language:?}: {word:?}");
        for letter in word.chars() {
            assert!(letter == '\'' || is_nfkc_letter(letter), "{language:?}: {word:?}");
        }
    }
}

#[test]
fn only_an_elision_ends_with_an_apostrophe_and_no_word_starts_with_one() {
    for (language, lists) in all() {
        for word in &lists.stop_words {
            assert!(!word.starts_with('\''), "{language:?}: {word}");
            assert_eq!(word.ends_with('\''), lists.elisions.contains(word), "{language:?}: {word}");
        }
    }
}

#[test]
fn an_elision_is_a_stop_word_with_one_apostrophe() {
    for (language, lists) in all() {
        for elision in &lists.elisions {
            assert!(lists.stop_words.contains(elision), "{language:?}: {elision}");
            assert_eq!(elision.find('\''), Some(elision.len() - 1), "{language:?}: {elision}");
        }
    }
    assert!(Language::French.lists().antecedents.contains(&"l'"));
    assert!(!Language::French.lists().antecedents.contains(&"d'"));
}

#[test]
fn no_stop_word_would_be_split_at_an_elision() {
    for (language, lists) in all() {
        for word in lists.stop_words.iter().filter(|word| !word.ends_with('\'')) {
            let split = lists.elisions.iter().any(|elision| word.starts_with(elision));
            assert!(!split, "{language:?}: {word}");
        }
    }
}

#[test]
fn codes_lead_back_to_their_language() {
    let codes: HashSet<_> = Language::ALL.iter().map(|language| language.code()).collect();
    assert_eq!(codes.len(), Language::ALL.len());
    for &language in Language::ALL {
        assert_eq!(Language::from_code(language.code()), Some(language));
        assert_eq!(Language::from_code(&language.code().to_uppercase()), Some(language));
        assert_eq!(language.code().len(), 2);
    }
    assert_eq!(Language::from_code("no"), Some(Language::Norwegian));
    assert_eq!(Language::from_code("ca"), None);
    assert_eq!(Language::from_code(""), None);
}

#[test]
fn english_stop_words_are_function_words_only() {
    let stop_words = &Language::English.lists().stop_words;
    for word in ["to", "off", "for", "from", "on", "that", "into", "against", "of", "and"] {
        assert!(stop_words.contains(&word), "{word}");
    }
    for word in ["kick", "straight", "widely", "record", "designed", "internet"] {
        assert!(!stop_words.contains(&word), "{word}");
    }
}

/// Section 3.2 of the SpotSigs paper: the seven signatures with the antecedents a, an, the, is.
#[test]
fn english_stop_words_give_the_signatures_of_the_paper() {
    let text = "at a rally to kick off a weeklong campaign for the south carolina primary obama \
                tried to set the record straight from an attack circulating widely on the \
                internet that is designed to play into prejudices against muslims and fears of \
                terrorism";
    let words: Vec<_> = text.split(' ').collect();
    let stop_words = &Language::English.lists().stop_words;
    let next = |at: usize| (at + 1..words.len()).find(|&at| !stop_words.contains(&words[at]));
    let mut signatures = Vec::new();
    for (at, antecedent) in words.iter().enumerate() {
        if ["a", "an", "the", "is"].contains(antecedent) {
            let first = next(at).unwrap();
            let second = next(first).unwrap();
            signatures.push(format!("{antecedent}:{}:{}", words[first], words[second]));
        }
    }
    let expected = [
        "a:rally:kick",
        "a:weeklong:campaign",
        "the:south:carolina",
        "the:record:straight",
        "an:attack:circulating",
        "the:internet:designed",
        "is:designed:play",
    ];
    assert_eq!(signatures, expected);
}
