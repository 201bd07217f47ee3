//! Units and short forms that most languages share, and the numbers that stand for units.

use super::{
    Beside::{self, *},
    hint,
};

/// Units are told apart by number. Those of money:
pub(crate) mod money {
    pub(crate) const DOLLAR: u8 = 2;
    pub(crate) const EURO: u8 = 3;
    pub(crate) const POUND: u8 = 4;
    pub(crate) const YEN: u8 = 5;
    pub(crate) const FRANC: u8 = 6;
    pub(crate) const RUPEE: u8 = 7;
    pub(crate) const CROWN: u8 = 8;
    pub(crate) const PESO: u8 = 9;
    pub(crate) const ROUBLE: u8 = 10;
    pub(crate) const CENT: u8 = 11;
    pub(crate) const PENNY: u8 = 12;
    pub(crate) const OTHER: u8 = 13;
}
/// Those of length, weight and so on:
pub(crate) mod unit {
    pub(crate) const MILLIMETRE: u8 = 30;
    pub(crate) const CENTIMETRE: u8 = 31;
    pub(crate) const METRE: u8 = 32;
    pub(crate) const KILOMETRE: u8 = 33;
    pub(crate) const INCH: u8 = 34;
    pub(crate) const FOOT: u8 = 35;
    pub(crate) const YARD: u8 = 36;
    pub(crate) const MILE: u8 = 37;
    pub(crate) const MILLIGRAM: u8 = 38;
    pub(crate) const GRAM: u8 = 39;
    pub(crate) const KILOGRAM: u8 = 40;
    pub(crate) const TONNE: u8 = 41;
    pub(crate) const OUNCE: u8 = 42;
    pub(crate) const MILLILITRE: u8 = 43;
    pub(crate) const LITRE: u8 = 44;
    pub(crate) const GALLON: u8 = 45;
    pub(crate) const BARREL: u8 = 46;
    pub(crate) const HECTARE: u8 = 47;
    pub(crate) const ACRE: u8 = 48;
    pub(crate) const DEGREE: u8 = 49;
    pub(crate) const SECOND: u8 = 50;
    pub(crate) const MINUTE: u8 = 51;
    pub(crate) const HOUR: u8 = 52;
    pub(crate) const DAY: u8 = 53;
    pub(crate) const WEEK: u8 = 54;
    pub(crate) const MONTH: u8 = 55;
    pub(crate) const YEAR: u8 = 56;
    pub(crate) const KILOMETRE_AN_HOUR: u8 = 57;
    pub(crate) const MILE_AN_HOUR: u8 = 58;
    pub(crate) const WATT: u8 = 59;
    pub(crate) const KILOWATT: u8 = 60;
    pub(crate) const MEGAWATT: u8 = 61;
    pub(crate) const GIGAWATT: u8 = 62;
    pub(crate) const MEGABYTE: u8 = 63;
    pub(crate) const GIGABYTE: u8 = 64;
    pub(crate) const TERABYTE: u8 = 65;
    pub(crate) const HERTZ: u8 = 66;
    pub(crate) const VOLT: u8 = 67;
    pub(crate) const MAGNITUDE: u8 = 68;
}

#[rustfmt::skip]
pub(super) const BESIDE: &[(&str, Beside)] = &[
    ("k", Scale(3)), ("mn mio mln", Scale(6)), ("bn", Scale(9)), ("tn trn", Scale(12)), ("m", Em),
    ("pc pct", Percent),
    ("usd aud cad dollar dollars", Money(money::DOLLAR)), ("eur euro euros", Money(money::EURO)),
    ("gbp", Money(money::POUND)), ("jpy yen yuan cny rmb", Money(money::YEN)),
    ("chf", Money(money::FRANC)), ("inr rs rupee rupees", Money(money::RUPEE)),
    ("sek nok dkk czk", Money(money::CROWN)), ("rub", Money(money::ROUBLE)),
    ("mm", Unit(unit::MILLIMETRE)), ("cm", Unit(unit::CENTIMETRE)), ("km kms", Unit(unit::KILOMETRE)),
    ("ft", Unit(unit::FOOT)), ("yd yds", Unit(unit::YARD)), ("mi", Unit(unit::MILE)),
    ("mg", Unit(unit::MILLIGRAM)), ("g gr", Unit(unit::GRAM)), ("kg kgs kilo kilos", Unit(unit::KILOGRAM)),
    ("oz", Unit(unit::OUNCE)), ("ml", Unit(unit::MILLILITRE)), ("l", Unit(unit::LITRE)),
    ("ha", Unit(unit::HECTARE)), ("kmh kph", Unit(unit::KILOMETRE_AN_HOUR)), ("mph", Unit(unit::MILE_AN_HOUR)),
    ("kw kwh", Unit(unit::KILOWATT)), ("mw mwh", Unit(unit::MEGAWATT)), ("gw gwh", Unit(unit::GIGAWATT)),
    ("watt watts", Unit(unit::WATT)), ("volt volts", Unit(unit::VOLT)),
    ("mb megabyte megabytes", Unit(unit::MEGABYTE)), ("gb gigabyte gigabytes", Unit(unit::GIGABYTE)),
    ("tb terabyte terabytes", Unit(unit::TERABYTE)), ("hz khz mhz ghz", Unit(unit::HERTZ)),
    ("c f celsius fahrenheit", Unit(unit::DEGREE)),
    ("gmt utc bst cet cest mez mesz est edt pst pdt", Zone),
];

#[rustfmt::skip]
pub(super) const HINTS: &[(&str, u16)] = &[
    ("tel fax isbn issn tweets tweet retweets retweet likes id nr.", hint::FRAME),
];
