//! Extension headers about the next member: long names, sizes, maps of holes.

use std::borrow::Cow;
use std::io::Read;

use ::tar::Header;

use super::blocks::Blocks;

/// The most bytes of an extension header.
const MOST: u64 = 1 << 20;

/// The extensions for the next member.
#[derive(Debug, Default)]
pub(crate) struct Extensions {
    long_name: Option<Vec<u8>>,
    /// Keywords and values in file order.
    pax: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Extensions {
    /// Takes an extension header; false if the header is of a member itself. An error describes what
    /// is wrong.
    pub(crate) fn take(
        &mut self,
        header: &Header,
        blocks: &mut Blocks<'_>,
    ) -> Result<bool, String> {
        let kind = header.entry_type().as_byte();
        if !matches!(kind, b'L' | b'K' | b'x' | b'X' | b'g') {
            return Ok(false);
        }
        // Link targets and global extensions are not needed.
        if matches!(kind, b'K' | b'g') {
            return Ok(true);
        }
        let size = blocks.left;
        if size > MOST {
            return Err(format!(
                "a header claims a name or description of {size} bytes and was passed over"
            ));
        }
        let mut body = Vec::new();
        blocks.body().read_to_end(&mut body).map_err(|error| error.to_string())?;
        if kind == b'L' {
            let end = body.iter().position(|byte| *byte == 0).unwrap_or(body.len());
            body.truncate(end);
            self.long_name = Some(body);
        } else {
            self.pax.extend(records(&body));
        }
        Ok(true)
    }

    /// The name of the member.
    pub(crate) fn name<'a>(&'a self, header: &'a Header) -> Cow<'a, [u8]> {
        let told = self.get(b"GNU.sparse.name").or_else(|| self.get(b"path"));
        match told.or(self.long_name.as_deref()) {
            Some(name) => Cow::Borrowed(name),
            None => header.path_bytes(),
        }
    }

    /// The last value of a keyword.
    pub(crate) fn get(&self, keyword: &[u8]) -> Option<&[u8]> {
        let named = self.pax.iter().rev().find(|(name, _)| name == keyword);
        named.map(|(_, value)| value.as_slice())
    }

    /// The last value of a keyword as a number.
    pub(crate) fn number(&self, keyword: &[u8]) -> Option<u64> {
        number(self.get(keyword)?)
    }

    /// All values of a keyword.
    pub(crate) fn all<'a>(&'a self, keyword: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let named = self.pax.iter().filter(move |(name, _)| name == keyword);
        named.map(|(_, value)| value.as_slice())
    }
}

/// Parses decimal digits.
pub(crate) fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Records of the form `LENGTH KEYWORD=VALUE\n`, up to the first malformed one.
fn records(mut body: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut records = Vec::new();
    while let Some((record, rest)) = record(body) {
        records.push(record);
        body = rest;
    }
    records
}

type PaxRecord<'a> = ((Vec<u8>, Vec<u8>), &'a [u8]);

fn record(body: &[u8]) -> Option<PaxRecord<'_>> {
    let space = body.iter().take(20).position(|byte| *byte == b' ')?;
    let length = usize::try_from(number(&body[..space])?).ok()?;
    let record = body.get(space + 1..length)?.strip_suffix(b"\n")?;
    let equals = record.iter().position(|byte| *byte == b'=')?;
    let (keyword, value) = (record[..equals].to_vec(), record[equals + 1..].to_vec());
    Some(((keyword, value), &body[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_end_where_they_do_not_fit() {
        type Case<'a> = (&'a [u8], &'a [(&'a str, &'a str)]);
        let cases: [Case<'_>; 7] = [
            (b"12 path=abc\n", &[("path", "abc")]),
            (b"12 path=abc\n10 size=9\n", &[("path", "abc"), ("size", "9")]),
            (b"13 path=a\nb=\n", &[("path", "a\nb=")]),
            (b"12 path=abc\n99 size=9\n", &[("path", "abc")]),
            (b"0 path=abc\n", &[]),
            (b"99999999999999999999999 a=b\n", &[]),
            (b"", &[]),
        ];
        for (body, expected) in cases {
            let found = records(body);
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|(name, value)| {
                    (str::from_utf8(name).unwrap(), str::from_utf8(value).unwrap())
                })
                .collect();
            assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(body));
        }
    }
}
