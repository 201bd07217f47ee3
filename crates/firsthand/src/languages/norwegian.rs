//! The word lists of Norwegian (Bokmål).

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "en", "ei", "et", "den", "det", "de",
    // Forms of be.
    "er", "var", "være", "vært",
    // Forms of have.
    "har", "hadde", "ha", "hatt",
    // Forms of will.
    "skal", "skulle", "vil", "ville",
    // Forms of become.
    "blir", "ble", "blitt", "bli",
    // Forms of can.
    "kan", "kunne", "kunnet",
    // Forms of do.
    "gjør", "gjorde", "gjøre", "gjort",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "jeg", "meg", "du", "deg", "han", "ham", "hun", "henne", "vi", "oss", "dere", "dem", "seg",
    "man", "selv", "hverandre",
    // Possessives.
    "min", "mitt", "mi", "mine", "din", "ditt", "dine", "sin", "sitt", "si", "sine", "hans",
    "hennes", "dens", "dets", "vår", "vårt", "våre", "deres",
    // Demonstratives.
    "denne", "dette", "disse", "slik", "slikt", "slike", "samme", "sånn",
    // Quantifiers.
    "all", "alt", "alle", "annen", "annet", "andre", "noen", "noe", "ingen", "intet", "hver",
    "hvert", "begge", "mye", "mange", "mer", "mest", "flere", "fleste", "få", "færre", "litt",
    "mindre", "minst", "hele", "ene",
    // Question and relative words.
    "som", "hva", "hvem", "hvilke", "hvilken", "hvilket", "hvis", "når", "hvor", "hvorfor",
    "hvordan",
    // Prepositions.
    "av", "bak", "blant", "etter", "for", "foran", "forbi", "fra", "før", "gjennom", "hos", "i",
    "ifølge", "imellom", "imot", "innen", "inne", "inn", "inntil", "langs", "med", "mellom", "mot",
    "ned", "om", "omkring", "opp", "over", "på", "rundt", "samt", "siden", "til", "tross", "uten",
    "under", "ut", "ute", "ved", "via",
    // Conjunctions and the infinitive marker.
    "og", "eller", "men", "at", "å", "da", "fordi", "mens", "så", "enn", "selvom", "enten",
    "verken", "dersom",
    // Modal verbs.
    "må", "måtte", "får", "fikk", "bør", "burde", "finnes", "kommer", "kom",
    // Adverbs.
    "aldri", "allerede", "alltid", "altså", "bare", "der", "derfor", "dermed", "dessuten", "ennå",
    "enda", "engang", "ikke", "først", "frem", "fram", "her", "hjem", "igjen", "ja", "jo", "kun",
    "lenge", "kanskje", "nesten", "nei", "nettopp", "nok", "nå", "ofte", "også", "oppe", "sammen",
    "senere", "sist", "snart", "fortsatt", "tidligere", "tilbake", "likevel", "imidlertid", "både",
    "ellers", "ett",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
