//! Unpaired surrogates in JSON escapes.
//!
//! Python writes `"\udc80"` for a byte it could not decode. The parser refuses such a line, so it is
//! parsed again with U+FFFD instead: a broken character must not cost a document.

use memchr::memchr;

/// The line with every unpaired surrogate replaced; `None` if there is none.
pub(crate) fn mend(line: &str) -> Option<String> {
    let bytes = line.as_bytes();
    let mut mended = String::new();
    let (mut copied, mut from) = (0, 0);
    while let Some(found) = memchr(b'\\', &bytes[from..]) {
        let at = from + found;
        match half(&bytes[at..]) {
            Some(Half::First) if matches!(half(&bytes[at + 6..]), Some(Half::Second)) => {
                from = at + 12;
            }
            Some(_) => {
                mended.push_str(&line[copied..at]);
                mended.push_str("\\ufffd");
                copied = at + 6;
                from = copied;
            }
            // Another escape: its second character may be a backslash.
            None => from = (at + 2).min(bytes.len()),
        }
    }
    if copied == 0 {
        return None;
    }
    mended.push_str(&line[copied..]);
    Some(mended)
}

enum Half {
    First,
    Second,
}

/// The kind of surrogate escape at the start, if any.
fn half(bytes: &[u8]) -> Option<Half> {
    match bytes {
        [b'\\', b'u', b'd' | b'D', third, a, b, ..]
            if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() =>
        {
            match third {
                b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Half::First),
                b'c'..=b'f' | b'C'..=b'F' => Some(Half::Second),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unpaired_halves_are_replaced() {
        let cases = [
            (r#""plain""#, None),
            (r#""\ud83d\ude00 fine""#, None),
            (r#""\\ud83d is no escape""#, None),
            (r#""a\udc80b""#, Some(r#""a\ufffdb""#)),
            (r#""é\ud83dé""#, Some(r#""é\ufffdé""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\uDC80\uDC81""#, Some(r#""\ufffd\ufffd""#)),
            (r#""\ud83"#, None),
            (r"\", None),
        ];
        for (line, mended) in cases {
            assert_eq!(mend(line).as_deref(), mended, "{line}");
        }
    }
}
