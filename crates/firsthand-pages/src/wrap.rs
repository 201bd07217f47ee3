//! Text that fits a width.

/// The text with its long lines wrapped at spaces. What follows of a line is indented as far as its last
/// cell, or as the line and two columns more. Words are not cut, so that they can be copied.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match columns(line.trim_end()) > width {
            true => wrap(line.trim_end(), width, &mut wrapped),
            false => wrapped.push_str(line),
        }
    }
    wrapped
}

fn wrap(line: &str, width: usize, out: &mut String) {
    let start = line.len() - line.trim_start().len();
    // A cell ends with two spaces.
    let cell =
        line[start..].rmatch_indices("  ").next().map_or(0, |(at, gap)| start + at + gap.len());
    let indent = match columns(&line[..cell]) {
        0 => start + 2,
        far if far > width / 2 => start + 2,
        cell => cell,
    };
    let (head, rest) = line.split_at(cell.max(start));
    out.push_str(head);
    let (mut column, mut is_first) = (columns(head), true);
    for word in rest.split(' ') {
        let size = columns(word);
        if !is_first && column + 1 + size > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if !is_first {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += size;
        is_first = false;
    }
    out.push('\n');
}

/// How many columns of a terminal a text takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(wide).sum()
}

/// Characters of East Asia take two columns, marks above and below others none.
pub(crate) fn wide(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3ffff}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_stay_under_their_heads() {
        let table = "  profile  archive\n  learned  from 160 documents in 40 clusters\n";
        let expected = "  profile  archive\n  learned  from 160\n           documents in 40\n           \
                        clusters\n";
        assert_eq!(wrapped(table, 26), expected);
        assert_eq!(wrapped("one two three four\n", 10), "one two\n  three\n  four\n");
    }

    proptest! {
        /// Nothing but white space changes, and lines fit unless a word does not.
        #[test]
        fn words_stay_and_lines_fit(text in "([a-c]{1,6}  ?|語|\n| ){0,60}", width in 8usize..30) {
            let narrow = wrapped(&text, width);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&narrow), words(&text));
            for line in narrow.lines().filter(|line| columns(line.trim_end()) > width) {
                // The start of a table's line stays together.
                let last = line.split("  ").last().unwrap_or(line).trim();
                prop_assert!(!last.contains(' ') || line.trim_start().contains("  "), "{:?}", line);
            }
            let fits = text.lines().all(|line| columns(line.trim_end()) <= width);
            prop_assert!(!fits || narrow == text);
        }
    }
}
