//! What a caller decides about reading, beside the settings that change an answer.

use firsthand::settings::Reading;
use std::path::PathBuf;

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The settings that change texts.
    pub reading: Reading,
    /// Whether every document comes with its blocks and why each was kept or left out.
    pub blocks: bool,
    /// About how many bytes one [`Batch`](crate::Batch) holds.
    pub batch_bytes: usize,
    /// The file that standard input was copied to (see [`Spool`](crate::Spool)); `-` is read from
    /// there.
    pub stdin: Option<PathBuf>,
    /// A folder, by its canonical path, that is skipped when it lies in another: the one that
    /// results are written to.
    pub except: Option<PathBuf>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new(Reading::default())
    }
}

impl ReadOptions {
    /// Options with these settings and the defaults for everything else.
    pub fn new(reading: Reading) -> Self {
        Self { reading, blocks: false, batch_bytes: 1 << 20, stdin: None, except: None }
    }
}
