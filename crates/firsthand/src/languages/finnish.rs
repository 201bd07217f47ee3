//! The word lists of Finnish.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Forms of be.
    "on", "ovat", "oli", "olivat", "ole", "olla", "ollut", "olleet", "olisi", "olisivat", "oltu",
    "lienee",
    // Forms of can, will and the negative verb.
    "voi", "voivat", "voisi", "voida", "voinut", "ei", "eivät", "aikoo", "saa", "saavat",
    // Demonstratives.
    "se", "sen", "sitä", "siitä", "siinä", "siihen", "ne", "niiden", "niitä", "tämä", "tämän",
    "tätä", "tässä", "tästä", "nämä", "näiden",
    // Frequent conjunctions and relatives, which take the place of articles.
    "ja", "että", "joka", "jotka", "kun", "myös", "mukaan",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Forms of be.
    "olen", "olet", "olemme", "olette", "olin", "olimme", "oleva", "olevan", "olevat", "ollaan",
    "oltiin",
    // The negative verb.
    "en", "et", "emme", "ette", "älä", "eikä", "eivätkä", "enkä", "ettei",
    // Other verbs.
    "tulee", "tulevat", "tuli", "tulisi", "pitää", "piti", "pitäisi", "täytyy", "voimme", "voidaan",
    "voitiin", "sai", "saada", "pystyy", "teki", "tekee", "tehdä",
    // Personal pronouns.
    "minä", "minun", "minua", "minut", "minulle", "sinä", "sinun", "sinua", "hän", "hänen", "häntä",
    "hänet", "hänelle", "me", "meidän", "meitä", "meille", "te", "teidän", "teitä", "he", "heidän",
    "heitä", "heille", "heidät", "itse", "itsensä", "hänellä", "meillä", "heillä",
    // More demonstratives.
    "sillä", "siltä", "sille", "siksi", "niissä", "niistä", "niihin", "niille", "tällä", "tältä",
    "tälle", "tähän", "täksi", "näitä", "näissä", "näistä", "tuo", "tuon", "tuota", "nuo",
    "sellainen", "sellaisen", "sellaista", "tällainen", "tällaisen", "samaa", "sama", "saman",
    "samat", "näille", "näillä", "niillä", "tänä",
    // Indefinites.
    "joku", "jokin", "jonkin", "jotain", "jotakin", "jossain", "jokainen", "jokaisen", "jotkut",
    "kukaan", "mikään", "mitään", "muu", "muun", "muuta", "muut", "muiden", "muita", "muissa",
    "kaikki", "kaiken", "kaikkea", "kaikkien", "kaikkia", "kaikissa", "moni", "monet", "monta",
    "monien", "monia", "usea", "useat", "useita", "useiden", "harva", "molemmat", "molempien",
    "toinen", "toisen", "toista", "toiset", "enemmän", "vähemmän", "eniten", "paljon", "vähän",
    "yksi", "yhden",
    // Question and relative words.
    "jonka", "jota", "josta", "jossa", "johon", "jolla", "jolle", "joiden", "joita", "joissa",
    "joista", "joille", "kuka", "kenen", "ketä", "mikä", "minkä", "mitä", "mistä", "missä", "mihin",
    "millä", "miksi", "milloin", "miten", "kuinka", "koska", "mitkä", "joilla",
    // Conjunctions.
    "eli", "mutta", "vaan", "tai", "taikka", "vai", "jos", "vaikka", "jotta", "kuin", "kuten",
    "sekä", "niin", "siis", "kunnes", "joten", "mikäli",
    // Adpositions.
    "alla", "alle", "ennen", "ilman", "jälkeen", "kanssa", "kautta", "keskellä", "kesken", "kohti",
    "kohdalla", "lisäksi", "luona", "lähellä", "läpi", "mukana", "noin", "ohi", "osalta", "pitkin",
    "puolesta", "päällä", "päälle", "sisällä", "sijaan", "suhteen", "takana", "takia", "vastaan",
    "vuoksi", "välillä", "yli", "ympäri", "aikana",
    // Adverbs.
    "aina", "ainakin", "ainoastaan", "aivan", "edelleen", "ehkä", "enää", "ensin", "erittäin",
    "esimerkiksi", "heti", "hyvin", "jo", "juuri", "kai", "kerran", "lähes", "melko", "melkein",
    "muassa", "myöskin", "nyt", "näin", "pian", "sitten", "siellä", "silloin", "sinne", "siten",
    "taas", "tosin", "tuolla", "tuskin", "täällä", "tänne", "usein", "vain", "vasta", "vielä",
    "yhä", "tänään", "eilen", "huomenna", "kuitenkin",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
