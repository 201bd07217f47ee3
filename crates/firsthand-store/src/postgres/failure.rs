//! Errors of the server and the network, and what to do about them.

use super::address::Address;
use firsthand::online::StoreError;
use std::{error::Error as _, time::Duration};
use tokio_postgres::{Error, error::SqlState};

/// Why a request has no good answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// The server refused it, or the connection broke.
    Server(Error),
    /// The server was silent for this long.
    Silent(Duration),
    /// The program is to stop, and the server was still silent.
    Stopped,
}

impl Unanswered {
    /// The code of the server's refusal.
    pub(super) fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Server(error) => error.code(),
            Self::Silent(_) | Self::Stopped => None,
        }
    }

    /// Whether the server ended the connection, or it broke.
    pub(super) fn ends_connection(&self) -> bool {
        self.code().is_none_or(is_shutdown)
    }

    /// The innermost cause.
    fn said(&self) -> String {
        match self {
            Self::Server(error) => match (error.as_db_error(), error.source()) {
                (Some(server), _) => server.message().to_owned(),
                (None, Some(source)) => source.to_string(),
                (None, None) => error.to_string(),
            },
            Self::Silent(patience) => format!("no answer for {} s", patience.as_secs()),
            Self::Stopped => "stopped while waiting for an answer".to_owned(),
        }
    }
}

/// A connection could not be made.
pub(super) fn connecting(address: &Address, error: &Unanswered) -> StoreError {
    let said = error.said();
    let advice = match error.code() {
        Some(code) if is_one_of(code, &[SqlState::INVALID_PASSWORD]) => {
            "give the right password in PGPASSWORD or in the address"
        }
        Some(code) if is_one_of(code, &[SqlState::INVALID_AUTHORIZATION_SPECIFICATION]) => {
            "check the user, and pg_hba.conf on the server"
        }
        Some(code) if is_one_of(code, &[SqlState::INVALID_CATALOG_NAME]) => {
            "create the database with createdb, or correct its name"
        }
        Some(code) if is_one_of(code, &[SqlState::TOO_MANY_CONNECTIONS]) => {
            "close other connections, or raise max_connections on the server"
        }
        Some(_) => "try again later",
        None if said.contains("password missing") => {
            "the server wants a password: give it in PGPASSWORD or in the address"
        }
        None if said.contains("certificate") => {
            "the certificates to trust are named by sslrootcert, and sslmode says what is checked"
        }
        None if said.contains("does not support TLS") => {
            "turn on ssl on the server, or leave out sslmode on a network that you trust"
        }
        None => "is the server running, and are host and port right?",
    };
    StoreError::Failed(format!("{address}: cannot connect: {said}; {advice}"))
}

/// The server did not do what it was asked to.
pub(super) fn asking(address: &Address, what: &str, error: &Unanswered) -> StoreError {
    let said = error.said();
    let Some(code) = error.code() else {
        return StoreError::Failed(format!(
            "{address}: the connection was lost while {what} ({said}); nothing of this round was stored"
        ));
    };
    if is_one_of(code, &[SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED]) {
        return StoreError::Damaged(format!(
            "{address}: the server found damaged data while {what} ({said}); restore a backup"
        ));
    }
    let advice = match code {
        code if is_one_of(code, &[SqlState::INSUFFICIENT_PRIVILEGE]) => {
            "; ask an administrator to grant it (GRANT CREATE ON DATABASE), or to create the schema \
             for this user (CREATE SCHEMA ... AUTHORIZATION)"
        }
        code if is_one_of(code, &[SqlState::DISK_FULL]) => "; free some space on the server",
        code if is_one_of(code, &[SqlState::READ_ONLY_SQL_TRANSACTION]) => {
            "; this server is read-only: give the address of the primary server"
        }
        code if is_one_of(code, &[SqlState::LOCK_NOT_AVAILABLE]) => {
            "; another process holds the store: look for one that hangs"
        }
        _ => "",
    };
    StoreError::Failed(format!("{address}: {what} failed: {said}{advice}"))
}

/// A commit failed, or its answer was lost.
pub(super) fn committing(address: &Address, error: &Unanswered) -> StoreError {
    match error.code() {
        Some(code) if !is_shutdown(code) => asking(address, "committing", error),
        _ => StoreError::Failed(format!(
            "{address}: the connection was lost while committing ({}); the round may or may not have \
             been stored: send the same documents again; those that were stored are known by their ids",
            error.said()
        )),
    }
}

/// Whether the server is shutting down: a commit that ends so may have been made.
fn is_shutdown(code: &SqlState) -> bool {
    is_one_of(
        code,
        &[SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW],
    )
}

fn is_one_of(code: &SqlState, codes: &[SqlState]) -> bool {
    codes.contains(code)
}
