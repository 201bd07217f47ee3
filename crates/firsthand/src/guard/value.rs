//! The exact value of a figure: decimal numbers, pairs of numbers, and days.

/// A decimal number: `digits` times ten to the power of `scale`, without trailing zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) digits: u64,
    pub(super) scale: i8,
}

impl Decimal {
    /// A whole number.
    pub(super) fn whole(digits: u64) -> Self {
        Self { digits, scale: 0 }.trimmed()
    }

    /// Digits, the last `places` of them after the decimal point.
    pub(super) fn with_places(digits: u64, places: u8) -> Option<Self> {
        Some(Self { digits, scale: -i8::try_from(places).ok()? }.trimmed())
    }

    fn trimmed(mut self) -> Self {
        if self.digits == 0 {
            return Self::default();
        }
        while self.digits.is_multiple_of(10) {
            self.digits /= 10;
            self.scale += 1;
        }
        self
    }

    /// This times a power of ten.
    pub(super) fn shifted(self, power: u8) -> Self {
        if self.digits == 0 {
            return self;
        }
        Self { scale: self.scale.saturating_add_unsigned(power), ..self }
    }

    /// This times a factor; `None` if it is too large.
    pub(super) fn times(self, factor: u64) -> Option<Self> {
        Some(Self { digits: self.digits.checked_mul(factor)?, ..self }.trimmed())
    }

    /// As an integer, if it is one and not too large.
    pub(super) fn as_whole(self) -> Option<u64> {
        let power = u32::try_from(self.scale).ok()?;
        10u64.checked_pow(power)?.checked_mul(self.digits)
    }
}

/// A day, parts of which may be unknown: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
    /// From 1, Monday.
    pub(super) weekday: u8,
}

impl Day {
    /// Whether both may be the same day: the parts known of both agree.
    fn agrees(self, other: Self) -> bool {
        let agree = |a: u16, b: u16| a == 0 || b == 0 || a == b;
        // "12 March '14" leaves the century open.
        let year = agree(self.year, other.year)
            || (self.year.min(other.year) < 100 && self.year % 100 == other.year % 100);
        year && agree(self.month.into(), other.month.into())
            && agree(self.day.into(), other.day.into())
            && agree(self.weekday.into(), other.weekday.into())
    }

    /// Whether nothing but the day of the week is known.
    pub(super) fn is_weekday(self) -> bool {
        self.weekday > 0 && self == Self { weekday: self.weekday, ..Self::default() }
    }
}

/// The value of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number; `true` if it is negative.
    Amount(Decimal, bool),
    /// Two numbers that belong together: a result, or a range.
    Pair(u32, u32),
    /// A day, a month or a year.
    Day(Day),
}

impl Value {
    /// The day of the week, if it is known; `None` for what is not a day.
    pub(super) fn weekday(self) -> Option<u8> {
        match self {
            Self::Day(day) => Some(day.weekday).filter(|&weekday| weekday > 0),
            _ => None,
        }
    }

    /// Whether both express the same value.
    pub(super) fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Day(a), Self::Day(b)) if a.is_weekday() || b.is_weekday() => {
                a.weekday == b.weekday
            }
            (Self::Day(a), Self::Day(b)) => a.agrees(b),
            (Self::Day(day), _) | (_, Self::Day(day)) if day.is_weekday() => false,
            (Self::Day(day), Self::Amount(number, _))
            | (Self::Amount(number, _), Self::Day(day)) => {
                // "on the 12th", "in 2014": part of the date.
                let whole = number.as_whole();
                whole == Some(day.year.into()) || whole == Some(day.day.into())
            }
            _ => self == other,
        }
    }
}
