//! One line of each of two texts, from a little before the place where they begin to differ.

use firsthand::explain::{Passage, Piece};

/// The most characters of an excerpt.
const LONG: usize = 200;

/// The most characters before the difference.
const BEFORE: usize = 50;

/// One line of each text.
pub(super) fn excerpts(passages: &[Passage]) -> (String, String) {
    let mut sides = ExcerptPair::default();
    for passage in passages {
        match passage {
            Passage::Same { text } => sides.both(text),
            Passage::OnlyA { text } => sides.only(0, text),
            Passage::OnlyB { text } => sides.only(1, text),
            Passage::Changed { pieces } => {
                for piece in pieces {
                    match piece {
                        Piece::Same(text) => sides.both(text),
                        Piece::A(text) => sides.only(0, text),
                        Piece::B(text) => sides.only(1, text),
                    }
                }
            }
        }
        sides.end();
        if sides.enough() {
            break;
        }
    }
    let ExcerptPair { texts: [a, b], first } = sides;
    // Equal texts are shown from the start.
    let (at_a, at_b) = first.unwrap_or((0, 0));
    (cut(&a, at_a), cut(&b, at_b))
}

#[derive(Default)]
struct ExcerptPair {
    texts: [String; 2],
    /// Where the texts begin to differ.
    first: Option<(usize, usize)>,
}

impl ExcerptPair {
    fn both(&mut self, text: &str) {
        self.texts.iter_mut().for_each(|side| side.push_str(text));
    }

    fn only(&mut self, side: usize, text: &str) {
        self.first.get_or_insert((self.texts[0].len(), self.texts[1].len()));
        self.texts[side].push_str(text);
    }

    /// The end of a passage.
    fn end(&mut self) {
        self.both("\n");
    }

    /// Whether the excerpts would not show any more of the texts.
    fn enough(&self) -> bool {
        // A character has at most four bytes.
        let seen = |side: usize, from: usize| self.texts[side].len() - from > 4 * LONG;
        self.first.is_some_and(|(a, b)| seen(0, a) && seen(1, b))
    }
}

/// An excerpt around a place; white space becomes single spaces.
fn cut(text: &str, at: usize) -> String {
    let before = text[..at].char_indices().rev().nth(BEFORE).map_or(0, |(start, _)| start);
    // It starts with a whole word, if there is one.
    let start = match text[before..at].find(char::is_whitespace) {
        Some(space) if before > 0 => before + space,
        _ => before,
    };
    let mut line = String::new();
    if start > 0 {
        line.push_str("… ");
    }
    let mut length = 0;
    for word in text[start..].split_whitespace() {
        let size = word.chars().count() + 1;
        if length + size > LONG {
            // A text in a script without spaces is one long word.
            line.extend(word.chars().take((LONG - length).min(size)));
            line.push('…');
            return line;
        }
        length += size;
        line.push_str(word);
        line.push(' ');
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Passage {
        Passage::Same { text: text.to_owned() }
    }

    #[test]
    fn from_where_the_texts_differ() {
        let pieces = vec![
            Piece::Same("will not sail ".to_owned()),
            Piece::A("today ".to_owned()),
            Piece::B("on\tMonday ".to_owned()),
            Piece::Same("because of the storm".to_owned()),
        ];
        let passages = [same(&"A long beginning. ".repeat(9)), Passage::Changed { pieces }];
        let (a, b) = excerpts(&passages);
        assert_eq!(
            a,
            "… long beginning. A long beginning. will not sail today because of the storm"
        );
        assert!(b.ends_with("will not sail on Monday because of the storm"), "{b}");
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpts(&[same("=1+1")]), ("=1+1".to_owned(), "=1+1".to_owned()));
        assert_eq!(excerpts(&[]), (String::new(), String::new()));
        let long = format!("{}\n\n{}", "word ".repeat(100), "字".repeat(400_000));
        let only = [Passage::OnlyA { text: long }, Passage::OnlyB { text: "字".repeat(500) }];
        let (a, b) = excerpts(&only);
        assert!(a.starts_with("word") && a.chars().count() < 210, "{a}");
        assert!(b.chars().count() <= 201 && b.ends_with('…'), "{b}");
        assert!(!a.contains(['\n', '\t']));
    }
}
