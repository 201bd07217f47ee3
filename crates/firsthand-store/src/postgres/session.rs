//! A connection to the server, with its statements prepared.

use super::{
    address::Address,
    failure::{self, Unanswered},
};
use crate::{StopCheck, WaitNotice};
use firsthand::online::StoreError;
use futures_util::StreamExt;
use std::{
    collections::HashMap,
    pin::pin,
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Builder, Runtime},
    time::timeout,
};
use tokio_postgres::{
    Client, Error, Row, Statement,
    config::SslMode,
    error::SqlState,
    types::{FromSql, ToSql},
};

/// The oldest supported version of the server: 13.
const OLDEST: i32 = 130_000;

/// Plans are made once and must stay good as the tables grow, so only index scans are allowed. A process
/// that hangs in a round must not block the others for ever.
const SETTINGS: &str = "
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET enable_sort = off;
    SET enable_bitmapscan = off;
    SET jit = off;
    SET statement_timeout = 0;
    SET idle_in_transaction_session_timeout = '120s';
    SET client_min_messages = warning;
    SET client_encoding = 'UTF8';
";

/// How often a wait for the server looks whether it should end.
const LOOK: Duration = Duration::from_millis(200);
/// How long a request that is under way may still take when the work is to stop.
const GRACE: Duration = Duration::from_secs(3);
/// How much longer the client waits for a lock than the server does, so that it is the server that says
/// what the matter is.
const AFTER_LOCK: Duration = Duration::from_secs(10);
/// From when on a wait for a lock is worth a word.
const LONG_WAIT: Duration = Duration::from_secs(2);

/// How long an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// As long as the address says.
    Usual,
    /// As long as the server waits for a lock.
    ForLock(Duration),
    /// As long as it takes, as in upkeep.
    Endless,
}

/// A connection.
pub(super) struct Session {
    /// Drives the connection while an answer is awaited. Dropping it closes the connection.
    runtime: Runtime,
    client: Client,
    prepared: HashMap<&'static str, Statement>,
    address: Address,
    stop: StopCheck,
    /// Is told of long waits for a lock.
    pub(super) waits: WaitNotice,
    /// Whether the server has left a request without an answer.
    silent: bool,
    /// Whether nothing more can be asked here.
    lost: bool,
    /// How long answers may take for now.
    pub(super) patience: Patience,
    /// Whether the last request failed because somebody else held a lock for too long.
    pub(super) met_lock: bool,
    /// The version of the server, as a number: 150003 is 15.3.
    pub(super) version: i32,
}

impl Session {
    /// Connects, and checks that the server can be used.
    pub(super) fn connect(address: &Address, stop: &StopCheck) -> Result<Self, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| {
            StoreError::Failed(format!("{address}: cannot prepare to connect: {e}"))
        })?;
        let modes = match address.is_local() {
            true => &[SslMode::Disable],
            false => address.tls.attempts(),
        };
        let mut connected = Err(Unanswered::Stopped);
        for mode in modes {
            let mut config = address.config.clone();
            config.ssl_mode(*mode);
            let connecting = async {
                let (client, connection) = config.connect(address.tls.clone()).await?;
                tokio::spawn(connection);
                Ok(client)
            };
            connected = answer(&runtime, stop, Some(address.connect_timeout), None, connecting);
            // Another way is worth a try if this one was refused, not if nobody answers.
            if !matches!(connected, Err(Unanswered::Server(_))) {
                break;
            }
        }
        let client = connected.map_err(|e| failure::connecting(address, &e))?;
        let mut session = Self {
            runtime,
            client,
            prepared: HashMap::new(),
            address: address.clone(),
            stop: stop.clone(),
            waits: WaitNotice::default(),
            silent: false,
            lost: false,
            patience: Patience::Usual,
            met_lock: false,
            version: 0,
        };
        let row = session.one(
            "asking for the version",
            "SELECT current_setting('server_version_num')::int4, pg_is_in_recovery()",
            &[],
        )?;
        session.version = session.get(&row, 0)?;
        let address = &session.address;
        if session.version < OLDEST {
            return Err(StoreError::Unfit(format!(
                "{address}: the server is PostgreSQL {}; use version 13 or later",
                session.version / 10_000
            )));
        }
        if session.get(&row, 1)? {
            return Err(StoreError::Failed(format!(
                "{address}: this server is a read-only standby; give the address of the primary server"
            )));
        }
        let (locks, schema) = (address.lock_timeout.as_millis(), &address.schema);
        let settings =
            format!("{SETTINGS} SET lock_timeout = {locks}; SET search_path = {schema};");
        session.run("setting up the connection", &settings)?;
        Ok(session)
    }

    /// Whether the connection is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.lost || self.client.is_closed()
    }

    /// Whether the server has stopped answering.
    pub(super) fn is_silent(&self) -> bool {
        self.silent
    }

    /// From now on, a wait ends soon after this says so.
    pub(super) fn stop_when(&mut self, stop: &StopCheck) {
        self.stop = stop.clone();
    }

    /// The error for a failed statement.
    pub(super) fn failed(&self, what: &str, error: &Unanswered) -> StoreError {
        failure::asking(&self.address, what, error)
    }

    /// Waits for the answer to a request.
    fn ask<T>(
        &mut self,
        request: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, Unanswered> {
        if self.lost {
            return Err(Unanswered::Stopped);
        }
        let patience = match self.patience {
            Patience::Usual => self.address.response_timeout,
            Patience::ForLock(lock) => Some(lock + AFTER_LOCK),
            Patience::Endless => None,
        };
        let waits = matches!(self.patience, Patience::ForLock(_)).then_some(&self.waits);
        let answered = answer(&self.runtime, &self.stop, patience, waits, request(&self.client));
        if let Err(e) = &answered {
            self.silent = matches!(e, Unanswered::Silent(_) | Unanswered::Stopped);
            // The client itself notices a closed connection only when it is used again.
            self.lost = self.silent || e.ends_connection();
            self.met_lock = e.code() == Some(&SqlState::LOCK_NOT_AVAILABLE);
        }
        answered
    }

    /// Runs statements without parameters.
    pub(super) fn run(&mut self, what: &str, sql: &str) -> Result<(), StoreError> {
        self.attempt(sql).map_err(|e| self.failed(what, &e))
    }

    /// Runs statements that may fail.
    pub(super) fn attempt(&mut self, sql: &str) -> Result<(), Unanswered> {
        self.ask(async |client| client.batch_execute(sql).await)
    }

    /// Commits. If the connection is lost, it is not known whether the commit was made.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        self.attempt("COMMIT").map_err(|e| failure::committing(&self.address, &e))
    }

    /// The rows that a statement returns. `what` names its purpose in messages.
    pub(super) fn rows(
        &mut self,
        what: &str,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.prepared(what, sql)?;
        let rows = self.ask(async |client| client.query(&statement, parameters).await);
        rows.map_err(|e| self.failed(what, &e))
    }

    /// The only row.
    pub(super) fn one(
        &mut self,
        what: &str,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, StoreError> {
        let statement = self.prepared(what, sql)?;
        let row = self.ask(async |client| client.query_one(&statement, parameters).await);
        row.map_err(|e| self.failed(what, &e))
    }

    /// The only row of a statement that is not prepared.
    pub(super) fn once(&mut self, what: &str, sql: &str) -> Result<Row, StoreError> {
        let row = self.ask(async |client| client.query_one(sql, &[]).await);
        row.map_err(|e| self.failed(what, &e))
    }

    /// Runs a statement; returns the number of rows that it changed.
    pub(super) fn change(
        &mut self,
        what: &str,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, StoreError> {
        let statement = self.prepared(what, sql)?;
        let count = self.ask(async |client| client.execute(&statement, parameters).await);
        count.map_err(|e| self.failed(what, &e))
    }

    /// Writes what `COPY ... TO STDOUT` returns. The inner result is the writer's.
    pub(super) fn copy(
        &mut self,
        what: &str,
        sql: &str,
        to: &mut impl std::io::Write,
    ) -> Result<std::io::Result<()>, StoreError> {
        let copied = self.ask(async |client| {
            let mut pieces = pin!(client.copy_out(sql).await?);
            while let Some(piece) = pieces.next().await {
                if let Err(e) = to.write_all(&piece?) {
                    return Ok(Err(e));
                }
            }
            Ok(Ok(()))
        });
        copied.map_err(|e| self.failed(what, &e))
    }

    /// A column of a row.
    pub(super) fn get<'a, T: FromSql<'a>>(
        &self,
        row: &'a Row,
        column: usize,
    ) -> Result<T, StoreError> {
        row.try_get(column).map_err(|e| {
            StoreError::Damaged(format!(
                "{}: a table does not have the expected columns: {e}",
                self.address
            ))
        })
    }

    fn prepared(&mut self, what: &str, sql: &'static str) -> Result<Statement, StoreError> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.ask(async |client| client.prepare(sql).await);
        let statement = statement.map_err(|e| self.failed(what, &e))?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }
}

/// Waits until a request is answered, the server has been silent for too long, or the work is to stop.
/// A long wait is told once.
fn answer<T>(
    runtime: &Runtime,
    stop: &StopCheck,
    patience: Option<Duration>,
    mut waits: Option<&WaitNotice>,
    request: impl Future<Output = Result<T, Error>>,
) -> Result<T, Unanswered> {
    runtime.block_on(async {
        let mut request = pin!(request);
        let began = Instant::now();
        let mut stopping: Option<Instant> = None;
        loop {
            let look = patience.map_or(LOOK, |patience| patience.min(LOOK));
            if let Ok(answered) = timeout(look, request.as_mut()).await {
                return answered.map_err(Unanswered::Server);
            }
            if let Some(patience) = patience.filter(|patience| began.elapsed() >= *patience) {
                return Err(Unanswered::Silent(patience));
            }
            if let Some(waits) = waits.take_if(|_| began.elapsed() >= LONG_WAIT) {
                waits.tell();
            }
            if stop.is_set() && stopping.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                return Err(Unanswered::Stopped);
            }
        }
    })
}
