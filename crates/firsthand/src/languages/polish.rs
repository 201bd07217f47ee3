//! The word lists of Polish.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Forms of be.
    "jest", "są", "był", "była", "było", "były", "byli", "być", "będzie", "będą",
    // Forms of can, will and have.
    "może", "mogą", "mógł", "mogła", "mogło", "można", "ma", "mają", "miał", "miała", "miało",
    "miały", "został", "została", "zostało", "zostały",
    // Demonstratives.
    "to", "ten", "ta", "te", "tego", "tej", "tym", "tych", "temu", "tę", "tą",
    // Frequent prepositions and conjunctions, which take the place of articles.
    "i", "w", "na", "że", "nie", "z", "do",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Personal pronouns.
    "ja", "mnie", "mi", "mną", "ty", "ciebie", "cię", "tobie", "ci", "on", "jego", "go", "niego",
    "jemu", "mu", "niemu", "nim", "ona", "jej", "niej", "ją", "nią", "oni", "one", "ich", "nich",
    "im", "nimi", "my", "nas", "nam", "nami", "wy", "was", "wam", "wami", "siebie", "sobie", "sobą",
    "się", "ono", "je",
    // Possessives.
    "mój", "moja", "moje", "moi", "mojej", "twój", "twoja", "nasz", "nasza", "nasze", "nasi",
    "naszej", "naszych", "wasz", "wasza", "swój", "swoja", "swoje", "swoi", "swojego", "swojej",
    "swoich", "swoim", "swoją",
    // More demonstratives.
    "tymi", "tamten", "tamta", "tamte", "taki", "taka", "takie", "takich", "takiego", "takiej",
    "takim", "sam", "sama", "samo", "same", "sami", "samego",
    // Quantifiers.
    "wszystko", "wszyscy", "wszystkie", "wszystkich", "wszystkim", "cały", "cała", "całe", "każdy",
    "każda", "każde", "każdego", "każdej", "inny", "inna", "inne", "inni", "innych", "innego",
    "nikt", "nic", "niczego", "kilka", "kilku", "wiele", "wielu", "mało", "więcej", "mniej",
    "bardziej", "najbardziej", "jeden", "jedna", "jedno", "jednego", "jednej", "jednym", "oba",
    "obie", "ktoś", "coś", "jakiś", "jakaś", "jakieś", "żaden", "żadna",
    // Question and relative words.
    "kto", "kogo", "komu", "kim", "co", "czego", "czemu", "czym", "który", "która", "które",
    "którzy", "którego", "której", "których", "któremu", "którym", "którą", "gdzie", "kiedy", "jak",
    "jaki", "jaka", "jakie", "jakich", "dokąd", "skąd", "dlaczego", "ile", "czyj",
    // Prepositions.
    "bez", "dla", "dzięki", "koło", "ku", "mimo", "między", "nad", "niż", "o", "obok", "od",
    "oprócz", "po", "pod", "podczas", "pomimo", "ponad", "poza", "przed", "przeciw", "przez",
    "przy", "u", "we", "według", "wobec", "wokół", "wśród", "za", "ze", "zamiast",
    // Conjunctions and particles.
    "a", "ale", "lub", "albo", "ani", "aby", "żeby", "by", "czy", "jeśli", "jeżeli", "gdy", "gdyż",
    "bo", "ponieważ", "choć", "chociaż", "więc", "zatem", "lecz", "jednak", "oraz", "też", "także",
    "również", "tylko", "nawet", "już", "jeszcze", "właśnie", "niech", "no", "tak", "aż", "zaś",
    "jako", "bowiem", "czyli", "jedynie", "przecież", "gdyby", "iż",
    // Other verbs.
    "jestem", "jesteśmy", "będę", "będziemy", "mieć", "trzeba", "należy", "musi", "muszą",
    "powinien", "powinna", "powinno", "powinni", "byłby", "byłaby", "byłoby", "mogli", "mieli",
    "mam", "mamy", "chce",
    // Adverbs.
    "tam", "tu", "tutaj", "teraz", "potem", "następnie", "wtedy", "zawsze", "czasem", "nigdy",
    "znowu", "znów", "ponownie", "dziś", "dzisiaj", "wczoraj", "jutro", "bardzo", "prawie", "około",
    "zupełnie", "ogóle", "razem", "dopiero", "ostatnio", "dlatego", "wcześniej", "później",
    "natomiast", "często", "coraz", "przede",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
