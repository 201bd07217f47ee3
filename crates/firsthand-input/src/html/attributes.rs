//! The attributes of a start tag that matter for its text.

use memchr::memchr;

/// The relevant attributes, with entities not decoded.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Attributes<'a> {
    pub(super) id: &'a str,
    pub(super) class: &'a str,
    pub(super) role: &'a str,
    pub(super) style: &'a str,
    pub(super) itemprop: &'a str,
    /// The address that it links to or loads: `href`, or `src`.
    pub(super) href: &'a str,
    pub(super) rel: &'a str,
    pub(super) property: &'a str,
    pub(super) name: &'a str,
    pub(super) content: &'a str,
    pub(super) datetime: &'a str,
    pub(super) kind: &'a str,
    pub(super) http_equiv: &'a str,
    /// Whether it is a dialog that the rest waits for.
    pub(super) modal: bool,
    /// Whether it is not to be read aloud.
    pub(super) unspoken: bool,
    /// Whether there is an attribute `hidden`.
    pub(super) hidden: bool,
    /// Whether there is an `href`, even an empty one.
    pub(super) link: bool,
    /// Whether there were more attributes than the limit.
    pub(super) cut: bool,
    /// Whether the tag ended with `/>`.
    pub(super) closed: bool,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// Reads attributes from `at`, just after the tag's name, in place of those in `found`, and returns the
/// position after the tag; `None` if the page ends inside the tag. Attributes beyond `max` are skipped.
pub(super) fn read<'a>(
    page: &'a str,
    mut at: usize,
    max: u64,
    found: &mut Attributes<'a>,
) -> Option<usize> {
    let bytes = page.as_bytes();
    *found = Attributes::default();
    let mut count = 0u64;
    loop {
        while is_space(*bytes.get(at)?) {
            at += 1;
        }
        match bytes[at] {
            b'>' => return Some(at + 1),
            b'/' => {
                found.closed = bytes.get(at + 1) == Some(&b'>');
                at += 1;
                continue;
            }
            _ => {}
        }
        let name_start = at;
        // A name may start with `=`; it then runs to the next separator.
        at += 1;
        while !matches!(*bytes.get(at)?, b'=' | b'>' | b'/') && !is_space(bytes[at]) {
            at += 1;
        }
        let name = name_start..at;
        let mut after = at;
        while is_space(*bytes.get(after)?) {
            after += 1;
        }
        let mut value = at..at;
        if bytes[after] == b'=' {
            after += 1;
            while is_space(*bytes.get(after)?) {
                after += 1;
            }
            match bytes[after] {
                quote @ (b'"' | b'\'') => {
                    let length = memchr(quote, &bytes[after + 1..])?;
                    value = after + 1..after + 1 + length;
                    at = value.end + 1;
                }
                _ => {
                    value = after..unquoted_end(bytes, after)?;
                    at = value.end;
                }
            }
        }
        count += 1;
        if count <= max {
            keep(found, &bytes[name], &page[value]);
        } else {
            found.cut = true;
        }
    }
}

/// The end of an unquoted value: white space or `>`.
fn unquoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes[at..].iter().position(|b| *b == b'>' || is_space(*b))?;
    Some(at + length)
}

/// Stores one attribute; the first of a name wins, as in browsers.
fn keep<'a>(found: &mut Attributes<'a>, name: &[u8], value: &'a str) {
    let mut lower = [0u8; 11];
    let Some(lower) = lower.get_mut(..name.len()) else { return };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    let field = match &*lower {
        b"id" => &mut found.id,
        b"class" => &mut found.class,
        b"role" => &mut found.role,
        b"style" => &mut found.style,
        b"itemprop" => &mut found.itemprop,
        b"src" => &mut found.href,
        b"rel" => &mut found.rel,
        b"property" => &mut found.property,
        b"name" => &mut found.name,
        b"content" => &mut found.content,
        b"datetime" => &mut found.datetime,
        b"type" => &mut found.kind,
        b"http-equiv" => &mut found.http_equiv,
        b"aria-modal" => {
            found.modal |= value.eq_ignore_ascii_case("true");
            return;
        }
        b"aria-hidden" => {
            found.unspoken |= value.eq_ignore_ascii_case("true");
            return;
        }
        b"hidden" => {
            found.hidden = true;
            return;
        }
        b"href" => {
            found.link = true;
            &mut found.href
        }
        _ => return,
    };
    if field.is_empty() {
        *field = value;
    }
}
