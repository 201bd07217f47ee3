//! Text from documents made safe to stand in a page or a picture, and templates of pages.

use firsthand_jobs::visible::visible;

/// The text as HTML and SVG write it. White space becomes plain spaces, and what cannot be seen
/// or turns the direction of writing is spelled out, as on a terminal.
pub(crate) fn escape(text: &str) -> String {
    // Most text is plain, and a page has thousands of stretches of it.
    if text.bytes().fold(true, |is_plain, byte| is_plain & is_plain_ascii(byte)) {
        return text.to_owned();
    }
    let plain: String =
        text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }).collect();
    let mut escaped = String::with_capacity(plain.len() + 8);
    for c in visible(&plain).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // These are no characters, and XML refuses a picture that holds one.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether a byte is a character that stands for itself in any markup.
fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') & !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// A template with each `{{name}}` replaced by its value, which is markup.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut parts = template.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or(("", part));
        let value = values.iter().find(|(known, _)| *known == name);
        filled += value.map_or("", |(_, value)| value);
        filled += rest;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_templates() {
        let values = [("a", "{{b}}".to_owned()), ("b", "2".to_owned())];
        assert_eq!(fill("{{b}}-{{a}}{{none}}.", &values), "2-{{b}}.");
    }

    #[test]
    fn nothing_becomes_markup() {
        let cases = [
            ("<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("&amp;", "&amp;amp;"),
            ("a\nb\tc", "a b c"),
            ("\u{1b}[2J\0", "\\u{1b}[2J\\u{0}"),
            ("abc\u{202e}fdp", "abc\\u{202e}fdp"),
            ("\u{ffff}", "\u{fffd}"),
            ("النص 北京 é", "النص 北京 é"),
        ];
        for (text, escaped) in cases {
            assert_eq!(escape(text), escaped);
        }
    }
}
