//! Finds the next member header of a zip archive without its directory.

use std::io::{self, Read};

use memchr::memmem;

use super::headers::{LOCAL, LocalHeader};
use super::pages::CachedFile;

/// The next header at or after a position.
pub(crate) fn header(
    pages: &mut CachedFile,
    mut position: u64,
) -> io::Result<Option<(u64, LocalHeader)>> {
    // Usually a header follows at once, or after a short data descriptor.
    let mut length = 64;
    let mut window = Vec::new();
    while position < pages.length {
        window.clear();
        pages.part(position, length).read_to_end(&mut window)?;
        length = 64 << 10;
        match memmem::find(&window, &LOCAL) {
            Some(at) => {
                let start = position + at as u64;
                match LocalHeader::read(pages, start) {
                    Ok(Some(local)) => return Ok(Some((start, local))),
                    Ok(None) => position = start + 4,
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                    Err(error) => return Err(error),
                }
            }
            // The signature may cross the end of the window.
            None => position += (window.len().max(4) - 3) as u64,
        }
    }
    Ok(None)
}
