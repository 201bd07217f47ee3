//! One line of each of two texts, from a little before the place where they begin to differ.

use firsthand::explain::{Passage, Piece};

/// The most characters of an excerpt.
const LONG: usize = 200;

/// The most characters before the difference.
const BEFORE: usize = 50;

/// One line of each text.
pub(super) fn excerpts(passages: &[Passage]) -> (String, String) {
    let mut texts = [String::new(), String::new()];
    // Where the texts begin to differ.
    let mut first: Option<[usize; 2]> = None;
    for passage in passages {
        let mut add = |sides: &[usize], text: &str| {
            if sides.len() == 1 {
                first.get_or_insert([texts[0].len(), texts[1].len()]);
            }
            sides.iter().for_each(|&side| texts[side].push_str(text));
        };
        match passage {
            Passage::Same { text } => add(&[0, 1], text),
            Passage::OnlyA { text } => add(&[0], text),
            Passage::OnlyB { text } => add(&[1], text),
            Passage::Changed { pieces } => pieces.iter().for_each(|piece| match piece {
                Piece::Same(text) => add(&[0, 1], text),
                Piece::A(text) => add(&[0], text),
                Piece::B(text) => add(&[1], text),
            }),
        }
        add(&[0, 1], "\n");
        // A character has at most four bytes: no more would be seen of either text.
        let is_enough = |from: [usize; 2]| [0, 1].map(|at| texts[at].len() - from[at] > 4 * LONG);
        if first.map(is_enough) == Some([true; 2]) {
            break;
        }
    }
    // Equal texts are shown from the start.
    let [a, b] = first.unwrap_or_default();
    (cut(&texts[0], a), cut(&texts[1], b))
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
