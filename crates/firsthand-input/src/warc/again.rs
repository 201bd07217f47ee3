//! Reads a record again for a revisit that refers to it.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::ArchiveFormat;
use super::members::Members;
use super::raw::PositionedStream;
use super::records::{Records, WarcEntry, WarcRecord};
use super::seen::RevisitTarget;
use super::window::{RecordWindow, WindowSource};
use crate::compression::Compression;
use crate::stream::{Budget, Bytes, Source};
use firsthand::settings::Limits;

/// The record, if it is still in its place.
pub(super) fn record(original: &RevisitTarget, limits: &Limits) -> Option<WarcRecord> {
    let disk = original.spot.disk;
    let budget = Budget::new(limits, Arc::default());
    let mut stream: Bytes<'static> = match &*original.source {
        Source::File(path) => Box::new(budget.count(seek(File::open(path).ok()?, disk)?)),
        Source::Memory(bytes) => {
            Box::new(budget.count(seek(Cursor::new(Arc::clone(bytes)), disk)?))
        }
        Source::Stdin => return None,
    };
    let mut start = [0; 3];
    stream.read_exact(&mut start).ok()?;
    let stream: Bytes<'static> = Box::new(Cursor::new(start).chain(stream));
    let source = match Compression::from_magic(&start) {
        Compression::Gzip => WindowSource::Gzip(Box::new(Members::new(
            PositionedStream::new(stream, disk),
            budget.clone(),
            ArchiveFormat::Warc,
        ))),
        _ => WindowSource::Plain(stream),
    };
    let mut window = RecordWindow::new(source, disk, ArchiveFormat::Warc);
    if window.is_gzip() {
        // The first stretch, before the first member, is empty.
        window.have(1);
        window.leave();
    }
    let mut skip = usize::try_from(original.spot.skip).ok()?;
    while skip > 0 && window.have(1) {
        let length = window.bytes().len().min(skip);
        window.take(length);
        skip -= length;
    }
    match Records::new(window, limits, true).next()? {
        WarcEntry::WarcRecord(record) => {
            original.is(&record.bytes[..record.head]).then_some(record)
        }
        WarcEntry::Large(_) | WarcEntry::Bad { .. } => None,
    }
}

fn seek<S: Seek>(mut stream: S, disk: u64) -> Option<S> {
    let sought: io::Result<u64> = stream.seek(SeekFrom::Start(disk));
    sought.ok().map(|_| stream)
}
