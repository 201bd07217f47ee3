//! English stop words, and how often each occurs in a thousand words of running text.

/// Words with their rates, rounded from general English corpora. The articles and the forms of be,
/// can, will, have and do come first.
#[rustfmt::skip]
pub(crate) const STOP_WORDS: &[(&str, f64)] = &[
    ("the", 61.0), ("a", 22.0), ("an", 3.5),
    ("is", 10.0), ("was", 9.5), ("be", 6.3), ("are", 4.4), ("were", 3.2), ("been", 2.4),
    ("being", 0.7), ("am", 0.3),
    ("can", 2.0), ("could", 1.6), ("will", 2.3), ("would", 2.7),
    ("have", 4.0), ("had", 4.5), ("has", 2.4), ("having", 0.3),
    ("do", 1.5), ("did", 1.0), ("does", 0.5), ("done", 0.3),
    ("of", 30.0), ("and", 27.0), ("to", 26.0), ("in", 20.0), ("that", 10.0), ("for", 9.0),
    ("it", 8.5), ("with", 7.0), ("as", 7.0), ("on", 7.0), ("he", 6.0), ("at", 5.0), ("by", 5.0),
    ("his", 5.0), ("i", 5.0), ("this", 5.0), ("not", 4.5), ("from", 4.3), ("but", 4.3),
    ("or", 4.0), ("they", 3.5), ("you", 3.5), ("which", 3.3), ("her", 2.8), ("all", 2.8),
    ("one", 2.8), ("she", 2.7), ("their", 2.6), ("there", 2.6), ("we", 2.6), ("him", 2.5),
    ("who", 2.2), ("if", 2.2), ("more", 2.2), ("when", 2.2), ("so", 2.0), ("no", 2.0),
    ("what", 1.9), ("out", 1.9), ("its", 1.8), ("about", 1.8), ("up", 1.8), ("into", 1.7),
    ("than", 1.7), ("them", 1.7), ("other", 1.7), ("only", 1.6), ("some", 1.6), ("these", 1.5),
    ("then", 1.4), ("may", 1.3), ("any", 1.3), ("my", 1.3), ("now", 1.3), ("such", 1.2),
    ("over", 1.2), ("also", 1.1), ("after", 1.1), ("most", 1.1), ("even", 1.1), ("before", 1.0),
    ("must", 1.0), ("many", 1.0), ("should", 0.9), ("through", 0.9), ("where", 0.9),
    ("because", 0.9), ("those", 0.8), ("between", 0.7), ("under", 0.7),
];

/// The number of leading entries that are antecedents of spot signatures.
pub(crate) const ANTECEDENTS: u32 = 23;
/// The number of leading entries that are articles: a content word follows.
pub(crate) const ARTICLES: u32 = 3;
