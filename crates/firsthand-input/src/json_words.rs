//! What is wrong with JSON, in words instead of those of the parser.

use serde_json::error::Error;

/// What the parser says, and what it means.
const WORDS: [(&str, &str); 18] = [
    ("EOF while parsing a string", "it ends in the middle of a string"),
    ("EOF while parsing a list", "it ends in the middle of a list"),
    ("EOF while parsing an object", "it ends in the middle of an object"),
    ("EOF while parsing a value", "it ends where a value should be"),
    ("expected ident", "a word that is not true, false or null"),
    ("expected value", "a value is missing, or not in quotation marks"),
    ("expected `:`", "a colon is missing"),
    ("expected `,` or `}`", "a comma or the end of the object is missing"),
    ("expected `,` or `]`", "a comma or the end of the list is missing"),
    ("key must be a string", "a name that is not in quotation marks"),
    ("trailing characters", "something follows the end"),
    ("trailing comma", "a comma with nothing after it"),
    ("invalid number", "a number that is not written as in JSON"),
    ("invalid escape", "a backslash before a character that needs none"),
    ("control character", "a control character in a string, where it must be escaped"),
    ("lone leading surrogate", "half of a character that is written as two escapes"),
    ("unexpected end of hex escape", "half of a character that is written as two escapes"),
    ("recursion limit exceeded", "it is nested too deeply"),
];

/// What is wrong, and the column: records are single lines.
pub fn json_words(error: &Error) -> String {
    let said = error.to_string();
    let known = WORDS.iter().find(|(words, _)| said.starts_with(words)).map(|(_, words)| *words);
    let words = known.unwrap_or_else(|| said.split(" at line ").next().unwrap_or_default());
    match error.line() {
        0 | 1 => format!("{words} (column {})", error.column()),
        line => format!("{words} (line {line}, column {})", error.column()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_words_of_the_parser() {
        let deep = "[".repeat(200);
        let wrong = [
            "{\"a\":\"b",
            "[1",
            "{\"a\":1",
            "{\"a\":",
            "[nul]",
            "{\"a\":}",
            "{\"a\" 1}",
            "{\"a\":1 \"b\"}",
            "[1 2]",
            "{a:1}",
            "{} 1",
            "[1,]",
            "01",
            "\"\\x\"",
            "\"\u{1}\"",
            "\"\\ud800\\u0041\"",
            "\"\\ud800\"",
            &deep,
        ];
        for (json, (_, words)) in wrong.into_iter().zip(WORDS) {
            let said = json_words(&serde_json::from_str::<serde_json::Value>(json).unwrap_err());
            assert!(said.starts_with(words), "{json}: {said}");
        }
        let lines = json_words(&serde_json::from_str::<serde_json::Value>("{\n1").unwrap_err());
        assert_eq!(lines, "a name that is not in quotation marks (line 2, column 1)");
    }
}
