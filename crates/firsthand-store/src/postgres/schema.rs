//! The tables of a store: created when it is first opened, checked for their layout, and set aside when
//! the settings change.

use super::{address::Address, session::Session, texts};
use crate::{
    OnOtherSettings, StoredSettings,
    layout::{self, LAYOUT},
};
use firsthand::online::StoreError;

/// The tables of a new store.
pub(super) const CREATE_TABLES: &str = include_str!("tables.sql");

/// The tables of every generation; one that keeps texts has `texts` as well.
const TABLES: [&str; 5] = ["documents", "postings", "buckets", "parts", "named"];

/// The number of the store's advisory lock in its database.
pub(super) fn lock(address: &Address) -> i64 {
    let name = format!("firsthand:{}", address.schema);
    i64::from_ne_bytes(xxhash_rust::xxh3::xxh3_64(name.as_bytes()).to_ne_bytes())
}

/// Creates or checks the tables. Returns the generation, and the settings that it was made with.
pub(super) fn prepare(
    session: &mut Session,
    address: &Address,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<(i32, StoredSettings), StoreError> {
    // A store that is there and fits is opened without waiting for the rounds of others.
    session.run("opening the store", "BEGIN READ ONLY")?;
    let fitting = fitting(session, address, settings);
    session.run("opening the store", "ROLLBACK")?;
    if let Some(found) = fitting? {
        return Ok(found);
    }
    let begin = format!("BEGIN READ WRITE; SELECT pg_advisory_xact_lock({})", lock(address));
    session.run("opening the store", &begin)?;
    let prepared = inside(session, address, settings, other);
    match prepared {
        Ok(_) => session.commit()?,
        Err(_) => session.run("opening the store", "ROLLBACK").unwrap_or_default(),
    }
    prepared
}

/// The generation of a store and its settings, read without a lock.
pub(super) fn read(
    session: &mut Session,
    address: &Address,
) -> Result<(i32, StoredSettings), StoreError> {
    session.run("opening the store", "BEGIN READ ONLY")?;
    let found = inside(session, address, None, OnOtherSettings::Refuse);
    session.run("opening the store", "ROLLBACK").unwrap_or_default();
    found
}

/// The generation and the settings of a store that is there, if it can be used as it is.
fn fitting(
    session: &mut Session,
    address: &Address,
    settings: Option<&StoredSettings>,
) -> Result<Option<(i32, StoredSettings)>, StoreError> {
    let Some(found) = stored_layout(session, address)? else { return Ok(None) };
    layout::check(address, found, "another schema (?schema=name)")?;
    let found = generation(session)?;
    Ok(found.filter(|(_, kept)| settings.is_none_or(|asked| asked == kept)))
}

/// The present generation and its settings.
fn generation(session: &mut Session) -> Result<Option<(i32, StoredSettings)>, StoreError> {
    let sql = "SELECT generation, settings FROM head";
    let head = session.rows("reading the settings", sql, &[])?;
    let Some(head) = head.first() else { return Ok(None) };
    Ok(Some((session.get(head, 0)?, StoredSettings::kept(session.get::<String>(head, 1)?))))
}

fn inside(
    session: &mut Session,
    address: &Address,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<(i32, StoredSettings), StoreError> {
    match (stored_layout(session, address)?, settings) {
        (Some(found), _) => layout::check(address, found, "another schema (?schema=name)")?,
        (None, None) => {
            let schema = &address.schema;
            return Err(StoreError::Unfit(format!(
                "{address}: there is no store in the schema {schema:?} of this database; `firsthand \
                 stream` makes one"
            )));
        }
        (None, Some(_)) => {
            make_schema(session, address)?;
            let what = "creating the tables";
            session.run(what, CREATE_TABLES)?;
            let sql = "INSERT INTO layout (version) VALUES ($1)";
            session.change(what, sql, &[&i64::from(LAYOUT)])?;
        }
    }
    let Some((generation, kept)) = generation(session)? else {
        let Some(settings) = settings else {
            return Err(StoreError::Damaged(format!("{address}: the table `head` is empty")));
        };
        session.change(
            "storing the settings",
            "INSERT INTO head (generation, round, next, part, slot, settings) \
             VALUES (1, 0, 1, 0, 0, $1)",
            &[&settings.as_str()],
        )?;
        return Ok((1, settings.clone()));
    };
    match (settings, other) {
        (Some(asked), OnOtherSettings::NewGeneration) if *asked != kept => {
            begin_anew(session, generation, asked)?;
            Ok((generation + 1, asked.clone()))
        }
        (Some(asked), OnOtherSettings::Refuse) if *asked != kept => {
            Err(unfit(address, &kept, asked))
        }
        _ => Ok((generation, kept)),
    }
}

/// The layout of the tables, if there are any. Layout 1 had a table `migrations` in place of `layout`.
fn stored_layout(session: &mut Session, address: &Address) -> Result<Option<u32>, StoreError> {
    let what = "looking for the store";
    // The catalogue itself: to_regclass may answer from a cache that is older than the lock.
    let sql = "SELECT coalesce(bool_or(relname = 'layout'), false), \
               coalesce(bool_or(relname = 'migrations'), false) \
               FROM pg_class WHERE relname IN ('layout', 'migrations') AND relnamespace = \
               (SELECT oid FROM pg_namespace WHERE nspname = $1)";
    let row = session.one(what, sql, &[&address.schema])?;
    match (session.get::<bool>(&row, 0)?, session.get::<bool>(&row, 1)?) {
        (true, _) => {
            let row = session.one(what, "SELECT coalesce(max(version), 0) FROM layout", &[])?;
            Ok(Some(u32::try_from(session.get::<i64>(&row, 0)?).unwrap_or(u32::MAX)))
        }
        (false, true) => Ok(Some(1)),
        (false, false) => Ok(None),
    }
}

/// Creates the schema, unless it exists: somebody with more rights may have created it.
fn make_schema(session: &mut Session, address: &Address) -> Result<(), StoreError> {
    let schema = &address.schema;
    let there = "SELECT to_regnamespace($1::text) IS NOT NULL";
    let row = session.one("looking for the schema", there, &[schema])?;
    match session.get::<bool>(&row, 0)? {
        true => Ok(()),
        false => {
            let what = format!("creating the schema {schema:?}");
            session.run(&what, &format!("CREATE SCHEMA {schema}"))
        }
    }
}

/// Renames the tables, and creates empty ones like them.
fn begin_anew(
    session: &mut Session,
    generation: i32,
    settings: &StoredSettings,
) -> Result<(), StoreError> {
    for table in TABLES {
        let former = format!("former_{generation}_{table}");
        let partitioned = match table {
            "documents" | "postings" => "PARTITION BY LIST (part)",
            _ => "",
        };
        let sql = format!(
            "ALTER TABLE {table} RENAME TO {former};
             CREATE TABLE {table} (LIKE {former} INCLUDING ALL) {partitioned};"
        );
        session.run("setting the former generation aside", &sql)?;
    }
    if texts::is_there(session)? {
        // The new generation makes a table of its own when it keeps texts.
        let sql = format!("ALTER TABLE texts RENAME TO former_{generation}_texts");
        session.run("setting the former generation aside", &sql)?;
    }
    session.change(
        "starting a new generation",
        "UPDATE head SET generation = generation + 1, round = round + 1, next = 1, clock = NULL, \
         settings = $1",
        &[&settings.as_str()],
    )?;
    Ok(())
}

fn unfit(address: &Address, kept: &StoredSettings, asked: &StoredSettings) -> StoreError {
    let differences = kept.differences(asked);
    StoreError::Unfit(format!(
        "{address}: the store was made with other settings:\n  {}\nuse the same settings, use \
         another schema (?schema=name), or start a new generation",
        differences.join("\n  ")
    ))
}
