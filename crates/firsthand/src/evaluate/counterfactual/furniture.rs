//! A text in a page frame of its own, with times, counters and telephone numbers that are not
//! figures.

use super::text_language::TextLanguage;
use crate::evaluate::random::Random;

/// The text with furniture around it and between its paragraphs. The lines of the text are
/// unchanged. Other seeds give mostly the same furniture lines with other figures.
pub fn change_furniture(text: &str, seed: u64) -> String {
    let lines = of_language(text);
    let mut random = Random::new(seed, 0x55);
    let mut page = String::with_capacity(text.len() + 1000);
    for line in &lines[..lines.len() / 2] {
        fill(line, &mut random, &mut page);
    }
    for (at, line) in text.split('\n').enumerate() {
        page.push_str(line);
        page.push('\n');
        if at % 8 == 7 {
            fill(lines[random.below(lines.len())], &mut random, &mut page);
        }
    }
    for line in &lines[lines.len() / 2..] {
        // Some frames have it, others do not.
        if random.below(4) > 0 {
            fill(line, &mut random, &mut page);
        }
    }
    page
}

/// The furniture of the most likely language of a text.
fn of_language(text: &str) -> Vec<&'static str> {
    let lines = match TextLanguage::of(text) {
        TextLanguage::English => include_str!("furniture/english.txt"),
        TextLanguage::German => include_str!("furniture/german.txt"),
        TextLanguage::French => include_str!("furniture/french.txt"),
        TextLanguage::Spanish => include_str!("furniture/spanish.txt"),
    };
    lines.lines().collect()
}

/// Writes a line with figures in it: `#` stands for a count, `~` for a small one, `^` for a time of
/// day, `@` for a day, and `?` for a digit.
fn fill(line: &str, random: &mut Random, page: &mut String) {
    for c in line.chars() {
        match c {
            '#' => {
                let count = format!("{},{:03}", 1 + random.below(90), random.below(1000));
                page.push_str(&count);
            }
            '~' => page.push_str(&(2 + random.below(38)).to_string()),
            '@' => page.push_str(&(10 + random.below(18)).to_string()),
            '?' => page.push_str(&random.below(10).to_string()),
            '^' => {
                page.push_str(&format!("{:02}:{:02}", random.below(24), random.below(60)));
            }
            c => page.push(c),
        }
    }
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_untouched() {
        let text = "The first line of the text\nand the second, of 17 words.\n\nThe end of that.";
        let (one, other) = (change_furniture(text, 1), change_furniture(text, 2));
        assert_ne!(one, other);
        for line in text.lines() {
            assert!(one.lines().any(|other| other == line), "{line}");
        }
        assert_eq!(one, change_furniture(text, 1));
        assert!(
            change_furniture("Der Hund und die Katze, das ist nicht neu.", 1)
                .contains("Kommentare")
        );
        assert!(change_furniture("", 1).contains("comments"));
    }
}
