//! The word lists of Turkish.

use super::{Lists, joined};

#[rustfmt::skip]
const ANTECEDENTS: &[&str] = &[
    // Article and demonstratives.
    "bir", "bu", "şu", "o", "bunun", "onun", "bunu", "onu", "buna", "ona", "bunlar", "onlar",
    // Forms of be.
    "var", "yok", "değil", "idi", "ise", "oldu", "olan", "olarak", "olduğu", "olduğunu", "olacak",
    "olup", "oldular", "olması", "olmak",
    // Forms of can, will and do.
    "olabilir", "olacağı", "olacağını", "edilen", "etti", "eden", "ettiği", "ettiğini", "edildi",
    "edecek", "yapılan", "yaptı", "yapan",
    // Frequent conjunctions and particles, because there is no definite article.
    "ve", "de", "da", "için", "ile",
];

#[rustfmt::skip]
const OTHER_STOP_WORDS: &[&str] = &[
    // Other forms of the same verbs.
    "olur", "olmuş", "olmadığı", "olmayan", "olanlar", "olsa", "olsun", "olabileceğini", "etmek",
    "ederek", "ediyor", "edilecek", "edildiği", "etmiş", "eder", "yapmak", "yaparak", "yapıyor",
    "yapıldı", "yapılacak", "dedi", "diyen", "söyledi", "vardı", "yoktu",
    // Personal pronouns.
    "ben", "beni", "bana", "benim", "benden", "sen", "seni", "sana", "senin", "biz", "bizi", "bize",
    "bizim", "bizden", "siz", "sizi", "size", "sizin", "onlara", "onları", "onların", "ondan",
    "onda", "kendi", "kendisi", "kendine", "kendini", "kendileri",
    // More demonstratives.
    "bundan", "bunda", "bunları", "bunların", "şunu", "burada", "buraya", "buradan", "orada",
    "oraya", "oradan", "şurada", "böyle", "şöyle", "öyle", "böylece", "aynı", "diğer", "başka",
    // Quantifiers.
    "her", "herkes", "hep", "hepsi", "hiç", "hiçbir", "kimse", "bazı", "bazıları", "birçok",
    "birkaç", "biri", "birisi", "birbirine", "çok", "çoğu", "daha", "az", "biraz", "bütün", "tüm",
    "tümü", "fazla", "en", "kadar", "iki", "tek", "öteki", "ikisi",
    // Question words.
    "ne", "neden", "niçin", "nasıl", "nerede", "nereye", "kim", "kimi", "kime", "kimin", "hangi",
    "kaç", "mı", "mi", "mu", "mü",
    // Postpositions.
    "ait", "ama", "arasında", "arasındaki", "aracılığıyla", "beri", "dair", "diye", "doğru",
    "dolayı", "dolayısıyla", "gibi", "göre", "hakkında", "halinde", "ilgili", "ilişkin", "içinde",
    "içindeki", "karşı", "karşın", "önce", "önceki", "öncesinde", "rağmen", "sonra", "sonraki",
    "sonrasında", "tarafından", "üzere", "üzerinde", "üzerine", "üzerinden", "yana", "yanında",
    "yerine", "yönelik", "boyunca", "itibaren", "başta",
    // Conjunctions.
    "ancak", "ayrıca", "bile", "çünkü", "fakat", "hatta", "hem", "ki", "lakin", "oysa", "eğer",
    "veya", "veyahut", "ya", "yahut", "yani", "yoksa", "zira", "üstelik", "dahi",
    // Adverbs.
    "artık", "asla", "bugün", "dün", "yarın", "şimdi", "şimdiye", "hâlâ", "hala", "henüz", "hemen",
    "halen", "işte", "evet", "hayır", "belki", "bazen", "zaman", "zaten", "sadece", "yalnızca",
    "yine", "tekrar", "yaklaşık", "özellikle", "oldukça", "böylelikle", "birlikte", "bulunan",
    "bulunduğu", "nedeniyle", "kez", "aslında", "niye", "sanki",
];

static STOP_WORDS: [&str; ANTECEDENTS.len() + OTHER_STOP_WORDS.len()] =
    joined(ANTECEDENTS, OTHER_STOP_WORDS);

pub(super) static LISTS: Lists =
    Lists { antecedents: ANTECEDENTS, stop_words: &STOP_WORDS, elisions: &[] };
