//! A zip archive without its directory: members one after another, as far as they go.

use std::io::{self, Read};

use memchr::memmem;

use super::headers::{LOCAL, Local};
use super::{Archive, bad, member};
use crate::feeder;
use crate::job::Job;
use crate::sink::{Flow, Stopped};
use crate::stream::Steady;

/// Reads members from the start, then tells that the directory is missing.
pub(super) fn members(archive: &mut Archive, job: &mut Job<'_>) -> Flow {
    let mut position = 0;
    loop {
        let found = match header(archive, position) {
            Ok(found) => found,
            Err(error) => return job.failed(None, &error),
        };
        let Some((start, local)) = found else { break };
        // One that was cut off is no larger than what there is of it.
        let there = local.packed.min(archive.pages.length().saturating_sub(start));
        if !archive.admit(job, if local.is_open() { 0 } else { there })? {
            return Ok(());
        }
        position = one(archive, job, start, &local)?;
    }
    let detail = match archive.members {
        0 => "it holds no member and no directory".to_owned(),
        _ => "its directory, which should be at the end, is missing or damaged; members were \
              read from the start up to where it breaks off"
            .to_owned(),
    };
    job.unread(None, bad(detail))
}

/// Reads a member, and tells where to look for the next.
fn one(
    archive: &mut Archive,
    job: &mut Job<'_>,
    start: u64,
    local: &Local,
) -> Result<u64, Stopped> {
    let body = start + local.length;
    // What is not known to end somewhere goes on to the end of the file.
    let (known, packed) = match local.is_open() {
        true => (None, archive.pages.length().saturating_sub(body)),
        false => (Some(local.sums), local.packed),
    };
    let unreadable = member::unreadable(local.flags, local.method);
    if let Some(reason) = unreadable {
        feeder::passed_over(job, &local.name, reason)?;
    } else if local.name.ends_with(b"/") {
        // A folder.
    } else if known.is_none() && local.method == 0 {
        let detail = "nothing tells where this member ends".to_owned();
        feeder::passed_over(job, &local.name, bad(detail))?;
    } else {
        let part = archive.taken.count(archive.pages.part(body, packed));
        let mut content = member::content(part, local.method, known);
        let guarded = job.budget.guard(&mut content);
        feeder::member(job, &local.name, Box::new(Steady::new(guarded)))?;
        if known.is_none() {
            // The end shows only when everything is unpacked.
            let whole = io::copy(&mut job.budget.guard(&mut content), &mut io::sink()).is_ok();
            let taken = content.taken();
            archive.packed = archive.packed.saturating_add(taken);
            return Ok(if whole { body + taken } else { body });
        }
    }
    Ok(if known.is_none() { body } else { body.saturating_add(packed) })
}

/// The next header at or behind a position.
fn header(archive: &mut Archive, mut position: u64) -> io::Result<Option<(u64, Local)>> {
    // A header mostly follows at once, or behind a few bytes about the member before it.
    let mut length = 64;
    let mut window = Vec::new();
    while position < archive.pages.length() {
        window.clear();
        archive.pages.part(position, length).read_to_end(&mut window)?;
        length = 64 << 10;
        match memmem::find(&window, &LOCAL) {
            Some(at) => {
                let start = position + at as u64;
                match Local::read(&mut archive.pages, start) {
                    Ok(Some(local)) => return Ok(Some((start, local))),
                    Ok(None) => position = start + 4,
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                    Err(error) => return Err(error),
                }
            }
            // The signature may lie across the end of the window.
            None => position += (window.len().max(4) - 3) as u64,
        }
    }
    Ok(None)
}
