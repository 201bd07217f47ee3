//! The nesting depth of JSON, without parsing it.

use memchr::memchr2_iter;

/// Whether JSON is nested deeper than `limit`. Counting brackets is nearly always enough to say no,
/// and is cheap.
pub(crate) fn is_deeper(json: &[u8], limit: u64) -> bool {
    if (memchr2_iter(b'{', b'[', json).count() as u64) <= limit {
        return false;
    }
    let (mut depth, mut quoted, mut escaped) = (0u64, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert!(!is_deeper(br#"{"a":"[[[[{{{\"[[","b":[1,[2]]}"#, 3));
        assert!(is_deeper(br#"{"a":"[[[[","b":[1,[2]]}"#, 2));
        assert!(!is_deeper(b"[] [] [] []", 1));
        assert!(is_deeper("[".repeat(1_000_000).as_bytes(), 999_999));
        assert!(!is_deeper(b"", 0));
    }
}
