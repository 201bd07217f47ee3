//! tar archives, read like folders: one member after another, straight from the stream.

use tar::{EntryType, Header};

use super::job::Job;
use super::members::{member, passed_over};
use super::sink::Flow;
use crate::error::Reason;
use crate::stream::Bytes;
use crate::tar::{Blocks, Extensions, Next, sparse};
use firsthand::settings::Limit;

/// Reads the members of an archive.
pub(super) fn cut(job: &mut Job<'_>, stream: Bytes<'_>) -> Flow {
    let mut blocks = Blocks::new(stream);
    let mut extensions = Extensions::default();
    let mut members = 0;
    loop {
        let header = match blocks.next() {
            Ok(Next::Header(header)) => header,
            Ok(Next::Damaged { byte }) => {
                job.unread(None, bad(format!("the header at byte {byte} is damaged")))?;
                continue;
            }
            Ok(Next::End) => return Ok(()),
            Err(error) => return job.failed(None, &error),
        };
        match extensions.take(&header, &mut blocks) {
            Ok(true) => continue,
            Ok(false) => {}
            Err(detail) => {
                job.unread(None, bad(detail))?;
                continue;
            }
        }
        let extensions = std::mem::take(&mut extensions);
        if members == job.settings.reading.limits.members {
            return job.unread(None, Reason::beyond(Limit::Members, &job.settings.reading.limits));
        }
        members += 1;
        one(job, &header, &extensions, &mut blocks)?;
    }
}

fn one(
    job: &mut Job<'_>,
    header: &Header,
    extensions: &Extensions,
    blocks: &mut Blocks<'_>,
) -> Flow {
    let name = extensions.name(header);
    match what(header.entry_type(), &name) {
        What::File => {}
        What::Folder => return Ok(()),
        What::Other(reason) => return passed_over(job, &name, reason),
    }
    if let Some(size) = extensions.size() {
        blocks.resize(size);
    }
    match sparse::content(header, extensions, blocks) {
        // Holes are bytes that nobody wrote: they count like what a decoder gives.
        Ok(Some(holey)) => {
            let holey = job.budget.guard(holey);
            member(job, &name, Box::new(holey))
        }
        Ok(None) => member(job, &name, Box::new(blocks.body())),
        Err(detail) => passed_over(job, &name, bad(detail)),
    }
}

enum What {
    File,
    Folder,
    Other(Reason),
}

fn what(kind: EntryType, name: &[u8]) -> What {
    match kind.as_byte() {
        // Before there was a type for folders, they were files with such a name.
        0 | b'0' if name.ends_with(b"/") => What::Folder,
        // A folder, the same with a list of its files, the name of the tape.
        b'5' | b'D' | b'V' => What::Folder,
        // The file itself is a member under its first name.
        b'1' => What::Other(Reason::Again),
        b'2' => What::Other(Reason::Link),
        b'3' | b'4' => What::Other(Reason::Special("a device")),
        b'6' => What::Other(Reason::Special("a named pipe")),
        b'M' => What::Other(Reason::Special("the end of a file that begins in another archive")),
        _ => What::File,
    }
}

fn bad(detail: String) -> Reason {
    Reason::BadRecord { format: "tar archive", detail }
}
