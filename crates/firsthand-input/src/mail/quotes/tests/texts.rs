//! Laws of splitting any text.

use proptest::prelude::*;

use super::super::{split, with_quotes};
use super::{new_text, reason};

#[test]
fn reasons() {
    let text = "At nine.\n\n-- \nBob\n\nOn 3 May 2004 Ann wrote:\n> When?\n";
    let reasons = [
        ("nine", "new text"),
        ("Bob", "a signature"),
        ("Ann", "says who is quoted"),
        ("When", "quoted"),
    ];
    for (of, expected) in reasons {
        assert_eq!(reason(text, Some("Re: ferry"), of), expected);
    }
    assert_eq!(reason("--\nBob", None, "Bob"), "the message has nothing else");
    let forward = "-- Forwarded message --\n\nLate.";
    assert_eq!(reason(forward, None, "Late"), "forwarded text");
    assert_eq!(split("", None), []);
    assert_eq!(split(" \n\n\t\n", None), []);
}

#[test]
fn new_text_has_a_block_a_line() {
    let text = "The ferry\nis late.\n\nBob says\nso.\n\n> Who?\n\nBob.\n";
    assert_eq!(new_text(text, Some("Re: ferry")), "The ferry is late.\nBob says so.\nBob.");
}

#[test]
fn marked_text_is_all_of_it_with_a_mark_for_each_line() {
    let text = "The ferry\nis late.\n> Who\n> says so?\nBob says\nso.\n\n-- \nAnn";
    let (text, aside) = with_quotes(&split(text, Some("Re: ferry")));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), aside.len());
    for (line, aside) in lines.iter().zip(aside) {
        let apart = line.starts_with('>') || line.starts_with("--") || *line == "Ann";
        assert_eq!(aside, apart, "{line}");
    }
    assert!(text.contains("says so?") && text.contains("Bob says"), "{text}");
}

#[test]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "\n",
        ">",
        "> a\n",
        "| a\n",
        "--\n",
        "a\n",
        "On 1 Ann wrote:\n",
        "a\n\nOn 1 May 2004 Ann wrote:\n\nb\n",
        "Ann <a@example.org> wrote:\n\n   a\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\n",
        "begin 644 a\n",
        "-----Original Message-----\n",
        "From: a\nSent: b\nTo: c\n",
        "To unsubscribe\n\n",
        "-----\na@example.org\n",
        "AL> a\n",
        ": a\n",
        "Ann wrote:\n   a\n",
        ">From a\n\n",
        "_",
        "-----BEGIN a\n",
        "\u{3000}",
        "From: a\n",
    ];
    for piece in pieces {
        let text = piece.repeat(100_000);
        for subject in [None, Some("Re: a")] {
            let blocks = split(&text, subject);
            let before = text.split_whitespace().count();
            let after: usize =
                blocks.iter().map(|block| block.text.split_whitespace().count()).sum();
            assert_eq!(before, after, "{piece:?}");
        }
    }
}

/// Lines that trigger rules, and others.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-cé ]{0,12}",
        "[>|:#}-]{1,3} ?[a-c]{0,3}",
        Just("On 3 May 2004 Ann <a@b> wrote:".to_owned()),
        Just("Ann wrote:".to_owned()),
        Just("-----Original Message-----".to_owned()),
        Just("--- Forwarded message ---".to_owned()),
        Just("From: Ann".to_owned()),
        Just("Sent: today".to_owned()),
        Just("Subject: boats".to_owned()),
        Just("-- ".to_owned()),
        Just("__________".to_owned()),
        Just("To unsubscribe write".to_owned()),
        Just("-----BEGIN PGP SIGNED MESSAGE-----".to_owned()),
        Just("-----BEGIN PGP SIGNATURE-----".to_owned()),
        Just("-----END PGP SIGNATURE-----".to_owned()),
        Just("begin 644 a".to_owned()),
        Just("end".to_owned()),
        Just("\u{3000}\u{A0}".to_owned()),
    ]
}

proptest! {
    #[test]
    fn all_words_are_in_the_blocks_in_order(
        lines in prop::collection::vec(line(), 0..30),
        end in prop_oneof![Just("\n"), Just("\r\n")],
        subject in prop_oneof![Just(None), Just(Some("Re: a")), Just(Some("Fwd: a")), Just(Some("a"))],
    ) {
        let text = lines.join(end);
        let blocks = split(&text, subject);
        let words: Vec<&str> = blocks.iter().flat_map(|block| block.text.split_whitespace()).collect();
        let expected: Vec<&str> = text.split_whitespace().collect();
        prop_assert_eq!(words, expected);
        let kept: Vec<&str> = blocks.iter().filter(|block| block.kept).flat_map(|block| block.text.split_whitespace()).collect();
        let new = new_text(&text, subject);
        prop_assert_eq!(kept, new.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn any_text(text: String) {
        split(&text, Some(&text));
    }

    #[test]
    fn a_quoted_copy_is_never_new(parent in "[a-z]{1,8}( [a-z]{1,8}){3,30}", reply in "[A-Z]{4,9}") {
        let marked: String = parent.split(' ').map(|word| format!("> {word}\n")).collect();
        let texts = [
            format!("{reply}\n\nOn 3 May 2004 Ann wrote:\n{marked}"),
            format!("On 3 May 2004 Ann wrote:\n{marked}\n{reply}\n"),
            format!("{reply}\n\n-----Original Message-----\nFrom: Ann\nSent: today\n\n{parent}\n"),
        ];
        for text in texts {
            let new = new_text(&text, Some("Re: ferry"));
            prop_assert_eq!(new.trim(), &reply);
        }
    }
}
