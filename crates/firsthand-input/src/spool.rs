//! A temporary copy of standard input, for runs that read their input twice.

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
    /// Copies a stream into a file in `folder`.
    ///
    /// # Errors
    /// If the file cannot be created or written, or the stream cannot be read.
    pub fn copy(stream: impl Read, folder: &Path) -> io::Result<Self> {
        let spool = Self::empty(folder)?;
        spool.fill(stream)?;
        Ok(spool)
    }

    /// An empty file in `folder`, whose path is known before it is filled.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn empty(folder: &Path) -> io::Result<Self> {
        Ok(Self(NamedTempFile::new_in(folder)?.into_temp_path()))
    }

    /// Copies a stream into the file.
    ///
    /// # Errors
    /// If the stream cannot be read or the file cannot be written.
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
