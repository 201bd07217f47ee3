//! Lines of text: words in colours, wrapped at a width.

use crate::wrap::{columns, wide};
use firsthand_jobs::visible::visible;

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns; lines longer than a hundred are hard to read.
    pub width: usize,
    /// Whether there are colours.
    pub colour: bool,
}

/// The style of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Red,
    Green,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "\x1b[1m",
            Self::Dim => "\x1b[2m",
            Self::Red => "\x1b[31m",
            Self::Green => "\x1b[32m",
        }
    }
}

/// Text that is written line by line.
pub(crate) struct Lines {
    look: Look,
    text: String,
    /// The style that is switched on.
    style: Style,
}

impl Lines {
    pub(crate) fn new(look: Look) -> Self {
        Self { look, text: String::new(), style: Style::Plain }
    }

    pub(crate) fn width(&self) -> usize {
        self.look.width
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A paragraph that starts with a label; its further lines are indented as far.
    pub(crate) fn line(&mut self, label: &str, runs: &[(Style, &str)]) {
        let style = runs.first().map_or(Style::Plain, |(style, _)| *style);
        self.styled(style, label);
        let indent = columns(label);
        let mut line = Line { lines: self, indent, column: indent, empty: true };
        let mut word: Vec<(Style, String)> = Vec::new();
        for &(style, run) in runs {
            for (at, part) in run.split(char::is_whitespace).enumerate() {
                if at > 0 {
                    line.word(&std::mem::take(&mut word));
                }
                if !part.is_empty() {
                    word.push((style, visible(part).into_owned()));
                }
            }
        }
        line.word(&word);
        self.end_line();
    }

    /// A line that is never wrapped, so that it can be copied.
    pub(crate) fn whole(&mut self, label: &str, (style, text): (Style, &str)) {
        self.text.push_str(label);
        self.styled(style, &visible(text));
        self.end_line();
    }

    fn styled(&mut self, style: Style, text: &str) {
        self.switch(style);
        self.text.push_str(text);
    }

    fn switch(&mut self, style: Style) {
        if self.look.colour && style != self.style {
            if self.style != Style::Plain {
                self.text.push_str("\x1b[0m");
            }
            self.text.push_str(style.code());
            self.style = style;
        }
    }

    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.switch(Style::Plain);
        self.text.push('\n');
    }
}

/// The paragraph that is being written.
struct Line<'a> {
    lines: &'a mut Lines,
    indent: usize,
    column: usize,
    empty: bool,
}

impl Line<'_> {
    /// Writes a word of several styles on this line or the next.
    fn word(&mut self, parts: &[(Style, String)]) {
        let size: usize = parts.iter().map(|(_, text)| columns(text)).sum();
        if size == 0 {
            return;
        }
        if !self.empty {
            if self.column + 1 + size > self.lines.look.width {
                self.wrap();
            } else {
                self.lines.text.push(' ');
                self.column += 1;
            }
        }
        for (style, text) in parts {
            self.part(*style, text);
        }
        self.empty = false;
    }

    /// Writes what may be wider than a line: scripts without spaces, or a very long address.
    fn part(&mut self, style: Style, text: &str) {
        let mut start = 0;
        for (at, c) in text.char_indices() {
            if self.column + wide(c) > self.lines.look.width {
                self.lines.styled(style, &text[start..at]);
                self.wrap();
                start = at;
            }
            self.column += wide(c);
        }
        self.lines.styled(style, &text[start..]);
    }

    fn wrap(&mut self) {
        self.lines.end_line();
        self.lines.text.push_str(&" ".repeat(self.indent));
        self.column = self.indent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(colour: bool, runs: &[(Style, &str)]) -> String {
        let mut lines = Lines::new(Look { width: 14, colour });
        lines.line("  - ", runs);
        lines.into_text()
    }

    #[test]
    fn words_are_wrapped_under_the_label() {
        let text = lines(false, &[(Style::Plain, "one two three  four")]);
        assert_eq!(text, "  - one two\n    three four\n");
        assert_eq!(lines(false, &[]), "  -\n");
    }

    #[test]
    fn what_is_too_long_is_broken() {
        assert_eq!(lines(false, &[(Style::Plain, "abcdefghijklm")]), "  - abcdefghij\n    klm\n");
        assert_eq!(lines(false, &[(Style::Plain, "我们在北京大学")]), "  - 我们在北京\n    大学\n");
    }

    #[test]
    fn colours_do_not_count_as_columns_and_end_with_the_word() {
        let runs = [(Style::Plain, "a b"), (Style::Red, "[-c-] "), (Style::Green, "{+d+}")];
        assert_eq!(lines(false, &runs), "  - a b[-c-]\n    {+d+}\n");
        let coloured = "  - a b\x1b[31m[-c-]\x1b[0m\n    \x1b[32m{+d+}\x1b[0m\n";
        assert_eq!(lines(true, &runs), coloured);
    }

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(lines(false, &[(Style::Plain, "a\u{1b}[2J")]), "  - a\\u{1b}[2J\n");
    }
}
