//! Extracts addresses, message ids and list names from header values.

/// The address of a `From` value: in angle brackets, else the first word with an `@`, else all.
pub(super) fn address(value: &str) -> Option<String> {
    let bare = without_comments(value);
    let inside = in_brackets(&bare).filter(|inside| !inside.is_empty());
    let is_address = |word: &&str| word.contains('@');
    let separators = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '"');
    let found = inside
        .or_else(|| bare.split(separators).find(is_address))
        .unwrap_or_else(|| value.trim_matches(['"', ' ']));
    (!found.is_empty()).then(|| found.to_owned())
}

/// A `Message-ID` without its brackets.
pub(super) fn message_id(value: &str) -> Option<String> {
    let id = in_brackets(value).or_else(|| value.split_whitespace().next()).unwrap_or_default();
    let id = id.trim().trim_matches(['<', '>']);
    (!id.is_empty()).then(|| id.to_owned())
}

/// The name of a list: in brackets, else the address, else all.
pub(super) fn list(value: &str) -> Option<String> {
    let inside = in_brackets(value).filter(|inside| !inside.is_empty());
    let is_address = |word: &&str| word.contains('@');
    let found = inside.or_else(|| value.split([' ', ';', ',']).find(is_address)).unwrap_or(value);
    (!found.is_empty()).then(|| found.to_owned())
}

/// The text between the last `<` outside quotes and the `>` after it.
fn in_brackets(value: &str) -> Option<&str> {
    let (mut quoted, mut open) = (false, None);
    for (at, byte) in value.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'<' if !quoted => open = Some(at + 1),
            _ => {}
        }
    }
    let inside = &value[open?..];
    Some(inside.split('>').next().unwrap_or(inside).trim())
}

/// The value without `(comments)`.
fn without_comments(value: &str) -> String {
    let (mut depth, mut quoted) = (0_u32, false);
    let keep = |c: &char| {
        match c {
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth > 0 => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0
    };
    value.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let cases = [
            ("ann@example.org", Some("ann@example.org")),
            ("Ann Lee <ann@example.org>", Some("ann@example.org")),
            ("\"Lee <Ann>, @home\" <ann@example.org>", Some("ann@example.org")),
            ("ann@example.org (Ann (the \"first\") Lee)", Some("ann@example.org")),
            ("(Ann) ann@example.org", Some("ann@example.org")),
            ("ann@example.org, bob@example.org", Some("ann@example.org")),
            ("Ann <>", Some("Ann <>")),
            ("host!ann (Ann)", Some("host!ann (Ann)")),
            ("<ann@example.org", Some("ann@example.org")),
            ("", None),
        ];
        for (value, expected) in cases {
            assert_eq!(address(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn ids_and_lists() {
        assert_eq!(message_id("<a@b> (added)").as_deref(), Some("a@b"));
        assert_eq!(message_id(" a@b c").as_deref(), Some("a@b"));
        assert_eq!(message_id("<>"), None);
        assert_eq!(list("Ferry talk <ferry.example.org>").as_deref(), Some("ferry.example.org"));
        assert_eq!(
            list("list f@example.org; contact o@example.org").as_deref(),
            Some("f@example.org")
        );
        assert_eq!(list("rec.boats,rec.travel").as_deref(), Some("rec.boats,rec.travel"));
    }
}
