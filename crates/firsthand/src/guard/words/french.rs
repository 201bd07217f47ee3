//! The words of French.

use super::hint;
use super::units::{money, unit};
use super::{Beside, Beside::*, Numeral, Numeral::*};

#[rustfmt::skip]
pub(super) const NUMERALS: &[(&str, Numeral)] = &[
    ("zéro", Small(0)), ("un une", One), ("deux", Small(2)), ("trois", Small(3)), ("quatre", Small(4)), ("cinq", Small(5)),
    ("six", Small(6)), ("sept", Small(7)), ("huit", Small(8)), ("neuf", Small(9)), ("dix", Small(10)),
    ("onze", Small(11)), ("douze", Small(12)), ("treize", Small(13)), ("quatorze", Small(14)),
    ("quinze", Small(15)), ("seize", Small(16)), ("vingt vingts", Small(20)), ("trente", Small(30)),
    ("quarante", Small(40)), ("cinquante", Small(50)), ("soixante", Small(60)),
    ("septante", Small(70)), ("octante huitante", Small(80)), ("nonante", Small(90)),
    ("cent cents", Hundred), ("mille", Power(3)), ("million millions", Power(6)),
    ("milliard milliards", Power(9)), ("billion billions", Power(12)), ("douzaine", Dozen),
    ("dizaine", Small(10)), ("vingtaine", Small(20)), ("trentaine", Small(30)), ("quinzaine", Small(15)),
    ("cinquantaine", Small(50)), ("centaine", Hundred), ("millier", Power(3)),
    ("dizaines", Vague(1)), ("centaines", Vague(2)), ("milliers", Vague(3)),
    ("premier première premiers premières", Ordinal(1)), ("deuxième second seconde", Ordinal(2)),
    ("troisième", Ordinal(3)), ("quatrième", Ordinal(4)), ("cinquième", Ordinal(5)),
    ("sixième", Ordinal(6)), ("septième", Ordinal(7)), ("huitième", Ordinal(8)), ("neuvième", Ordinal(9)),
    ("dixième", Ordinal(10)), ("onzième", Ordinal(11)), ("douzième", Ordinal(12)), ("vingtième", Ordinal(20)),
    ("janvier", Month(1)), ("février", Month(2)), ("mars", Month(3)), ("avril", Month(4)), ("mai", Month(5)),
    ("juin", Month(6)), ("juillet", Month(7)), ("août aout", Month(8)), ("septembre", Month(9)),
    ("octobre", Month(10)), ("novembre", Month(11)), ("décembre", Month(12)),
    ("janv", MonthIfDated(1)), ("févr", MonthIfDated(2)), ("avr", MonthIfDated(4)),
    ("juil", MonthIfDated(7)), ("oct", MonthIfDated(10)), ("nov", MonthIfDated(11)), ("déc", MonthIfDated(12)),
];

#[rustfmt::skip]
pub(super) const BESIDE: &[(&str, Beside)] = &[
    ("md mds mrd", Scale(9)), ("pourcent", Percent), ("pour", Per),
    ("livre livres", Money(money::POUND)), ("centime centimes", Money(money::CENT)),
    ("franc francs", Money(money::FRANC)), ("rouble roubles", Money(money::ROUBLE)),
    ("roupie roupies", Money(money::RUPEE)), ("couronne couronnes", Money(money::CROWN)),
    ("millimètre millimètres", Unit(unit::MILLIMETRE)), ("centimètre centimètres", Unit(unit::CENTIMETRE)),
    ("mètre mètres", Unit(unit::METRE)), ("kilomètre kilomètres", Unit(unit::KILOMETRE)),
    ("pouce pouces", Unit(unit::INCH)), ("pied pieds", Unit(unit::FOOT)), ("mille milles", Unit(unit::MILE)),
    ("gramme grammes", Unit(unit::GRAM)), ("kilogramme kilogrammes", Unit(unit::KILOGRAM)),
    ("tonne tonnes", Unit(unit::TONNE)), ("litre litres", Unit(unit::LITRE)), ("baril barils", Unit(unit::BARREL)),
    ("hectare hectares", Unit(unit::HECTARE)), ("degré degrés", Unit(unit::DEGREE)),
    ("seconde secondes", Unit(unit::SECOND)), ("minute minutes min mn", Unit(unit::MINUTE)),
    ("heure heures", Unit(unit::HOUR)), ("jour jours", Unit(unit::DAY)), ("semaine semaines", Unit(unit::WEEK)),
    ("mois", Unit(unit::MONTH)), ("an ans année années", Unit(unit::YEAR)),
    ("mégawatt mégawatts", Unit(unit::MEGAWATT)), ("kilowatt kilowatts", Unit(unit::KILOWATT)),
    ("er re e ème ième", Rank), ("h", Clock),
];

#[rustfmt::skip]
pub(super) const HINTS: &[(&str, u16)] = &[
    ("a", hint::AGO),
    ("de d", hint::OF),
    ("et", hint::AND),
    ("en depuis dès année années vers fin début juin avant après du de printemps été automne hiver saison", hint::SINCE),
    ("victoire défaite nul succès but", hint::GAME),
    ("commentaires commentaire partages partage vues vue avis réactions réaction abonnés lecteurs lectures likes tweets", hint::CROWD),
    ("tél tel téléphone fax isbn issn page pages photo photos image images version copyright id lecture commentaires partages épisode", hint::FRAME),
    ("publié publiée posté mis jour modifié actualisé créé le par rédigé", hint::STAMP),
    ("personne mort morte décès blessé blessée tué tuée victime homme femme enfant soldat policier civil disparu", hint::PERSON),
];
