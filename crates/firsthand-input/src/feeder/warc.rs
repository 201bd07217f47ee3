//! Web archives: one record after another, revisits with the record that they refer to.

use std::sync::Arc;

use super::job::Job;
use super::sink::Flow;
use crate::compression::Compression;
use crate::error::Reason;
use crate::part::Part;
use crate::place::{At, Unit};
use crate::stream::Bytes;
use crate::warc::{self, Found, Piece, Records, Role, Window, too_large};
use firsthand::settings::Limit;

/// Revisits may read so much again before the ratio of [`Limit::Ratio`] counts.
const FREE: u64 = 64 << 20;

/// Cuts a web archive into records.
pub(super) fn cut(job: &mut Job<'_>, raw: Bytes<'_>, named: Compression) -> Flow {
    let layers = job.settings.reading.limits.layers.saturating_sub(job.depth);
    let source = match warc::open(raw, named, layers, &job.budget, &mut job.compression) {
        Ok(source) => source,
        Err(error) => return job.failed(None, &error),
    };
    let window = Window::new(source, 0);
    let gzip = window.is_gzip();
    let mut records = Records::new(window, &job.settings.reading.limits, job.copying);
    let mut reread = 0_u64;
    while let Some(found) = records.next() {
        let record = match found {
            Found::WarcRecord(record) => record,
            Found::Large(record) => {
                let reason = too_large(record.parts(), job.settings);
                job.unread(at(record.number, record.byte), reason)?;
                continue;
            }
            Found::Bad { number, byte, reason } => {
                job.unread(at(number, byte), reason)?;
                continue;
            }
        };
        let mut original = None;
        let headers = record.bytes.get(..record.head).unwrap_or_default();
        match (record.role, record.spot) {
            // What lies in an archive cannot be read again.
            (Role::Document, Some(spot)) if job.depth == 0 => {
                job.seen.remember(headers, spot, record.size);
            }
            (Role::Revisit, _) => original = job.seen.original(headers).map(Box::new),
            _ => {}
        }
        if let Some(original) = &original {
            // A few lines stand for a whole page: a file of revisits is a kind of compression.
            reread = reread.saturating_add(original.size);
            let most = records.window.read().saturating_mul(job.settings.reading.limits.ratio);
            if reread > most.saturating_add(FREE) {
                let reason = Reason::beyond(Limit::Ratio, &job.settings.reading.limits);
                job.unread(at(record.number, record.byte), reason)?;
                continue;
            }
        }
        let size = record.size as u64;
        if record.role == Role::Beside && !job.copying {
            job.sink.beside(None, size)?;
            continue;
        }
        let role = record.role;
        let part = Part::Warc(Piece::new(Arc::clone(&job.name), record, gzip, original));
        match role {
            Role::Beside => job.sink.beside(Some(part), size)?,
            Role::Document | Role::Revisit => job.sink.push(part, size)?,
        }
    }
    Ok(())
}

fn at(number: u64, byte: Option<u64>) -> Option<At> {
    Some(At { unit: Unit::Record, number, byte })
}
