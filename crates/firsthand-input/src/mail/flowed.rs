//! `format=flowed` (RFC 3676): a line that ends in a space continues in the next.

/// Joins the lines of paragraphs; quotes keep their marks.
pub(super) fn unwrap(text: &str, delsp: bool) -> String {
    let mut joined = String::with_capacity(text.len());
    // The quote depth of a paragraph that continues.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let depth = line.bytes().take_while(|byte| *byte == b'>').count();
        let stuffed = &line[depth..];
        let content = stuffed.strip_prefix(' ').unwrap_or(stuffed);
        let signature = content == "-- ";
        if open != Some(depth) || signature {
            if open.is_some() {
                joined.push('\n');
            }
            joined.extend(std::iter::repeat_n('>', depth));
            if depth > 0 && !content.is_empty() {
                joined.push(' ');
            }
        }
        let flows = content.ends_with(' ') && !signature;
        joined.push_str(if flows && delsp { &content[..content.len() - 1] } else { content });
        open = flows.then_some(depth);
        if !flows {
            joined.push('\n');
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs() {
        let cases = [
            ("", "", ""),
            ("a \nb\nc\n", "a b\nc\n", "ab\nc\n"),
            ("a \r\nb\r\n", "a b\n", "ab\n"),
            ("> a \n> b\n>> c \nd", "> a b\n>> c \nd\n", "> ab\n>> c\nd\n"),
            (" From here \non", "From here on\n", "From hereon\n"),
            ("a \n-- \nAnn", "a \n-- \nAnn\n", "a\n-- \nAnn\n"),
            ("a \n", "a ", "a"),
            (">\n>a", ">\n> a\n", ">\n> a\n"),
        ];
        for (text, spaced, deleted) in cases {
            assert_eq!(unwrap(text, false), spaced, "{text:?}");
            assert_eq!(unwrap(text, true), deleted, "{text:?}");
        }
    }
}
