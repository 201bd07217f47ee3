//! Encodes values as bytes and back; damaged bytes give `None`, since no length is trusted.

/// Writes values one after another.
#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(crate) fn fixed(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn wide(&mut self, value: u128) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) {
        self.number(value.len() as u64);
        self.0.extend(value);
    }

    pub(crate) fn text(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }

    pub(crate) fn hashes(&mut self, values: &[u64]) {
        self.number(values.len() as u64);
        self.0.reserve(values.len() * 8);
        for value in values {
            self.0.extend(value.to_le_bytes());
        }
    }

    /// The same for hashes of 32 bits.
    pub(crate) fn short_hashes(&mut self, values: &[u32]) {
        self.number(values.len() as u64);
        values.iter().for_each(|value| self.0.extend(value.to_le_bytes()));
    }

    /// A value that may be missing.
    pub(crate) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }
}

/// Reads values in the order in which they were written.
#[derive(Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(crate) fn fixed(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    pub(crate) fn wide(&mut self) -> Option<u128> {
        self.take(16)?.try_into().ok().map(u128::from_le_bytes)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.take(count)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    pub(crate) fn hashes(&mut self) -> Option<Vec<u64>> {
        let count = usize::try_from(self.number()?).ok()?;
        let bytes = self.take(count.checked_mul(8)?)?;
        let (hashes, _) = bytes.as_chunks::<8>();
        Some(hashes.iter().map(|hash| u64::from_le_bytes(*hash)).collect())
    }

    pub(crate) fn short_hashes(&mut self) -> Option<Vec<u32>> {
        let count = usize::try_from(self.number()?).ok()?;
        let (hashes, _) = self.take(count.checked_mul(4)?)?.as_chunks::<4>();
        Some(hashes.iter().map(|hash| u32::from_le_bytes(*hash)).collect())
    }

    pub(crate) fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => read(self).map(Some),
            _ => None,
        }
    }
}
