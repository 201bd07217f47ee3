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
pub use stack::{Stack, StackBlock, Variant};
pub use standing::{Standing, State};
pub use view::{ClusterView, GroupView, MemberView};

use crate::decisions::{self, Active, Decision, DecisionLog};
use crate::texts::Texts;
use clusters::Clusters;
use evidence::Whole;
use firsthand::Settings;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

/// Results under review.
pub struct Review {
    folder: PathBuf,
    index: Index,
    clusters: Clusters,
    settings: Settings,
    inputs: Vec<PathBuf>,
    against: Vec<PathBuf>,
    decided: RwLock<Decided>,
    texts: Mutex<Texts>,
    whole: OnceLock<Option<Whole>>,
    sample: OnceLock<Vec<LabelPair>>,
}

impl std::fmt::Debug for Review {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Review").field("clusters", &self.index.len()).finish_non_exhaustive()
    }
}

/// Decisions and what they amount to.
struct Decided {
    log: DecisionLog,
    standing: Standing,
}

/// What is read of `report.json`.
#[derive(Debug, Deserialize)]
pub struct ReportHead {
    /// The inputs as they were typed.
    pub inputs: Vec<PathBuf>,
    /// The reference as it was typed.
    pub against: Vec<PathBuf>,
    /// The settings.
    pub settings: Settings,
}

impl ReportHead {
    /// Reads the report of a folder of results.
    ///
    /// # Errors
    ///
    /// If there is none, or it is not one.
    pub fn read(results: &Path) -> Result<Self, ReviewError> {
        let path = results.join("report.json");
        let bytes = std::fs::read(&path)
            .map_err(|source| ReviewError::NoResults { folder: results.to_path_buf(), source })?;
        serde_json::from_slice(&bytes).map_err(|source| ReviewError::Report { path, source })
    }
}

impl Review {
    /// Opens a folder of results that `dedup` wrote.
    ///
    /// # Errors
    ///
    /// If it holds no results, or another process reviews them.
    pub fn open(results: &Path) -> Result<Self, ReviewError> {
        let ReportHead { inputs, against, settings } = ReportHead::read(results)?;
        let (index, clusters) = clusters::read(&results.join("clusters.jsonl"))?;
        let log = DecisionLog::open(&results.join(decisions::NAME))?;
        let parent =
            results.canonicalize().ok().and_then(|path| Some(path.parent()?.to_path_buf()));
        // Paths are as they were typed, mostly in the folder that the results lie in.
        let bases = [Some(PathBuf::new()), parent].into_iter().flatten().collect();
        let standing = Standing::new(&Active::new(log.lines()), &index);
        Ok(Self {
            folder: results.to_path_buf(),
            index,
            clusters,
            texts: Mutex::new(Texts::new(settings.reading.clone(), bases)),
            settings,
            inputs,
            against,
            decided: RwLock::new(Decided { log, standing }),
            whole: OnceLock::new(),
            sample: OnceLock::new(),
        })
    }

    /// The folder of the results.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The clusters as they were found.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The settings that the results were made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The inputs as they were typed.
    pub fn inputs(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// A cluster as it was found, by its number.
    ///
    /// # Errors
    ///
    /// If there is none of this number, or it cannot be read.
    pub fn cluster(&self, number: u32) -> Result<ClusterRecord, ReviewError> {
        let row = self.index.row(number).ok_or(ReviewError::NoCluster(number))?;
        self.clusters.get(row)
    }

    /// Hands on what decisions amount to now.
    pub fn with_standing<T>(&self, look: impl FnOnce(&Standing) -> T) -> T {
        look(&self.decided.read().unwrap_or_else(PoisonError::into_inner).standing)
    }

    fn with_lines<T>(&self, look: impl FnOnce(&[Option<Decision>], &Standing) -> T) -> T {
        let decided = self.decided.read().unwrap_or_else(PoisonError::into_inner);
        look(decided.log.lines(), &decided.standing)
    }

    /// Adds a decision, which is on disk when this returns; the number of its line.
    fn append(&self, decision: Decision) -> Result<usize, ReviewError> {
        let mut decided = self.decided.write().unwrap_or_else(PoisonError::into_inner);
        let line = decided.log.append(decision)?;
        let standing = Standing::new(&Active::new(decided.log.lines()), &self.index);
        decided.standing = standing;
        Ok(line)
    }

    /// The clusters that match a query, a page of them.
    pub fn list(&self, query: &Query) -> Listing<'_> {
        self.with_standing(|standing| self.index.list(query, standing))
    }

    /// The clusters before and after one in the order of a query.
    pub fn beside(&self, query: &Query, number: u32) -> (Option<u32>, Option<u32>) {
        self.with_standing(|standing| self.index.beside(query, standing, number))
    }
}
