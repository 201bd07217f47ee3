//! One line of a file, read by where it starts: a document of a large file without the rest of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::batch::{bare, line_item};
use crate::compression::Compression;
use crate::error::{ReadError, Reason};
use crate::item::Item;
use crate::options::ReadOptions;
use crate::place::Place;
use crate::walk::name_of;
use firsthand::settings::Limit;

/// Reads the document on a line of JSONL that starts at a byte of a file. The line is called by `number`,
/// which cannot be checked.
///
/// # Errors
/// If no line starts there, or it holds no document: the file is not what it was.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("news.jsonl");
/// # std::fs::write(&path, "{\"text\": \"Ferry late\"}\n{\"text\": \"Ferry cancelled\"}\n")?;
/// use firsthand_input::{ReadOptions, read_line_at};
///
/// let options = ReadOptions::default();
/// assert_eq!(read_line_at(&path, 2, 23, &options)?.document.text, "Ferry cancelled");
/// assert!(read_line_at(&path, 2, 24, &options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_line_at(
    path: &Path,
    number: u64,
    byte: u64,
    options: &ReadOptions,
) -> Result<Item, ReadError> {
    let place = Place::line(name_of(path), number);
    let limits = &options.reading.limits;
    let failed =
        |error: io::Error| ReadError::at(place.clone(), Reason::from_io(&error, Compression::None));
    let line = line(path, byte, limits.line).map_err(failed)?;
    match line {
        Some(line) if line.len() as u64 > limits.line => {
            Err(ReadError::at(place, Reason::beyond(Limit::Line, limits)))
        }
        Some(line) => line_item(bare(&line), place, Some(byte), options),
        None => Err(ReadError::at(place, Reason::Changed)),
    }
}

/// The line that starts at a byte, without its end; none if no line starts there.
fn line(path: &Path, byte: u64, longest: u64) -> io::Result<Option<Vec<u8>>> {
    let mut file = BufReader::new(File::open(path)?);
    if byte > 0 {
        file.seek(SeekFrom::Start(byte - 1))?;
        let mut before = [0];
        if file.read(&mut before)? == 0 || before != *b"\n" {
            return Ok(None);
        }
    }
    let mut line = Vec::new();
    file.take(longest.saturating_add(2)).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Ok((!line.is_empty()).then_some(line))
}
