//! Whether two headlines are the same but for their spelling.
//!
//! The versions of a page may be written in different spellings of one language: "Colour" and "Color",
//! "Organise" and "Organize", "Sub-menu" and "Submenu". Spellings differ in vowels, in doubled letters, in s
//! and z, and in where words are joined; names differ in their consonants. Short words are left as they are,
//! because a vowel is much of them: "min" is not "mean".

use crate::tokens::Tokens;
use xxhash_rust::xxh3::xxh3_64;

/// Words with fewer letters have one spelling only.
const LONG: usize = 5;

/// What stands for a run of vowels.
const VOWELS: char = '*';

/// Hashes of a headline of which two spellings of it share one: that of its letters and digits without anything
/// between them, and that of its words without what spellings differ in, and without numbers. Both are 0 if it
/// has no letters.
pub(crate) fn spellings(title: &Tokens) -> [u64; 2] {
    let (mut letters, mut sounds) = (String::new(), String::new());
    for word in title.words() {
        letters.extend(word.chars().filter(|letter| letter.is_alphanumeric()));
        if word.contains(char::is_alphabetic) {
            add_sounds(word, &mut sounds);
            sounds.push(' ');
        }
    }
    match sounds.is_empty() {
        true => [0; 2],
        false => [&letters, &sounds].map(|text| xxh3_64(text.as_bytes()).max(1)),
    }
}

/// Adds a word to `out`, without what its spellings differ in.
fn add_sounds(word: &str, out: &mut String) {
    // What has digits in it is a name.
    if word.chars().count() < LONG || !word.chars().all(char::is_alphabetic) {
        out.push_str(word);
        return;
    }
    let word = word.strip_suffix('s').unwrap_or(word);
    let (stem, ending) = match word.strip_suffix("re") {
        Some(stem) => (stem, "er"),
        None => (word, ""),
    };
    let start = out.len();
    for letter in stem.chars().chain(ending.chars()) {
        let letter = match letter {
            'a' | 'e' | 'i' | 'o' | 'u' => VOWELS,
            'z' => 's',
            other => other,
        };
        if !out[start..].ends_with(letter) {
            out.push(letter);
        }
    }
    if out.ends_with(VOWELS) {
        out.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_one(a: &str, b: &str) -> bool {
        let [a, b] = [a, b].map(|title| spellings(&Tokens::new(title)));
        a.iter().zip(b).any(|(a, b)| *a == b)
    }

    #[test]
    fn spellings_of_a_headline_are_one() {
        for (a, b) in [
            ("Colour Bar", "Color bar"),
            ("Start Centre", "Start Center"),
            ("Organising Modules", "Organizing modules"),
            ("Labelling Fields", "Labeling Fields"),
            ("Object Catalogue", "Object Catalog"),
            ("Copying Formulae", "Copying Formulas"),
            ("More Breaks (sub-menu)", "More Breaks (submenu)"),
            ("3-D View", "3D View"),
            ("Programme 7", "Program 8"),
        ] {
            assert!(are_one(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn names_are_different() {
        for (a, b) in [
            ("MIN function", "MEAN function"),
            ("LTrim Function", "RTrim Function"),
            ("Insert Forms", "Insert Frames"),
            ("FindLua50", "FindLua51"),
            ("CMP0089 policy", "CMP0129 policy"),
            ("Align Left", "Align Right"),
            ("Red", "Blue"),
            ("天気 東京", "天気 大阪"),
        ] {
            assert!(!are_one(a, b), "{a} and {b}");
        }
        assert_eq!(spellings(&Tokens::new("2026, 7")), [0; 2]);
    }
}
