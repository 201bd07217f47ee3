//! What people have decided about the documents of a collection, found and obeyed.

use super::Output;
use crate::decisions::{self, Decision, Obeyed};
use crate::descriptions::Descriptions;
use crate::error::{InputError, JobError};
use firsthand::collections::{Cluster, Collection, Pairs, group_by_decisions};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Decisions and the file that they are from.
pub(super) struct Decided {
    path: PathBuf,
    lines: Vec<Option<Decision>>,
}

impl Decided {
    /// The decisions that were named, or else those that lie in the folder for results.
    pub(super) fn find(
        named: Option<PathBuf>,
        output: Option<&Output>,
    ) -> Result<Option<Self>, JobError> {
        let beside = || {
            let path = output?.path.join(decisions::NAME);
            path.is_file().then_some(path)
        };
        let Some(path) = named.or_else(beside) else { return Ok(None) };
        let lines = decisions::read(&path)?;
        Ok(Some(Self { path, lines }))
    }

    /// The file that they are from.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Groups documents as they say.
    pub(super) fn group(
        &self,
        collection: &Collection,
        pairs: &Pairs,
        descriptions: &Descriptions,
    ) -> Result<(Vec<Cluster>, Obeyed), JobError> {
        let lines = self.lines.iter().flatten();
        let named = lines.flat_map(|line| line.documents.iter().chain(&line.others));
        let ids: HashSet<&str> = named.map(|named| &*named.id).collect();
        // Of a document of a reference and a new one with the same id, the new one is meant.
        let positions: HashMap<&str, usize> = (0..)
            .zip(collection.documents())
            .filter(|(_, document)| ids.contains(&*document.id))
            .map(|(at, document)| (&*document.id, at))
            .collect();
        let text = |at: usize| Ok(descriptions.get(at)?.text);
        let (constraints, mut obeyed) = decisions::constraints(&self.lines, &positions, text)
            .map_err(InputError::Descriptions)?;
        let regrouped = group_by_decisions(collection, pairs, &constraints);
        let refused = regrouped.refused.iter();
        obeyed.refused(refused.map(|(_, b)| &*collection.documents()[*b].id));
        obeyed.file = self.path.display().to_string();
        Ok((regrouped.clusters, obeyed))
    }
}
