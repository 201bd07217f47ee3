//! Disguises come off, honest text stays, and folding is idempotent.

use super::*;
use crate::tokens::Tokens;
use proptest::prelude::*;

fn fold(text: &str) -> Cow<'_, str> {
    Folding::of(text, true).1
}

fn words(text: &str) -> Vec<String> {
    Tokens::folded(text).words().map(str::to_owned).collect()
}

/// A sentence that makes a document Latin, without ambiguous letters.
const LATIN: &str = "quickly judging wizards fling zigzag jigs quill ruling";

#[test]
fn disguises_come_off() {
    for (disguised, plain) in [
        // Invisible characters.
        ("v\u{200b}i\u{200d}a\u{2060}g\u{feff}r\u{ad}a", "viagra"),
        ("\u{202e}mo\u{34f}n\u{180e}e\u{61c}y\u{202c}", "money"),
        ("ch\u{fe0f}ea\u{e0067}p\u{3164} n\u{115f}ow\u{2066}", "cheap now"),
        // Look-alikes in a Latin word: Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic.
        ("vіаgrа Frее mоnеу", "viagra free money"),
        ("ΡayΡal сlіck Βuy nοw", "paypal click buy now"),
        ("lоttеrу wіnnеr CАSІΝO", "lottery winner casino"),
        ("աinner hоuѕe սrgent Տale", "winner house urgent sale"),
        ("ᎪpᏢle ꓮmazꓳn ⲟffer", "apple amazon offer"),
        ("ԝіn ԁеаl ӏоаn ϳоb", "win deal loan job"),
        // Whole words of look-alikes in a Latin document.
        ("сору рау асе ΒΑΝΚ", "copy pay ace bank"),
        // Latin letters in other shapes.
        ("ᴠɪᴀɢʀᴀ ᴄʜᴇᴀᴘ ʟᴏᴀɴꜱ ꜰᴏʀ ʏᴏᴜ", "viagra cheap loans for you"),
        ("ɡrɑb vıagra nıce ℓoan ſale", "grab viagra nice loan sale"),
        // Boxes, circles, brackets, and what NFKC resolves.
        ("ⓥⓘⓐⓖⓡⓐ 🄵🅁🄴🄴 🅲🅰🆂🅷 🅝🅞🅦", "viagra free cash now"),
        ("⒡⒭⒠⒠ 🄕🄡🄔🄔 🇫🇷🇪🇪🇺🇸🇩", "free free freeusd"),
        ("𝓕𝓻𝓮𝓮 𝖒𝖔𝖓𝖊𝖞 ｎｏｗ 𝚏𝚘𝚛 𝕪𝕠𝕦", "free money now for you"),
        // Strokes and stacked marks.
        ("v\u{336}i\u{336}a\u{336}g\u{336}r\u{336}a\u{336} 5\u{336}0\u{336}", "viagra 50"),
        ("c\u{20dd}a\u{20dd}s\u{20dd}h f\u{489}ree", "cash free"),
        ("m\u{30a}\u{342}\u{35b}o\u{301}n\u{31b}\u{330}ey", "money"),
        ("ca\u{353}fe\u{301}\u{353} e\u{336}\u{301}", "café é"),
        // All at once.
        ("𝓥\u{200b}і\u{336}ɑ\u{34f}ɡꓣа", "viagra"),
    ] {
        let disguised = format!("{LATIN} {disguised}");
        assert_eq!(words(&disguised), words(&format!("{LATIN} {plain}")), "{disguised}");
        assert_eq!(
            Tokens::folded(&disguised).fingerprint(),
            Tokens::new(&format!("{LATIN} {plain}")).fingerprint()
        );
    }
}

#[test]
fn latin_letters_in_foreign_words_are_folded() {
    for (disguised, plain) in [
        ("Пpивeт, cегодня xолодно", "Привет, сегодня холодно"),
        ("Погода сегодня: pосa и сoр", "Погода сегодня: роса и сор"),
        ("Ο Nίκος είναι εδώ KAΙ περιμένει", "Ο Νίκος είναι εδώ ΚΑΙ περιμένει"),
    ] {
        assert_eq!(fold(disguised), plain);
    }
}

#[test]
fn honest_text_stays() {
    for text in [
        "Сегодня на море шторм, и паром не пойдёт. Рост цен: 5 %, сор, рок, Нора, ОАО «Рост».",
        "Времето днес е хубаво, но утре ще вали сняг в София и по Черноморието.",
        "Данас је леп дан, а сутра ће падати киша; ја и он идемо у Нови Сад.",
        "Сьогодні гарна погода, і ми їдемо до Києва; об’єкт, ґанок, їжа.",
        "Ο καιρός σήμερα είναι καλός, αλλά αύριο θα βρέξει στην Αθήνα. ΑΝΩ ΚΑΤΩ, το, και.",
        "ᾧ τρόπῳ οὗτος ὁ ἀνὴρ ἔλεξεν",
        "Der Fährmann weiß: Übermorgen fährt das Schiff nach Föhr – „größere“ Stürme, 20 °C.",
        "L’été dernier, où êtes-vous allés ? Ça coûte 1 000 € à Noël, cœur, naïve, ÇA.",
        "Bugün hava çok ılık; kışın ağır kar yağışı vardı. İstanbul’da ışıklar açıldı.",
        "Việt Nam có nhiều thuyền buồm, đường phố rộng lớn ở Hà Nội.",
        "Łódź, żółć i gęś; Příliš žluťoučký kůň; smörgåsbord; Þetta er ísland; ħobż",
        "الطقس اليوم جميل، ولكن غدًا ستمطر في القاهرة. اللُّغَةُ العَرَبِيَّة",
        "आज मौसम अच्छा है, लेकिन कल दिल्ली में बारिश होगी।",
        "היום מזג האוויר יפה, אבל מחר יירד גשם.",
        "我们在北京大学学习，很好。 東京で日本語を勉強します 오늘은 날씨가 좋습니다 ภาษาไทยง่าย",
        "Հայաստանի եղանակը այսօր լավ է",
    ] {
        assert!(matches!(fold(text), Cow::Borrowed(_)), "{text} became {}", fold(text));
    }
}

#[test]
fn honest_words_in_latin_text_stay() {
    for words in ["Москва", "Правда", "Ελλάδα", "λόγος", "🇫🇷", "a≠b", "Győr", "Tromsø", "5×3"]
    {
        let text = format!("{LATIN} {words}");
        assert_eq!(fold(&text), text);
    }
    // Letters with separate marks are the same letters.
    assert_eq!(
        words("e\u{301}te\u{301} a\u{30a}"),
        Tokens::new("été å").words().collect::<Vec<_>>()
    );
}

#[test]
fn a_dotless_i_is_turkish_where_other_letters_are() {
    assert_eq!(words("cheap vıagra"), ["cheap", "viagra"]);
    assert_eq!(words("kapı açık, eşik"), ["kapı", "açık", "eşik"]);
}

#[test]
fn the_document_decides_once() {
    let latin = format!("{LATIN} сор\nсoр");
    let russian = "Сегодня холодно, и сор\nсoр";
    let last = |text: &str| text.rsplit('\n').next().map(str::to_owned);
    assert_eq!(last(&fold(&latin)).as_deref(), Some("cop"));
    assert_eq!(last(&fold(russian)).as_deref(), Some("сор"));
    // A part is folded as within the whole.
    for text in [&latin, russian] {
        let (folding, folded) = Folding::of(text, true);
        let parts: Vec<_> = text.split('\n').map(|line| folding.apply(line)).collect();
        assert_eq!(parts.join("\n"), folded);
    }
}

#[test]
fn folding_can_be_disabled() {
    let text = "v\u{200b}іagra";
    let (folding, folded) = Folding::of(text, false);
    assert_eq!((folding, &*folded), (Folding::default(), text));
    assert_eq!(folding.apply(text), text);
}

/// Text of the characters that folding handles, so that all rules are exercised.
const MIXED: &str = "([a-zA-Z]|[aopcexyABEHKMOTXIsgi]|[аоресхуАВЕНкмтгпьіјѕ]|[бджияфшйёї]\
    |[αορνωηΑΒΕΖΗΙ]|[βγδθλξϐϑϲάώῷ]|[ոսօ]|[Ꭺꓮ]|[ıİşğŞǀɑᴀ]|[éñüøß]|[ \n\u{a0}]|[0-9.,´¨…]\
    |[\u{300}-\u{307}\u{327}\u{328}\u{336}\u{338}\u{345}\u{489}\u{20dd}]\
    |[\u{200b}\u{ad}\u{34f}\u{3164}]|[🅰⒜℮ⓐ𝛂ｖµ=]|[🇦🇧]|[日ไع]){0,30}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn folded_text_folds_to_itself(text in MIXED) {
        let once = fold(&text).into_owned();
        prop_assert_eq!(&fold(&once), &once);
    }

    #[test]
    fn parts_fold_as_the_whole(text in MIXED) {
        let (folding, folded) = Folding::of(&text, true);
        let parts: Vec<_> = text.split('\n').map(|line| folding.apply(line)).collect();
        prop_assert_eq!(parts.join("\n"), folded);
    }

    #[test]
    fn any_text_folds_to_what_folds_to_itself(text in any::<String>()) {
        let once = fold(&text).into_owned();
        prop_assert_eq!(&fold(&once), &once);
    }

    #[test]
    fn ascii_is_not_touched(text in "[\u{0}-\u{7f}]*") {
        prop_assert!(matches!(fold(&text), Cow::Borrowed(same) if same == text));
    }
}
