//! The word lists of Dutch.
//! A leading apostrophe is not part of a word, so `'t` is listed as `t`.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "de", "het", "een", "t",
    // Forms of be.
    "ben", "bent", "is", "zijn", "was", "waren", "wees", "geweest",
    // Forms of have.
    "heb", "hebt", "heeft", "hebben", "had", "hadden", "gehad",
    // Forms of will and become.
    "zal", "zullen", "zou", "zouden", "wordt", "worden", "werd", "werden", "wil", "willen", "wilde",
    "wilden",
    // Forms of can.
    "kan", "kunnen", "kon", "konden",
    // Forms of do.
    "doe", "doet", "doen", "deed", "deden", "gedaan",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "ik", "me", "mij", "je", "jij", "jou", "u", "hij", "hem", "zij", "ze", "haar", "we", "wij",
    "ons", "jullie", "hun", "hen", "zich", "zelf", "zichzelf", "elkaar", "men", "er",
    // Possessives.
    "mijn", "jouw", "uw", "onze",
    // Demonstratives and determiners.
    "dit", "dat", "deze", "die", "zo'n", "zulke", "dezelfde", "hetzelfde", "andere", "anderen",
    "ander", "elk", "elke", "ieder", "iedere", "iedereen", "iemand", "niemand", "iets", "niets",
    "geen", "alle", "allen", "alles", "veel", "vele", "meer", "meest", "weinig", "minder", "enkele",
    "sommige", "verschillende", "beide", "beiden", "genoeg", "ene",
    // Question words.
    "wie", "wat", "welk", "welke", "waar", "waarom", "wanneer", "hoe", "hoeveel", "waarin",
    "waarop", "waarbij", "waardoor", "waarmee", "waarvan", "waarvoor",
    // Prepositions.
    "aan", "achter", "af", "als", "beneden", "bij", "binnen", "boven", "buiten", "door",
    "gedurende", "in", "langs", "met", "na", "naar", "naast", "namens", "om", "onder", "op", "over",
    "per", "rond", "sinds", "te", "ten", "ter", "tegen", "tegenover", "tijdens", "tot", "tussen",
    "uit", "van", "vanaf", "vanuit", "via", "volgens", "voor", "voorbij", "wegens", "zonder",
    // Conjunctions.
    "en", "of", "maar", "want", "dus", "doch", "noch", "omdat", "doordat", "zodat", "terwijl",
    "hoewel", "indien", "mits", "tenzij", "toen", "voordat", "nadat", "totdats", "dan",
    // Modal and auxiliary verbs.
    "mag", "mogen", "mocht", "mochten", "moet", "moeten", "moest", "moesten", "gaat", "gaan",
    "ging", "blijft", "blijven", "laat", "laten",
    // Adverbs.
    "al", "alleen", "altijd", "bijna", "bijvoorbeeld", "daar", "daarbij", "daardoor", "daarmee",
    "daarna", "daarnaast", "daarom", "daarvan", "daarvoor", "eens", "eerst", "echter", "erg",
    "even", "ervan", "geleden", "heel", "hier", "hierdoor", "inmiddels", "ja", "jawel", "juist",
    "meestal", "misschien", "nee", "net", "niet", "nog", "nooit", "nu", "ongeveer", "onlangs",
    "ook", "opnieuw", "pas", "reeds", "samen", "slechts", "soms", "steeds", "toch", "verder",
    "vaak", "vooral", "vandaag", "weer", "wel", "zeer", "zelfs", "zo", "der",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
