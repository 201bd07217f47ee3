//! Two texts side by side with their differences marked, shortened to a readable length.

use crate::markup::escape;
use firsthand::explain::{Passage, Piece};

/// The most that is shown of two texts.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Characters of each text.
    pub(crate) text: usize,
    /// Characters of a passage that only one text has.
    pub(crate) only: usize,
    /// Characters of a stretch that both have.
    pub(crate) same: usize,
    /// Consecutive passages that are equal.
    pub(crate) run: usize,
}

/// Room for the differences and little else.
pub(crate) const BRIEF: Room = Room { text: 1_600, only: 600, same: 160, run: 2 };

/// Room for nearly everything, within what a browser shows well.
pub(crate) const FULL: Room = Room { text: 12_000, only: 8_000, same: 8_000, run: usize::MAX };

/// The passages as rows of two cells, and whether something was left out.
pub(crate) fn rows(passages: &[Passage], room: Room) -> (String, bool) {
    let mut table = SideBySide { room, rows: String::new(), left: room.text, short: false };
    let mut at = 0;
    while at < passages.len() {
        if table.left == 0 {
            let more = passages.len() - at;
            table.gap(&format!("{} more", counted(more)));
            break;
        }
        match &passages[at] {
            Passage::Same { .. } => {
                let run = passages[at..].iter().take_while(|p| matches!(p, Passage::Same { .. }));
                let run = run.count();
                let shown = if run > room.run { 1 } else { run };
                let mut written = 0;
                while written < shown && table.left > 0 {
                    if let Passage::Same { text } = &passages[at + written] {
                        let text = table.clip(text, room.same);
                        table.row("same", &text, &text);
                    }
                    written += 1;
                }
                if written < run {
                    table.gap(&format!("{} the same", counted(run - written)));
                }
                at += run;
            }
            Passage::Changed { pieces } => {
                table.changed(pieces);
                at += 1;
            }
            Passage::OnlyA { .. } | Passage::OnlyB { .. } => at += table.only(&passages[at..]),
        }
    }
    (table.rows, table.short)
}

fn counted(passages: usize) -> String {
    firsthand_jobs::numbers::counted(passages as u64, "passage")
}

struct SideBySide {
    room: Room,
    rows: String,
    /// Characters for which there is still room.
    left: usize,
    short: bool,
}

impl SideBySide {
    fn row(&mut self, class: &str, a: &str, b: &str) {
        self.rows.push_str(&format!(
            "<div class=\"row {class}\"><div dir=\"auto\">{a}</div><div dir=\"auto\">{b}</div></div>\n"
        ));
    }

    fn gap(&mut self, what: &str) {
        self.short = true;
        self.rows.push_str(&format!("<div class=\"gap\">… {what} …</div>\n"));
    }

    /// Both ends of a text, escaped, with at most the given number of characters.
    fn clip(&mut self, text: &str, most: usize) -> String {
        let most = most.min(self.left.max(80));
        // Of a long text, only as much is looked at as may be shown.
        if text.char_indices().nth(most).is_none() {
            // Even the shortest passage counts as a line.
            self.left = self.left.saturating_sub(text.chars().count().max(20));
            return escape(text);
        }
        self.short = true;
        self.left = self.left.saturating_sub(most);
        let end = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let back = |count: usize| {
            text.char_indices().rev().nth(count.saturating_sub(1)).map_or(0, |(at, _)| at)
        };
        let (head, tail) = (&text[..end(most * 2 / 3)], &text[back(most / 3)..]);
        format!(
            "{} <span class=\"cut\">…</span> {}",
            escape(head.trim_end()),
            escape(tail.trim_start())
        )
    }

    fn changed(&mut self, pieces: &[Piece]) {
        let (mut a, mut b) = (String::new(), String::new());
        for (number, piece) in pieces.iter().enumerate() {
            if self.left == 0 {
                let rest = " <span class=\"cut\">…</span>";
                self.short |= number < pieces.len();
                a.push_str(rest);
                b.push_str(rest);
                break;
            }
            match piece {
                Piece::Same(text) => {
                    let (start, end) = spaces(text);
                    let text = format!("{start}{}{end}", self.clip(text.trim(), self.room.same));
                    a.push_str(&text);
                    b.push_str(&text);
                }
                Piece::A(text) => self.marked(&mut a, "del", text),
                Piece::B(text) => self.marked(&mut b, "ins", text),
            }
        }
        self.row("changed", &a, &b);
    }

    fn marked(&mut self, side: &mut String, tag: &str, text: &str) {
        let (start, end) = spaces(text);
        let text = self.clip(text.trim(), self.room.only);
        side.push_str(&format!("{start}<{tag}>{text}</{tag}>{end}"));
    }

    /// Passages that only one text has, those of both beside each other; returns how many.
    fn only(&mut self, passages: &[Passage]) -> usize {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for passage in passages {
            match passage {
                Passage::OnlyA { text } => a.push(text),
                Passage::OnlyB { text } => b.push(text),
                _ => break,
            }
        }
        for number in 0..a.len().max(b.len()) {
            if self.left == 0 {
                self.gap(&format!("{} more", counted(a.len().max(b.len()) - number)));
                break;
            }
            let mut cell = |texts: &[&String], tag: &str| {
                let text = texts.get(number)?;
                Some(format!("<{tag}>{}</{tag}>", self.clip(text, self.room.only)))
            };
            let (a, b) = (cell(&a, "del"), cell(&b, "ins"));
            self.row("only", &a.unwrap_or_default(), &b.unwrap_or_default());
        }
        a.len() + b.len()
    }
}

/// Whether a text starts and ends with a space.
fn spaces(text: &str) -> (&'static str, &'static str) {
    let space = |is: bool| if is { " " } else { "" };
    (space(text.starts_with(char::is_whitespace)), space(text.ends_with(char::is_whitespace)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Passage {
        Passage::Same { text: text.to_owned() }
    }

    #[test]
    fn differences_are_marked_on_their_side() {
        let pieces = vec![
            Piece::Same("the ".to_owned()),
            Piece::A("old ".to_owned()),
            Piece::B("<b>new</b> ".to_owned()),
            Piece::Same("ferry".to_owned()),
        ];
        let (rows, short) = rows(&[Passage::Changed { pieces }], BRIEF);
        assert!(rows.contains("the <del>old</del> ferry"), "{rows}");
        assert!(rows.contains("the <ins>&lt;b&gt;new&lt;/b&gt;</ins> ferry"), "{rows}");
        assert!(!short);
    }

    #[test]
    fn what_only_one_has_stands_beside_what_only_the_other_has() {
        let only_a = Passage::OnlyA { text: "left".to_owned() };
        let only_b = Passage::OnlyB { text: "right".to_owned() };
        let (rows, _) = rows(&[only_a, only_b.clone(), same("x"), only_b], BRIEF);
        assert_eq!(rows.matches("class=\"row").count(), 3, "{rows}");
        assert!(rows.contains("<del>left</del></div><div dir=\"auto\"><ins>right</ins>"), "{rows}");
    }

    #[test]
    fn long_texts_are_shortened() {
        let long = "word ".repeat(300_000);
        let passages = [same(&long), Passage::OnlyA { text: long.clone() }, same(&long)];
        let (brief, short) = rows(&passages, BRIEF);
        assert!(short && brief.len() < 4_000, "{}", brief.len());
        let (full, short) = rows(&passages, FULL);
        assert!(short && full.len() < 60_000, "{}", full.len());
        let many: Vec<Passage> = (0..100_000).map(|_| same("the same")).collect();
        let (run, short) = rows(&many, BRIEF);
        assert!(short && run.contains("99,999 passages the same"), "{run}");
        assert!(rows(&many, FULL).0.len() < 200_000);
        let each = |n: usize| Passage::OnlyA { text: format!("number {n}") };
        let only: Vec<Passage> = (0..100_000).map(each).collect();
        assert!(rows(&only, FULL).0.len() < 200_000);
    }
}
