//! The word lists of Czech.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Forms of be.
    "je", "jsou", "byl", "byla", "bylo", "byly", "byli", "být", "bude", "budou", "by", "jsem",
    "jsme",
    // Forms of can, will and have.
    "může", "mohou", "mohl", "mohla", "mohli", "lze", "má", "mají", "měl", "měla", "mělo", "měly",
    "měli", "chce",
    // Demonstratives.
    "to", "ten", "ta", "ty", "toho", "té", "tom", "tomu", "těch", "tím", "tuto", "tento", "tato",
    "toto", "tyto",
    // Frequent prepositions and conjunctions, which take the place of articles.
    "a", "v", "na", "že", "se",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "já", "mě", "mne", "mi", "mně", "mnou", "tebe", "tě", "tobě", "ti", "on", "jeho", "ho", "něj",
    "mu", "jemu", "němu", "jím", "ním", "ona", "její", "jí", "ní", "ji", "ni", "oni", "ony",
    "jejich", "jich", "nich", "jim", "nim", "jimi", "nimi", "my", "nás", "nám", "námi", "vy", "vás",
    "vám", "vámi", "sebe", "si", "sobě", "sebou", "ono", "jej", "něho",
    // Possessives.
    "můj", "moje", "mé", "mého", "tvůj", "tvoje", "náš", "naše", "našeho", "naší", "našich", "váš",
    "vaše", "svůj", "svoje", "svá", "své", "svého", "svém", "svých", "svým", "svou", "jehož",
    "jejíž",
    // More demonstratives.
    "této", "tohoto", "tomto", "těmto", "těchto", "tímto", "touto", "tu", "tou", "tamten", "takový",
    "taková", "takové", "takových", "sám", "sama", "samo", "sami",
    // Quantifiers.
    "všechno", "vše", "všichni", "všechny", "všech", "všem", "celý", "celá", "celé", "každý",
    "každá", "každé", "každého", "jiný", "jiná", "jiné", "jiných", "další", "dalších", "nikdo",
    "nic", "ničeho", "několik", "několika", "mnoho", "málo", "více", "víc", "méně", "nejvíce",
    "jeden", "jedna", "jedno", "jednoho", "jedné", "jednou", "oba", "obě", "někdo", "něco",
    "nějaký", "nějaká", "některé", "někteří", "žádný", "žádná", "žádné",
    // Question and relative words.
    "kdo", "koho", "komu", "kým", "co", "čeho", "čemu", "čím", "který", "která", "které", "kteří",
    "kterého", "kterou", "kterých", "kterém", "kterému", "kterým", "jenž", "jež", "kde", "kdy",
    "jak", "jaký", "jaká", "jaké", "kam", "odkud", "proč", "kolik", "čí",
    // Prepositions.
    "bez", "díky", "do", "k", "ke", "ku", "kolem", "kromě", "mezi", "mimo", "místo", "nad",
    "naproti", "o", "ob", "od", "okolo", "podle", "pod", "po", "před", "přes", "při", "pro",
    "proti", "s", "skrz", "u", "uvnitř", "vedle", "ve", "vůči", "z", "za", "ze", "během", "kvůli",
    // Conjunctions and particles.
    "i", "ale", "nebo", "či", "ani", "aby", "abych", "kdyby", "jestli", "jestliže", "pokud", "když",
    "protože", "neboť", "ačkoli", "ačkoliv", "přestože", "tedy", "tak", "však", "ovšem", "avšak",
    "také", "též", "rovněž", "jen", "jenom", "pouze", "dokonce", "už", "již", "ještě", "právě",
    "ať", "než", "ne", "ano", "až", "zda", "přitom", "jako", "což", "takže", "zatímco",
    // Other verbs.
    "jste", "jsi", "budu", "budeme", "není", "nejsou", "nebyl", "nebyla", "nebylo", "nebude",
    "musí", "museli", "mít", "moci", "nemůže", "bych", "bychom",
    // Adverbs.
    "tam", "tady", "zde", "nyní", "teď", "potom", "pak", "tehdy", "vždy", "vždycky", "někdy",
    "nikdy", "opět", "znovu", "dnes", "včera", "zítra", "velmi", "téměř", "asi", "zcela", "vůbec",
    "spolu", "zatím", "teprve", "proto", "dříve", "později", "především", "například", "možná",
    "dále", "skoro", "zpět", "třeba",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
