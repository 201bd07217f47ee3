//! Two texts word by word: what both have is quiet, what differs is marked, and figures, dates and names
//! that differ are marked in a colour of their own.

use super::shown::shown;
use firsthand::explain::{Passage, Piece};
use maud::{Markup, html};

/// The most characters of each text that are shown.
const MOST: usize = 200_000;
/// The most characters of a passage that both have, unless it is asked for in full.
const SAME: usize = 2_000;

/// What kind of word differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordKind {
    Figure,
    Date,
    Name,
    Other,
}

impl WordKind {
    fn class(self) -> Option<&'static str> {
        match self {
            WordKind::Figure => Some("figure"),
            WordKind::Date => Some("date"),
            WordKind::Name => Some("name"),
            WordKind::Other => None,
        }
    }
}

/// The passages as rows of two cells.
pub(super) fn rows(passages: &[Passage]) -> Markup {
    let mut left = MOST;
    let mut take = |text: &str| {
        let is_room = left > 0;
        left = left.saturating_sub(text.len().max(20));
        is_room
    };
    html! {
        div.rows {
            @for passage in passages {
                @match passage {
                    Passage::Same { text } => @if take(text) {
                        div.row.same {
                            div dir="auto" { (same(text)) }
                            div dir="auto" { (same(text)) }
                        }
                    }
                    Passage::Changed { pieces } => @if take(&side(pieces, true)) {
                        div.row.changed {
                            div dir="auto" { (marked(pieces, true)) }
                            div dir="auto" { (marked(pieces, false)) }
                        }
                    }
                    Passage::OnlyA { text } => @if take(text) {
                        div.row.only {
                            div dir="auto" { del { (words(text, true)) } }
                            div {}
                        }
                    }
                    Passage::OnlyB { text } => @if take(text) {
                        div.row.only {
                            div {}
                            div dir="auto" { ins { (words(text, true)) } }
                        }
                    }
                }
            }
        }
        @if left == 0 { p.soft { "The rest of these long texts is not shown." } }
    }
}

/// A passage that both have, in full or its ends.
fn same(text: &str) -> Markup {
    let cut = text.char_indices().nth(SAME).map(|(end, _)| end);
    html! {
        @match cut {
            None => (shown(text)),
            Some(end) => { (shown(&text[..end])) span.soft { " … shortened" } }
        }
    }
}

fn side(pieces: &[Piece], of_a: bool) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Same(text) => Some(text.clone()),
        Piece::A(text) => of_a.then(|| text.clone()),
        Piece::B(text) => (!of_a).then(|| text.clone()),
    };
    pieces.iter().filter_map(part).collect()
}

/// One side of a changed passage.
pub(super) fn marked(pieces: &[Piece], of_a: bool) -> Markup {
    let mut starts = true;
    html! {
        @for piece in pieces {
            @match piece {
                Piece::Same(text) => { (shown(text)) ({ starts = ends_sentence(text); "" }) }
                Piece::A(text) => @if of_a {
                    del { (words(text, starts)) } " " ({ starts = ends_sentence(text); "" })
                }
                Piece::B(text) => @if !of_a {
                    ins { (words(text, starts)) } " " ({ starts = ends_sentence(text); "" })
                }
            }
        }
    }
}

/// The variant of a passage in a stack: what it leaves out, and what it has instead. Of what it shares
/// with the passage above only a few words are repeated.
pub(super) fn variant(pieces: &[Piece]) -> Markup {
    let mut starts = true;
    let last = pieces.len().saturating_sub(1);
    html! {
        @for (at, piece) in pieces.iter().enumerate() {
            @match piece {
                Piece::Same(text) => {
                    span.soft { (shown(&ends(text, at > 0, at < last))) } " "
                    ({ starts = ends_sentence(text); "" })
                }
                Piece::A(text) => { del { (words(text, starts)) } " " }
                Piece::B(text) => { ins { (words(text, starts)) } " " ({ starts = ends_sentence(text); "" }) }
            }
        }
    }
}

/// The words of a shared text that are next to what differs.
fn ends(text: &str, differs_before: bool, differs_after: bool) -> String {
    const NEAR: usize = 8;
    let words: Vec<&str> = text.split_whitespace().collect();
    let (head, tail) = (NEAR * usize::from(differs_before), NEAR * usize::from(differs_after));
    if words.len() <= head + tail + 2 {
        return words.join(" ");
    }
    let (head, tail) = (words[..head].join(" "), words[words.len() - tail..].join(" "));
    format!("{head} … {tail}").trim().to_owned()
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', ':', '。', '！', '？'])
}

/// Words that differ, each marked by its kind; `starts` tells whether the first begins a sentence.
fn words(text: &str, starts: bool) -> Markup {
    let mut starts = starts;
    html! {
        @for (at, word) in text.split_whitespace().enumerate() {
            @if at > 0 { " " }
            @match kind(word, starts).class() {
                Some(class) => b class=(class) { (shown(word)) },
                None => (shown(word)),
            }
            ({ starts = ends_sentence(word); "" })
        }
    }
}

fn kind(word: &str, starts: bool) -> WordKind {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let digits = bare.chars().filter(|c| c.is_numeric()).count();
    if digits > 0 {
        let parts: Vec<&str> = bare.split(['-', '/', '.', ':']).collect();
        let is_number = |part: &&str| !part.is_empty() && part.chars().all(char::is_numeric);
        let is_year =
            digits == 4 && bare.len() == 4 && (bare.starts_with("19") || bare.starts_with("20"));
        let is_date = parts.len() == 3 && parts.iter().all(is_number);
        let is_hour = bare.contains(':') && parts.iter().all(is_number);
        return if is_date || is_hour || is_year { WordKind::Date } else { WordKind::Figure };
    }
    if is_named_day(&bare.to_lowercase()) {
        return WordKind::Date;
    }
    let is_capital = bare.chars().next().is_some_and(char::is_uppercase);
    if is_capital && !starts { WordKind::Name } else { WordKind::Other }
}

/// Months and days of the week, in some languages that write them without figures.
fn is_named_day(word: &str) -> bool {
    const NAMES: &str = " january february march april june july august september october november \
        december monday tuesday wednesday thursday friday saturday sunday januar februar märz mai \
        juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend \
        sonntag janvier février mars avril juin juillet août septembre octobre novembre décembre \
        lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio \
        julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes \
        sábado domingo ";
    word.len() > 2 && NAMES.contains(&format!(" {word} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_words() {
        let cases = [
            ("17", WordKind::Figure),
            ("1,200", WordKind::Figure),
            ("$3.5m", WordKind::Figure),
            ("2026-11-17", WordKind::Date),
            ("17/11/2026,", WordKind::Date),
            ("10:30", WordKind::Date),
            ("1998", WordKind::Date),
            ("Monday.", WordKind::Date),
            ("Ankara", WordKind::Name),
            ("ferry", WordKind::Other),
            ("—", WordKind::Other),
        ];
        for (word, expected) in cases {
            assert_eq!(kind(word, false), expected, "{word}");
        }
        assert_eq!(kind("Ferries", true), WordKind::Other);
    }

    #[test]
    fn shared_words_of_a_variant_are_shortened_away_from_the_difference() {
        let text: Vec<String> = (0..30).map(|at| at.to_string()).collect();
        let text = text.join(" ");
        assert_eq!(ends(&text, false, true), "… 22 23 24 25 26 27 28 29");
        assert_eq!(ends(&text, true, false), "0 1 2 3 4 5 6 7 …");
        assert!(ends(&text, true, true).contains("7 … 22"));
        assert_eq!(ends("a few words", true, true), "a few words");
    }

    #[test]
    fn nothing_of_a_text_becomes_markup() {
        let passages = [
            Passage::OnlyA { text: "<script>alert(1)</script>".to_owned() },
            Passage::Changed {
                pieces: vec![Piece::Same("a ".to_owned()), Piece::B("<img onerror=x>".to_owned())],
            },
        ];
        let page = rows(&passages).into_string();
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        assert!(page.contains("<ins>&lt;img onerror=x&gt;</ins>"), "{page}");
    }
}
