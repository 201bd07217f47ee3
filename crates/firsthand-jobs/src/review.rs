//! Results as people look at them: clusters in an index, their texts, what differs, and decisions, each
//! of which is appended to a file and holds from then on.
//!
//! Nothing here knows a page or a socket. [`Review`] is shared by all threads of a service.

mod act;
mod clusters;
mod error;
mod evidence;
mod export;
mod history;
mod index;
mod labelling;
mod order;
mod record;
mod results;
mod reviewable;
mod stack;
mod standing;
mod stored;
mod view;

pub use act::{Request, Rule};
pub use error::ReviewError;
pub use evidence::{Difference, Freshness, ShownText};
pub use export::{ExportFormat, write_labels, write_tags};
pub use history::HistoryLine;
pub use index::{Bin, ClusterRow, Index};
pub use labelling::{LabelPair, Labelling, Precision};
pub use order::{Listing, Query, Sort};
pub use record::{ClusterRecord, MemberRecord};
pub use results::ReportHead;
pub use reviewable::Reviewable;
pub use stack::{Stack, StackBlock, Variant};
pub use standing::{Standing, State};
pub use stored::{StreamAccess, Task};
pub use view::{ClusterView, GroupView, MemberView};

use crate::decisions::{Active, Decision};
use firsthand::Settings;
use labelling::Sample;
use results::ResultsFolder;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use stored::StoredClusters;

/// Clusters under review.
pub struct Review {
    material: Box<dyn Reviewable>,
    decided: RwLock<Decided>,
    sample: Mutex<Option<Sample>>,
}

impl std::fmt::Debug for Review {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Review").field("clusters", &self.index().len()).finish_non_exhaustive()
    }
}

/// Decisions and what they amount to.
struct Decided {
    lines: Vec<Option<Decision>>,
    /// The revision that `lines` are of.
    revision: u64,
    /// The index that `standing` is about.
    index: Arc<Index>,
    standing: Standing,
}

impl Decided {
    fn stand(&mut self, index: Arc<Index>) {
        self.standing = Standing::new(&Active::new(&self.lines), &index);
        self.index = index;
    }
}

impl Review {
    /// Opens a folder of results that `dedup` wrote.
    ///
    /// # Errors
    ///
    /// If it holds no results, or another process reviews them.
    pub fn open(results: &Path) -> Result<Self, ReviewError> {
        Self::new(Box::new(ResultsFolder::open(results)?))
    }

    /// A review of anything that has clusters.
    ///
    /// # Errors
    ///
    /// If its decisions cannot be read.
    pub fn new(material: Box<dyn Reviewable>) -> Result<Self, ReviewError> {
        let (revision, lines) = (material.revision(), material.decisions()?);
        // The clusters of a store are found when somebody looks at them.
        let (index, standing) = (Arc::default(), Standing::default());
        let decided = RwLock::new(Decided { lines, revision, index, standing });
        Ok(Self { material, decided, sample: Mutex::new(None) })
    }

    /// A review of the clusters of a stream.
    ///
    /// # Errors
    ///
    /// If its store cannot be asked.
    pub fn of_stream(access: Box<dyn StreamAccess>) -> Result<Self, ReviewError> {
        Self::new(Box::new(StoredClusters::new(access)))
    }

    /// The clusters as they were found.
    pub fn index(&self) -> Arc<Index> {
        self.material.index()
    }

    /// Whether clusters and decisions can still be reached.
    pub fn is_there(&self) -> bool {
        self.material.is_there()
    }

    /// Whether texts can be shown at all.
    pub fn keeps_texts(&self) -> bool {
        self.material.keeps_texts()
    }

    /// Whether pages may be there as they were, and not only their texts.
    pub fn keeps_pages(&self) -> bool {
        self.material.keeps_pages()
    }

    /// The settings that the clusters were found with.
    pub fn settings(&self) -> &Settings {
        self.material.settings()
    }

    /// A cluster as it was found, by its number.
    ///
    /// # Errors
    ///
    /// If there is none of this number, or it cannot be read.
    pub fn cluster(&self, number: u32) -> Result<ClusterRecord, ReviewError> {
        let index = self.index();
        let row = index.row(number).ok_or(ReviewError::NoCluster(number))?;
        self.material.cluster(row)
    }

    /// Hands on what decisions amount to now, and the clusters that they are about.
    pub fn with_standing<T>(&self, look: impl FnOnce(&Standing, &Index) -> T) -> T {
        self.with_decided(|decided| look(&decided.standing, &decided.index))
    }

    fn with_decided<T>(&self, look: impl FnOnce(&Decided) -> T) -> T {
        self.catch_up();
        let index = self.index();
        let decided = self.decided.read().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&decided.index, &index) {
            return look(&decided);
        }
        drop(decided);
        let mut decided = self.decided.write().unwrap_or_else(PoisonError::into_inner);
        decided.stand(index);
        look(&decided)
    }

    fn with_lines<T>(&self, look: impl FnOnce(&[Option<Decision>]) -> T) -> T {
        self.catch_up();
        look(&self.decided.read().unwrap_or_else(PoisonError::into_inner).lines)
    }

    /// Reads decisions again that were taken down by another way.
    fn catch_up(&self) {
        let revision = self.material.revision();
        let known = self.decided.read().unwrap_or_else(PoisonError::into_inner).revision;
        if known == revision {
            return;
        }
        // What cannot be read now is read the next time.
        let Ok(lines) = self.material.decisions() else { return };
        let mut decided = self.decided.write().unwrap_or_else(PoisonError::into_inner);
        (decided.lines, decided.revision) = (lines, revision);
        let index = Arc::clone(&decided.index);
        decided.stand(index);
    }

    /// Adds a decision, which is durable when this returns; its number.
    fn append(&self, decision: Decision) -> Result<usize, ReviewError> {
        decision.check()?;
        let mut decided = self.decided.write().unwrap_or_else(PoisonError::into_inner);
        self.material.append(&decision)?;
        match self.material.revision() {
            revision if revision == decided.revision => decided.lines.push(Some(decision)),
            revision => {
                decided.lines = self.material.decisions()?;
                decided.revision = revision;
            }
        }
        decided.stand(self.material.index());
        Ok(decided.lines.len())
    }

    /// The clusters that match a query, a page of them.
    pub fn list(&self, query: &Query) -> Listing {
        self.with_standing(|standing, index| index.list(query, standing))
    }

    /// The clusters before and after one in the order of a query.
    pub fn beside(&self, query: &Query, number: u32) -> (Option<u32>, Option<u32>) {
        self.with_standing(|standing, index| index.beside(query, standing, number))
    }
}
