//! Reads a zip archive without its directory, member by member.

use std::io;

use super::super::context::FileContext;
use super::super::members::{member, passed_over};
use super::super::sink::{Flow, Stopped};
use super::Archive;
use crate::stream::steady;
use crate::zip::headers::LocalHeader;
use crate::zip::member::{content, unreadable};
use crate::zip::{bad, scan};

/// Reads members from the start, then reports that the directory is missing.
pub(super) fn members(archive: &mut Archive, context: &mut FileContext<'_>) -> Flow {
    let mut position = 0;
    loop {
        let found = match scan::header(&mut archive.pages, position) {
            Ok(found) => found,
            Err(error) => return context.failed(None, &error),
        };
        let Some((start, local)) = found else { break };
        // A member that was cut off is no larger than the rest of the file.
        let there = local.packed.min(archive.pages.length.saturating_sub(start));
        if !archive.admit(context, if local.is_open() { 0 } else { there })? {
            return Ok(());
        }
        position = one(archive, context, start, &local)?;
    }
    let detail = match archive.members {
        0 => "it has no members and no directory".to_owned(),
        _ => "its directory, which should be at the end, is missing or damaged; members were \
              read from the start up to where it breaks off"
            .to_owned(),
    };
    context.unread(None, bad(detail))
}

/// Reads a member, and returns where to look for the next.
fn one(
    archive: &mut Archive,
    context: &mut FileContext<'_>,
    start: u64,
    local: &LocalHeader,
) -> Result<u64, Stopped> {
    let body = start + local.length;
    // A member of unknown size may extend to the end of the file.
    let (known, packed) = match local.is_open() {
        true => (None, archive.pages.length.saturating_sub(body)),
        false => (Some(local.sums), local.packed),
    };
    if let Some(reason) = unreadable(local.flags, local.method) {
        passed_over(context, &local.name, reason)?;
    } else if local.name.ends_with(b"/") {
        // A folder.
    } else if known.is_none() && local.method == 0 {
        let detail = "the end of this member is unknown".to_owned();
        passed_over(context, &local.name, bad(detail))?;
    } else {
        let part = archive.taken.count(archive.pages.part(body, packed));
        let mut content = content(part, local.method, known);
        let guarded = context.budget.guard(&mut content);
        member(context, &local.name, Box::new(steady(guarded)))?;
        if known.is_none() {
            // The end is only known once everything is unpacked.
            let whole = io::copy(&mut context.budget.guard(&mut content), &mut io::sink()).is_ok();
            let taken = content.taken();
            archive.packed = archive.packed.saturating_add(taken);
            return Ok(if whole { body + taken } else { body });
        }
    }
    Ok(if known.is_none() { body } else { body.saturating_add(packed) })
}
