//! The store in PostgreSQL, which several processes may use at once.
//!
//! A round is a transaction under one advisory lock, so that processes take turns, and each sees what
//! the one before it committed. Documents and keys are in partitions, which are dropped when all of
//! their buckets are forgotten.

mod address;
mod backup;
mod check;
mod failure;
mod find;
mod parts;
mod schema;
mod session;
mod state;
mod texts;
mod tls;
mod upkeep;
mod write;

use crate::{
    Fact, ManagedStore, OnOtherSettings, StopCheck, StoredSettings, TextShelf, Verified, WaitNotice,
};
use address::Address;
use firsthand::online::{Changes, Found, Head, Probe, Seq, Store, StoreError, Stored};
use session::{Patience, Session};
use state::{TableState, checksum, signed};
use std::{collections::HashMap, path::Path, time::Duration};

/// A store in PostgreSQL, which several processes may use at once.
///
/// Rounds of all processes follow one another under an advisory lock; each waits for the disk of the
/// server. A connection that is lost between rounds is made again.
///
/// ```no_run
/// use firsthand::{Settings, online::Store};
/// use firsthand_store::{OnOtherSettings, Postgres, StoredSettings};
///
/// let settings = StoredSettings::new(&Settings::default())?;
/// let address = "postgres://user@host/database?schema=news";
/// let mut store = Postgres::open(address, Some(&settings), OnOtherSettings::Refuse)?;
/// assert_eq!(store.begin()?.next, 1);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
pub struct Postgres {
    address: Address,
    /// Whether it was opened to be read: rounds are then snapshots, which wait for nobody.
    reads_only: bool,
    generation: i32,
    settings: StoredSettings,
    /// None if the connection was lost; the next round makes another.
    session: Option<Session>,
    /// The small tables, as of this process's last round.
    known: Option<TableState>,
    phase: RoundPhase,
    /// Whether there is a table of texts, once that is known.
    has_texts: bool,
    stop: StopCheck,
    waits: WaitNotice,
}

/// Whether a round is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundPhase {
    Outside,
    Within,
    /// The round failed; it has to be begun again.
    Broken,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Opens the store at `postgres://user@host:port/database?schema=name`, or creates it if settings
    /// are given. Without settings it must exist, and is opened with its own.
    ///
    /// # Errors
    ///
    /// As [`crate::open`]; also if the server cannot be reached, is older than version 13 or is a
    /// standby.
    pub fn open(
        address: &str,
        settings: Option<&StoredSettings>,
        other: OnOtherSettings,
    ) -> Result<Self, StoreError> {
        let address = Address::parse(address)?;
        let stop = StopCheck::default();
        let mut session = Session::connect(&address, &stop)?;
        let made = schema::prepare(&mut session, &address, settings, other)?;
        Ok(Self::new(address, false, (session, stop), made))
    }

    /// Opens a store that exists to read it, which takes no lock and writes nothing.
    ///
    /// # Errors
    ///
    /// As [`crate::open_to_read`].
    pub fn open_to_read(address: &str) -> Result<Self, StoreError> {
        let address = Address::parse(address)?;
        let stop = StopCheck::default();
        let mut session = Session::connect(&address, &stop)?;
        let made = schema::read(&mut session, &address)?;
        Ok(Self::new(address, true, (session, stop), made))
    }

    fn new(
        address: Address,
        reads_only: bool,
        (session, stop): (Session, StopCheck),
        (generation, settings): (i32, StoredSettings),
    ) -> Self {
        let (session, phase) = (Some(session), RoundPhase::Outside);
        Self {
            address,
            reads_only,
            generation,
            settings,
            session,
            known: None,
            phase,
            has_texts: false,
            stop,
            waits: WaitNotice::default(),
        }
    }

    /// The connection, made again if it was lost.
    fn session(&mut self) -> Result<&mut Session, StoreError> {
        if self.session.as_ref().is_none_or(Session::is_lost) {
            self.session = None;
            self.known = None;
        }
        match &mut self.session {
            Some(session) => Ok(session),
            empty => {
                let session = empty.insert(Session::connect(&self.address, &self.stop)?);
                session.waits = self.waits.clone();
                Ok(session)
            }
        }
    }

    /// Rolls the transaction back.
    fn roll_back(&mut self, phase: RoundPhase) {
        self.phase = phase;
        if let Some(session) = &mut self.session
            && session.run("ending a round", "ROLLBACK").is_err()
        {
            self.session = None;
        }
    }

    /// Runs something within the round. If it fails, so does the round.
    fn within<T>(
        &mut self,
        act: impl FnOnce(&mut Session, &TableState) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = match (&mut self.session, &self.known, self.phase) {
            (Some(session), Some(state), RoundPhase::Within) => act(session, state),
            _ => {
                return Err(StoreError::Failed(format!(
                    "{}: no round was begun, or it has failed",
                    self.address
                )));
            }
        };
        if done.is_err() {
            self.roll_back(RoundPhase::Broken);
        }
        done
    }

    /// Reads something within the round, or in a snapshot if there is none.
    fn read<T>(
        &mut self,
        act: impl FnOnce(&mut Session, &TableState) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.phase != RoundPhase::Outside {
            return self.within(act);
        }
        self.snapshot()?;
        let done = self.within(act);
        self.roll_back(RoundPhase::Outside);
        done
    }

    /// Changes something within the round, and commits it.
    fn change(
        &mut self,
        act: impl FnOnce(&mut Session, &TableState) -> Result<TableState, StoreError>,
    ) -> Result<(), StoreError> {
        let state = self.within(|session, state| {
            let state = act(session, state)?;
            session.commit()?;
            Ok(state)
        });
        // After a failed commit it is not known what is in the tables.
        self.known = None;
        self.known = Some(state?);
        self.phase = RoundPhase::Outside;
        Ok(())
    }

    /// Begins a transaction with these statements, waits for the lock if it is wanted, and reads the small tables.
    fn transaction(&mut self, sql: &str, lock: Option<Duration>) -> Result<(), StoreError> {
        self.abandon();
        let was_connected = self.session.is_some();
        let mut begun = self.begin_with(sql, lock);
        // A connection that was lost while it was idle is no reason to fail; a silent server is.
        let is_silent = self.session.as_ref().is_some_and(Session::is_silent);
        let is_lost = self.session.as_ref().is_none_or(Session::is_lost);
        if begun.is_err() && was_connected && is_lost && !is_silent {
            begun = self.begin_with(sql, lock);
        }
        match begun {
            Ok(()) => self.phase = RoundPhase::Within,
            Err(_) => self.roll_back(RoundPhase::Broken),
        }
        begun
    }

    fn begin_with(&mut self, sql: &str, lock: Option<Duration>) -> Result<(), StoreError> {
        self.session()?.run("beginning a round", sql)?;
        if let Some(patience) = lock {
            // Only this statement may take as long as the rounds of others.
            let sql = format!(
                "SET LOCAL lock_timeout = {}; SELECT pg_advisory_xact_lock({})",
                patience.as_millis(),
                schema::lock(&self.address)
            );
            let patience = Patience::ForLock(patience);
            self.waiting(patience, |store| store.session()?.run("waiting for others", &sql))?;
        }
        let known = self.known.take();
        let state = TableState::read(self.session()?, known)?;
        if state.generation != self.generation {
            return Err(StoreError::Unfit(format!(
                "{}: another process has started a new generation of the store with other settings; \
                 start again with the same settings",
                self.address
            )));
        }
        self.known = Some(state);
        Ok(())
    }

    /// Runs something with this patience for the server.
    fn waiting<T>(
        &mut self,
        patience: Patience,
        act: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.session()?.patience = patience;
        let done = act(self);
        if let Some(session) = &mut self.session {
            session.patience = Patience::Usual;
        }
        done
    }

    /// Begins a read-only transaction on a snapshot, which waits for no lock.
    fn snapshot(&mut self) -> Result<(), StoreError> {
        self.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", None)
    }

    /// Begins a transaction during which no other process can change the store. As long as others
    /// finish their rounds it waits for its turn, however many they are.
    fn exclusive(&mut self) -> Result<(), StoreError> {
        self.abandon();
        // A connection that was lost while it was idle is made again below.
        let mut round = self.round().ok();
        let mut patience = self.address.lock_timeout;
        loop {
            // The server may be configured not to wait for the disk; this store always waits.
            let begun = self.transaction(
                "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
                 SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                     WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)",
                Some(patience),
            );
            let met_lock = self.session.as_ref().is_some_and(|session| session.met_lock);
            if begun.is_ok() || !met_lock {
                return begun;
            }
            let now = Some(self.round()?);
            if now == round {
                return begun;
            }
            // The place in the queue is lost, so the next wait must be longer.
            (round, patience) = (now, patience * 2);
        }
    }

    /// The number of rounds that were committed, by this process or another.
    fn round(&mut self) -> Result<i64, StoreError> {
        if let Some(known) = self.known.as_ref().filter(|_| self.phase == RoundPhase::Outside) {
            return Ok(known.round);
        }
        self.stored_round()
    }

    fn stored_round(&mut self) -> Result<i64, StoreError> {
        let session = self.session()?;
        let row = session.one("reading the head", "SELECT round FROM head", &[])?;
        session.get(&row, 0)
    }
}

impl Store for Postgres {
    fn begin(&mut self) -> Result<Head, StoreError> {
        match self.reads_only {
            true => self.snapshot()?,
            false => self.exclusive()?,
        }
        Ok(self.known.as_ref().map(TableState::head).unwrap_or_default())
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.read(|session, state| find::find(session, state, probes))
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let shown = self.address.to_string();
        self.read(|session, state| {
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
            let mut payloads = HashMap::new();
            for row in &rows {
                let (seq, payload) = (session.get(row, 0)?, session.get::<&[u8]>(row, 3)?);
                check_payload(&shown, seq, session.get(row, 1)?, session.get(row, 2)?, payload)?;
                payloads.insert(seq, payload);
            }
            Ok(seqs.iter().map(|seq| payloads.get(seq).map(|bytes| bytes.to_vec())).collect())
        })
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.values(&[name.to_owned()])?.pop().flatten())
    }

    fn values(&mut self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let shown = self.address.to_string();
        self.read(|session, _| {
            let sql = "SELECT name, checksum, value FROM named WHERE name = ANY ($1)";
            let mut values: HashMap<String, Vec<u8>> = HashMap::new();
            for row in &session.rows("reading values", sql, &[&names])? {
                let (name, value): (String, Vec<u8>) = (session.get(row, 0)?, session.get(row, 2)?);
                if checksum(0, 0, &value) != session.get::<i64>(row, 1)? {
                    return Err(StoreError::Damaged(format!(
                        "{shown}: the value {name:?} is damaged; restore a backup"
                    )));
                }
                values.insert(name, value);
            }
            Ok(names.iter().map(|name| values.get(name).cloned()).collect())
        })
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.change(|session, state| write::write(session, state, changes))
    }

    fn abandon(&mut self) {
        match self.phase {
            RoundPhase::Within => self.roll_back(RoundPhase::Outside),
            RoundPhase::Outside | RoundPhase::Broken => self.phase = RoundPhase::Outside,
        }
    }

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        let shown = self.address.to_string();
        self.read(|session, state| upkeep::scan(session, state, &shown, from, most))
    }
}

impl ManagedStore for Postgres {
    fn stop_when(&mut self, stop: StopCheck) {
        if let Some(session) = &mut self.session {
            session.stop_when(&stop);
        }
        self.stop = stop;
    }

    fn tell_waits(&mut self, notice: WaitNotice) {
        if let Some(session) = &mut self.session {
            session.waits = notice.clone();
        }
        self.waits = notice;
    }

    fn settings(&mut self) -> Result<StoredSettings, StoreError> {
        Ok(self.settings.clone())
    }

    fn set_settings(&mut self, settings: &StoredSettings) -> Result<(), StoreError> {
        self.exclusive()?;
        self.change(|session, state| {
            let sql = "UPDATE head SET settings = $1, round = round + 1";
            session.change("storing the settings", sql, &[&settings.as_str()])?;
            Ok(TableState { round: state.round + 1, ..state.clone() })
        })?;
        self.settings = settings.clone();
        Ok(())
    }

    fn info(&mut self) -> Result<Vec<(String, Fact)>, StoreError> {
        let shown = self.address.to_string();
        self.read(|session, state| upkeep::info(session, state, &shown))
    }

    fn texts(&mut self, make: bool) -> Result<Option<&mut dyn TextShelf>, StoreError> {
        if make && self.reads_only {
            return Err(StoreError::Failed(format!(
                "{}: the store was opened to be read, and keeps no texts",
                self.address
            )));
        }
        Ok(self.open_texts(make)?.then_some(self as &mut dyn TextShelf))
    }

    fn rounds_of_all(&mut self) -> Result<u64, StoreError> {
        Ok(self.stored_round()?.unsigned_abs())
    }

    fn verify(&mut self) -> Result<Verified, StoreError> {
        self.abandon();
        self.waiting(Patience::Endless, |store| store.read(check::check))
    }

    fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        self.exclusive()?;
        self.waiting(Patience::Endless, |store| {
            let before = store.within(|session, _| upkeep::size(session))?;
            store.change(upkeep::clear)?;
            let session = store.session()?;
            upkeep::vacuum(session)?;
            Ok((before, upkeep::size(session)?))
        })
    }

    fn backup(&mut self, to: &Path) -> Result<(), StoreError> {
        let schema = self.address.schema.clone();
        self.abandon();
        self.waiting(Patience::Endless, |store| {
            store.read(|session, state| backup::write(session, state, &schema, to))
        })
    }
}

/// Checks the checksum of a payload.
fn check_payload(
    address: &str,
    seq: i64,
    time: i64,
    kept: i64,
    payload: &[u8],
) -> Result<(), StoreError> {
    match checksum(seq, time, payload) == kept {
        true => Ok(()),
        false => Err(StoreError::Damaged(format!(
            "{address}: document number {seq} is damaged; restore a backup, or delete the document"
        ))),
    }
}
