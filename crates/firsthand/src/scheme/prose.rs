//! Prose shingles: the shingles that begin with a stop word.
//!
//! Like spot signatures, they rely on running text being full of stop words and page furniture not;
//! but there are about as many of them as of shingles, so small edits matter less.

use super::{Feature, lexicon, words};
use crate::tokens::Tokens;

pub(super) fn features(tokens: &Tokens, n: usize, mut emit: impl FnMut(Feature)) {
    let roles: Vec<_> = tokens.hashes().iter().map(|&hash| lexicon::roles(hash)).collect();
    let Some(language) = lexicon::detect(&roles) else {
        return words::features(tokens, n, emit);
    };
    words::features(tokens, n, |feature| {
        if roles[feature.first as usize].stop_word >> language & 1 == 1 {
            emit(feature);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Scheme;

    fn shingles(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        Scheme::Prose { n: 3 }
            .described(&Tokens::new(text), |_, words| found.push(words.to_owned()));
        found
    }

    #[test]
    fn shingles_begin_with_stop_words() {
        let found = shingles("The ferry sails at noon if the wind drops");
        assert_eq!(found, ["the ferry sails", "at noon if", "if the wind", "the wind drops"]);
    }

    #[test]
    fn lists_and_other_languages_keep_all_shingles() {
        assert_eq!(shingles("Home News Sport Weather"), ["home news sport", "news sport weather"]);
        assert_eq!(shingles("我们在北京学习"), ["我们 在 北京", "在 北京 学习"]);
    }
}
