//! The word lists of Hungarian.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "a", "az", "egy",
    // Forms of be.
    "van", "vannak", "volt", "voltak", "lesz", "lesznek", "lett", "lettek", "lenne", "lehet",
    "lehetett", "legyen",
    // Forms of can, will and do.
    "tud", "tudja", "tudott", "fog", "fogja", "fognak", "tesz", "tett",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "én", "engem", "nekem", "te", "téged", "neked", "ő", "őt", "neki", "ők", "őket", "nekik", "mi",
    "minket", "nekünk", "ti", "maga", "magát", "maguk", "magának", "önmaga", "velük", "vele",
    "tőle", "róla", "rá", "benne", "rajta", "hozzá", "nála", "általa",
    // Demonstratives.
    "ez", "ezt", "ezek", "ezeket", "ennek", "ezen", "ebben", "ebből", "erre", "erről", "ettől",
    "ehhez", "ezzel", "ezért", "azt", "azok", "azokat", "annak", "azon", "abban", "abból", "arra",
    "arról", "attól", "ahhoz", "azzal", "azért", "ilyen", "ilyenkor", "olyan", "ugyanaz", "ugyanez",
    "ugyanakkor", "ugyanis",
    // Quantifiers.
    "minden", "mindenki", "mindent", "mindegyik", "semmi", "senki", "néhány", "több", "többet",
    "sok", "sokan", "kevés", "kevesebb", "valami", "valaki", "valamint", "valamennyi", "bármely",
    "bármi", "egyes", "egyik", "másik", "más", "mások", "mindkét", "összes", "legtöbb", "annyi",
    "ennyi", "egész", "egymás", "egyéb", "saját", "sokkal",
    // Question and relative words.
    "ki", "kit", "kik", "mit", "mely", "melyet", "melyek", "melyik", "milyen", "mikor", "hol",
    "hova", "honnan", "hogyan", "miért", "mennyi", "hány", "aki", "akik", "akit", "akiknek",
    "akinek", "ami", "amit", "amik", "amely", "amelyet", "amelyek", "amelynek", "amelyben",
    "amelyre", "amelyik", "amilyen", "amikor", "ahol", "ahová", "ahonnan", "ahogy", "ahogyan",
    "amiért",
    // Postpositions.
    "alá", "alatt", "alól", "által", "ellen", "ellenére", "előtt", "elé", "elől", "felé", "fölött",
    "felett", "iránt", "körül", "közben", "között", "közé", "közül", "mellett", "mellé", "mentén",
    "miatt", "mögött", "nélkül", "révén", "során", "szemben", "szerint", "számára", "után", "óta",
    "helyett", "esetén", "kívül", "belül", "keresztül", "túl",
    // Conjunctions.
    "és", "s", "vagy", "de", "hanem", "ha", "hogy", "mert", "mivel", "mint", "míg", "amíg", "bár",
    "noha", "habár", "tehát", "így", "pedig", "viszont", "azonban", "illetve", "sem", "se", "is",
    "meg", "akár", "mégis", "vagyis", "ugyan", "miután", "mielőtt", "hiszen",
    // Other verbs.
    "vagyok", "vagyunk", "nincs", "nincsenek", "sincs", "volna", "voltunk", "lennének", "lehetne",
    "lehetnek", "kell", "kellett", "kellene", "szokott", "tudnak", "tették", "akar", "való",
    // Adverbs.
    "most", "már", "még", "csak", "nem", "ne", "igen", "itt", "ott", "ide", "oda", "innen", "onnan",
    "akkor", "aztán", "majd", "mindig", "soha", "néha", "újra", "ismét", "ma", "tegnap", "holnap",
    "nagyon", "majdnem", "szinte", "egészen", "együtt", "éppen", "talán", "inkább", "először",
    "végül", "elég", "eddig", "ezután", "azután", "vissza", "be", "el", "le", "fel", "föl", "össze",
    "úgy", "ezúttal", "továbbá", "továbbra", "jelenleg", "mintegy", "körülbelül", "legalább",
    "leginkább", "át", "utána", "általában", "egyre", "e",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
