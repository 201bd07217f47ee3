//! Members of archives, each cut like a file.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::context::FileContext;
use super::sink::Flow;
use crate::detect::{DetectedStream, chosen, doubt, told, unknown};
use crate::error::{ReadError, Reason};
use crate::exceeded::Exceeded;
use crate::extension::kind_of;
use crate::place::Place;
use crate::stream::Bytes;
use crate::walk::shown;
use firsthand::settings::Limit;

/// Cuts a member of an archive; names that lead out of the archive are skipped.
pub(super) fn member(context: &mut FileContext<'_>, inner: &[u8], stream: Bytes<'_>) -> Flow {
    let inner = shown(inner);
    let mut context = FileContext {
        name: name_within(&context.name, &inner),
        options: context.options,
        sink: context.sink,
        budget: context.budget.clone(),
        compression: context.compression,
        depth: context.depth + 1,
        seen: context.seen,
        around: Vec::new(),
        copying: context.copying,
    };
    if leads_outside(&inner) {
        return context.unread(None, Reason::Outside);
    }
    if is_hidden(&inner) {
        return context.unread(None, Reason::Hidden);
    }
    let path = Path::new(&inner);
    let (by_name, named) = kind_of(path);
    if let Some(kind) = chosen(by_name, context.options) {
        return super::cut(&mut context, kind, stream, named);
    }
    match told(stream, named, doubt(path), context.limits(), context.layers()) {
        Ok(DetectedStream { kind: Some(kind), stream, .. }) => {
            super::cut(&mut context, kind, stream, named)
        }
        Ok(DetectedStream { is_empty, .. }) => context.unread(None, unknown(path, is_empty)),
        Err(error) => failed(&mut context, &error),
    }
}

/// Reports a member that is skipped.
pub(super) fn passed_over(context: &mut FileContext<'_>, inner: &[u8], reason: Reason) -> Flow {
    let inner = shown(inner);
    let reason = if leads_outside(&inner) { Reason::Outside } else { reason };
    let place = Place::file(&*name_within(&context.name, &inner));
    context.sink.unread(ReadError::at(place, reason))
}

/// Reports that decompression failed.
pub(super) fn failed(context: &mut FileContext<'_>, error: &io::Error) -> Flow {
    let reason = match Reason::from_io(error, context.compression) {
        // At this depth only a rest of the user's limit was left: report the limit itself.
        Reason::Beyond(Exceeded { limit: Limit::Layers, .. }) => {
            Reason::beyond(Limit::Layers, context.limits())
        }
        reason => reason,
    };
    context.unread(None, reason)
}

/// The name of a member in places.
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
