//! Cuts mailboxes into messages.

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::error::Reason;
use crate::mail::mbox::{Mbox, MboxError};
use crate::place::{At, Unit};
use crate::stream::Bytes;
use firsthand::settings::{Kind, Limit};

pub(super) fn cut(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let limits = context.limits();
    for message in Mbox::new(stream, limits) {
        match message {
            Ok(message) => {
                let (number, byte) = (message.number, Some(message.byte));
                let at = At { unit: Unit::Message, number, byte };
                context.piece(Kind::Mbox, Some(at), message.bytes)?;
            }
            Err(MboxError::TooLong { number, .. }) => {
                let reason = Reason::beyond(Limit::File, limits);
                context.unread(context::at(Unit::Message, number), reason)?;
            }
            Err(MboxError::Failed { number, error, .. }) => {
                context.failed(context::at(Unit::Message, number), &error)?;
            }
        }
    }
    Ok(())
}
