//! Information about a store, for people.

use super::Embedded;
use crate::Fact;
use crate::layout::LAYOUT;
use firsthand::online::StoreError;
use std::{fs, path::Path};

impl Embedded {
    /// Labels and values.
    pub(super) fn information(&mut self) -> Result<Vec<(String, Fact)>, StoreError> {
        self.install_finished()?;
        let runs = || self.buckets.values().flat_map(|bucket| &bucket.runs);
        let in_runs: u64 = runs().map(|run| run.footer.postings).sum();
        let in_memory: usize = self
            .buckets
            .values()
            .flat_map(|bucket| bucket.in_memory())
            .map(|postings| postings.count())
            .sum();
        let documents: usize = self.buckets.values().map(|bucket| bucket.documents.len()).sum();
        let former = (1..self.description.generation)
            .filter(|&number| super::description::generation(&self.root, number).exists());
        let former: Vec<String> = former.map(|number| number.to_string()).collect();
        let run_memory = runs().map(|run| run.memory()).sum();
        let mut info = vec![
            ("kind", Fact::Text("embedded".to_owned())),
            ("folder", self.root.display().to_string().into()),
            ("layout", Fact::Count(LAYOUT.into())),
            ("generation", Fact::Count(self.description.generation)),
            ("rounds", Fact::Count(self.state.round)),
            ("logs", Fact::count(self.buckets.len() + 1)),
            ("runs", Fact::count(runs().count())),
            ("keys in runs", Fact::Count(in_runs)),
            ("keys in memory", Fact::count(in_memory)),
            ("table of documents in memory", Fact::Bytes(documents as u64 * 40)),
            ("filters and keys of runs in memory", Fact::Bytes(run_memory)),
            ("on disk", Fact::Bytes(size(&self.root))),
            ("written since it was opened", Fact::Bytes(self.disk.written())),
        ];
        if !former.is_empty() {
            let text = format!("{}, until `firsthand store compact`", former.join(", "));
            info.push(("former generations on disk", text.into()));
        }
        if self.rebuilt > 0 {
            info.push(("damaged runs rebuilt", Fact::Count(self.rebuilt)));
        }
        if let Some(remark) = &self.remark {
            info.push(("last failure in the background", remark.clone().into()));
        }
        Ok(info.into_iter().map(|(label, value)| (label.to_owned(), value)).collect())
    }
}

/// The size in bytes of all files of a store.
pub(super) fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
