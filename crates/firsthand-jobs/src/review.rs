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
pub use view::{ClusterView, GroupView, MemberView};

use crate::decisions::{Active, Decision};
use firsthand::Settings;
use results::ResultsFolder;
use std::path::Path;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Clusters under review.
pub struct Review {
    material: Box<dyn Reviewable>,
    decided: RwLock<Decided>,
    sample: OnceLock<Vec<LabelPair>>,
}

impl std::fmt::Debug for Review {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Review").field("clusters", &self.index().len()).finish_non_exhaustive()
    }
}

/// Decisions and what they amount to.
struct Decided {
    lines: Vec<Option<Decision>>,
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
        let (lines, index) = (material.decisions()?, material.index());
        let standing = Standing::new(&Active::new(&lines), &index);
        let decided = RwLock::new(Decided { lines, index, standing });
        Ok(Self { material, decided, sample: OnceLock::new() })
    }

    /// The clusters as they were found.
    pub fn index(&self) -> Arc<Index> {
        self.material.index()
    }

    /// Whether clusters and decisions can still be reached.
    pub fn is_there(&self) -> bool {
        self.material.is_there()
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
        look(&self.decided.read().unwrap_or_else(PoisonError::into_inner).lines)
    }

    /// Adds a decision, which is durable when this returns; its number.
    fn append(&self, decision: Decision) -> Result<usize, ReviewError> {
        decision.check()?;
        let mut decided = self.decided.write().unwrap_or_else(PoisonError::into_inner);
        self.material.append(&decision)?;
        decided.lines.push(Some(decision));
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
