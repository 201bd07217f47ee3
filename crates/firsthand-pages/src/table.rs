//! Tables of figures. Which columns a table has is data: each line of a file in `columns/` has the
//! heading, how the figure is shown, where it stands in the report as JSON, and, for tables that can be
//! sorted, which values are better and a hint.

use firsthand_jobs::numbers::{self, score};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// A column of a table.
pub(crate) struct Column {
    pub(crate) head: &'static str,
    shown: &'static str,
    place: &'static str,
    /// `high`, `low` or `neither`; `optional` for a column that is left out if no row has a figure.
    pub(crate) better: &'static str,
    pub(crate) hint: &'static str,
}

/// A figure of a row.
pub(crate) struct Cell {
    /// The sort key; none if there is no figure.
    pub(crate) value: Option<f64>,
    /// Markup in columns of pages, plain text in others; a name is as the report has it.
    pub(crate) shown: String,
}

/// The columns that a file lists.
pub(crate) fn columns(text: &'static str) -> Vec<Column> {
    let column = |line: &'static str| {
        let mut parts = line.split('|').map(str::trim);
        let mut next = || parts.next().unwrap_or_default();
        Column { head: next(), shown: next(), place: next(), better: next(), hint: next() }
    };
    text.lines().map(column).collect()
}

/// A report as JSON, in which columns find their figures.
pub(crate) fn json(report: &impl Serialize) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}

impl Column {
    pub(crate) fn cell(&self, row: &Value) -> Cell {
        let value = row.pointer(self.place).unwrap_or(&Value::Null);
        let part = |place: &str| value.pointer(place).and_then(Value::as_f64);
        let number = |place: &str| part(place).unwrap_or(f64::NAN);
        let small = |low: &str, high: &str| format!("<small>{low}–{high}</small>");
        let interval = |of: &str| {
            let [value, low, high] =
                ["value", "low", "high"].map(|end| score(number(&format!("{of}/{end}"))));
            value + &small(&low, &high)
        };
        let shown = match self.shown {
            "name" => value.as_str().unwrap_or_default().to_owned(),
            "range" => range(number("/low"), number("/high")),
            "tenths" => part("").map_or_else(|| "-".to_owned(), |value| format!("{value:.1}")),
            "time" => numbers::duration(Duration::from_secs_f64(number("").max(0.0))),
            "count" => numbers::grouped(value.as_u64().unwrap_or_default()),
            "bytes" => value.as_u64().map_or_else(|| "-".to_owned(), numbers::bytes),
            "score" => score(number("")),
            "seconds" => seconds(number("")),
            "interval" => interval(""),
            "best" => match part("/threshold") {
                Some(at) => format!("{}<small>at {}</small>", interval("/value"), score(at)),
                None => interval("/value"),
            },
            "spread" => {
                let [mean, low, high] =
                    ["/mean", "/low", "/high"].map(|place| score(number(place)));
                mean + &small(&low, &high)
            }
            "clusters" => {
                let [low, high] =
                    ["low", "high"].map(|end| number(&format!("/over_clusters/{end}")));
                format!("{}–{}", score(low), score(high))
            }
            _ => value.to_string(),
        };
        let value = part("").or(part("/value")).or(part("/value/value"));
        Cell { value, shown }
    }
}

/// `0.960-0.998`.
pub(crate) fn range(low: f64, high: f64) -> String {
    if low.is_nan() { "-".to_owned() } else { format!("{}-{}", score(low), score(high)) }
}

/// Seconds in words, milliseconds for short times.
pub(crate) fn seconds(seconds: f64) -> String {
    match Duration::try_from_secs_f64(seconds) {
        Ok(_) if seconds < 0.01 => format!("{:.1} ms", seconds * 1e3),
        Ok(time) => numbers::duration(time),
        Err(_) => "–".to_owned(),
    }
}

/// A table as text, with a row for each report.
pub(crate) fn text(mut columns: Vec<Column>, rows: &[Value], bold: Option<usize>) -> String {
    let is_known = |place: &str| rows.iter().any(|row| row.pointer(place).is_some());
    columns.retain(|column| column.better != "optional" || is_known(column.place));
    let heads: Vec<&str> = columns.iter().map(|column| column.head).collect();
    let row = |row: &Value| {
        let shown = columns.iter().map(|column| column.cell(row).shown);
        shown.map(|cell| firsthand_jobs::visible::visible(&cell).into_owned()).collect()
    };
    aligned(&heads, rows.iter().map(row).collect(), bold)
}

/// Columns as wide as their widest cell: names left-aligned, figures right-aligned.
pub(crate) fn aligned(heads: &[&str], rows: Vec<Vec<String>>, bold: Option<usize>) -> String {
    let width = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = heads.iter().map(|head| width(head)).collect();
    for row in &rows {
        for (known, cell) in widths.iter_mut().zip(row) {
            *known = (*known).max(width(cell));
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (at, (cell, &wide)) in cells.zip(&widths).enumerate() {
            let room = " ".repeat(wide.saturating_sub(width(cell)));
            match at {
                0 => line += &format!("{cell}{room}"),
                _ => line += &format!("  {room}{cell}"),
            }
        }
        line.trim_end().to_owned()
    };
    let mut text = line(&mut heads.iter().copied()) + "\n";
    for (at, row) in rows.iter().enumerate() {
        let line = line(&mut row.iter().map(String::as_str));
        text += &match bold == Some(at) {
            true => format!("\x1b[1m{line}\x1b[0m\n"),
            false => line + "\n",
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(range(0.85, 1.0), "0.850-1.000");
        assert_eq!(range(f64::NAN, 1.0), "-");
    }

    #[test]
    fn columns_are_aligned() {
        let rows =
            vec![vec!["a".to_owned(), "10".to_owned()], vec!["longer".to_owned(), "1".to_owned()]];
        assert_eq!(aligned(&["name", "n"], rows, None), "name     n\na       10\nlonger   1\n");
    }
}
