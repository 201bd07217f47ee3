//! A backup: an SQL file from which `psql` restores the store in any database.

use super::{schema, session::Session, state::TableState, texts};
use firsthand::online::StoreError;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

/// The file in the folder of the backup.
const FILE: &str = "restore.sql";

/// Writes the store, as the transaction sees it, to a folder that is empty or does not exist.
pub(super) fn write(
    session: &mut Session,
    state: &TableState,
    schema: &str,
    to: &Path,
) -> Result<(), StoreError> {
    let failed = |e: io::Error| StoreError::Failed(format!("{}: {e}", to.display()));
    fs::create_dir_all(to).map_err(failed)?;
    if fs::read_dir(to).map_err(failed)?.next().is_some() {
        return Err(StoreError::Failed(format!(
            "{} is not empty; give an empty or new folder for the copy",
            to.display()
        )));
    }
    // The file gets its name at the end, so that a partial backup is not mistaken for a complete one.
    let unfinished = to.join("unfinished.sql");
    let file = BufWriter::new(File::create(&unfinished).map_err(failed)?);
    let mut out = SqlFile { session, file, failed: &failed };
    out.tables(state, schema)?;
    out.file.flush().map_err(failed)?;
    out.file.get_ref().sync_all().map_err(failed)?;
    fs::rename(&unfinished, to.join(FILE)).map_err(failed)?;
    File::open(to).and_then(|folder| folder.sync_all()).map_err(failed)
}

/// The script that is being written. `failed` makes an error of one of the file.
struct SqlFile<'a> {
    session: &'a mut Session,
    file: BufWriter<File>,
    failed: &'a dyn Fn(io::Error) -> StoreError,
}

impl SqlFile<'_> {
    fn tables(&mut self, state: &TableState, schema: &str) -> Result<(), StoreError> {
        self.text(&format!(
            "-- A firsthand store. To restore it: psql -d DATABASE -f {FILE}\n\
             -- To restore it in a schema other than {schema}: psql -d DATABASE -v schema=NAME -f {FILE}\n\
             \\set ON_ERROR_STOP on\n\
             \\if :{{?schema}}\n\\else\n\\set schema {schema}\n\\endif\n\
             BEGIN;\nCREATE SCHEMA :\"schema\";\nSET search_path = :\"schema\";\n"
        ))?;
        self.text(schema::CREATE_TABLES)?;
        for table in ["layout", "head", "buckets", "parts", "named"] {
            self.table(table, &format!("SELECT * FROM {table}"))?;
        }
        let with_texts = texts::parts(self.session)?;
        if texts::is_there(self.session)? {
            self.text(texts::CREATE_TABLE)?;
        }
        for (part, slots) in &state.parts {
            let kept = slots.iter().filter(|slot| state.of_slot(**slot).is_some());
            let kept: Vec<String> = kept.map(i32::to_string).collect();
            let kept = kept.join(", ");
            let texts = with_texts.contains(part).then_some("texts");
            for table in ["documents", "postings"].into_iter().chain(texts) {
                // Indexes are built when the partition is attached, which is faster.
                let name = format!("{table}_{part}");
                self.text(&format!("CREATE TABLE {name} (LIKE {table} INCLUDING STORAGE);\n"))?;
                let rows =
                    format!("SELECT * FROM {table} WHERE part = {part} AND slot IN ({kept})");
                if !kept.is_empty() {
                    self.table(&name, &rows)?;
                }
                self.text(&format!(
                    "ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES IN ({part});\n"
                ))?;
            }
        }
        self.text("COMMIT;\n")
    }

    fn text(&mut self, text: &str) -> Result<(), StoreError> {
        self.file.write_all(text.as_bytes()).map_err(self.failed)
    }

    /// Writes rows in the format of `COPY ... FROM stdin`.
    fn table(&mut self, table: &str, rows: &str) -> Result<(), StoreError> {
        self.text(&format!("COPY {table} FROM stdin;\n"))?;
        let sql = format!("COPY ({rows}) TO STDOUT");
        let copied = self.session.copy("reading a table", &sql, &mut self.file)?;
        copied.map_err(self.failed)?;
        self.text("\\.\n")
    }
}
