//! Obfuscated messages match under profile `mail`, and honest messages stay apart.

use firsthand::{Detector, Document, Report, Settings, find_duplicates};

const MESSAGE: &str = "Dear customer, your account will be closed unless you confirm your password \
    today. Please visit our secure page and enter the number of your card to receive a bonus.";

/// Look-alikes for some letters, and an invisible gap in some words.
fn disguise(letters: &[(char, char)], gap: char, every: usize) -> String {
    let mut count = 0;
    let mut disguised = String::new();
    for c in MESSAGE.chars() {
        let other = letters.iter().find(|(letter, _)| *letter == c);
        disguised.push(other.map_or(c, |(_, other)| *other));
        count += usize::from(c.is_alphabetic());
        if c.is_alphabetic() && count % every == 0 {
            disguised.push(gap);
        }
    }
    disguised
}

fn run(settings: Settings, texts: &[&str]) -> Report {
    let document = |(at, text): (usize, &&str)| Document::new(format!("{at}"), *text);
    let documents: Vec<_> = texts.iter().enumerate().map(document).collect();
    find_duplicates(&Detector::new(settings).unwrap(), documents)
}

#[test]
fn disguised_messages_meet_only_if_folded() {
    let one = disguise(&[('o', 'о'), ('a', 'ɑ'), ('e', 'е')], '\u{200b}', 7);
    let two = disguise(&[('u', 'ᴜ'), ('r', 'г'), ('i', 'і'), ('s', '🅂')], '\u{336}', 3);
    let three = disguise(&[('y', 'γ'), ('c', 'ⓒ'), ('p', 'ρ')], '\u{2060}', 2);
    let texts = [MESSAGE, &one, &two, &three];
    let mail = Settings::profile("mail").unwrap();
    let report = run(mail.clone(), &texts);
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].members.len(), texts.len());
    assert!(run(Settings { fold: false, ..mail }, &texts).clusters.is_empty());
}

#[test]
fn only_mail_folds() {
    for (name, _) in firsthand::settings::PROFILES {
        assert_eq!(Settings::profile(name).unwrap().fold, name == "mail", "{name}");
    }
    for (name, _) in firsthand::settings::METHODS {
        assert!(!Settings::method(name).unwrap().fold, "{name}");
    }
}
