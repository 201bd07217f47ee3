//! The tables of a store: made when it is opened for the first time, brought up to date when they are of
//! an earlier version, set aside when the settings change.

use super::{address::Address, session::Session};
use crate::{OnOtherSettings, StoredSettings};
use firsthand::online::StoreError;

/// The steps from nothing to the tables of today. The first is version 1.
pub(super) const MIGRATIONS: [&str; 1] = [include_str!("migrations/1.sql")];

/// The tables of one generation.
pub(super) const TABLES: [&str; 5] = ["documents", "postings", "buckets", "parts", "named"];

/// The number that stands for the store among the advisory locks of its database.
pub(super) fn lock(address: &Address) -> i64 {
    let name = format!("firsthand:{}", address.schema);
    i64::from_ne_bytes(xxhash_rust::xxh3::xxh3_64(name.as_bytes()).to_ne_bytes())
}

/// Makes the tables fit. Returns the generation and the settings they were made with.
pub(super) fn prepare(
    session: &mut Session,
    address: &Address,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<(i32, StoredSettings), StoreError> {
    let begin = format!("BEGIN READ WRITE; SELECT pg_advisory_xact_lock({})", lock(address));
    session.run("opening the store", &begin)?;
    let prepared = inside(session, address, settings, other);
    match prepared {
        Ok(_) => session.commit()?,
        Err(_) => session.run("opening the store", "ROLLBACK").unwrap_or_default(),
    }
    prepared
}

fn inside(
    session: &mut Session,
    address: &Address,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<(i32, StoredSettings), StoreError> {
    let version = version(session, address)?;
    let newest = MIGRATIONS.len();
    if version > newest {
        return Err(StoreError::Unfit(format!(
            "{address}: the store has version {version}, and this program knows versions up to \
             {newest}; use a newer program"
        )));
    }
    if version == 0 && settings.is_none() {
        let schema = &address.schema;
        return Err(StoreError::Unfit(format!(
            "{address}: there is no store in the schema {schema:?} of this database; `firsthand \
             stream` makes one"
        )));
    }
    if version == 0 {
        make_schema(session, address)?;
    }
    for (step, sql) in MIGRATIONS.iter().enumerate().skip(version) {
        session.run("making the tables", sql)?;
        let number = i32::try_from(step + 1).unwrap_or(i32::MAX);
        let sql = "INSERT INTO migrations (version) VALUES ($1)";
        session.change("making the tables", sql, &[&number])?;
    }
    let head =
        session.rows("reading the settings", "SELECT generation, settings FROM head", &[])?;
    let Some(head) = head.first() else {
        let Some(settings) = settings else {
            return Err(StoreError::Damaged(format!("{address}: the table `head` is empty")));
        };
        session.change(
            "keeping the settings",
            "INSERT INTO head (generation, round, next, part, slot, settings) \
             VALUES (1, 0, 1, 0, 0, $1)",
            &[&settings.as_str()],
        )?;
        return Ok((1, settings.clone()));
    };
    let generation: i32 = session.get(head, 0)?;
    let kept = StoredSettings::kept(session.get::<String>(head, 1)?);
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

/// The version of the tables; 0 if there are none.
fn version(session: &mut Session, address: &Address) -> Result<usize, StoreError> {
    let what = "looking for the store";
    let there = "SELECT to_regclass($1::text || '.migrations') IS NOT NULL";
    let row = session.one(what, there, &[&address.schema])?;
    if !session.get::<bool>(&row, 0)? {
        return Ok(0);
    }
    let row = session.one(what, "SELECT coalesce(max(version), 0) FROM migrations", &[])?;
    Ok(usize::try_from(session.get::<i32>(&row, 0)?).unwrap_or(0))
}

/// Makes the schema, unless there is one: that may be done by somebody with more rights.
fn make_schema(session: &mut Session, address: &Address) -> Result<(), StoreError> {
    let schema = &address.schema;
    let there = "SELECT to_regnamespace($1::text) IS NOT NULL";
    let row = session.one("looking for the schema", there, &[schema])?;
    match session.get::<bool>(&row, 0)? {
        true => Ok(()),
        false => {
            let what = format!("making the schema {schema:?}");
            session.run(&what, &format!("CREATE SCHEMA {schema}"))
        }
    }
}

/// Sets the tables aside and makes empty ones like them.
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
    session.change(
        "beginning a new generation",
        "UPDATE head SET generation = generation + 1, round = round + 1, next = 1, clock = NULL, \
         settings = $1",
        &[&settings.as_str()],
    )?;
    Ok(())
}

fn unfit(address: &Address, kept: &StoredSettings, asked: &StoredSettings) -> StoreError {
    let differences = kept.differences(asked);
    StoreError::Unfit(format!(
        "{address}: the store was made with other settings:\n  {}\nuse the same settings, another \
         schema (?schema=name), or begin a new generation",
        differences.join("\n  ")
    ))
}
