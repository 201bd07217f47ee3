//! Reads the members of tar archives straight from the stream.

use tar::Header;

use super::context::FileContext;
use super::members::{member, passed_over};
use super::sink::Flow;
use crate::error::Reason;
use crate::stream::Bytes;
use crate::tar::{Blocks, Extensions, Next, sparse};
use crate::walk::shown;
use firsthand::settings::Limit;

pub(super) fn cut(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let mut blocks = Blocks::new(stream);
    let mut extensions = Extensions::default();
    let mut members = 0;
    loop {
        let header = match blocks.next() {
            Ok(Next::Header(header)) => header,
            Ok(Next::Damaged { byte }) => {
                context.unread(None, bad(format!("the header at byte {byte} is damaged")))?;
                continue;
            }
            Ok(Next::End) => return Ok(()),
            Err(error) => return context.failed(None, &error),
        };
        match extensions.take(&header, &mut blocks) {
            Ok(true) => continue,
            Ok(false) => {}
            Err(detail) => {
                context.unread(None, bad(detail))?;
                continue;
            }
        }
        let extensions = std::mem::take(&mut extensions);
        if members == context.limits().members {
            return context.unread(None, Reason::beyond(Limit::Members, context.limits()));
        }
        members += 1;
        one(context, &header, &extensions, &mut blocks)?;
    }
}

fn one(
    context: &mut FileContext<'_>,
    header: &Header,
    extensions: &Extensions,
    blocks: &mut Blocks<'_>,
) -> Flow {
    let name = extensions.name(header);
    match is_file(header, &name) {
        Ok(true) => {}
        Ok(false) => return Ok(()),
        Err(reason) => return passed_over(context, &name, reason),
    }
    // A size that does not fit into the header.
    if let Some(size) = extensions.number(b"size") {
        blocks.resize(size);
    }
    match sparse::content(header, extensions, blocks) {
        // Holes take no space in the archive, so they count as decompressed bytes.
        Ok(Some(holey)) => {
            let holey = context.budget.guard(holey);
            member(context, &name, Box::new(holey))
        }
        Ok(None) => member(context, &name, Box::new(blocks.body())),
        Err(detail) => passed_over(context, &name, bad(detail)),
    }
}

/// Whether a member is a file rather than a folder, or why it is skipped.
fn is_file(header: &Header, name: &[u8]) -> Result<bool, Reason> {
    match header.entry_type().as_byte() {
        // Old archives have no type for folders but end their names with a slash.
        0 | b'0' if name.ends_with(b"/") => Ok(false),
        // A folder, a folder with a list of its files, a volume name.
        b'5' | b'D' | b'V' => Ok(false),
        b'1' => Err(Reason::HardLink(shown(&header.link_name_bytes().unwrap_or_default()))),
        b'2' => Err(Reason::Link),
        b'3' | b'4' => Err(Reason::Special("a device")),
        b'6' => Err(Reason::Special("a named pipe")),
        b'M' => Err(Reason::Special("the end of a file that begins in another archive")),
        _ => Ok(true),
    }
}

fn bad(detail: String) -> Reason {
    Reason::BadRecord { format: "tar archive", detail }
}
