//! The word lists of English.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "a", "an", "the",
    // Forms of be.
    "am", "are", "be", "been", "being", "is", "was", "were",
    // Forms of can and will.
    "can", "could", "will", "would",
    // Forms of have.
    "had", "has", "have", "having",
    // Forms of do.
    "did", "do", "does", "doing", "done",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Pronouns.
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your",
    "yours", "yourself", "yourselves", "he", "him", "his", "himself", "she", "her", "hers",
    "herself", "it", "its", "itself", "they", "them", "their", "theirs", "themselves", "one",
    "ones", "oneself",
    // Demonstratives and determiners.
    "this", "that", "these", "those", "such", "same", "other", "others", "another", "each", "every",
    "either", "neither", "both", "all", "any", "some", "no", "none", "enough", "several", "many",
    "much", "more", "most", "few", "fewer", "less", "least", "own",
    // Indefinite pronouns.
    "someone", "somebody", "something", "anyone", "anybody", "anything", "everyone", "everybody",
    "everything", "nobody", "nothing",
    // Question and relative words.
    "who", "whom", "whose", "which", "what", "when", "where", "why", "how", "whoever", "whatever",
    "whichever", "whenever", "wherever", "however",
    // Prepositions.
    "aboard", "about", "above", "across", "after", "against", "along", "among", "amongst", "around",
    "as", "at", "before", "behind", "below", "beneath", "beside", "besides", "between", "beyond",
    "by", "despite", "down", "during", "except", "for", "from", "in", "inside", "into", "like",
    "near", "of", "off", "on", "onto", "out", "outside", "over", "per", "since", "than", "through",
    "throughout", "till", "to", "toward", "towards", "under", "underneath", "until", "up", "upon",
    "versus", "via", "with", "within", "without",
    // Conjunctions.
    "and", "but", "or", "nor", "so", "yet", "if", "unless", "because", "although", "though",
    "while", "whereas", "whether", "thus", "therefore", "hence",
    // Modal and auxiliary verbs.
    "may", "might", "must", "shall", "should", "ought", "cannot", "get", "gets", "got", "gotten",
    "getting",
    // Adverbs.
    "again", "ago", "ahead", "almost", "already", "also", "always", "away", "back", "else", "even",
    "ever", "far", "further", "here", "indeed", "instead", "just", "later", "maybe", "meanwhile",
    "never", "not", "nearly", "now", "often", "once", "only", "perhaps", "quite", "rather",
    "really", "soon", "still", "then", "there", "together", "too", "twice", "very", "well",
    // Contractions of be.
    "i'm", "you're", "we're", "they're", "he's", "she's", "it's", "that's", "there's", "here's",
    "what's", "who's", "where's", "how's", "when's", "let's", "isn't", "aren't", "wasn't",
    "weren't", "ain't",
    // Contractions of have.
    "i've", "you've", "we've", "they've", "who've", "could've", "should've", "would've", "might've",
    "must've", "hasn't", "haven't", "hadn't",
    // Contractions of will and would.
    "i'll", "you'll", "he'll", "she'll", "it'll", "we'll", "they'll", "that'll", "there'll",
    "who'll", "i'd", "you'd", "he'd", "she'd", "it'd", "we'd", "they'd", "there'd", "who'd",
    "won't", "wouldn't",
    // Contractions of can, do and others.
    "can't", "couldn't", "don't", "doesn't", "didn't", "mustn't", "shan't", "shouldn't", "mightn't",
    "needn't",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
