//! zip archives, read like folders: in the order of their directory, which is never all in memory.
//!
//! An archive without its directory, as one that was cut off is, is read from its start instead:
//! each member has a header of its own.

mod scan;

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::job::Job;
use super::members::{member, passed_over};
use super::sink::{Flow, Stopped};
use crate::compression::Compression;
use crate::error::Reason;
use crate::stream::{Budget, Steady};
use crate::zip::headers::{self, Central};
use crate::zip::member::{content, unreadable};
use crate::zip::{Directory, Pages, bad, directory};
use firsthand::settings::Limit;

/// Reads the members of an archive. A copy of a stream was counted when it was made, and what is
/// read from it is not counted again.
pub(super) fn cut(job: &mut Job<'_>, file: File, is_copy: bool) -> Flow {
    job.compression = Compression::None;
    let taken = match is_copy {
        true => Budget::new(&job.settings.reading.limits, Arc::default()),
        false => job.budget.clone(),
    };
    let mut archive = match Pages::new(file) {
        Ok(pages) => Archive { pages, taken, members: 0, packed: 0 },
        Err(error) => return job.failed(None, &error),
    };
    match directory::find(&mut archive.pages) {
        Ok(Some(directory)) => archive.by_directory(job, directory),
        Ok(None) => scan::members(&mut archive, job),
        Err(error) => job.failed(None, &error),
    }
}

/// An archive that is being read.
struct Archive {
    pages: Pages,
    /// Counts what is taken from the disk.
    taken: Budget,
    members: u64,
    /// The packed size of all members so far.
    packed: u64,
}

impl Archive {
    fn by_directory(&mut self, job: &mut Job<'_>, mut directory: Directory) -> Flow {
        loop {
            match directory.next(&mut self.pages, &self.taken) {
                Ok(Some(central)) => {
                    if !self.admit(job, central.packed)? {
                        return Ok(());
                    }
                    self.listed(job, &central)?;
                }
                Ok(None) => return Ok(()),
                Err(detail) => return job.unread(None, bad(detail)),
            }
        }
    }

    /// Counts a member; false if the archive is not read any further.
    fn admit(&mut self, job: &mut Job<'_>, packed: u64) -> Result<bool, Stopped> {
        let limits = &job.settings.reading.limits;
        // Once more was unpacked than is allowed, every other member would only say so again: it
        // is said once, of the archive.
        if let Err(error) = job.budget.guard(io::empty()).read(&mut [0]) {
            job.failed(None, &error)?;
            return Ok(false);
        }
        if self.members == limits.members {
            job.unread(None, Reason::beyond(Limit::Members, limits))?;
            return Ok(false);
        }
        self.members += 1;
        self.packed = self.packed.saturating_add(packed);
        if self.packed > self.pages.length() {
            let detail = "its members are together larger than it is: they share their bytes, as \
                          only those of bombs do";
            job.unread(None, bad(detail.to_owned()))?;
            return Ok(false);
        }
        Ok(true)
    }

    fn listed(&mut self, job: &mut Job<'_>, central: &Central) -> Flow {
        let name = &central.name;
        if name.ends_with(b"/") || (name.ends_with(b"\\") && central.packed == 0) {
            return Ok(());
        }
        if central.is_link() {
            return passed_over(job, name, Reason::Link);
        }
        if let Some(reason) = unreadable(central.flags, central.method) {
            return passed_over(job, name, reason);
        }
        let start = match headers::body(&mut self.pages, central.start) {
            Ok(start) => start,
            Err(error) => return passed_over(job, name, Reason::Io(error.to_string())),
        };
        let packed = self.taken.count(self.pages.part(start, central.packed));
        let plain = content(packed, central.method, Some(central.sums()));
        let plain = job.budget.guard(plain);
        member(job, name, Box::new(Steady::new(plain)))
    }
}
