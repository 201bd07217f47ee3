//! What is kept of a document outside of memory, in a form of fixed size.

/// The bytes of a row.
pub(crate) const ROW: usize = 56;
/// No source, no site.
pub(crate) const NONE: u32 = u32::MAX;

const HAS_TIME: u8 = 1;
const HAS_TEXT: u8 = 2;
const IS_PAGE: u8 = 4;
const FORM: u8 = 8;

/// A document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Row {
    /// The hash of its text; none if it is empty.
    pub(crate) fingerprint: Option<u128>,
    pub(crate) time: Option<i64>,
    /// The length of its normalised text.
    pub(crate) length: u32,
    /// The number of its features.
    pub(crate) size: u32,
    /// Where its id is among the names of its batch, and the lengths of id and description.
    pub(crate) id: (u32, u32),
    pub(crate) description: u32,
    /// Its source and its site, by number in its batch.
    pub(crate) source: u32,
    pub(crate) site: u32,
    /// Whether its site has to be learned before it is compared.
    pub(crate) is_page: bool,
    pub(crate) nothing_but_form: bool,
}

impl Row {
    pub(crate) fn to_bytes(self) -> [u8; ROW] {
        let mut bytes = [0; ROW];
        let flags = [
            (self.time.is_some(), HAS_TIME),
            (self.fingerprint.is_some(), HAS_TEXT),
            (self.is_page, IS_PAGE),
            (self.nothing_but_form, FORM),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum::<u8>();
        bytes[0..16].copy_from_slice(&self.fingerprint.unwrap_or(0).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.time.unwrap_or(0).to_le_bytes());
        let numbers = [
            self.length,
            self.size,
            self.id.0,
            self.id.1,
            self.description,
            self.source,
            self.site,
        ];
        for (place, number) in bytes[24..52].chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes[52] = flags;
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let number = |at: usize| number(&bytes[at..at + 4]);
        let flags = bytes[52];
        let wide = u128::from_le_bytes(array(&bytes[0..16]));
        Self {
            fingerprint: (flags & HAS_TEXT != 0).then_some(wide),
            time: (flags & HAS_TIME != 0).then_some(i64::from_le_bytes(array(&bytes[16..24]))),
            length: number(24),
            size: number(28),
            id: (number(32), number(36)),
            description: number(40),
            source: number(44),
            site: number(48),
            is_page: flags & IS_PAGE != 0,
            nothing_but_form: flags & FORM != 0,
        }
    }
}

/// The first bytes of a slice that is at least as long.
#[inline]
pub(crate) fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

#[inline]
pub(crate) fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(array(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_back() {
        let row = Row {
            fingerprint: Some(u128::MAX - 3),
            time: Some(-5),
            length: 2,
            size: 3,
            id: (4, 5),
            description: 6,
            source: 7,
            site: NONE,
            is_page: true,
            nothing_but_form: false,
        };
        for row in [row, Row::default(), Row { time: None, nothing_but_form: true, ..row }] {
            assert_eq!(Row::from_bytes(&row.to_bytes()), row);
        }
    }
}
