//! JSON files: one element after another, as they are read.

use std::io::Read;

use super::job::{self, Job};
use super::sink::Flow;
use crate::csv::unicode;
use crate::error::Reason;
use crate::json::{Cutter, Found};
use crate::place::Unit;
use crate::stream::Bytes;
use firsthand::settings::Kind;

/// As much is read at a time.
const BUFFER: usize = 256 << 10;

/// Cuts a JSON file into its elements.
pub(super) fn cut(job: &mut Job<'_>, stream: Bytes<'_>) -> Flow {
    let mut stream = match unicode::utf16_to_utf8(stream) {
        Ok(stream) => stream,
        Err(error) => return job.failed(None, &error),
    };
    let mut cutter = Cutter::new(&job.settings.reading.limits);
    let mut buffer = vec![0; BUFFER];
    loop {
        let length = match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // The element that was cut off is part of the failure.
            Err(error) => return job.failed(job::at(Unit::Item, cutter.next_number()), &error),
        };
        let mut bytes = &buffer[..length];
        while let Some((number, found)) = cutter.next(&mut bytes) {
            hand_on(job, number, found)?;
        }
    }
    match cutter.end() {
        Some((number, found)) => hand_on(job, number, found),
        None => Ok(()),
    }
}

fn hand_on(job: &mut Job<'_>, number: u64, found: Found) -> Flow {
    let at = job::at(Unit::Item, number);
    match found {
        Found::Element(bytes) => job.piece(Kind::Json, at, bytes),
        Found::Beyond(limit) => job.unread(at, Reason::beyond(limit, &job.settings.reading.limits)),
        Found::Garbage(detail) => job.unread(at, Reason::BadRecord { format: "JSON file", detail }),
    }
}
