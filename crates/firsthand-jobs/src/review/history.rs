//! All decisions with what became of them.

use super::Review;
use crate::decisions::{Action, Active, Decision};
use serde::Serialize;
use std::collections::HashSet;

/// A decision in the history.
#[derive(Clone, Debug, Serialize)]
pub struct HistoryLine {
    /// The number of its line, from 1.
    pub line: usize,
    /// Whether it holds.
    pub holds: bool,
    /// The cluster of its first document.
    pub cluster: Option<u32>,
    /// The decision.
    pub decision: Decision,
}

impl Review {
    /// The last `most` lines, the latest first.
    pub fn history(&self, most: usize) -> Vec<HistoryLine> {
        let index = self.index();
        self.with_lines(|lines| {
            let active = Active::new(lines);
            let holding: HashSet<usize> = active.lines().iter().map(|(line, _)| *line).collect();
            let lines = lines.iter().enumerate().rev().filter_map(|(at, said)| {
                let line = at + 1;
                let decision = said.clone()?;
                let first = decision.documents.first();
                let cluster = first.and_then(|first| index.cluster_of(&first.id));
                let about = matches!(decision.action, Action::Undo | Action::Redo);
                let holds = about || holding.contains(&line);
                Some(HistoryLine { line, holds, cluster, decision })
            });
            lines.take(most).collect()
        })
    }

    /// Whether something can be undone, and whether something can be redone.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        self.with_lines(|lines| {
            let active = Active::new(lines);
            (active.last().is_ok(), active.last_undone().is_ok())
        })
    }

    /// The number of lines, by which a page knows whether something was decided in the meantime.
    pub fn version(&self) -> usize {
        self.with_lines(<[_]>::len)
    }
}
