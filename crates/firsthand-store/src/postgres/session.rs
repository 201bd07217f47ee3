//! A connection to the server, with its statements prepared.

use super::{address::Address, failure};
use firsthand::online::StoreError;
use postgres::{
    Client, NoTls, Row, Statement,
    types::{FromSql, ToSql},
};
use std::collections::HashMap;

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
    SET lock_timeout = '120s';
    SET idle_in_transaction_session_timeout = '120s';
    SET client_min_messages = warning;
    SET client_encoding = 'UTF8';
";

/// A connection.
pub(super) struct Session {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
    address: Address,
    /// The version of the server, as a number: 150003 is 15.3.
    pub(super) version: i32,
}

impl Session {
    /// Connects, and checks that the server can be used.
    pub(super) fn connect(address: &Address) -> Result<Self, StoreError> {
        let client = address.config.connect(NoTls).map_err(|e| failure::connecting(address, &e))?;
        let address = address.clone();
        let mut session = Self { client, prepared: HashMap::new(), address, version: 0 };
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
        let path = format!("{SETTINGS} SET search_path = {};", address.schema);
        session.run("setting up the connection", &path)?;
        Ok(session)
    }

    /// Whether the connection is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.client.is_closed()
    }

    /// The connection itself.
    pub(super) fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// The error for a failed statement.
    pub(super) fn failed(&self, what: &str, error: &postgres::Error) -> StoreError {
        failure::asking(&self.address, what, error)
    }

    /// Runs statements without parameters.
    pub(super) fn run(&mut self, what: &str, sql: &str) -> Result<(), StoreError> {
        let done = self.client.batch_execute(sql);
        done.map_err(|e| self.failed(what, &e))
    }

    /// Commits. If the connection is lost, it is not known whether the commit was made.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        let done = self.client.batch_execute("COMMIT");
        done.map_err(|e| failure::committing(&self.address, &e))
    }

    /// The rows that a statement returns. `what` names its purpose in messages.
    pub(super) fn rows(
        &mut self,
        what: &str,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let rows = self.prepared(sql).and_then(|sql| self.client.query(&sql, parameters));
        rows.map_err(|e| self.failed(what, &e))
    }

    /// The only row.
    pub(super) fn one(
        &mut self,
        what: &str,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, StoreError> {
        let row = self.prepared(sql).and_then(|sql| self.client.query_one(&sql, parameters));
        row.map_err(|e| self.failed(what, &e))
    }

    /// The only row of a statement that is not prepared.
    pub(super) fn once(&mut self, what: &str, sql: &str) -> Result<Row, StoreError> {
        let row = self.client.query_one(sql, &[]);
        row.map_err(|e| self.failed(what, &e))
    }

    /// Runs a statement; returns the number of rows that it changed.
    pub(super) fn change(
        &mut self,
        what: &str,
        sql: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, StoreError> {
        let count = self.prepared(sql).and_then(|sql| self.client.execute(&sql, parameters));
        count.map_err(|e| self.failed(what, &e))
    }

    /// Writes what `COPY ... TO STDOUT` returns. The inner result is the writer's.
    pub(super) fn copy(
        &mut self,
        what: &str,
        sql: &str,
        to: &mut impl std::io::Write,
    ) -> Result<std::io::Result<u64>, StoreError> {
        let copied = self.client.copy_out(sql).map(|mut reader| std::io::copy(&mut reader, to));
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

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }
}
