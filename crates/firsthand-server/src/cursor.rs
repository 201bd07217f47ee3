//! Where a page of a list ends, as text that a client hands back. It names the last entry and not its
//! number, so that nothing is skipped or repeated when the list changes.

use crate::problem::{Code, Problem};

/// The last entry of a page: what it is sorted by, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) by: i64,
    pub(crate) name: String,
}

impl Cursor {
    pub(crate) fn text(&self) -> String {
        let bytes = self.by.to_be_bytes().into_iter().chain(self.name.bytes());
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        let cursor = || {
            let digits = text.as_bytes();
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let bytes: Option<Vec<u8>> = (digits.len() % 2 == 0
                && digits.iter().all(u8::is_ascii_hexdigit))
            .then(|| digits.chunks(2).map(byte).collect())?;
            let bytes = bytes?;
            let (by, name) = bytes.split_first_chunk::<8>()?;
            let name = String::from_utf8(name.to_vec()).ok()?;
            Some(Self { by: i64::from_be_bytes(*by), name })
        };
        cursor().ok_or_else(|| {
            let detail = "take the cursor from `next` of the page before";
            Problem::new(Code::Invalid).field("cursor").detail(detail)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was() {
        for (by, name) in [(0, ""), (-5, "a"), (i64::MAX, "\u{fc}ber/x y")] {
            let cursor = Cursor { by, name: name.to_owned() };
            assert_eq!(Cursor::parse(&cursor.text()), Ok(cursor));
        }
        for bad in ["", "0", "zz", "00", "+1+1+1+1+1+1+1+1", "ffffffffffffffffff"] {
            assert!(Cursor::parse(bad).is_err(), "{bad}");
        }
    }
}
