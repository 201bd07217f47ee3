//! The words of English.

use super::hint;
use super::units::{money, unit};
use super::{Beside, Beside::*, Numeral, Numeral::*};

#[rustfmt::skip]
pub(super) const NUMERALS: &[(&str, Numeral)] = &[
    ("zero", Small(0)), ("one", Small(1)), ("two", Small(2)), ("three", Small(3)), ("four", Small(4)),
    ("five", Small(5)), ("six", Small(6)), ("seven", Small(7)), ("eight", Small(8)), ("nine", Small(9)),
    ("ten", Small(10)), ("eleven", Small(11)), ("twelve", Small(12)), ("thirteen", Small(13)),
    ("fourteen", Small(14)), ("fifteen", Small(15)), ("sixteen", Small(16)), ("seventeen", Small(17)),
    ("eighteen", Small(18)), ("nineteen", Small(19)), ("twenty", Small(20)), ("thirty", Small(30)),
    ("forty fourty", Small(40)), ("fifty", Small(50)), ("sixty", Small(60)), ("seventy", Small(70)),
    ("eighty", Small(80)), ("ninety", Small(90)),
    ("hundred", Hundred), ("thousand", Power(3)), ("million", Power(6)), ("billion", Power(9)),
    ("trillion", Power(12)), ("dozen", Dozen),
    ("dozens", Vague(1)), ("hundreds", Vague(2)), ("thousands", Vague(3)), ("millions", Vague(6)),
    ("billions", Vague(9)), ("trillions", Vague(12)),
    ("first", Ordinal(1)), ("second", Ordinal(2)), ("third", Ordinal(3)), ("fourth", Ordinal(4)),
    ("fifth", Ordinal(5)), ("sixth", Ordinal(6)), ("seventh", Ordinal(7)), ("eighth", Ordinal(8)),
    ("ninth", Ordinal(9)), ("tenth", Ordinal(10)), ("eleventh", Ordinal(11)), ("twelfth", Ordinal(12)),
    ("thirteenth", Ordinal(13)), ("fourteenth", Ordinal(14)), ("fifteenth", Ordinal(15)),
    ("sixteenth", Ordinal(16)), ("seventeenth", Ordinal(17)), ("eighteenth", Ordinal(18)),
    ("nineteenth", Ordinal(19)), ("twentieth", Ordinal(20)), ("thirtieth", Ordinal(30)),
    ("fortieth", Ordinal(40)), ("fiftieth", Ordinal(50)), ("hundredth", Ordinal(100)),
    ("january", Month(1)), ("february", Month(2)), ("march", MonthIfDated(3)), ("april", Month(4)),
    ("may", MonthIfDated(5)), ("june", Month(6)), ("july", Month(7)), ("august", Month(8)),
    ("september", Month(9)), ("october", Month(10)), ("november", Month(11)), ("december", Month(12)),
    ("jan", MonthIfDated(1)), ("feb", MonthIfDated(2)), ("mar", MonthIfDated(3)), ("apr", MonthIfDated(4)),
    ("jun", MonthIfDated(6)), ("jul", MonthIfDated(7)), ("aug", MonthIfDated(8)),
    ("sept sep", MonthIfDated(9)), ("oct", MonthIfDated(10)), ("nov", MonthIfDated(11)),
    ("dec", MonthIfDated(12)),
];

#[rustfmt::skip]
pub(super) const BESIDE: &[(&str, Beside)] = &[
    ("percent percentage", Percent), ("per", Per),
    ("pound pounds quid lb lbs", Money(money::POUND)), ("cent cents", Money(money::CENT)),
    ("penny pence p", Money(money::PENNY)), ("franc francs", Money(money::FRANC)),
    ("peso pesos", Money(money::PESO)), ("rouble roubles ruble rubles", Money(money::ROUBLE)),
    ("krona kronor krone kroner", Money(money::CROWN)),
    ("rand lira won riyal riyals dirham dirhams shekel shekels naira", Money(money::OTHER)),
    ("millimetre millimetres millimeter millimeters", Unit(unit::MILLIMETRE)),
    ("centimetre centimetres centimeter centimeters", Unit(unit::CENTIMETRE)),
    ("metre metres meter meters", Unit(unit::METRE)),
    ("kilometre kilometres kilometer kilometers", Unit(unit::KILOMETRE)),
    ("inch inches", Unit(unit::INCH)), ("foot feet", Unit(unit::FOOT)), ("yard yards", Unit(unit::YARD)),
    ("mile miles", Unit(unit::MILE)), ("gram grams gramme grammes", Unit(unit::GRAM)),
    ("kilogram kilograms kilogramme kilogrammes", Unit(unit::KILOGRAM)),
    ("ton tons tonne tonnes", Unit(unit::TONNE)), ("ounce ounces", Unit(unit::OUNCE)),
    ("litre litres liter liters", Unit(unit::LITRE)), ("gallon gallons", Unit(unit::GALLON)),
    ("barrel barrels", Unit(unit::BARREL)), ("hectare hectares", Unit(unit::HECTARE)),
    ("acre acres", Unit(unit::ACRE)), ("degree degrees", Unit(unit::DEGREE)),
    ("second seconds sec secs", Unit(unit::SECOND)), ("minute minutes min mins", Unit(unit::MINUTE)),
    ("hour hours hr hrs", Unit(unit::HOUR)), ("day days", Unit(unit::DAY)), ("week weeks", Unit(unit::WEEK)),
    ("month months", Unit(unit::MONTH)), ("year years yr yrs", Unit(unit::YEAR)),
    ("kilowatt kilowatts", Unit(unit::KILOWATT)), ("megawatt megawatts", Unit(unit::MEGAWATT)),
    ("gigawatt gigawatts", Unit(unit::GIGAWATT)), ("magnitude", Unit(unit::MAGNITUDE)),
    ("st nd rd th", Rank), ("s", Decade), ("am pm", Clock),
];

#[rustfmt::skip]
pub(super) const HINTS: &[(&str, u16)] = &[
    ("ago", hint::AGO),
    ("of", hint::OF),
    ("and", hint::AND),
    ("in since by from until till during year years of before after mid early late summer winter spring autumn fall season", hint::SINCE),
    ("win wins victory defeat loss draw lead tie triumph record vote votes", hint::GAME),
    ("comments comment shares views likes tweets retweets followers pins replies ratings reviews readers subscribers responses reactions", hint::CROWD),
    ("tel phone telephone fax mobile isbn issn page pages photo photos image images slide slides picture gallery version v copyright id ref comments shares share tweet tweets likes views read reading rating", hint::FRAME),
    ("published updated posted modified created written revised uploaded last first on by filed added edited edition", hint::STAMP),
];
