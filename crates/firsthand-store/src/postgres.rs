//! A store in PostgreSQL, which several processes may use at once.
//!
//! A round is a transaction under one advisory lock, so that processes decide one after the other; each
//! sees what the one before it has committed. Documents and keys lie in partitions, and what is
//! forgotten is dropped with its partition.

mod address;
mod backup;
mod check;
mod failure;
mod find;
mod parts;
mod schema;
mod session;
mod state;
mod upkeep;
mod write;

use crate::{OnOtherSettings, Opened, Settings, Verified};
use address::Address;
use firsthand::online::{Changes, Found, Head, Probe, Seq, Store, StoreError, Stored};
use session::Session;
use state::{State, checksum, signed};
use std::path::Path;

/// A store in PostgreSQL.
pub struct Postgres {
    address: Address,
    generation: i32,
    settings: Settings,
    /// None when the connection was lost; the next round makes another.
    session: Option<Session>,
    /// The small tables, as of the last round of this process.
    known: Option<State>,
    is_in_round: bool,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Opens a store at `postgres://user@host:port/database?schema=name`, or makes it. Without
    /// settings, it must exist and is opened with its own.
    pub fn open(
        address: &str,
        settings: Option<&Settings>,
        other: OnOtherSettings,
    ) -> Result<Self, StoreError> {
        let address = Address::parse(address)?;
        let mut session = Session::connect(&address)?;
        let (generation, settings) = schema::prepare(&mut session, &address, settings, other)?;
        let session = Some(session);
        Ok(Self { address, generation, settings, session, known: None, is_in_round: false })
    }

    /// The connection, made anew if it was lost.
    fn session(&mut self) -> Result<&mut Session, StoreError> {
        if self.session.as_ref().is_none_or(Session::is_lost) {
            self.session = None;
            self.is_in_round = false;
        }
        match &mut self.session {
            Some(session) => Ok(session),
            empty => Ok(empty.insert(Session::connect(&self.address)?)),
        }
    }

    /// Ends a transaction, if there is one, without keeping anything.
    fn roll_back(&mut self) {
        self.is_in_round = false;
        if let Some(session) = &mut self.session
            && session.run("ending a round", "ROLLBACK").is_err()
        {
            self.session = None;
        }
    }

    /// Does something within the round. If it fails, the round is over.
    fn within<T>(
        &mut self,
        act: impl FnOnce(&mut Session, &State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = match (&mut self.session, &self.known) {
            (Some(session), Some(state)) if self.is_in_round => act(session, state),
            _ => Err(StoreError::Failed(format!(
                "{}: no round has begun, or it was broken off",
                self.address
            ))),
        };
        if done.is_err() {
            self.roll_back();
        }
        done
    }

    /// Begins a transaction with statements, and reads the small tables in it.
    fn transaction(&mut self, sql: &str) -> Result<(), StoreError> {
        if self.is_in_round {
            self.roll_back();
        }
        let (generation, known) = (self.generation, self.known.take());
        let session = self.session()?;
        let state = match session.run("beginning a round", sql) {
            Ok(()) => State::read(session, known),
            Err(e) => Err(e),
        };
        let state = state.and_then(|state| match state.generation == generation {
            true => Ok(state),
            false => Err(StoreError::Unfit(format!(
                "{}: another process has begun a new generation of the store with other settings; \
                 start again with the same",
                self.address
            ))),
        });
        match state {
            Ok(state) => {
                self.known = Some(state);
                self.is_in_round = true;
                Ok(())
            }
            Err(e) => {
                self.roll_back();
                Err(e)
            }
        }
    }

    /// Begins a transaction that sees the store at one moment, changes nothing and waits for nobody.
    fn snapshot(&mut self) -> Result<(), StoreError> {
        self.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    /// Begins a transaction that nobody else changes anything in.
    fn exclusive(&mut self) -> Result<(), StoreError> {
        // A server may be told not to wait for the disk: this store does wait.
        self.transaction(&format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
             SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                 WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true);
             SELECT pg_advisory_xact_lock({})",
            schema::lock(&self.address)
        ))
    }
}

impl Store for Postgres {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.exclusive()?;
        Ok(self.known.as_ref().map(State::head).unwrap_or_default())
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.within(|session, state| find::find(session, state, probes))
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let shown = self.address.to_string();
        self.within(|session, state| {
            let Some(place) = state.place_of(documents) else {
                return Ok(vec![None; documents.len()]);
            };
            let seqs: Vec<i64> = documents.iter().copied().map(signed).collect();
            let rows = session.rows(
                "loading documents",
                "SELECT seq, time, checksum, payload FROM documents \
                 WHERE seq = ANY ($1) AND part BETWEEN $2 AND $3 AND slot <> ALL ($4::int4[])",
                &[&seqs, &place.first, &place.last, &place.without],
            )?;
            let mut payloads = std::collections::HashMap::new();
            for row in &rows {
                let (seq, payload) = (session.get(row, 0)?, session.get::<&[u8]>(row, 3)?);
                intact(&shown, seq, session.get(row, 1)?, session.get(row, 2)?, payload)?;
                payloads.insert(seq, payload);
            }
            Ok(seqs.iter().map(|seq| payloads.get(seq).map(|bytes| bytes.to_vec())).collect())
        })
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let shown = self.address.to_string();
        self.within(|session, _| {
            let sql = "SELECT checksum, value FROM named WHERE name = $1";
            let rows = session.rows("reading a value", sql, &[&name])?;
            let Some(row) = rows.first() else { return Ok(None) };
            let value: Vec<u8> = session.get(row, 1)?;
            match checksum(0, 0, &value) == session.get::<i64>(row, 0)? {
                true => Ok(Some(value)),
                false => Err(StoreError::Damaged(format!(
                    "{shown}: the value {name:?} is not as it was written; restore a backup"
                ))),
            }
        })
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        let state = self.within(|session, state| {
            let state = write::write(session, state, changes)?;
            session.commit()?;
            Ok(state)
        });
        // After a failed commit it is not known what the tables say.
        self.known = None;
        self.is_in_round = false;
        self.known = Some(state?);
        Ok(())
    }

    fn abandon(&mut self) {
        if self.is_in_round {
            self.roll_back();
        }
    }

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        let is_in_round = self.is_in_round;
        if !is_in_round {
            self.snapshot()?;
        }
        let shown = self.address.to_string();
        let stored = self.within(|session, state| upkeep::scan(session, state, &shown, from, most));
        if !is_in_round {
            self.abandon();
        }
        stored
    }

    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        let is_in_round = self.is_in_round;
        if !is_in_round {
            self.snapshot()?;
        }
        let shown = self.address.to_string();
        let facts = self.within(|session, state| upkeep::facts(session, state, &shown));
        if !is_in_round {
            self.abandon();
        }
        facts
    }
}

impl Opened for Postgres {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn verify(&mut self) -> Result<Verified, StoreError> {
        self.snapshot()?;
        let verified = self.within(check::check);
        self.abandon();
        verified
    }

    fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        let before = upkeep::size(self.session()?)?;
        self.exclusive()?;
        let state = self.within(|session, state| {
            let state = upkeep::clear(session, state)?;
            session.commit()?;
            Ok(state)
        });
        self.known = None;
        self.is_in_round = false;
        self.known = Some(state?);
        let session = self.session()?;
        upkeep::vacuum(session)?;
        Ok((before, upkeep::size(session)?))
    }

    fn backup(&mut self, to: &Path) -> Result<(), StoreError> {
        let schema = self.address.schema.clone();
        self.snapshot()?;
        let done = self.within(|session, state| backup::write(session, state, &schema, to));
        self.abandon();
        done
    }
}

/// Sees to it that a payload is what was written.
fn intact(address: &str, seq: i64, time: i64, kept: i64, payload: &[u8]) -> Result<(), StoreError> {
    match checksum(seq, time, payload) == kept {
        true => Ok(()),
        false => Err(StoreError::Damaged(format!(
            "{address}: document number {seq} is not as it was written; restore a backup, or delete \
             the document"
        ))),
    }
}
