//! Cuts feeds into items, each with the title of its feed.

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::feed::{BETWEEN, Items, bad, title};
use crate::place::Unit;
use crate::stream::{self, Bytes};
use crate::{charset, html};
use firsthand::settings::{Kind, Limit};

pub(super) fn cut(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let bytes = match stream::read_all(stream, Limit::File, context.limits()) {
        Ok(bytes) => bytes,
        Err(error) => return context.failed(None, &error),
    };
    let declared = html::declared_charset(&bytes);
    let decoded = charset::decode(&bytes, declared.as_deref());
    let mut items = Items::new(&decoded.text);
    let title = title(items.before());
    let mut number = 0;
    while let Some(item) = items.next() {
        number += 1;
        let at = context::at(Unit::Item, number);
        match item {
            Ok(item) => {
                context.piece(Kind::Feed, at, format!("{title}{BETWEEN}{item}").into_bytes())?
            }
            Err(trouble) => context.unread(at, bad(trouble.words()))?,
        }
    }
    match items.end() {
        Ok(()) => Ok(()),
        Err(trouble) => context.unread(None, bad(trouble.words())),
    }
}
