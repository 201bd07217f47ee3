//! A copy of standard input, for runs that read their input twice.

use std::io::{self, BufReader, Read};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

/// A temporary file that is removed when this is dropped.
///
/// Give its path as [`Settings::stdin`](crate::Settings::stdin): `-` is then read from there,
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
        let mut file = NamedTempFile::new_in(folder)?;
        io::copy(&mut BufReader::with_capacity(1 << 20, stream), &mut file)?;
        Ok(Self(file.into_temp_path()))
    }

    /// Where the copy is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}
