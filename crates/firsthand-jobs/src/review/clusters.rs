//! The lines of `clusters.jsonl`: all are read once for the index, and one by one when they are looked at.

use super::error::ReviewError;
use super::index::{ClusterRow, Index};
use super::record::ClusterRecord;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where clusters are read from.
#[derive(Debug)]
pub(super) struct Clusters {
    path: PathBuf,
    file: Mutex<File>,
}

/// Reads all clusters for the index.
pub(super) fn read(path: &Path) -> Result<(Index, Clusters), ReviewError> {
    let fail = |source: io::Error| ReviewError::Clusters { path: path.to_path_buf(), source };
    let mut reader = BufReader::with_capacity(1 << 18, File::open(path).map_err(fail)?);
    let (mut index, mut line, mut offset) = (Index::default(), Vec::new(), 0);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(fail)?;
        if read == 0 {
            break;
        }
        let record: ClusterRecord =
            serde_json::from_slice(&line).map_err(|error| fail(error.into()))?;
        index.add(&record, (offset, read));
        offset += read as u64;
    }
    index.finish();
    let file = Mutex::new(File::open(path).map_err(fail)?);
    Ok((index, Clusters { path: path.to_path_buf(), file }))
}

impl Clusters {
    pub(super) fn get(&self, row: &ClusterRow) -> Result<ClusterRecord, ReviewError> {
        let fail = |source: io::Error| ReviewError::Clusters { path: self.path.clone(), source };
        let (offset, length) = row.place;
        let mut line = vec![0; length];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(offset)).map_err(fail)?;
            file.read_exact(&mut line).map_err(fail)?;
        }
        serde_json::from_slice(&line).map_err(|error| fail(error.into()))
    }
}
