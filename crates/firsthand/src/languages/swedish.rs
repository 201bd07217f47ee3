//! The word lists of Swedish.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "en", "ett", "den", "det", "de",
    // Forms of be.
    "är", "var", "vara", "varit", "vore",
    // Forms of have.
    "ha", "har", "hade", "haft",
    // Forms of will.
    "ska", "skall", "skulle", "vill", "ville",
    // Forms of become.
    "blir", "blev", "blivit", "bli",
    // Forms of can.
    "kan", "kunde", "kunna", "kunnat",
    // Forms of do.
    "gör", "gjorde", "göra", "gjort",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "jag", "mig", "du", "dig", "han", "honom", "hon", "henne", "vi", "oss", "ni", "er", "dem",
    "sig", "man", "själv", "själva",
    // Possessives.
    "min", "mitt", "mina", "din", "ditt", "dina", "sin", "sitt", "sina", "hans", "hennes", "dess",
    "vår", "vårt", "våra", "ert", "era", "deras",
    // Demonstratives.
    "denna", "detta", "dessa", "denne", "sådan", "sådant", "sådana", "samma",
    // Quantifiers.
    "all", "allt", "alla", "annan", "annat", "andra", "någon", "något", "några", "ingen", "inget",
    "inga", "varje", "vart", "båda", "mycket", "många", "mer", "mera", "mest", "fler", "flera",
    "flest", "få", "färre", "lite", "mindre", "minst", "hela", "varandra", "ena",
    // Question and relative words.
    "som", "vad", "vem", "vilka", "vilken", "vilket", "vars", "när", "varför", "hur",
    // Prepositions.
    "av", "bakom", "bland", "efter", "enligt", "fram", "från", "för", "före", "förbi", "genom",
    "hos", "i", "in", "inför", "inom", "innan", "kring", "längs", "med", "mellan", "mot", "nedan",
    "om", "ovan", "på", "runt", "sedan", "till", "trots", "under", "ur", "ut", "utan", "utanför",
    "utom", "vid", "åt", "över", "upp", "ner", "bort",
    // Conjunctions.
    "och", "eller", "men", "samt", "att", "därför", "eftersom", "fast", "medan", "så", "än",
    "antingen", "varken", "dock",
    // Modal verbs.
    "må", "måste", "får", "fick", "bör", "borde", "brukar", "finns", "fanns", "kommer", "kom",
    // Adverbs.
    "aldrig", "alltid", "alltså", "bara", "då", "där", "därefter", "därmed", "dessutom", "ej",
    "ens", "först", "här", "härifrån", "hit", "icke", "igen", "ibland", "idag", "inte", "ja", "ju",
    "just", "kanske", "knappt", "länge", "nej", "nog", "nu", "nyligen", "nästan", "ofta", "också",
    "redan", "rätt", "snart", "sällan", "tidigare", "tillbaka", "tillsammans", "tyvärr", "vidare",
    "väl", "ännu", "åter", "även", "både", "annars", "vilkas",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
