//! The report as a table for spreadsheets, and the list of all errors.

use super::Evaluation;
use super::report::WrongPair;
use crate::results::csv::{cell, defused};
use crate::visible::visible;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// A table with a row for each report. A line of `columns` has the name of a column, and where the
/// report as JSON has its value.
pub(super) fn table<R: Serialize>(
    out: &mut impl Write,
    columns: &str,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    let columns: Vec<(&str, &str)> =
        columns.lines().filter_map(|line| line.split_once(' ')).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    write!(out, "{}\r\n", names.join(","))?;
    for row in rows {
        let row = serde_json::to_value(row)?;
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, place)| row.pointer(place).map_or(String::new(), plain))
            .collect();
        write!(out, "{}\r\n", cells.join(","))?;
    }
    Ok(())
}

/// A cell; empty for what is not a number.
fn plain(value: &Value) -> String {
    match (value, value.as_f64()) {
        (Value::String(text), _) => cell(text),
        (Value::Number(count), _) if count.is_u64() => count.to_string(),
        (_, Some(number)) => number.to_string(),
        _ => String::new(),
    }
}

impl Evaluation {
    /// Writes `report.csv`: one row per method.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        table(out, include_str!("columns.txt"), &self.report.methods)
    }

    /// Writes `errors.tsv`: every pair on which a method is wrong.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_errors(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"method\tkind\ta\tb\tscore\n")?;
        for (method, wrong) in self.report.methods.iter().zip(&self.errors) {
            for WrongPair { a, b, stated, score } in wrong.list(&self.ids) {
                let kind = if stated { "false" } else { "missed" };
                let (method, a, b) = (visible(&method.name), visible(&a), visible(&b));
                let (a, b) = (defused(&a), defused(&b));
                writeln!(out, "{method}\t{kind}\t{a}\t{b}\t{score}")?;
            }
        }
        Ok(())
    }
}
