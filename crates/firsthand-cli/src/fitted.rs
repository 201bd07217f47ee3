//! Sentences as wide as the terminal that shows them. A terminal would break them within words.

use firsthand_pages::{columns, wrapped};

/// How a command begins that a person may copy.
const COMMAND: &str = "firsthand ";

/// The narrowest terminal that sentences are made to fit.
const NARROW: u16 = 20;

/// The columns of standard error; none if it is no terminal.
pub(crate) fn stderr_width() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0.max(NARROW).into())
}

/// The columns of standard output; none if it is no terminal.
pub(crate) fn stdout_width() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.max(NARROW).into())
}

/// The text with its lines wrapped at spaces; as it is without a width. Commands stay whole, on lines of
/// their own: two lines cannot be copied as one.
pub(crate) fn fitted(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let lines = text.split('\n').map(|line| match columns(line) > width {
        true => fitted_line(line, width),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn fitted_line(line: &str, width: usize) -> String {
    let start = line.len() - line.trim_start().len();
    let command = match line[start..].starts_with(COMMAND) {
        true => return line.to_owned(),
        false => line.find(&format!(": {COMMAND}")).map(|at| at + ": ".len()),
    };
    let (prose, command) = line.split_at(command.unwrap_or(line.len()));
    let mut text = wrapped(prose, width).trim_end().to_owned();
    if !command.is_empty() {
        text += &format!("\n{}{command}", " ".repeat(start + 2));
    }
    text
}

/// The start of a line that stays on one line of the terminal: only there can it be wiped again.
pub(crate) fn cut(line: &str, width: Option<usize>) -> &str {
    let Some(width) = width else { return line };
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    let fits = ends.take_while(|&end| columns(&line[..end]) < width).last();
    &line[..fits.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::{cut, fitted};

    #[test]
    fn sentences_are_wrapped_and_commands_are_not() {
        let line =
            "Look at a.example: one cluster takes most of it: firsthand explain one two --in x";
        let narrow = "Look at a.example: one\n  cluster takes most of\n  it:\n  firsthand explain one two --in x";
        assert_eq!(fitted(line, Some(24)), narrow);
        assert_eq!(fitted(line, None), line);
        assert_eq!(fitted(line, Some(line.len())), line);
        let command = "  firsthand dedup one two three --threshold 0.5";
        assert_eq!(fitted(command, Some(20)), command);
        let lines = "short\nand a line that is longer\n";
        assert_eq!(fitted(lines, Some(20)), "short\nand a line that is\n  longer\n");
    }

    #[test]
    fn progress_leaves_the_last_column_free() {
        assert_eq!(cut("reading: 12 documents", Some(12)), "reading: 12");
        assert_eq!(cut("語語語", Some(6)), "語語");
        assert_eq!(cut("short", Some(6)), "short");
        assert_eq!(cut("any length", None), "any length");
    }
}
