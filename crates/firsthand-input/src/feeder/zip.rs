//! Reads the members of zip archives in the order of the directory, which is never all in memory.
//!
//! An archive that was cut off has no directory and is read from its start by the members' headers.

mod scan;

use std::fs::File;
use std::sync::Arc;

use super::context::FileContext;
use super::members::{member, passed_over};
use super::sink::{Flow, Stopped};
use crate::compression::Compression;
use crate::error::Reason;
use crate::stream::{Budget, steady};
use crate::zip::headers::{self, CentralHeader};
use crate::zip::member::{content, unreadable};
use crate::zip::{CachedFile, Directory, bad, directory};
use firsthand::settings::Limit;

/// Reads the members of an archive. The bytes of a temporary copy were counted when it was made.
pub(super) fn cut(context: &mut FileContext<'_>, file: File, is_copy: bool) -> Flow {
    context.compression = Compression::None;
    let taken = match is_copy {
        true => Budget::new(context.limits(), Arc::default()),
        false => context.budget.clone(),
    };
    let mut archive = match CachedFile::new(file) {
        Ok(pages) => Archive { pages, taken, members: 0, packed: 0 },
        Err(error) => return context.failed(None, &error),
    };
    match directory::find(&mut archive.pages) {
        Ok(Some(directory)) => archive.by_directory(context, directory),
        Ok(None) => scan::members(&mut archive, context),
        Err(error) => context.failed(None, &error),
    }
}

/// An archive that is being read.
struct Archive {
    pages: CachedFile,
    /// Counts bytes read from disk.
    taken: Budget,
    members: u64,
    /// The compressed size of all members so far.
    packed: u64,
}

impl Archive {
    fn by_directory(&mut self, context: &mut FileContext<'_>, mut directory: Directory) -> Flow {
        loop {
            match directory.next(&mut self.pages, &self.taken) {
                Ok(Some(central)) => {
                    if !self.admit(context, central.packed)? {
                        return Ok(());
                    }
                    self.listed(context, &central)?;
                }
                Ok(None) => return Ok(()),
                Err(detail) => return context.unread(None, bad(detail)),
            }
        }
    }

    /// Counts a member; false if the rest of the archive is not read.
    fn admit(&mut self, context: &mut FileContext<'_>, packed: u64) -> Result<bool, Stopped> {
        let limits = context.limits();
        // Once the decompression limit is exceeded, every later member would fail the same way:
        // report it once, for the archive.
        if let Err(error) = context.budget.spend(0) {
            context.failed(None, &error)?;
            return Ok(false);
        }
        if self.members == limits.members {
            context.unread(None, Reason::beyond(Limit::Members, limits))?;
            return Ok(false);
        }
        self.members += 1;
        self.packed = self.packed.saturating_add(packed);
        if self.packed > self.pages.length {
            let detail = "its members are together larger than it is: they share their bytes, as \
                          only those of bombs do";
            context.unread(None, bad(detail.to_owned()))?;
            return Ok(false);
        }
        Ok(true)
    }

    fn listed(&mut self, context: &mut FileContext<'_>, central: &CentralHeader) -> Flow {
        let name = &central.name;
        if name.ends_with(b"/") || (name.ends_with(b"\\") && central.packed == 0) {
            return Ok(());
        }
        if central.is_link() {
            return passed_over(context, name, Reason::Link);
        }
        if let Some(reason) = unreadable(central.flags, central.method) {
            return passed_over(context, name, reason);
        }
        let start = match headers::body(&mut self.pages, central.start) {
            Ok(start) => start,
            Err(error) => return passed_over(context, name, Reason::Io(error.to_string())),
        };
        let packed = self.taken.count(self.pages.part(start, central.packed));
        let plain = content(packed, central.method, Some(central.sums()));
        let plain = context.budget.guard(plain);
        member(context, name, Box::new(steady(plain)))
    }
}
