//! Long texts cut to what is needed to recognise them.

use crate::wrap::columns;

/// The start of a text, if it takes more columns than this; with an ellipsis and its length.
pub(super) fn start(text: &str, most: usize) -> Option<String> {
    if columns(text) <= most {
        return None;
    }
    let words = text.split_whitespace().count();
    let tail = if words > 1 { format!(" … ({words} words)") } else { " …".to_owned() };
    Some(format!("{}{tail}", head(text, most.saturating_sub(columns(&tail)))))
}

/// Both ends of a text, if it takes more columns than this.
pub(super) fn ends(text: &str, most: usize) -> Option<String> {
    if columns(text) <= most {
        return None;
    }
    let backwards: String = text.chars().rev().collect();
    let last: String = head(&backwards, most / 2).chars().rev().collect();
    Some(format!("{} … {last}", head(text, most / 2)))
}

/// As many whole words as there is room for; where there are none, as many characters.
fn head(text: &str, most: usize) -> &str {
    let text = text.trim();
    let mut used = 0;
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        used += columns(c.encode_utf8(&mut [0; 4]));
        if used > most {
            end = at;
            break;
        }
    }
    let cut = &text[..end];
    let whole = text[end..].starts_with(char::is_whitespace) || end == text.len();
    match cut.rfind(char::is_whitespace) {
        Some(space) if !whole => cut[..space].trim_end(),
        _ => cut.trim_end(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_long_text() {
        assert_eq!(start("one two", 7), None);
        let text = "one two three four five six seven";
        assert_eq!(start(text, 24).as_deref(), Some("one two … (7 words)"));
        assert_eq!(start("我们在北京大学学习中文和历史", 12).as_deref(), Some("我们在北京 …"));
    }

    #[test]
    fn both_ends_of_a_long_text() {
        let text = "one two three four five six seven";
        assert_eq!(ends(text, 20).as_deref(), Some("one two … six seven"));
        assert_eq!(ends("short", 20), None);
    }
}
