//! The word lists of Portuguese.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Articles.
    "o", "a", "os", "as", "um", "uma", "uns", "umas",
    // Prepositions contracted with an article.
    "ao", "aos", "à", "às", "do", "da", "dos", "das", "no", "na", "nos", "nas", "num", "numa",
    "pelo", "pela", "pelos", "pelas", "dum", "duma",
    // Forms of be (ser).
    "é", "são", "era", "eram", "foi", "foram", "ser", "sido", "será", "serão", "seria", "seriam",
    "seja", "sejam", "sendo",
    // Forms of be (estar).
    "está", "estão", "estava", "estavam", "estar", "esteve",
    // Forms of have.
    "há", "havia", "houve", "tem", "têm", "tinha", "tinham", "ter", "tido", "teve", "terá", "tenha",
    // Forms of can, will and do.
    "pode", "podem", "podia", "pôde", "poderá", "poderia", "vai", "vão", "faz", "fez", "fazer",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Other forms of the same verbs.
    "sou", "somos", "fosse", "fossem", "estou", "estamos", "estado", "esteja", "haver", "haverá",
    "tenho", "temos", "terão", "teria", "teriam", "tiveram", "tendo", "podemos", "podiam",
    "poderão", "poderiam", "poder", "ia", "iam", "vou", "vamos", "fazem", "feito", "deve", "devem",
    "devia", "deverá", "deveria", "deveriam", "for", "haja", "hão", "tivesse",
    // Personal pronouns.
    "eu", "me", "mim", "tu", "te", "ti", "ele", "ela", "eles", "elas", "nós", "vos", "você",
    "vocês", "lhe", "lhes", "se", "si", "consigo", "comigo", "dele", "dela", "deles", "delas",
    "nele", "nela", "mesmo", "mesma", "mesmos", "mesmas", "lo", "los",
    // Possessives.
    "meu", "minha", "meus", "minhas", "teu", "tua", "seu", "sua", "seus", "suas", "nosso", "nossa",
    "nossos", "nossas",
    // Demonstratives.
    "este", "esta", "estes", "estas", "isto", "esse", "essa", "esses", "essas", "isso", "aquele",
    "aquela", "aqueles", "aquelas", "aquilo", "deste", "desta", "destes", "destas", "disto",
    "desse", "dessa", "desses", "dessas", "disso", "daquele", "daquela", "neste", "nesta", "nestes",
    "nestas", "nesse", "nessa", "nesses", "nisso", "naquele", "naquela", "tal", "tais",
    // Quantifiers.
    "todo", "toda", "todos", "todas", "tudo", "algo", "alguém", "algum", "alguma", "alguns",
    "algumas", "nada", "ninguém", "nenhum", "nenhuma", "outro", "outra", "outros", "outras",
    "muito", "muita", "muitos", "muitas", "pouco", "pouca", "poucos", "poucas", "cada", "qualquer",
    "ambos", "ambas", "vários", "várias", "tanto", "tanta", "tantos", "tantas", "mais", "menos",
    // Question and relative words.
    "que", "quê", "quem", "qual", "quais", "quando", "onde", "como", "quanto", "quantos", "porquê",
    "cujo", "cuja", "cujos", "cujas",
    // Prepositions.
    "ante", "após", "até", "com", "contra", "de", "desde", "durante", "em", "entre", "para",
    "perante", "por", "sem", "sob", "sobre", "segundo", "através",
    // Conjunctions.
    "e", "ou", "nem", "mas", "porém", "embora", "porque", "pois", "enquanto", "portanto", "contudo",
    // Adverbs.
    "agora", "ainda", "além", "ali", "antes", "apenas", "aqui", "assim", "bem", "cá", "já", "lá",
    "depois", "então", "entretanto", "hoje", "ontem", "amanhã", "jamais", "logo", "longe", "mal",
    "não", "nunca", "perto", "quase", "sempre", "sim", "só", "também", "tampouco", "tão", "talvez",
    "dentro", "fora",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
