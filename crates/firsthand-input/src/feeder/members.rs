//! Members of archives: each is cut like a file, under its name in the archive.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::job::Job;
use super::sink::Flow;
use crate::detect::{Told, chosen, doubt, told, unknown};
use crate::error::{ReadError, Reason};
use crate::exceeded::Exceeded;
use crate::extension::kind_of;
use crate::place::Place;
use crate::stream::Bytes;
use crate::walk::shown;
use firsthand::settings::Limit;

/// A member of an archive, under its name in there; names that lead out of it are passed over.
pub(super) fn member(job: &mut Job<'_>, inner: &[u8], stream: Bytes<'_>) -> Flow {
    let inner = shown(inner);
    let mut job = Job {
        name: name_within(&job.name, &inner),
        settings: job.settings,
        sink: job.sink,
        budget: job.budget.clone(),
        compression: job.compression,
        depth: job.depth + 1,
        seen: job.seen,
        copying: job.copying,
    };
    if leads_outside(&inner) {
        return job.unread(None, Reason::Outside);
    }
    if is_hidden(&inner) {
        return job.unread(None, Reason::Hidden);
    }
    let path = Path::new(&inner);
    let (by_name, named) = kind_of(path);
    if let Some(kind) = chosen(by_name, job.settings) {
        return super::cut(&mut job, kind, stream, named);
    }
    let limits = &job.settings.reading.limits;
    let layers = limits.layers.saturating_sub(job.depth);
    match told(stream, named, doubt(path), limits, layers) {
        Ok(Told { kind: Some(kind), stream, .. }) => super::cut(&mut job, kind, stream, named),
        Ok(Told { is_empty, .. }) => job.unread(None, unknown(path, is_empty)),
        Err(error) => failed(&mut job, &error),
    }
}

/// A member of an archive that is not read, for a reason.
pub(super) fn passed_over(job: &mut Job<'_>, inner: &[u8], reason: Reason) -> Flow {
    let inner = shown(inner);
    let reason = if leads_outside(&inner) { Reason::Outside } else { reason };
    let place = Place::file(&*name_within(&job.name, &inner));
    job.sink.unread(ReadError::at(place, reason))
}

/// Tells that decompression failed.
pub(super) fn failed(job: &mut Job<'_>, error: &io::Error) -> Flow {
    let reason = match Reason::from_io(error, job.compression) {
        // What was left of the limit this deep is not what the user set.
        Reason::Beyond(Exceeded { limit: Limit::Layers, .. }) => {
            Reason::beyond(Limit::Layers, &job.settings.reading.limits)
        }
        reason => reason,
    };
    job.unread(None, reason)
}

/// What places call a member.
fn name_within(archive: &str, inner: &str) -> Arc<str> {
    let mut inner = inner;
    while let Some(rest) = inner.strip_prefix("./") {
        inner = rest;
    }
    format!("{archive}/{inner}").into()
}

fn leads_outside(name: &str) -> bool {
    let has_drive = match name.as_bytes() {
        [letter, b':'] | [letter, b':', b'/' | b'\\', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    };
    name.starts_with(['/', '\\']) || has_drive || name.split(['/', '\\']).any(|part| part == "..")
}

fn is_hidden(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part.len() > 1 && part.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_outside() {
        let outside = [
            "/etc/passwd",
            "\\x.txt",
            "..",
            "../x.txt",
            "a/../../x.txt",
            "a\\..\\x.txt",
            "C:/x.txt",
            "c:\\x.txt",
            "C:",
            "a/..",
            "//host/x.txt",
        ];
        for name in outside {
            assert!(leads_outside(name), "{name}");
        }
        let inside =
            ["a.txt", "./a.txt", "a/b.txt", "a..b/c.txt", "...", "1:2,S", "a:b.txt", "x:2,S", ""];
        for name in inside {
            assert!(!leads_outside(name), "{name}");
        }
    }

    #[test]
    fn hidden_names_and_what_a_place_calls_them() {
        assert!(is_hidden(".git/a.txt") && is_hidden("a/.b/c.txt") && is_hidden("a/._b.txt"));
        assert!(!is_hidden("./a.txt") && !is_hidden("a./b.txt") && !is_hidden("a/./b.txt"));
        assert_eq!(&*name_within("x.tar", "././a.txt"), "x.tar/a.txt");
    }
}
