//! The word lists of Romanian. Words are listed without their hyphens: `s-a` is `s` and `a`.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "un", "o", "unei", "unui", "unor", "al", "ai", "ale", "cel", "cea", "cei", "cele", "lui",
    // Forms of be.
    "e", "este", "sunt", "era", "erau", "fi", "fost", "fie", "fiind",
    // Forms of have.
    "a", "am", "au", "are", "avea", "aveau", "avut", "ar", "aș",
    // Forms of will and can.
    "va", "vor", "voi", "poate", "pot", "putea", "putut",
    // Forms of do.
    "face", "fac", "făcut",
    // Frequent conjunctions and prepositions, because the definite article is an ending.
    "și", "în", "că", "să",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "eu", "mine", "mie", "mă", "tu", "tine", "te", "ție", "îți", "el", "ea", "îl", "ei", "îi",
    "noi", "ne", "nouă", "vă", "vouă", "ele", "le", "lor", "sine", "se", "își", "sa", "s", "l", "i",
    "m", "mi", "ți", "n", "li", "v", "îmi", "vi",
    // Possessives.
    "meu", "mea", "mei", "mele", "tău", "ta", "său", "săi", "sale", "nostru", "noastră", "noștri",
    "noastre", "vostru", "voastră",
    // Demonstratives.
    "acest", "acesta", "aceasta", "această", "aceste", "acestea", "acești", "aceștia", "acestei",
    "acestui", "acestor", "acel", "acela", "aceea", "acea", "acele", "acelea", "acei", "aceia",
    "acelui", "acelei", "acelor", "asta", "ăsta", "astfel", "același", "aceeași", "aceleași",
    "aceiași", "asemenea",
    // Quantifiers.
    "tot", "toată", "toate", "toți", "tuturor", "alt", "altă", "alți", "alte", "altul", "alta",
    "alții", "altele", "fiecare", "oricare", "orice", "oricine", "niciun", "nicio", "nimeni",
    "nimic", "ceva", "cineva", "câțiva", "câteva", "unii", "unele", "una", "unul", "unora", "mult",
    "multă", "mulți", "multe", "puțin", "puține", "puțini", "atât", "atâta", "mai", "ambii",
    "ambele", "niște", "vreo", "vreun", "totul", "celor",
    // Question and relative words.
    "care", "cărui", "cărei", "căror", "ce", "cine", "cui", "când", "unde", "cum", "cât", "câtă",
    "câți", "câte",
    // Prepositions.
    "asupra", "cu", "contra", "de", "despre", "din", "dinspre", "dintre", "dintr", "după", "fără",
    "înainte", "înaintea", "împotriva", "între", "într", "întru", "la", "lângă", "până", "pe",
    "pentru", "peste", "prin", "printr", "printre", "spre", "sub", "drept", "față", "potrivit",
    "conform", "datorită", "către",
    // Conjunctions.
    "iar", "dar", "sau", "ori", "ci", "deși", "dacă", "deoarece", "fiindcă", "căci", "încât", "ca",
    "decât", "nici", "deci", "însă", "precum",
    // Other verbs.
    "eram", "ești", "suntem", "sunteți", "ați", "avem", "aveți", "aibă", "vom", "veți", "voia",
    "vrea", "trebuie", "trebuia", "poți", "putem", "puteau",
    // Adverbs.
    "abia", "acolo", "acum", "aici", "apoi", "aproape", "așa", "atunci", "azi", "ieri", "mâine",
    "bine", "chiar", "cumva", "deja", "departe", "deodată", "doar", "foarte", "încă", "îndată",
    "mereu", "niciodată", "nu", "odată", "prea", "tocmai", "totodată", "totuși", "uneori", "cam",
    "iată", "aproximativ", "numai",
    // The same with a cedilla, as older text spells them.
    "şi", "aş", "aşa", "aceşti", "aceştia", "acelaşi", "îşi", "ţi", "îţi", "toţi", "alţi", "alţii",
    "câţi", "câţiva", "mulţi", "puţin", "puţini", "noştri", "deşi", "totuşi", "faţă", "eşti", "aţi",
    "veţi", "puteţi", "nişte",
    // The same with î in the middle or without diacritics, as is common in practice.
    "sînt", "cînd", "cît", "pînă", "si", "in", "dupa", "daca", "fara", "pana", "cand", "asa",
    "insa", "inca", "decat", "intre", "catre",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
