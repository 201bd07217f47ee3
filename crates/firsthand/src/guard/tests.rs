//! The same value in other words, by language.

#[path = "../../tests/laws/frames/mod.rs"]
mod frames;

use super::{Figures, compare::differ};
use frames::framed;
use std::collections::BTreeMap;

/// Both figures are read, and as the same, in either direction.
fn are_equal(language: &str, a: &str, b: &str) {
    let [one, other] = [a, b].map(|figure| Figures::read(&framed(language, figure)));
    let ([x], [y]) = (&*one.figures, &*other.figures) else {
        panic!("{a:?} or {b:?} is not read as one figure: {one:?} {other:?}");
    };
    assert!(!differ(x, y) && !differ(y, x), "{x:?} and {y:?}");
    assert_eq!(one.changed(&other), [], "{a:?} and {b:?}");
    assert_eq!(other.changed(&one), [], "{b:?} and {a:?}");
}

/// Every short and written form of a unit, in every language.
#[test]
fn every_form_of_a_unit_is_equal() {
    let own = [
        ("en", include_str!("words/english.txt")),
        ("de", include_str!("words/german.txt")),
        ("fr", include_str!("words/french.txt")),
        ("es", include_str!("words/spanish.txt")),
    ];
    let mut pairs = 0;
    for (language, own) in own {
        let lines = include_str!("words/shared.txt").lines().chain(own.lines());
        let mut meanings: BTreeMap<&str, &str> = BTreeMap::new();
        for (meaning, words) in lines.filter_map(|line| line.split_once(": ")) {
            if meaning.starts_with("unit ") || meaning.starts_with("money ") {
                meanings.extend(words.split(' ').map(|word| (word, meaning)));
            }
        }
        let mut forms: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (word, meaning) in meanings {
            // Single letters need more around them; others are numbers, too.
            if word.len() > 1 && !["mille", "milles", "cents"].contains(&word) {
                forms.entry(meaning).or_default().push(word);
            }
        }
        for words in forms.values() {
            for pair in words.windows(2) {
                are_equal(language, &format!("7 {}", pair[0]), &format!("7 {}", pair[1]));
                pairs += 1;
            }
        }
    }
    assert!(pairs > 300, "{pairs}");
}

#[test]
fn equal_values_written_differently_do_not_change() {
    #[rustfmt::skip]
    let cases = [
        ("en", "17 people", "seventeen people"), ("en", "1,200 people", "1200 people"),
        ("en", "3,500 households", "3 500 households"), ("en", "3,500 households", "3\u{a0}500 households"),
        ("en", "3,500 households", "3\u{202f}500 households"), ("en", "3,500 households", "3\u{2009}500 households"),
        ("en", "12,500,000 people", "12 500 000 people"), ("en", "1 200 m", "1200 metres"),
        ("en", "1,200 people", "twelve hundred people"), ("en", "1,200 people", "one thousand two hundred people"),
        ("en", "$5m", "5 million dollars"), ("en", "$5m", "$5 million"), ("en", "US$5 million", "5 million US dollars"),
        ("en", "$1.5bn", "1.5 billion dollars"), ("en", "5 %", "five percent"), ("en", "5%", "5 per cent"),
        ("en", "twenty-three people", "23 people"), ("en", "two hundred and fifty people", "250 people"),
        ("en", "two dozen people", "24 people"), ("en", "a hundred people", "100 people"),
        ("en", "12 March 2014", "March 12, 2014"), ("en", "12th of March 2014", "March 12th, 2014"),
        ("en", "March 12, 2014", "3/12/2014"), ("en", "12 March 2014", "2014-03-12"), ("en", "Sept. 5", "September 5"),
        ("en", "12 March", "12 March 2014"), ("en", "12.50 dollars", "$12.5"), ("en", "12.5 C", "12.5 °C"),
        ("en", "12.5 degrees Celsius", "12.5°C"), ("en", "5 km", "5 kilometres"), ("en", "5m people", "5 million people"),
        ("en", "3-1", "3–1"), ("en", "10,000 people", "10k people"), ("en", "the third time", "the 3rd time"),
        ("en", "21st place", "twenty-first place"), ("en", "16-foot waves", "16 foot waves"), ("en", "39 feet", "12 metres"),
        ("en", "110 km/h", "110 kilometres per hour"), ("en", "110 km/h", "110 kilometers an hour"),
        ("en", "110 km/h", "110kph"), ("en", "110 km/h", "110 km/hr"), ("en", "110 km/h", "110 km per hour"),
        ("en", "a 110-kilometre-per-hour wind", "a 110 km/h wind"), ("en", "70 mph", "70 miles per hour"),
        ("en", "70 mph", "70 miles an hour"), ("en", "110 km/h", "68 mph"), ("en", "5 m/s", "5 metres per second"),
        ("en", "5 m", "5 metres"), ("en", "5m", "five meters"), ("en", "5 kWh", "5 kilowatt-hours"),
        ("en", "5 kWh", "5 kilowatt hours"), ("en", "5 km²", "5 square kilometres"), ("en", "5 km2", "5 sq. km"),
        ("en", "5 m²", "5 square metres"), ("en", "5 m³", "5 cubic metres"), ("en", "9.58s", "9.58 seconds"),
        ("en", "6′", "6 feet"), ("en", "on Tuesday", "on Tuesday, March 12"), ("en", "Tuesday, March 12", "March 12"),
        ("en", "Tuesday the 12th of March", "Tuesday, March 12, 2014"),
        ("de", "110 km/h", "110 Kilometer pro Stunde"), ("de", "110 km/h", "110 Stundenkilometer"),
        ("de", "110 km/h", "110 Kilometer in der Stunde"), ("de", "5 m/s", "5 Meter pro Sekunde"),
        ("de", "5 km²", "5 Quadratkilometer"), ("de", "5 kWh", "5 Kilowattstunden"),
        ("de", "Dienstag, den 12. März", "Dienstag, 12. März"), ("de", "Dienstagabend", "Dienstag"),
        ("fr", "110 km/h", "110 kilomètres par heure"), ("fr", "110 km/h", "110 kilomètres à l'heure"),
        ("fr", "110 km/h", "110 kilomètres-heure"), ("fr", "5 km²", "5 kilomètres carrés"), ("fr", "5 m³", "5 mètres cubes"),
        ("fr", "5 kWh", "5 kilowattheures"), ("fr", "mardi 12 mars", "le 12 mars"),
        ("es", "110 km/h", "110 kilómetros por hora"), ("es", "5 km²", "5 kilómetros cuadrados"),
        ("es", "5 m³", "5 metros cúbicos"), ("es", "martes 12 de marzo", "martes, 12 de marzo"),
        ("de", "1.200 Menschen", "1200 Menschen"), ("de", "1.200 Menschen", "1 200 Menschen"),
        ("de", "1.200 Menschen", "1,200 Menschen"), ("de", "1.200 Menschen", "zwölfhundert Menschen"),
        ("de", "ein Mensch", "1 Mensch"), 
        ("de", "17 Menschen", "siebzehn Menschen"), ("de", "zwei Dutzend Menschen", "24 Menschen"),
        ("de", "siebenundzwanzig Menschen", "27 Menschen"), ("de", "2,5 Millionen Euro", "2.500.000 Euro"),
        ("de", "2,5 Mio. Euro", "2,5 Millionen €"), ("de", "3 Mrd. Euro", "drei Milliarden Euro"),
        ("de", "5 Prozent", "5 %"), ("de", "fünf Prozent", "5 Prozent"), ("de", "12. März 2014", "12.03.2014"),
        ("de", "12. März", "12.3."), ("de", "der dritte Platz", "der 3. Platz"), ("de", "3:1", "3-1"),
        ("de", "zweihundertfünfzigtausend Menschen", "250.000 Menschen"), ("de", "12,5 Grad", "12,5 °C"),
        ("fr", "1 200 personnes", "1.200 personnes"), ("fr", "1\u{202f}200 personnes", "1200 personnes"),
        ("fr", "quatre-vingt-dix personnes", "90 personnes"), ("fr", "quatre-vingt-dix-sept personnes", "97 personnes"),
        ("fr", "soixante-douze personnes", "72 personnes"), ("fr", "vingt et un mille personnes", "21 000 personnes"),
        ("fr", "deux cents personnes", "200 personnes"), ("fr", "5 millions d'euros", "5 M€"),
        ("fr", "5 millions d’euros", "5.000.000 €"), ("fr", "5 pour cent", "5 %"), ("fr", "12 mars 2014", "12/03/2014"),
        ("fr", "le 1er mars", "le premier mars"), ("fr", "trois milliards de dollars", "3 milliards de dollars"),
        ("es", "1.200 personas", "1,200 personas"), ("es", "1 200 personas", "mil doscientas personas"),
        ("es", "veintiún mil personas", "21.000 personas"), ("es", "treinta y dos personas", "32 personas"),
        ("es", "diecisiete personas", "17 personas"), ("es", "5 millones de dólares", "$5 millones"),
        ("es", "mil millones de euros", "1.000 millones de euros"), ("es", "5 por ciento", "5%"),
        ("es", "12 de marzo de 2014", "12/03/2014"), ("es", "12 de marzo de 2014", "12 marzo 2014"),
    ];
    for (language, a, b) in cases {
        are_equal(language, a, b);
    }
}
