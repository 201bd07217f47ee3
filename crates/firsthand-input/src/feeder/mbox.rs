//! Mailboxes: messages one after another, each handed on as it is.

use super::job::{self, Job};
use super::sink::Flow;
use crate::error::Reason;
use crate::mail::mbox::{Mbox, Trouble};
use crate::place::{At, Unit};
use crate::stream::Bytes;
use firsthand::settings::Kind;
use firsthand::settings::Limit;

/// Cuts a mailbox.
pub(super) fn cut(job: &mut Job<'_>, stream: Bytes<'_>) -> Flow {
    let limits = &job.settings.reading.limits;
    for message in Mbox::new(stream, limits) {
        match message {
            Ok(message) => {
                let (number, byte) = (message.number, Some(message.byte));
                let at = At { unit: Unit::Message, number, byte };
                job.piece(Kind::Mbox, Some(at), message.bytes)?;
            }
            Err(Trouble::TooLong { number, .. }) => {
                let reason = Reason::beyond(Limit::File, limits);
                job.unread(job::at(Unit::Message, number), reason)?;
            }
            Err(Trouble::Failed { number, error, .. }) => {
                job.failed(job::at(Unit::Message, number), &error)?;
            }
        }
    }
    Ok(())
}
