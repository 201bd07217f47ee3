//! The histogram as text: a bar for every two hundredths.

use firsthand_jobs::numbers::{counted, counted_with, grouped};
use firsthand_jobs::sample::{BINS, ScoreHistogram};

/// Bins per row.
const TOGETHER: usize = 2;

/// The width of the label before a bar.
const LABEL: usize = 7;

/// The histogram as bars of characters, in this many columns, and what it suggests.
pub fn text(histogram: &ScoreHistogram, width: usize) -> String {
    let rows = rows(histogram);
    let most = rows.iter().map(|row| row.count).max().unwrap_or(0);
    let room = width.saturating_sub(LABEL + grouped(most).len() + 2).max(10);
    let mut text = format!(
        "Scores of {} of different texts, {} or more. Bars are on a log scale.\n\n",
        counted(histogram.pairs(), "pair"),
        (histogram.floor * 1e6).round() / 1e6
    );
    for row in &rows {
        let share = (row.count as f64).ln_1p() / (most.max(1) as f64).ln_1p();
        let mut line = format!("  {:.2} {}", row.from as f64 / BINS as f64, bar(share, room));
        if row.count > 0 {
            line.push_str(&format!(" {}", grouped(row.count)));
        }
        text.push_str(line.trim_end());
        // A mark that does not fit beside its bar is shortened.
        let used = line.trim_end().chars().count() + 2;
        let [long, short] = marks(histogram, row);
        let mark = if used + long.chars().count() <= width { long } else { short };
        if !mark.is_empty() {
            text.push_str(&format!("  {mark}"));
        }
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&said(histogram));
    text
}

/// Some bins as one bar.
struct Row {
    from: usize,
    to: usize,
    count: u64,
}

fn rows(histogram: &ScoreHistogram) -> Vec<Row> {
    let start = histogram.first / TOGETHER * TOGETHER;
    (start..BINS)
        .step_by(TOGETHER)
        .map(|from| {
            let bins = from.max(histogram.first)..from + TOGETHER;
            let count = bins.map(|bin| histogram.counts[bin - histogram.first]).sum();
            Row { from, to: from + TOGETHER, count }
        })
        .collect()
}

/// The marks of a row, in full and in short.
fn marks(histogram: &ScoreHistogram, row: &Row) -> [String; 2] {
    let holds = |score: f64| {
        let bin = score * BINS as f64 + 1e-9;
        row.from as f64 <= bin && bin < row.to as f64
    };
    let mut marks = [Vec::new(), Vec::new()];
    if let Ok(valley) = &histogram.valley
        && holds(valley.suggested.value())
    {
        marks[0].push(format!("<- valley: suggested threshold {}", valley.suggested));
        marks[1].push(format!("<- valley {}", valley.suggested));
    }
    if holds(histogram.threshold.value().min(0.999)) {
        marks[0].push(format!("<- threshold now {}", histogram.threshold));
        marks[1].push("<- now".to_owned());
    }
    marks.map(|marks| marks.join(" "))
}

/// A bar that fills a share of the room, to an eighth of a column.
fn bar(share: f64, room: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * room as f64 * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

/// The finding in words.
fn said(histogram: &ScoreHistogram) -> String {
    let mut text = match &histogram.valley {
        Ok(valley) => format!(
            "Suggested threshold: {}, in the valley from {:.2} to {:.2}, which holds {} of these pairs.\n\
             This is a guess: without labels it is not known which pairs are near-duplicates.\n",
            valley.suggested,
            valley.scores.start,
            valley.scores.end,
            grouped(valley.pairs)
        ),
        Err(why) => format!("No threshold can be suggested: {why}.\n"),
    };
    if histogram.exact > 0 {
        let verb = ("is an exact copy of another and is", "are exact copies of others and are");
        let copies = counted_with(histogram.exact, "document", verb);
        text.push_str(&format!("{copies} not drawn.\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::collections::Match;

    fn histogram(counts: impl Fn(usize) -> usize) -> ScoreHistogram {
        let found = |score: f64| Match { a: 0, b: 1, score, exact: false };
        let matches = (20..100).flat_map(|bin| {
            let score = (bin as f64 + 0.5) / 100.0;
            std::iter::repeat_n(found(score), counts(bin))
        });
        ScoreHistogram::new(0.2, "0.45".parse().unwrap(), matches, 3)
    }

    #[test]
    fn a_histogram_with_a_valley() {
        let shape = |bin: usize| match bin {
            20..40 => 4000 >> (bin - 20),
            60.. => (bin - 55) / 5,
            _ => 0,
        };
        let picture = super::text(&histogram(shape), 70);
        assert!(
            picture.lines().all(|line| line.chars().count() <= 70 || !line.starts_with("  0.")),
            "{picture}"
        );
        assert!(picture.contains("<- threshold now 0.45"), "{picture}");
        let marked = picture.lines().find(|line| line.contains("suggested threshold")).unwrap();
        assert!(("  0.36".."  0.58").contains(&marked), "{marked}");
        assert!(picture.contains("log scale") && picture.contains("3 documents are exact copies"));
        assert!(picture.contains("█ 6,000\n"), "{picture}");
    }

    #[test]
    fn a_histogram_without_a_valley() {
        let picture = super::text(&histogram(|bin| 4000 >> (bin - 20).min(40)), 70);
        assert!(
            picture.contains("No threshold can be suggested: the counts keep falling"),
            "{picture}"
        );
    }
}
