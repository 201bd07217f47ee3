//! Laws of the guard on arbitrary text.

use super::counterfactual::counterfactual;
use firsthand::{
    evaluate::{change_furniture, change_one_figure},
    guard::{Change, FigureKind, Figures},
};
use proptest::prelude::*;

/// English words that mean nothing for numbers.
const WORDS: &[&str] = &[
    "the",
    "minister",
    "said",
    "that",
    "people",
    "were",
    "killed",
    "in",
    "town",
    "and",
    "storm",
    "had",
    "come",
    "over",
    "night",
    "with",
    "rescue",
    "teams",
    "still",
    "searching",
    "houses",
    "along",
    "river",
    "which",
    "is",
    "not",
    "far",
    "from",
    "capital",
    "while",
    "others",
    "have",
    "fled",
    "to",
    "hills",
    "where",
    "army",
    "set",
    "up",
    "tents",
    "of",
    "it",
    "was",
    "a",
    "day",
    "nobody",
    "there",
    "forgets",
];

/// Prose: sentences of words, with occasional figures.
fn prose() -> impl Strategy<Value = Vec<Vec<String>>> {
    let figure = prop_oneof![
        (2u32..400).prop_map(|number| format!("{number} people")),
        (1u32..90).prop_map(|number| format!("{number} percent")),
        (2u32..900).prop_map(|number| format!("${number} million")),
        (1u32..28).prop_map(|day| format!("on March {day}")),
        Just("seventeen men".to_owned()),
    ];
    let word = prop_oneof![
        12 => prop::sample::select(WORDS).prop_map(str::to_owned),
        1 => figure,
    ];
    prop::collection::vec(prop::collection::vec(word, 12..25), 2..8)
}

fn text(sentences: &[Vec<String>]) -> String {
    sentences.iter().map(|words| words.join(" ") + ".").collect::<Vec<_>>().join("\n")
}

/// Text of everything the reader has a rule for.
fn odd_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "1",
        "17",
        "2014",
        "007",
        "1,200",
        "1.200",
        "12.03.2014",
        "3",
        "March",
        "März",
        "mars",
        "$",
        "€",
        "%",
        "-",
        "–",
        ":",
        "/",
        "(",
        ")",
        ".",
        ",",
        "'",
        "°",
        "©",
        "m",
        "bn",
        "million",
        "Mrd",
        "hundred",
        "twenty",
        "quatre",
        "vingt",
        "et",
        "un",
        "mil",
        "siebenundzwanzig",
        "dozen",
        "thousands",
        "first",
        "pm",
        "Uhr",
        "h30",
        "km",
        "people",
        "comments",
        "ago",
        "vor",
        "de",
        "the",
        "der",
        "le",
        "el",
        "\n",
        "\u{202f}",
        "+",
        "٣",
        "日",
        "http://a.b/1",
        "é",
        "\u{ad}",
        "½",
        "st",
        "s",
    ]);
    prop::collection::vec((piece, any::<bool>()), 0..60).prop_map(|pieces| {
        pieces
            .into_iter()
            .map(|(piece, space)| format!("{piece}{}", if space { " " } else { "" }))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_text_does_not_differ_from_itself(text in odd_text()) {
        let figures = Figures::read(&text);
        prop_assert_eq!(figures.changed(&figures), []);
    }

    #[test]
    fn bytes_give_the_same_figures(text in prop_oneof![odd_text(), any::<String>()]) {
        let figures = Figures::read(&text);
        prop_assert_eq!(Figures::from_bytes(&figures.to_bytes()), Some(figures));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), first in 0u8..3) {
        let _ = Figures::from_bytes(&bytes);
        let _ = Change::from_bytes(&bytes);
        let mut versioned = vec![first];
        versioned.extend(bytes);
        if let Some(figures) = Figures::from_bytes(&versioned) {
            let _ = figures.changed(&figures);
        }
        let _ = Change::from_bytes(&versioned);
    }

    #[test]
    fn damaged_bytes_do_no_harm(text in odd_text(), other in odd_text(), at in any::<prop::sample::Index>(), bits in 1u8..) {
        let figures = Figures::read(&text);
        let mut bytes = figures.to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        if let Some(damaged) = Figures::from_bytes(&bytes) {
            let _ = damaged.changed(&Figures::read(&other));
            let _ = Figures::read(&other).changed(&damaged);
        }
        prop_assert_eq!(Figures::from_bytes(&bytes[..at]), None);
    }

    #[test]
    fn a_change_goes_to_bytes_and_back(before in any::<String>(), after in any::<String>(), kind in 0usize..6) {
        let kinds = [FigureKind::Count, FigureKind::Date, FigureKind::Price, FigureKind::Score, FigureKind::Percent, FigureKind::Measure];
        let change = Change { before, after, kind: kinds[kind] };
        prop_assert_eq!(Change::from_bytes(&change.to_bytes()), Some(change));
    }

    #[test]
    fn any_two_texts_can_be_compared(a in prop_oneof![odd_text(), any::<String>()], b in odd_text()) {
        let (a, b) = (Figures::read(&a), Figures::read(&b));
        prop_assert!(a.changed(&b).len() <= 100);
    }

    #[test]
    fn one_changed_figure_is_found(sentences in prose(), seed in any::<u64>()) {
        let text = text(&sentences);
        if let Some((copy, expected)) = change_one_figure(&text, seed) {
            let changed = Figures::read(&text).changed(&Figures::read(&copy));
            prop_assert_eq!(changed.len(), 1, "{:?} {:?}", &expected, &changed);
            prop_assert!(changed[0].before.contains(&expected.before), "{:?} {:?}", &expected, &changed);
            prop_assert!(changed[0].after.contains(&expected.after), "{:?} {:?}", &expected, &changed);
        }
    }

    #[test]
    fn furniture_and_moved_sentences_change_nothing(mut sentences in prose(), one in any::<u64>(), other in any::<u64>()) {
        let before = change_furniture(&text(&sentences), one);
        sentences.rotate_left(1);
        let after = change_furniture(&text(&sentences), other);
        prop_assert_eq!(Figures::read(&before).changed(&Figures::read(&after)), []);
    }
}

/// What is kept is small, however large or strange the text is.
#[test]
fn what_is_kept_is_bounded() {
    let hostile = [
        "17 people were killed. ".repeat(20_000),
        "1 ".repeat(200_000),
        "1-1-1-1 2014 ".repeat(50_000),
        "$".repeat(300_000) + " 5",
        "twenty hundred thousand million and ".repeat(20_000),
        "9".repeat(300_000),
        "a.b/".repeat(100_000),
        "x@".repeat(100_000),
        "(".repeat(300_000) + "17 people)",
        "vingt-".repeat(100_000),
        "5 °".repeat(100_000),
        "12:30:".repeat(50_000),
        format!("{} 17 people", "\u{ad}".repeat(100_000)),
    ];
    for text in hostile {
        let figures = Figures::read(&text);
        assert!(figures.to_bytes().len() < 150_000, "{}", &text[..20]);
        assert_eq!(figures.changed(&figures), []);
    }
}

#[test]
fn one_figure_is_changed_and_caught() {
    let texts: Vec<String> = (1..=40)
        .map(|at| {
            format!("In the town hall they said that {at}7 people had left for the hills by then.")
        })
        .collect();
    let result = counterfactual(&texts, 3);
    let counts = (result.changed, result.caught, result.furniture, result.false_updates);
    assert_eq!(counts, (40, 40, 40, 0), "{:?}", result.wrong);
    let text = "Fire in the old town\nThe fire in the old town killed seventeen people on Monday, \
        and 1,200 others had to leave their homes. The damage was put at $5 million by the \
        insurers, who had spoken of 20 percent less at first.";
    let result = counterfactual(&[text; 50], 7);
    let counts = (result.changed, result.caught, result.furniture, result.false_updates);
    assert_eq!(counts, (50, 50, 50, 0), "{:?}", result.wrong);
}

#[test]
fn texts_without_figures_have_none_to_change() {
    let result = counterfactual(&["", "Nothing has happened here in a long time, they said."], 1);
    assert_eq!((result.changed, result.furniture, result.false_updates), (0, 1, 0));
}
