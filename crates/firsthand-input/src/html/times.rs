//! Times of publication, ranked by how reliable their source is.

use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::memmem;

use crate::word_table;

/// The reliability of a time; lower is better.
pub(super) type Rank = u8;

/// In a script declared as linked data.
const LINKED: Rank = 1;
/// In any other script, which may be about other pages.
const SCRIPTED: Rank = 5;
pub(super) const ELEMENT: Rank = 6;

/// The keys of linked data, and what each adds to the rank.
const KEYS: [(&str, Rank); 4] =
    [("datePublished", 0), ("dateCreated", 3), ("uploadDate", 3), ("dateModified", 6)];

/// Names of a `meta` that is a time, by rank.
static NAMES: LazyLock<HashMap<&str, Rank>> =
    LazyLock::new(|| word_table::numbers(include_str!("times/names.txt")));

/// The rank of a `meta` of this name, if it is a time.
pub(super) fn named(name: &str) -> Option<Rank> {
    NAMES.get(name.to_ascii_lowercase().as_str()).copied()
}

/// The best time in a script, and its rank.
pub(super) fn in_script(script: &str, linked: bool) -> Option<(Rank, String)> {
    // Most scripts lack the common prefix of all keys.
    let begin = memmem::find(script.as_bytes(), b"\"date")
        .into_iter()
        .chain(memmem::find(script.as_bytes(), b"\"uploadDate\""))
        .min()?;
    let script = &script[begin..];
    KEYS.iter().find_map(|(key, less)| {
        let rank = if linked { LINKED + less } else { SCRIPTED.max(LINKED + less) };
        value_of(script, key).map(|value| (rank, unescaped(value)))
    })
}

/// The first string after `"key":`, alone, in an array or as a typed value.
fn value_of<'a>(script: &'a str, key: &str) -> Option<&'a str> {
    let finder = memmem::Finder::new(key);
    let mut rest = script;
    while let Some(at) = finder.find(rest.as_bytes()) {
        let whole = rest[..at].ends_with('"');
        rest = &rest[at + key.len()..];
        let Some(after) = rest.strip_prefix('"').filter(|_| whole) else { continue };
        let Some(value) = after.trim_start().strip_prefix(':') else { continue };
        let value = value.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '[');
        let value = match value.strip_prefix('{') {
            Some(typed) => typed_value(typed),
            None => Some(value),
        };
        let text = value.and_then(|value| value.strip_prefix('"'));
        if let Some((text, _)) = text.and_then(|text| text.split_once('"')) {
            return Some(text);
        }
    }
    None
}

/// Undoes the escapes that some programs write for `+` and `/`.
fn unescaped(value: &str) -> String {
    value.replace("\\u002B", "+").replace("\\u002b", "+").replace("\\/", "/")
}

/// The number of bytes searched for a typed value.
const OBJECT: usize = 200;

/// The value of `"@value":` in a short object.
fn typed_value(object: &str) -> Option<&str> {
    let object = &object[..object.floor_char_boundary(OBJECT)];
    let object = &object[..object.find('}')?];
    let (_, value) = object.split_once("\"@value\"")?;
    Some(value.trim_start().strip_prefix(':')?.trim_start())
}
