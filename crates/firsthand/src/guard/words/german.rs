//! The words of German. Compound numbers are read by the module of that name.

use super::hint;
use super::units::{money, unit};
use super::{Beside, Beside::*, Numeral, Numeral::*};

#[rustfmt::skip]
pub(super) const NUMERALS: &[(&str, Numeral)] = &[
    ("null", Small(0)), ("ein eine einen einem einer eines", One), ("eins", Small(1)), ("zwei zwo zweier", Small(2)), ("drei dreier", Small(3)),
    ("vier", Small(4)), ("fünf fuenf", Small(5)), ("sechs", Small(6)), ("sieben", Small(7)),
    ("acht", Small(8)), ("neun", Small(9)), ("zehn", Small(10)), ("elf", Small(11)),
    ("zwölf zwoelf", Small(12)), ("hundert einhundert", Hundred), ("tausend", Power(3)), ("million millionen", Power(6)),
    ("milliarde milliarden", Power(9)), ("billion billionen", Power(12)), ("dutzend", Dozen),
    ("dutzende dutzenden", Vague(1)), ("hunderte hunderten", Vague(2)), ("tausende tausenden", Vague(3)),
    ("erste ersten erster erstes", Ordinal(1)), ("zweite zweiten zweiter zweites", Ordinal(2)),
    ("dritte dritten dritter drittes", Ordinal(3)), ("siebte siebten siebter siebtes", Ordinal(7)),
    ("achte achten achter achtes", Ordinal(8)),
    ("januar jänner", Month(1)), ("februar", Month(2)), ("märz maerz", Month(3)), ("april", Month(4)),
    ("mai", Month(5)), ("juni", Month(6)), ("juli", Month(7)), ("august", Month(8)),
    ("september", Month(9)), ("oktober", Month(10)), ("november", Month(11)), ("dezember", Month(12)),
    ("jan", MonthIfDated(1)), ("feb", MonthIfDated(2)), ("mär mrz", MonthIfDated(3)),
    ("apr", MonthIfDated(4)), ("jun", MonthIfDated(6)), ("jul", MonthIfDated(7)),
    ("aug", MonthIfDated(8)), ("sep sept", MonthIfDated(9)), ("okt", MonthIfDated(10)),
    ("nov", MonthIfDated(11)), ("dez", MonthIfDated(12)),
];

#[rustfmt::skip]
pub(super) const BESIDE: &[(&str, Beside)] = &[
    ("tsd", Scale(3)), ("mill", Scale(6)), ("mrd md", Scale(9)),
    ("prozent prozentpunkte prozentpunkten prozentpunkt prozentige prozentigen prozentiger prozentiges", Percent),
    ("pfund", Money(money::POUND)), ("cent cents", Money(money::CENT)), ("franken", Money(money::FRANC)),
    ("rubel", Money(money::ROUBLE)), ("rupien", Money(money::RUPEE)), ("kronen", Money(money::CROWN)),
    ("millimeter millimetern", Unit(unit::MILLIMETRE)), ("zentimeter zentimetern", Unit(unit::CENTIMETRE)),
    ("meter metern", Unit(unit::METRE)), ("kilometer kilometern", Unit(unit::KILOMETRE)),
    ("zoll", Unit(unit::INCH)), ("fuß", Unit(unit::FOOT)), ("meile meilen", Unit(unit::MILE)),
    ("gramm", Unit(unit::GRAM)), ("kilogramm", Unit(unit::KILOGRAM)), ("tonne tonnen", Unit(unit::TONNE)),
    ("liter litern", Unit(unit::LITRE)), ("barrel", Unit(unit::BARREL)), ("hektar", Unit(unit::HECTARE)),
    ("grad", Unit(unit::DEGREE)), ("sekunde sekunden sek", Unit(unit::SECOND)),
    ("minute minuten min", Unit(unit::MINUTE)), ("stunde stunden std", Unit(unit::HOUR)),
    ("tag tage tagen", Unit(unit::DAY)), ("woche wochen", Unit(unit::WEEK)),
    ("monat monate monaten", Unit(unit::MONTH)), ("jahr jahre jahren", Unit(unit::YEAR)),
    ("kilowatt kilowattstunden", Unit(unit::KILOWATT)), ("megawatt megawattstunden", Unit(unit::MEGAWATT)),
    ("gigawatt gigawattstunden", Unit(unit::GIGAWATT)),
    ("er ern", Decade), ("uhr h", Clock),
];

#[rustfmt::skip]
pub(super) const HINTS: &[(&str, u16)] = &[
    ("vor", hint::AGO),
    ("und", hint::AND),
    ("an", hint::OF),
    ("in im seit ab bis jahr jahre jahres anfang mitte ende von vor nach sommer winter frühjahr frühling herbst saison", hint::SINCE),
    ("sieg siege erfolg niederlage remis führung heimsieg auswärtssieg endstand punkte", hint::GAME),
    ("kommentare kommentar aufrufe aufruf likes shares tweets bewertungen bewertung leser follower abonnenten antworten lesermeinungen beiträge leserkommentare mal", hint::CROWD),
    ("tel telefon telefonnummer fax mobil isbn issn seite seiten foto fotos bild bilder version copyright id nr kommentare lesezeit lesedauer aufrufe bildergalerie teil folge", hint::FRAME),
    ("veröffentlicht aktualisiert stand erstellt publiziert geändert datum zuletzt artikel vom am erschienen update", hint::STAMP),
    ("mensch menschen person toter tote toten todesopfer verletzter verletzte verletzten opfer mann frau kind soldat polizist zivilist vermisster", hint::PERSON),
];
