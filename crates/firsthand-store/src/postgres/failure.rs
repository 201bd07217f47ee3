//! What the server or the network says, in plain words.

use super::address::Address;
use firsthand::online::StoreError;
use postgres::{Error, error::SqlState};
use std::error::Error as _;

/// Why no connection could be made.
pub(super) fn connecting(address: &Address, error: &Error) -> StoreError {
    let said = said(error);
    let tls = match said.contains("no encryption") || said.contains("SSL") {
        true => {
            " (connections by TLS are not supported: use a socket, a private network or a tunnel)"
        }
        false => "",
    };
    let advice = match error.code() {
        Some(code) if is_one_of(code, &[SqlState::INVALID_PASSWORD]) => {
            "give the right password in PGPASSWORD or in the address"
        }
        Some(code) if is_one_of(code, &[SqlState::INVALID_AUTHORIZATION_SPECIFICATION]) => {
            "check the user, and pg_hba.conf on the server"
        }
        Some(code) if is_one_of(code, &[SqlState::INVALID_CATALOG_NAME]) => {
            "make the database with createdb, or correct its name"
        }
        Some(code) if is_one_of(code, &[SqlState::TOO_MANY_CONNECTIONS]) => {
            "close other connections, or raise max_connections on the server"
        }
        Some(_) => "try again later",
        None if said.contains("password missing") => {
            "the server wants a password: give it in PGPASSWORD or in the address"
        }
        None => "is the server running, and are host and port right?",
    };
    StoreError::Failed(format!("{address}: cannot connect: {said}{tls}; {advice}"))
}

/// Why something that was asked of the server was not done.
pub(super) fn asking(address: &Address, what: &str, error: &Error) -> StoreError {
    let said = said(error);
    let Some(code) = error.code() else {
        return StoreError::Failed(format!(
            "{address}: the connection was lost while {what} ({said}); nothing of this round was kept"
        ));
    };
    if is_one_of(code, &[SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED]) {
        return StoreError::Damaged(format!(
            "{address}: the server found damaged data while {what} ({said}); restore a backup"
        ));
    }
    let advice = match code {
        code if is_one_of(code, &[SqlState::INSUFFICIENT_PRIVILEGE]) => {
            "; have an administrator grant the right (GRANT CREATE ON DATABASE), or make the schema \
             for this user (CREATE SCHEMA ... AUTHORIZATION)"
        }
        code if is_one_of(code, &[SqlState::DISK_FULL]) => "; make room on the server",
        code if is_one_of(code, &[SqlState::READ_ONLY_SQL_TRANSACTION]) => {
            "; this server only reads: name the primary server"
        }
        code if is_one_of(code, &[SqlState::LOCK_NOT_AVAILABLE]) => {
            "; another process holds the store: look for one that hangs"
        }
        _ => "",
    };
    StoreError::Failed(format!("{address}: {what} failed: {said}{advice}"))
}

/// That the answer to a commit did not come.
pub(super) fn committing(address: &Address, error: &Error) -> StoreError {
    match error.code() {
        Some(code) if !is_shutdown(code) => asking(address, "committing", error),
        _ => StoreError::Failed(format!(
            "{address}: the connection was lost while committing ({}); the round may or may not have \
             been kept: send the same documents again, those that were kept are known by their ids",
            said(error)
        )),
    }
}

/// Codes after which the server is gone: a commit that ends with one may have been made.
fn is_shutdown(code: &SqlState) -> bool {
    is_one_of(
        code,
        &[SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW],
    )
}

fn is_one_of(code: &SqlState, codes: &[SqlState]) -> bool {
    codes.contains(code)
}

/// The innermost reason, without the layers around it.
fn said(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(server), _) => server.message().to_owned(),
        (None, Some(source)) => source.to_string(),
        (None, None) => error.to_string(),
    }
}
