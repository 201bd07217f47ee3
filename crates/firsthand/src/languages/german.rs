//! The word lists of German.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines",
    // Prepositions contracted with an article.
    "am", "ans", "beim", "im", "ins", "vom", "zum", "zur",
    // Forms of be.
    "bin", "bist", "ist", "sind", "seid", "war", "waren", "wäre", "wären", "sei", "seien",
    "gewesen",
    // Forms of have.
    "habe", "hast", "hat", "haben", "hatte", "hatten", "hätte", "hätten", "gehabt",
    // Forms of will and become.
    "wird", "werden", "wurde", "wurden", "würde", "würden", "worden", "will", "wollen", "wollte",
    "wollten",
    // Forms of can.
    "kann", "können", "konnte", "konnten", "könnte", "könnten",
    // Forms of do.
    "tun", "tut", "tat", "getan",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "ich", "mich", "mir", "du", "dich", "dir", "er", "ihn", "ihm", "sie", "ihr", "ihnen", "es",
    "wir", "uns", "euch", "sich", "man", "selbst",
    // Possessives.
    "mein", "meine", "meinem", "meinen", "meiner", "meines", "dein", "deine", "deinem", "deinen",
    "deiner", "sein", "seine", "seinem", "seinen", "seiner", "seines", "ihre", "ihrem", "ihren",
    "ihrer", "ihres", "unser", "unsere", "unserem", "unseren", "unserer", "unseres", "euer", "eure",
    // Demonstratives.
    "dieser", "diese", "dieses", "diesen", "diesem", "jener", "jene", "jenes", "jenen", "jenem",
    "derjenige", "diejenigen", "derselbe", "dieselbe", "dasselbe", "deren", "dessen", "denen",
    "dies", "derer", "derselben",
    // Quantifiers.
    "kein", "keine", "keinen", "keinem", "keiner", "keines", "alle", "allem", "allen", "aller",
    "alles", "jede", "jedem", "jeden", "jeder", "jedes", "einige", "einigen", "einiger", "etwas",
    "nichts", "viel", "viele", "vielen", "vieler", "mehr", "mehrere", "mehreren", "wenig", "wenige",
    "weniger", "manche", "manchen", "beide", "beiden", "solche", "solchen", "solcher", "andere",
    "anderen", "anderer", "anderem", "anderes", "jemand", "niemand",
    // Question words.
    "wer", "wen", "wem", "wessen", "was", "wann", "wo", "woher", "wohin", "warum", "wie", "wieso",
    "welche", "welchem", "welchen", "welcher", "welches",
    // Prepositions.
    "an", "auf", "aus", "außer", "bei", "bis", "durch", "für", "gegen", "hinter", "in", "mit",
    "nach", "neben", "ohne", "seit", "trotz", "über", "um", "unter", "von", "vor", "während",
    "wegen", "zu", "zwischen", "gegenüber", "laut", "statt",
    // Conjunctions.
    "und", "oder", "aber", "denn", "sondern", "dass", "daß", "weil", "wenn", "als", "ob", "obwohl",
    "damit", "sodass", "sowie", "sowohl", "weder", "noch", "entweder", "falls", "bevor", "nachdem",
    "indem",
    // Modal verbs.
    "darf", "dürfen", "durfte", "muss", "muß", "müssen", "musste", "mussten", "müsste", "soll",
    "sollen", "sollte", "sollten", "mag", "möchte", "möchten", "mögen", "werde",
    // Adverbs.
    "allerdings", "also", "auch", "bereits", "bisher", "da", "dabei", "dadurch", "dafür", "dagegen",
    "daher", "damals", "danach", "dann", "daran", "darauf", "daraus", "darin", "darüber", "darum",
    "davon", "davor", "dazu", "deshalb", "doch", "dort", "eben", "ebenfalls", "erst", "etwa",
    "fast", "ganz", "gar", "gerade", "gern", "heute", "hier", "hin", "immer", "ja", "jedoch",
    "jetzt", "kaum", "mal", "nein", "nicht", "nie", "nun", "nur", "oft", "schon", "sehr", "seitdem",
    "so", "sogar", "sonst", "trotzdem", "überhaupt", "vielleicht", "weiter", "wieder", "wohl",
    "zudem", "zwar", "zumindest", "einmal", "anders",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
