//! What a document is called, as bytes in memory: noted of every document, and asked for of few.

use crate::description::{Description, DocumentPlace};
use crate::sources::source_or_host;
use firsthand::Document;
use firsthand::decisions::{shown_hash, text_hash_bits};
use firsthand_input::{Item, Unit};

/// Which parts of a description there are, a bit for each.
const NAMES: usize = 4;
const PLACE: u8 = 1 << 4;
const NUMBER: u8 = 1 << 5;
const BYTE: u8 = 1 << 6;

/// Appends what a document is called. `paths` has the files that the documents of a batch are from; most are from the
/// same as the one before.
pub(crate) fn write(item: &Item, paths: &mut Vec<String>, out: &mut Vec<u8>) {
    let document = &item.document;
    let start = out.len();
    out.push(0);
    out.extend_from_slice(&text_hash_bits(&document.text).to_le_bytes());
    let mut parts = 0;
    for (at, name) in names(document).into_iter().enumerate() {
        let Some(name) = name else { continue };
        parts |= 1 << at;
        out.extend_from_slice(&(name.len() as u32).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
    }
    let at = item.place.at;
    let byte = at.filter(|at| at.unit == Unit::Line).and_then(|at| at.byte);
    if byte.is_some() || DocumentPlace::of(&item.place).id() != document.id {
        parts |= PLACE;
        if paths.last() != Some(&item.place.path) {
            paths.push(item.place.path.clone());
        }
        out.extend_from_slice(&(paths.len() as u32 - 1).to_le_bytes());
        for (part, value) in [(NUMBER, at.map(|at| at.number)), (BYTE, byte)] {
            if let Some(value) = value {
                parts |= part;
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
    }
    out[start] = parts;
}

fn names(document: &Document) -> [Option<&str>; NAMES] {
    let Document { title, url, sender, .. } = document;
    [title.as_deref(), url.as_deref(), source_or_host(document), sender.as_deref()]
}

/// What [`write()`] has noted; nothing if these are not its bytes.
pub(crate) fn read(bytes: &[u8], paths: &[String]) -> Option<Description> {
    let (&parts, mut rest) = bytes.split_first()?;
    let hash = u64::from_le_bytes(*take(&mut rest)?);
    let mut names: [Option<String>; NAMES] = Default::default();
    for (at, name) in names.iter_mut().enumerate() {
        if parts & 1 << at != 0 {
            let length = u32::from_le_bytes(*take(&mut rest)?) as usize;
            let (text, after) = rest.split_at_checked(length)?;
            *name = Some(str::from_utf8(text).ok()?.to_owned());
            rest = after;
        }
    }
    let place = match parts & PLACE {
        0 => None,
        _ => {
            let path = u32::from_le_bytes(*take(&mut rest)?) as usize;
            let mut value = |part: u8| match parts & part {
                0 => Some(None),
                _ => Some(Some(u64::from_le_bytes(*take(&mut rest)?))),
            };
            let (number, byte) = (value(NUMBER)?, value(BYTE)?);
            Some(DocumentPlace { path: paths.get(path)?.clone(), number, byte })
        }
    };
    let [title, url, source, sender] = names;
    Some(Description { title, url, source, sender, text: Some(shown_hash(hash)), place })
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand_input::{At, Place, Remarks};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_noted_is_read_again(
            texts in prop::collection::vec(("[a-z]{1,2}", prop::option::of("[a-zé]{0,9}"), prop::option::of("[a-z]{0,9}")), 1..9),
            at in prop::option::of((any::<bool>(), 0u64..20, prop::option::of(any::<u64>()))),
        ) {
            let (mut paths, mut bytes, mut noted) = (Vec::new(), Vec::new(), Vec::new());
            for (path, title, url) in texts {
                let at = at.map(|(is_line, number, byte)| {
                    At { unit: if is_line { Unit::Line } else { Unit::Row }, number, byte }
                });
                let host = url.clone();
                let document = Document { title, url, host, ..Document::new("a", "text") };
                let item = Item { document, place: Place { path, at }, remarks: Remarks::default() };
                let start = bytes.len();
                write(&item, &mut paths, &mut bytes);
                noted.push((start..bytes.len(), Description::of(&item)));
            }
            for (range, expected) in noted {
                prop_assert_eq!(read(&bytes[range.clone()], &paths), Some(expected));
                prop_assert_eq!(read(&bytes[range.start..range.end - 1], &paths), None);
            }
        }
    }
}
