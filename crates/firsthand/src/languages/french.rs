//! The word lists of French. The elided article `l'` is an antecedent.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "l'", "le", "la", "les", "un", "une", "des",
    // Prepositions contracted with an article.
    "au", "aux", "du",
    // Forms of be.
    "est", "sont", "suis", "sommes", "êtes", "était", "étaient", "été", "être", "sera", "seront",
    "serait", "seraient", "fut", "furent", "soit", "soient", "étant",
    // Forms of have.
    "a", "ai", "as", "avons", "avez", "ont", "avait", "avaient", "avoir", "aura", "auront",
    "aurait", "auraient", "eu", "ait", "aient", "ayant",
    // Forms of can.
    "peut", "peuvent", "pouvait", "pouvaient", "pourra", "pourront", "pourrait", "pourraient", "pu",
    // Forms of will.
    "va", "vont", "allait", "veut", "veulent",
    // Forms of do.
    "fait", "font", "faisait", "fera", "faire",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Elided words.
    "d'", "qu'", "j'", "n'", "s'", "c'", "m'", "t'", "jusqu'", "lorsqu'", "puisqu'", "quoiqu'",
    // Personal pronouns.
    "je", "me", "moi", "tu", "te", "toi", "il", "elle", "on", "nous", "vous", "ils", "elles", "lui",
    "leur", "eux", "se", "soi", "y", "en", "même", "mêmes",
    // Possessives.
    "mon", "ma", "mes", "ton", "ta", "tes", "son", "sa", "ses", "notre", "nos", "votre", "vos",
    "leurs",
    // Demonstratives.
    "ce", "cet", "cette", "ces", "ceci", "cela", "ça", "celui", "celle", "ceux", "celles",
    // Quantifiers.
    "tout", "toute", "tous", "toutes", "aucun", "aucune", "autre", "autres", "certain", "certaine",
    "certains", "certaines", "chaque", "plusieurs", "quelque", "quelques", "quelqu'un", "chacun",
    "chacune", "tel", "telle", "tels", "telles", "rien", "personne", "peu", "beaucoup", "assez",
    "tant",
    // Question and relative words.
    "qui", "que", "quoi", "dont", "où", "quand", "comment", "pourquoi", "combien", "quel", "quelle",
    "quels", "quelles", "lequel", "laquelle", "lesquels", "lesquelles", "duquel", "auquel",
    // Prepositions.
    "à", "après", "avant", "avec", "chez", "contre", "dans", "de", "depuis", "derrière", "dès",
    "devant", "durant", "entre", "envers", "hors", "jusque", "malgré", "outre", "par", "parmi",
    "pendant", "pour", "sans", "sauf", "selon", "sous", "sur", "vers",
    // Conjunctions.
    "et", "ou", "mais", "donc", "or", "ni", "car", "si", "comme", "lorsque", "puisque", "quoique",
    "afin", "ainsi", "tandis",
    // Modal verbs.
    "doit", "doivent", "devait", "devra", "devrait", "devraient", "dû", "faut", "fallait", "es",
    "étais", "avais", "eut", "fût",
    // Adverbs.
    "alors", "aujourd'hui", "aussi", "aussitôt", "autant", "bien", "bientôt", "cependant",
    "davantage", "déjà", "dehors", "demain", "dessous", "dessus", "encore", "enfin", "ensuite",
    "environ", "fois", "hier", "ici", "jamais", "là", "loin", "longtemps", "lors", "maintenant",
    "mieux", "moins", "ne", "néanmoins", "non", "notamment", "oui", "parfois", "pas", "plus",
    "plutôt", "pourtant", "presque", "près", "puis", "quasi", "surtout", "tard", "tôt", "toujours",
    "toutefois", "très", "trop", "voici", "voilà",
];

#[rustfmt::skip]
const ELISIONS: &[&str] = &[
    "l'", "d'", "qu'", "j'", "n'", "s'", "c'", "m'", "t'", "jusqu'", "lorsqu'", "puisqu'",
    "quoiqu'",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: ELISIONS };
