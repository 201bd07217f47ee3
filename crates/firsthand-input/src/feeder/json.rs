//! Cuts JSON files into elements.

use std::io::Read;

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::csv::unicode;
use crate::error::Reason;
use crate::json::{JsonCut, JsonCutter};
use crate::place::Unit;
use crate::stream::Bytes;
use firsthand::settings::Kind;

/// Bytes per read.
const BUFFER: usize = 256 << 10;

pub(super) fn cut(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let mut stream = match unicode::utf16_to_utf8(stream) {
        Ok(stream) => stream,
        Err(error) => return context.failed(None, &error),
    };
    let mut cutter = JsonCutter::new(context.limits());
    let mut buffer = vec![0; BUFFER];
    loop {
        let length = match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // An element that was cut off is part of the failure.
            Err(error) => {
                return context.failed(context::at(Unit::Item, cutter.next_number()), &error);
            }
        };
        let mut bytes = &buffer[..length];
        while let Some((number, found)) = cutter.next(&mut bytes) {
            hand_on(context, number, found)?;
        }
    }
    match cutter.end() {
        Some((number, found)) => hand_on(context, number, found),
        None => Ok(()),
    }
}

fn hand_on(context: &mut FileContext<'_>, number: u64, found: JsonCut) -> Flow {
    let at = context::at(Unit::Item, number);
    match found {
        JsonCut::Element(bytes) => context.piece(Kind::Json, at, bytes),
        JsonCut::Beyond(limit) => context.unread(at, Reason::beyond(limit, context.limits())),
        JsonCut::Garbage(detail) => {
            context.unread(at, Reason::BadRecord { format: "JSON file", detail })
        }
    }
}
