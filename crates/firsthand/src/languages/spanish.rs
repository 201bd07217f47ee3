//! The word lists of Spanish.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "el", "la", "lo", "los", "las", "un", "una", "unos", "unas",
    // Prepositions contracted with an article.
    "al", "del",
    // Forms of be (ser).
    "es", "son", "soy", "somos", "era", "eran", "fue", "fueron", "ser", "sido", "siendo", "será",
    "serán", "sería", "serían", "sea", "sean", "fuera",
    // Forms of be (estar).
    "está", "están", "estoy", "estaba", "estaban", "estar", "estado", "estuvo",
    // Forms of have.
    "ha", "han", "he", "hemos", "había", "habían", "haber", "hay", "hubo", "habrá", "habrán",
    "habría", "haya", "hayan", "tiene", "tienen", "tenía", "tenían", "tener", "tuvo",
    // Forms of can and will.
    "puede", "pueden", "podía", "podían", "pudo", "poder", "podrá", "podrán", "podría", "podrían",
    "va", "van", "iba",
    // Forms of do.
    "hace", "hacen", "hizo", "hacer", "hacía",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "yo", "me", "mí", "tú", "te", "ti", "él", "ella", "ello", "ellos", "ellas", "nosotros", "nos",
    "vosotros", "os", "usted", "ustedes", "le", "les", "se", "sí", "conmigo", "consigo", "mismo",
    "misma", "mismos", "mismas",
    // Possessives.
    "mi", "mis", "tu", "tus", "su", "sus", "nuestro", "nuestra", "nuestros", "nuestras", "suyo",
    "suya", "suyos", "suyas",
    // Demonstratives.
    "este", "esta", "esto", "estos", "estas", "ese", "esa", "eso", "esos", "esas", "aquel",
    "aquella", "aquello", "aquellos", "aquellas", "tal", "tales",
    // Quantifiers.
    "todo", "toda", "todos", "todas", "algo", "alguien", "algún", "alguno", "alguna", "algunos",
    "algunas", "nada", "nadie", "ningún", "ninguno", "ninguna", "otro", "otra", "otros", "otras",
    "mucho", "mucha", "muchos", "muchas", "poco", "poca", "pocos", "pocas", "cada", "cualquier",
    "ambos", "ambas", "varios", "varias", "tanto", "tanta", "tantos", "tantas", "demás", "más",
    "menos", "uno",
    // Question and relative words.
    "que", "qué", "quien", "quién", "quienes", "cual", "cuál", "cuales", "cuando", "cuándo",
    "donde", "dónde", "como", "cómo", "cuanto", "cuánto", "cuantos", "cuyo", "cuya", "cuyos",
    "cuyas",
    // Prepositions.
    "a", "ante", "bajo", "con", "contra", "de", "desde", "durante", "en", "entre", "excepto",
    "hacia", "hasta", "mediante", "para", "por", "según", "sin", "sobre", "tras",
    // Conjunctions.
    "y", "e", "o", "u", "ni", "pero", "sino", "mas", "aunque", "porque", "pues", "si", "mientras",
    // Modal verbs.
    "debe", "deben", "debía", "deberá", "debería", "deberían", "quiere", "quieren", "esté", "estén",
    "estamos", "tenemos", "tendrá", "tendría", "hubiera", "fuese", "fui", "has", "tuvieron",
    // Adverbs.
    "ahora", "ahí", "allí", "además", "antes", "apenas", "aquí", "así", "aún", "aun", "ayer",
    "bien", "casi", "después", "entonces", "hoy", "incluso", "jamás", "luego", "mañana", "muy",
    "no", "nunca", "quizá", "quizás", "siempre", "sólo", "solo", "también", "tampoco", "tan",
    "todavía", "ya", "cerca", "dentro", "lejos", "embargo", "través",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
