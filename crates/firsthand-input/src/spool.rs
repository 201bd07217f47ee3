//! A copy of standard input, for runs that read their input twice.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

/// A temporary file that is removed when this is dropped.
///
/// Give its path as [`ReadOptions::stdin`](crate::ReadOptions::stdin): `-` is then read from there,
/// while ids and messages still say `stdin`.
#[derive(Debug)]
pub struct Spool(TempPath);

impl Spool {
    /// Copies all of standard input into a file in `folder`.
    pub fn stdin(folder: &Path) -> io::Result<Self> {
        Self::copy(io::stdin(), folder)
    }

    /// Copies any stream into a file in `folder`.
    pub fn copy(stream: impl Read, folder: &Path) -> io::Result<Self> {
        let spool = Self::empty(folder)?;
        spool.fill(stream)?;
        Ok(spool)
    }

    /// An empty file in `folder`, to be filled: its path is known before the copy is made.
    pub fn empty(folder: &Path) -> io::Result<Self> {
        Ok(Self(NamedTempFile::new_in(folder)?.into_temp_path()))
    }

    /// Copies any stream into the file.
    pub fn fill(&self, stream: impl Read) -> io::Result<()> {
        let mut file = File::options().write(true).open(&self.0)?;
        io::copy(&mut BufReader::with_capacity(1 << 20, stream), &mut file)?;
        Ok(())
    }

    /// Where the copy is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}
