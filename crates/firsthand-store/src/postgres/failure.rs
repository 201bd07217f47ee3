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
        self.code().is_none_or(|code| SHUTDOWN.contains(code))
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

/// What to do about errors while connecting.
const CONNECTING: [(SqlState, &str); 4] = [
    (SqlState::INVALID_PASSWORD, "give the right password in PGPASSWORD or in the address"),
    (
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        "check the user, and pg_hba.conf on the server",
    ),
    (SqlState::INVALID_CATALOG_NAME, "create the database with createdb, or correct its name"),
    (
        SqlState::TOO_MANY_CONNECTIONS,
        "close other connections, or raise max_connections on the server",
    ),
];

/// What to do about errors of statements.
const ASKING: [(SqlState, &str); 4] = [
    (
        SqlState::INSUFFICIENT_PRIVILEGE,
        "; ask an administrator to grant it (GRANT CREATE ON DATABASE), or to create the schema for \
         this user (CREATE SCHEMA ... AUTHORIZATION)",
    ),
    (SqlState::DISK_FULL, "; free some space on the server"),
    (
        SqlState::READ_ONLY_SQL_TRANSACTION,
        "; this server is read-only: give the address of the primary server",
    ),
    (SqlState::LOCK_NOT_AVAILABLE, "; another process holds the store: look for one that hangs"),
];

/// The server is shutting down: a commit that ends so may have been made.
const SHUTDOWN: [SqlState; 3] =
    [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];

fn advice(code: &SqlState, known: &[(SqlState, &'static str)]) -> Option<&'static str> {
    known.iter().find(|(known, _)| known == code).map(|(_, advice)| *advice)
}

/// A connection could not be made.
pub(super) fn connecting(address: &Address, error: &Unanswered) -> StoreError {
    let said = error.said();
    let of_code = |code| advice(code, &CONNECTING).unwrap_or("try again later");
    let advice = match error.code() {
        Some(code) => of_code(code),
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
    if [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED].contains(code) {
        return StoreError::Damaged(format!(
            "{address}: the server found damaged data while {what} ({said}); restore a backup"
        ));
    }
    let advice = advice(code, &ASKING).unwrap_or_default();
    StoreError::Failed(format!("{address}: {what} failed: {said}{advice}"))
}

/// A commit failed, or its answer was lost.
pub(super) fn committing(address: &Address, error: &Unanswered) -> StoreError {
    match error.code() {
        Some(code) if !SHUTDOWN.contains(code) => asking(address, "committing", error),
        _ => StoreError::Failed(format!(
            "{address}: the connection was lost while committing ({}); the round may or may not have \
             been stored: send the same documents again; those that were stored are known by their ids",
            error.said()
        )),
    }
}
