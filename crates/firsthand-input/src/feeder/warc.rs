//! Cuts web archives into records, with the originals of revisits.

use std::sync::Arc;

use super::context::FileContext;
use super::sink::Flow;
use crate::compression::Compression;
use crate::error::Reason;
use crate::part::BatchPart;
use crate::place::{At, Unit};
use crate::record_file::Columns;
use crate::stream::Bytes;
use crate::warc::{self, Records, Role, WarcEntry, WarcPiece, too_large};
use firsthand::settings::{Kind, Limit};

/// The bytes that revisits may read again before [`Limit::Ratio`] applies.
const FREE: u64 = 64 << 20;

pub(super) fn cut(context: &mut FileContext<'_>, raw: Bytes<'_>, named: Compression) -> Flow {
    let layers = context.layers();
    let mut told = Compression::None;
    let window = warc::open(raw, named, layers, &context.budget, &mut told);
    if told != Compression::None {
        context.compression = told;
        context.around.push(told);
    }
    let window = match window {
        Ok(window) => window,
        Err(error) => return context.failed(None, &error),
    };
    let gzip = window.is_gzip();
    context.begin(Kind::Warc, Columns::None)?;
    let mut records = Records::new(window, context.limits(), context.copying);
    let mut reread = 0_u64;
    while let Some(found) = records.next() {
        if !context.admit(1, 0)? {
            break;
        }
        let record = match found {
            WarcEntry::WarcRecord(record) => record,
            WarcEntry::Large(record) => {
                let reason = too_large(record.parts(), context.options);
                context.unread(at(record.number, record.byte), reason)?;
                continue;
            }
            WarcEntry::Bad { number, byte, reason } => {
                context.unread(at(number, byte), reason)?;
                continue;
            }
        };
        let mut original = None;
        let headers = record.bytes.get(..record.head).unwrap_or_default();
        match (record.role, record.spot) {
            // A record inside an archive cannot be read again.
            (Role::Document, Some(spot)) if context.depth == 0 => {
                context.seen.remember(headers, spot, record.size);
            }
            (Role::Revisit, _) => original = context.seen.original(headers).map(Box::new),
            _ => {}
        }
        if let Some(original) = &original {
            // A revisit of a few lines yields a whole page, so it is limited like compression.
            reread = reread.saturating_add(original.size);
            let most = records.window.read().saturating_mul(context.limits().ratio);
            if reread > most.saturating_add(FREE) {
                let reason = Reason::beyond(Limit::Ratio, context.limits());
                context.unread(at(record.number, record.byte), reason)?;
                continue;
            }
        }
        let size = record.size as u64;
        if record.role == Role::Beside && !context.copying {
            context.sink.beside(None, size)?;
            continue;
        }
        let role = record.role;
        let part =
            BatchPart::Warc(WarcPiece::new(Arc::clone(&context.name), record, gzip, original));
        match role {
            Role::Beside => context.sink.beside(Some(part), size)?,
            Role::Document | Role::Revisit => context.sink.push(part, size)?,
        }
    }
    Ok(())
}

fn at(number: u64, byte: Option<u64>) -> Option<At> {
    Some(At { unit: Unit::Record, number, byte })
}
