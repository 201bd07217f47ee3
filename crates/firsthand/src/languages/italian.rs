//! The word lists of Italian. Elided articles such as `l'` and `dell'` are antecedents.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "l'", "il", "lo", "la", "i", "gli", "le", "un", "un'", "uno", "una",
    // Prepositions contracted with an article.
    "al", "allo", "alla", "all'", "ai", "agli", "alle", "dal", "dallo", "dalla", "dall'", "dai",
    "dagli", "dalle", "del", "dello", "della", "dell'", "dei", "degli", "delle", "nel", "nello",
    "nella", "nell'", "nei", "negli", "nelle", "sul", "sullo", "sulla", "sull'", "sui", "sugli",
    "sulle", "col", "coi",
    // Forms of be.
    "è", "sono", "era", "erano", "essere", "stato", "stata", "stati", "state", "sarà", "saranno",
    "sarebbe", "fu", "furono", "sia", "siano",
    // Forms of have.
    "ha", "hanno", "aveva", "avevano", "avere", "avrà", "avranno", "avrebbe", "abbia",
    // Forms of can and do.
    "può", "possono", "poteva", "potrà", "potrebbe", "fa", "fanno", "fare", "fatto",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Elided words.
    "coll'", "d'", "c'", "s'", "m'", "t'", "v'", "n'", "quell'", "quest'", "com'", "dov'", "cos'",
    "anch'", "tutt'", "quant'",
    // Other forms of the same verbs.
    "ho", "hai", "abbiamo", "avete", "ebbe", "avuto", "siamo", "siete", "ero", "saremo",
    "sarebbero", "avrebbero", "abbiano", "possiamo", "potevano", "potranno", "potrebbero", "potuto",
    "vuole", "vogliono", "deve", "devono", "doveva", "dovrà", "dovrebbe", "dovrebbero", "va",
    "vanno", "viene", "vengono", "faceva", "farà", "fosse", "fossero", "essendo", "avendo",
    "ebbero", "fece", "facendo", "sta", "stanno", "stava", "stavano",
    // Personal pronouns.
    "io", "me", "mi", "tu", "te", "ti", "egli", "lui", "lei", "esso", "essa", "noi", "ci", "voi",
    "vi", "loro", "essi", "se", "sé", "si", "ne", "li", "stesso", "stessa", "stessi", "stesse",
    // Possessives.
    "mio", "mia", "miei", "mie", "tuo", "tua", "suo", "sua", "suoi", "sue", "nostro", "nostra",
    "nostri", "nostre", "vostro", "vostra",
    // Demonstratives.
    "questo", "questa", "questi", "queste", "quello", "quella", "quelli", "quelle", "quel", "quei",
    "quegli", "ciò", "tale", "tali",
    // Quantifiers.
    "tutto", "tutta", "tutti", "tutte", "altro", "altra", "altri", "altre", "alcun", "alcuno",
    "alcuna", "alcuni", "alcune", "ogni", "ognuno", "qualche", "qualcuno", "qualcosa", "qualsiasi",
    "nessun", "nessuno", "nessuna", "niente", "nulla", "molto", "molta", "molti", "molte", "poco",
    "pochi", "poche", "po", "tanto", "tanti", "tante", "troppo", "parecchi", "entrambi", "vari",
    "più", "meno",
    // Question and relative words.
    "che", "chi", "cui", "quale", "quali", "quando", "quanto", "quanti", "dove", "come", "perché",
    "cosa",
    // Prepositions.
    "a", "con", "da", "di", "in", "per", "su", "tra", "fra", "contro", "dentro", "dopo", "dietro",
    "durante", "entro", "fino", "fuori", "lungo", "oltre", "presso", "prima", "senza", "secondo",
    "sotto", "sopra", "verso", "tramite",
    // Conjunctions.
    "e", "ed", "ad", "o", "od", "oppure", "ma", "anzi", "né", "bensì", "dunque", "infatti",
    "mentre", "nonché", "però", "perciò", "poiché", "quindi", "sebbene", "siccome", "affinché",
    // Adverbs.
    "adesso", "allora", "almeno", "ancora", "anche", "appena", "assai", "bene", "circa", "così",
    "davvero", "già", "ieri", "oggi", "domani", "ecco", "forse", "inoltre", "insieme", "invece",
    "là", "lì", "mai", "meglio", "neanche", "nemmeno", "neppure", "non", "ora", "ormai", "poi",
    "pure", "proprio", "qua", "quasi", "qui", "sempre", "solo", "soltanto", "spesso", "subito",
    "tuttavia",
];

#[rustfmt::skip]
const ELISIONS: &[&str] = &[
    "l'", "un'", "dell'", "all'", "dall'", "nell'", "sull'", "coll'", "d'", "c'", "s'", "m'", "t'",
    "v'", "n'", "quell'", "quest'", "com'", "dov'", "cos'", "anch'", "tutt'", "quant'",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: ELISIONS };
