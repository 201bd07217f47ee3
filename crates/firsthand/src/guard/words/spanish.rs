//! The words of Spanish.

use super::hint;
use super::units::{money, unit};
use super::{Beside, Beside::*, Numeral, Numeral::*};

#[rustfmt::skip]
pub(super) const NUMERALS: &[(&str, Numeral)] = &[
    ("cero", Small(0)), ("un una uno", One), ("dos", Small(2)), ("tres", Small(3)), ("cuatro", Small(4)), ("cinco", Small(5)),
    ("seis", Small(6)), ("siete", Small(7)), ("ocho", Small(8)), ("nueve", Small(9)), ("diez", Small(10)),
    ("once", Small(11)), ("doce", Small(12)), ("trece", Small(13)), ("catorce", Small(14)),
    ("quince", Small(15)), ("dieciséis dieciseis", Small(16)), ("diecisiete", Small(17)),
    ("dieciocho", Small(18)), ("diecinueve", Small(19)), ("veinte", Small(20)),
    ("veintiuno veintiún veintiun veintiuna", Small(21)), ("veintidós veintidos", Small(22)),
    ("veintitrés veintitres", Small(23)), ("veinticuatro", Small(24)), ("veinticinco", Small(25)),
    ("veintiséis veintiseis", Small(26)), ("veintisiete", Small(27)), ("veintiocho", Small(28)),
    ("veintinueve", Small(29)), ("treinta", Small(30)), ("cuarenta", Small(40)), ("cincuenta", Small(50)),
    ("sesenta", Small(60)), ("setenta", Small(70)), ("ochenta", Small(80)), ("noventa", Small(90)),
    ("cien ciento", Hundreds(100)), ("doscientos doscientas", Hundreds(200)),
    ("trescientos trescientas", Hundreds(300)), ("cuatrocientos cuatrocientas", Hundreds(400)),
    ("quinientos quinientas", Hundreds(500)), ("seiscientos seiscientas", Hundreds(600)),
    ("setecientos setecientas", Hundreds(700)), ("ochocientos ochocientas", Hundreds(800)),
    ("novecientos novecientas", Hundreds(900)), ("mil", Power(3)), ("millón millon millones", Power(6)),
    ("billón billones", Power(12)), ("docena", Dozen), ("decena", Small(10)), ("veintena", Small(20)),
    ("decenas", Vague(1)), ("cientos centenares", Vague(2)), ("miles", Vague(3)),
    ("primer primero primera primeros primeras", Ordinal(1)), ("segundo segunda", Ordinal(2)),
    ("tercer tercero tercera", Ordinal(3)), ("cuarto cuarta", Ordinal(4)), ("quinto quinta", Ordinal(5)),
    ("sexto sexta", Ordinal(6)), ("séptimo séptima", Ordinal(7)), ("octavo octava", Ordinal(8)),
    ("noveno novena", Ordinal(9)), ("décimo décima", Ordinal(10)),
    ("enero", Month(1)), ("febrero", Month(2)), ("marzo", Month(3)), ("abril", Month(4)), ("mayo", Month(5)),
    ("junio", Month(6)), ("julio", Month(7)), ("agosto", Month(8)), ("septiembre setiembre", Month(9)),
    ("octubre", Month(10)), ("noviembre", Month(11)), ("diciembre", Month(12)),
    ("ene", MonthIfDated(1)), ("feb", MonthIfDated(2)), ("mar", MonthIfDated(3)), ("abr", MonthIfDated(4)),
    ("jun", MonthIfDated(6)), ("jul", MonthIfDated(7)), ("ago", MonthIfDated(8)), ("sep sept", MonthIfDated(9)),
    ("oct", MonthIfDated(10)), ("nov", MonthIfDated(11)), ("dic", MonthIfDated(12)),
];

#[rustfmt::skip]
pub(super) const BESIDE: &[(&str, Beside)] = &[
    ("mill", Scale(6)), ("por", Per),
    ("dólar dólares", Money(money::DOLLAR)), ("libra libras", Money(money::POUND)),
    ("centavo centavos céntimo céntimos", Money(money::CENT)), ("franco francos", Money(money::FRANC)),
    ("peso pesos", Money(money::PESO)), ("rublo rublos", Money(money::ROUBLE)),
    ("bolívares soles reales", Money(money::OTHER)),
    ("milímetro milímetros", Unit(unit::MILLIMETRE)), ("centímetro centímetros", Unit(unit::CENTIMETRE)),
    ("metro metros", Unit(unit::METRE)), ("kilómetro kilómetros", Unit(unit::KILOMETRE)),
    ("pulgada pulgadas", Unit(unit::INCH)), ("pie pies", Unit(unit::FOOT)), ("milla millas", Unit(unit::MILE)),
    ("gramo gramos", Unit(unit::GRAM)), ("kilogramo kilogramos", Unit(unit::KILOGRAM)),
    ("tonelada toneladas", Unit(unit::TONNE)), ("litro litros", Unit(unit::LITRE)),
    ("barril barriles", Unit(unit::BARREL)), ("hectárea hectáreas", Unit(unit::HECTARE)),
    ("grado grados", Unit(unit::DEGREE)), ("segundo segundos", Unit(unit::SECOND)),
    ("minuto minutos min", Unit(unit::MINUTE)), ("hora horas", Unit(unit::HOUR)),
    ("día días", Unit(unit::DAY)), ("semana semanas", Unit(unit::WEEK)), ("mes meses", Unit(unit::MONTH)),
    ("año años", Unit(unit::YEAR)),
    ("megavatio megavatios", Unit(unit::MEGAWATT)), ("kilovatio kilovatios", Unit(unit::KILOWATT)),
    ("h hrs", Clock),
];

#[rustfmt::skip]
pub(super) const HINTS: &[(&str, u16)] = &[
    ("hace", hint::AGO),
    ("de", hint::OF),
    ("y", hint::AND),
    ("en desde año años hasta finales principios del de antes después temporada", hint::SINCE),
    ("victoria derrota empate triunfo", hint::GAME),
    ("comentarios comentario compartidos veces visitas vistas lecturas seguidores lectores respuestas likes tweets", hint::CROWD),
    ("tel tel teléfono fax isbn issn página páginas foto fotos imagen imágenes versión copyright id lectura comentarios compartidos episodio", hint::FRAME),
    ("publicado publicada actualizado actualizada fecha modificado creado el por última", hint::STAMP),
    ("persona muerto muerta fallecido fallecida herido herida víctima hombre mujer niño niña soldado policía civil desaparecido", hint::PERSON),
];
