//! The report on a stream as a table for spreadsheets, and the list of all errors.

use super::report::{StreamEvaluation, WrongVerdict};
use crate::evaluate::files::table;
use crate::results::csv::defused;
use crate::visible::visible;
use firsthand::{guard::Change, online::Verdict};
use serde_json::{Value, json};
use std::io::{self, Write};

impl StreamEvaluation {
    /// Writes `report.csv`: one row per method, then one row per combination of parameters of the grid.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let methods = self.methods.iter().map(|method| json!(method));
        let grid = self.grid.iter().map(|row| {
            let name = format!("nrc n={} f={} r={}", row.n, row.f, row.r);
            json!({ "name": name, "threshold": row.r, "random": row })
        });
        table(out, include_str!("columns.txt"), methods.chain(grid).collect::<Vec<Value>>())
    }

    /// Writes `errors.tsv`: every document with a wrong verdict, and the number of orders in which it
    /// was wrong; then the errors of the number guard, with figures in the column of the partner.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_errors(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"method\tkind\tid\tpartner\tscore\torders\n")?;
        for method in &self.methods {
            let name = visible(&method.name);
            for WrongVerdict { id, kind, partner, score, orders } in &method.errors {
                let (id, partner) = (visible(id), visible(partner));
                let (id, partner) = (defused(&id), defused(&partner));
                writeln!(out, "{name}\t{kind}\t{id}\t{partner}\t{score}\t{orders}")?;
            }
            for error in method.guard.iter().flat_map(|guard| &guard.slips) {
                let kind = match (&error.made, error.verdict) {
                    (Some(_), Verdict::Duplicate) => "figure-hidden",
                    (None, Verdict::Update) => "false-update",
                    _ => "guard-unlinked",
                };
                let shown = |change: &Change| format!("{} -> {}", change.before, change.after);
                let changes: Vec<String> =
                    error.made.iter().chain(&error.found).map(shown).collect();
                let (id, changes) = (visible(&error.id), changes.join("; "));
                let (id, changes) = (defused(&id), visible(&changes));
                writeln!(out, "{name}\t{kind}\t{id}\t{}\t\t", defused(&changes))?;
            }
        }
        Ok(())
    }
}
