//! Parses values with parameters: `text/plain; charset=utf-8; format=flowed`.

/// Splits a value into its main part, in lower case, and its parameters.
pub(super) fn parse(value: &[u8]) -> (String, Vec<(String, String)>) {
    let mut rest = value;
    let named = until(&mut rest, b";");
    let mut parameters = Vec::new();
    while !rest.is_empty() {
        let name = until(&mut rest, b"=;");
        let text = if rest.first() == Some(&b'=') { argument(&mut rest) } else { Vec::new() };
        if !name.is_empty() {
            parameters.push((lower(&name), String::from_utf8_lossy(&text).trim().to_owned()));
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    (lower(&named), parameters)
}

/// The value of a parameter; `name*` and `name*0` (RFC 2231) count as `name`.
pub(super) fn find<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let is = |written: &str| {
        let rest = written.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('*'))
    };
    parameters.iter().find(|(written, _)| is(written)).map(|(_, value)| value.as_str())
}

/// Takes bytes up to one of `ends`, without white space and comments.
fn until(rest: &mut &[u8], ends: &[u8]) -> Vec<u8> {
    let (mut taken, mut depth) = (Vec::new(), 0_u32);
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            _ if depth == 0 && ends.contains(&byte) => break,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ if depth > 0 || byte.is_ascii_whitespace() => {}
            _ => taken.push(byte),
        }
        *rest = after;
    }
    taken
}

/// Takes the word or quoted string after an equals sign.
fn argument(rest: &mut &[u8]) -> Vec<u8> {
    *rest = rest[1..].trim_ascii_start();
    if rest.first() != Some(&b'"') {
        return until(rest, b";");
    }
    let mut taken = Vec::new();
    *rest = &rest[1..];
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        match byte {
            b'"' => break,
            b'\\' if !after.is_empty() => {
                taken.push(after[0]);
                *rest = &after[1..];
            }
            b'\r' | b'\n' => {}
            _ => taken.push(byte),
        }
    }
    until(rest, b";");
    taken
}

fn lower(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_and_their_parameters() {
        let cases = [
            ("text/plain", "text/plain", "charset", None),
            ("Text/Plain; Charset=UTF-8", "text/plain", "charset", Some("UTF-8")),
            ("a/b (c;d=e); f = \"g;h\\\"i\" ; j=k", "a/b", "f", Some("g;h\"i")),
            ("a/b (c;d=e); f = \"g;h\\\"i\" ; j=k", "a/b", "j", Some("k")),
            ("a/b;\r\n\tboundary=\"x y\"", "a/b", "boundary", Some("x y")),
            ("a/b; name*=utf-8''c", "a/b", "name", Some("utf-8''c")),
            ("a/b; name*0=c; name*1=d", "a/b", "name", Some("c")),
            ("a/b; names=c", "a/b", "name", None),
            ("a/b; x", "a/b", "x", Some("")),
            ("a/b;;;=;\"", "a/b", "", None),
            ("", "", "x", None),
            ("a/b; x=\"never closed", "a/b", "x", Some("never closed")),
        ];
        for (value, named, name, expected) in cases {
            let (found, parameters) = parse(value.as_bytes());
            assert_eq!((&*found, find(&parameters, name)), (named, expected), "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(bytes: Vec<u8>, text in "[a;=\"()\\\\ \r\n/]{0,40}") {
            parse(&bytes);
            parse(text.as_bytes());
        }
    }
}
