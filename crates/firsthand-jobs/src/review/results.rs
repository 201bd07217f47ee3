//! A folder of results under review: clusters from `clusters.jsonl`, texts from the inputs, which are read
//! again, and decisions in a file of their own.

use super::clusters::{self, Clusters};
use super::error::ReviewError;
use super::evidence::{Freshness, ShownText};
use super::index::{ClusterRow, Index};
use super::labelling::LabelPair;
use super::record::{ClusterRecord, MemberRecord};
use super::reviewable::Reviewable;
use crate::decisions::{self, Decision, DecisionLog, text_hash};
use crate::descriptions::{Description, DocumentPlace};
use crate::observer::Unobserved;
use crate::reading::{Pass, Reading};
use crate::sample::{self, SampleOptions, SampledPair};
use crate::texts::{Texts, Wanted};
use firsthand::collections::Collection;
use firsthand::settings::Original;
use firsthand::{Detector, Settings};
use firsthand_input::{Item, Kind, ReadOptions};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Inputs of at most this number of bytes are signed as a whole, so that what is shown of page furniture
/// and scores is what the search made of it.
const WHOLE: u64 = 64 << 20;
/// The most bytes of inputs that are searched for pairs below the threshold.
const SAMPLED: u64 = 256 << 20;

/// A folder of results under review.
pub(super) struct ResultsFolder {
    folder: PathBuf,
    index: Arc<Index>,
    clusters: Clusters,
    settings: Settings,
    inputs: Vec<PathBuf>,
    against: Vec<PathBuf>,
    log: Mutex<DecisionLog>,
    texts: Mutex<Texts>,
    whole: OnceLock<Option<Collection>>,
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
        let bytes = std::fs::read(&path).map_err(|source| {
            let is_missing =
                matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
            if is_missing && !results.exists() {
                return ReviewError::NoFolder(results.to_path_buf());
            }
            let source = Some(source).filter(|_| !is_missing);
            ReviewError::NoResults { folder: results.to_path_buf(), source }
        })?;
        serde_json::from_slice(&bytes).map_err(|source| ReviewError::Report { path, source })
    }
}

impl ResultsFolder {
    pub(super) fn open(results: &Path) -> Result<Self, ReviewError> {
        let ReportHead { inputs, against, settings } = ReportHead::read(results)?;
        let (index, clusters) = clusters::read(&results.join("clusters.jsonl"))?;
        let log = DecisionLog::open(&results.join(decisions::NAME))?;
        let parent =
            results.canonicalize().ok().and_then(|path| Some(path.parent()?.to_path_buf()));
        // Paths are as they were typed, mostly in the folder that the results lie in.
        let bases = [Some(PathBuf::new()), parent].into_iter().flatten().collect();
        Ok(Self {
            folder: results.to_path_buf(),
            index: Arc::new(index),
            clusters,
            texts: Mutex::new(Texts::new(settings.reading.clone(), bases)),
            settings,
            inputs,
            against,
            log: Mutex::new(log),
            whole: OnceLock::new(),
        })
    }

    fn log(&self) -> std::sync::MutexGuard<'_, DecisionLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The inputs, signed, if they are small and still there.
    fn sign_whole(&self) -> Option<Collection> {
        let detector = Detector::new(self.settings.clone()).ok()?;
        let open = |inputs: &[PathBuf]| {
            let options = ReadOptions::new(self.settings.reading.clone());
            if !inputs.iter().all(|path| is_there(path)) {
                return None;
            }
            Reading::open(inputs, options, None, &Unobserved::default()).ok()
        };
        let mut new = open(&self.inputs)?;
        let mut reference = match self.against.is_empty() {
            true => None,
            false => Some(open(&self.against)?),
        };
        let bytes = new.batches.total_bytes()?
            + reference.as_ref().map_or(Some(0), |reference| reference.batches.total_bytes())?;
        if bytes > WHOLE {
            return None;
        }
        let observer = Unobserved::default();
        let pass = Pass::new(&observer, None);
        let reference = reference
            .as_mut()
            .map(|reference| pass.sign(reference, 0, &detector, |_| |_: &Item| {}));
        let new = pass.sign(&mut new, 1, &detector, |_| |_: &Item| {});
        pass.finish().ok()?;
        match reference {
            None => Some(Collection::new(new)),
            Some(reference) => Collection::against(reference, new).ok(),
        }
    }
}

impl Reviewable for ResultsFolder {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn is_there(&self) -> bool {
        self.folder.is_dir()
    }

    fn index(&self) -> Arc<Index> {
        Arc::clone(&self.index)
    }

    fn cluster(&self, row: &ClusterRow) -> Result<ClusterRecord, ReviewError> {
        self.clusters.get(row)
    }

    fn why_original(&self) -> &'static str {
        if !self.against.is_empty() {
            return "it is in the collection that was matched against";
        }
        match self.settings.collection_original() {
            Original::Earliest => "the earliest of them; of equal times, the longest",
            Original::Latest => "the latest of them; of equal times, the longest",
            Original::Longest => "the longest of them; of equal lengths, the earliest",
            Original::First => "the first of them in the input",
        }
    }

    fn text(&self, member: &MemberRecord) -> Result<ShownText, ReviewError> {
        let wanted = Wanted { id: &member.id, place: member.place.as_ref() };
        let in_a_cluster = |place: &DocumentPlace| {
            // Documents with ids of their own cannot be told by their places.
            member.place.is_some() || self.index.cluster_of(&place.id()).is_some()
        };
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = texts.get(wanted, &in_a_cluster)?;
        drop(texts);
        let fresh = match &member.text {
            Some(hash) if *hash == text_hash(&found.document.text) => Freshness::Same,
            Some(_) => Freshness::Changed,
            None => Freshness::Unknown,
        };
        let is_page = found.is_file && {
            let kind = self.settings.reading.kind.or(firsthand_input::kind_of(&found.file).0);
            kind == Some(Kind::Html)
        };
        Ok(ShownText { document: found.document, fresh, page: is_page.then_some(found.file) })
    }

    fn whole(&self) -> Option<&Collection> {
        self.whole.get_or_init(|| self.sign_whole()).as_ref()
    }

    fn pairs_to_label(&self, most: usize) -> Option<Vec<LabelPair>> {
        let bytes: u64 = self.inputs.iter().map(|path| size(path)).sum();
        let is_small = self.against.is_empty() && bytes <= SAMPLED;
        if !is_small || !self.inputs.iter().all(|path| is_there(path)) {
            return None;
        }
        let options = SampleOptions { floor: None, pairs: most, seed: 1 };
        let observer = Unobserved::default();
        let sample =
            sample::sample(&self.inputs, self.settings.clone(), &options, None, &observer).ok()?;
        let pair = |pair: SampledPair| {
            let (a, b) = pair.descriptions;
            LabelPair { a: member(pair.a, a), b: member(pair.b, b), score: pair.score }
        };
        Some(sample.pairs.into_iter().map(pair).collect())
    }

    fn decisions(&self) -> Result<Vec<Option<Decision>>, ReviewError> {
        Ok(self.log().read()?)
    }

    fn append(&self, decision: &Decision) -> Result<(), ReviewError> {
        Ok(self.log().append(decision)?)
    }
}

/// A document that may be in no cluster.
fn member(id: String, description: Description) -> MemberRecord {
    let Description { title, url, source, sender, text, place } = description;
    MemberRecord { id, title, url, source, sender, text, place, ..MemberRecord::default() }
}

/// Whether an input can be read again.
fn is_there(path: &Path) -> bool {
    path.as_os_str() != "-" && path.exists()
}

/// The bytes of a file, or of all files in a folder; beyond what is searched they are not counted.
fn size(path: &Path) -> u64 {
    let mut pending = vec![path.to_path_buf()];
    let mut bytes = 0;
    while let Some(path) = pending.pop() {
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                pending.extend(entries.map(|entry| entry.path()));
            }
            Ok(metadata) => bytes += metadata.len(),
            Err(_) => {}
        }
        if bytes > SAMPLED {
            break;
        }
    }
    bytes
}
