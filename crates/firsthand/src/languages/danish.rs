//! The word lists of Danish.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "en", "et", "den", "det", "de",
    // Forms of be.
    "er", "var", "være", "været",
    // Forms of have.
    "har", "havde", "have", "haft",
    // Forms of will.
    "skal", "skulle", "vil", "ville",
    // Forms of become.
    "bliver", "blev", "blevet", "blive",
    // Forms of can.
    "kan", "kunne", "kunnet",
    // Forms of do.
    "gør", "gjorde", "gøre", "gjort",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "jeg", "mig", "du", "dig", "han", "ham", "hun", "hende", "vi", "os", "i", "jer", "dem", "sig",
    "man", "selv", "hinanden",
    // Possessives.
    "min", "mit", "mine", "din", "dit", "dine", "sin", "sit", "sine", "hans", "hendes", "dens",
    "dets", "vores", "jeres", "deres",
    // Demonstratives.
    "denne", "dette", "disse", "sådan", "sådant", "sådanne", "samme",
    // Quantifiers.
    "al", "alt", "alle", "anden", "andet", "andre", "nogen", "noget", "nogle", "ingen", "intet",
    "hver", "hvert", "begge", "megen", "meget", "mange", "mere", "mest", "flere", "fleste", "få",
    "færre", "lidt", "mindre", "mindst", "hele", "ene",
    // Question and relative words.
    "som", "der", "hvad", "hvem", "hvilke", "hvilken", "hvilket", "hvis", "hvornår", "hvor",
    "hvorfor", "hvordan",
    // Prepositions.
    "ad", "af", "bag", "blandt", "efter", "for", "foran", "forbi", "fra", "før", "gennem", "hos",
    "ifølge", "imellem", "imod", "inden", "inde", "ind", "indtil", "langs", "med", "mellem", "mod",
    "ned", "om", "omkring", "op", "over", "på", "samt", "siden", "til", "trods", "uden", "under",
    "ud", "ude", "ved", "via",
    // Conjunctions.
    "og", "eller", "men", "at", "da", "fordi", "når", "mens", "hvorimod", "så", "end", "selvom",
    "enten", "hverken", "dog",
    // Modal verbs.
    "må", "måtte", "får", "fik", "bør", "burde", "findes", "kommer", "kom",
    // Adverbs.
    "aldrig", "allerede", "altid", "altså", "bare", "blot", "derefter", "derfor", "dermed",
    "desuden", "dengang", "ej", "endda", "endnu", "engang", "først", "frem", "her", "hjem", "igen",
    "ikke", "ja", "jo", "kun", "længe", "måske", "næsten", "nej", "netop", "nok", "nu", "nærmest",
    "ofte", "også", "oppe", "sammen", "senere", "sidst", "snart", "stadig", "tidligere", "tilbage",
    "vor", "både", "ellers",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
