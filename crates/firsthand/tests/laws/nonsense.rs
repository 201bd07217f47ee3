//! Nonsense or another language around a copy does not change what the copy is compared by.

use firsthand::{
    Detector, Document, Settings,
    settings::{Scheme, Spot},
};

/// Sentences with gaps for words that mean nothing.
const SENTENCES: [(&str, &str); 3] = [
    ("en", "The _ of the _ was _ in a _ and it had been _ by the _ that is _ for all of us."),
    ("de", "Der _ hat die _ mit dem _ in einer _ und das ist für die _ von _ nicht _ gewesen."),
    ("fr", "Le _ de la _ est dans un _ avec les _ et il a été _ par une _ pour la _ du _."),
];

/// A word of letters that no language uses in this way, always the same for a number.
fn senseless(number: usize) -> String {
    let letters = ["qua", "zor", "bli", "vex", "num", "tra", "pyk", "gol", "fen", "wud"];
    [number / 100 % 10, number / 10 % 10, number % 10].map(|at| letters[at]).concat()
}

fn prose(sentence: &str, words: usize) -> String {
    let mut gaps = 0;
    let mut text = String::new();
    while text.split(' ').count() < words {
        for word in sentence.split(' ') {
            let filled = word.replace('_', &senseless(gaps * 37));
            gaps += usize::from(word.contains('_'));
            text.push_str(&filled);
            text.push(' ');
        }
    }
    text
}

fn nonsense(words: usize) -> String {
    (0..words).map(|at| senseless(at * 7 + 3) + " ").collect()
}

/// The share of the features of `copy` that `whole` has, too.
fn share_kept(detector: &Detector, copy: &str, whole: &str) -> f64 {
    let [copy, whole] = [copy, whole].map(|text| detector.sign(&Document::new("a", text)));
    let kept = copy.hashes().iter().filter(|hash| whole.hashes().binary_search(hash).is_ok());
    kept.count() as f64 / copy.len() as f64
}

#[test]
fn up_to_600_words_around_a_copy_change_none_of_its_features() {
    let settings = |scheme| Settings { scheme, ..Settings::profile("corpus").unwrap() };
    let schemes = [
        Settings::profile("archive").unwrap(),
        settings(Scheme::Spot(Spot::default())),
        settings(Scheme::Prose { n: 3 }),
    ];
    for settings in schemes {
        let detector = Detector::new(settings.clone()).unwrap();
        for (at, (language, sentence)) in SENTENCES.into_iter().enumerate() {
            let copy = prose(sentence, 800);
            let foreign = SENTENCES[(at + 1) % SENTENCES.len()].1;
            for words in (0..=600).step_by(20) {
                let (noise, foreign) = (nonsense(words), prose(foreign, words));
                let before = [&noise, &foreign].map(|before| format!("{before}\n{copy}"));
                for whole in before.into_iter().chain([format!("{copy}\n{noise}")]) {
                    let kept = share_kept(&detector, &copy, &whole);
                    // A chain at the seam may go on into the nonsense.
                    assert!(
                        kept > 0.97,
                        "{language}, {words} words, {kept}: {:?}",
                        settings.scheme
                    );
                }
            }
        }
    }
}
