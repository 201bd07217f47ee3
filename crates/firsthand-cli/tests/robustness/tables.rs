//! Tables with quotes that never end, ragged rows, and damage.

use super::stage::GOOD;
use super::{AFTER, BEFORE, Case, Stage};
use std::io::Write;

/// A small table: three rows, texts in the first two.
const PARQUET: &[u8] = include_bytes!("../../../../fuzz/seeds/parquet/plain.parquet");

#[test]
fn a_quote_that_never_ends() {
    let stage = Stage::new();
    let mut file = std::fs::File::create(stage.path("m.csv")).unwrap();
    write!(file, "id,text\n1,\"{BEFORE}\"\n2,\"never ending").unwrap();
    // A hole: zeros that take no room on the disk.
    file.set_len(1_000_000_000).unwrap();
    let says = ["m.csv, line 3", "longer than the limit of 64 MiB", "--max-line"];
    let name = "CSV with a quote that is never closed, 1 GB";
    let done = "the row is refused";
    Case { name, done, says: &says, read: (1, 0), ..Case::default() }.check(&stage);
}

#[test]
fn ragged_rows() {
    let rows = format!("id,text,more\n1,\"{BEFORE}\",x\n2\n3,b,c,d,e,f\n,,\n4,\"{AFTER}\",x\n");
    let stage = Stage::with("m.csv", rows);
    let name = "CSV with a row too short, one too long, and an empty one";
    let done = "read; missing cells are empty";
    let (exit, read, others) = (0, (1, 1), 3);
    Case { name, done, exit, read, others, ..Case::default() }.check(&stage);
}

#[test]
fn a_table_without_texts() {
    let stage = Stage::with("m.csv", "a,b\n1,2\n3,4\n");
    let says = ["m.csv", "text"];
    let name = "CSV without a column for the text";
    Case { name, done: "refused", says: &says, ..Case::default() }.check(&stage);
}

#[test]
fn a_parquet_table_that_is_cut_off() {
    let stage = Stage::with("m.parquet", &PARQUET[..PARQUET.len() / 2]);
    let says = ["m.parquet: "];
    let name = "a Parquet table without its end";
    Case { name, done: "refused", says: &says, ..Case::default() }.check(&stage);
}

#[test]
fn a_damaged_parquet_table() {
    // Every byte is damaged once, a file each: whatever is read, nothing ends the run.
    let stage = Stage::new();
    for at in 0..PARQUET.len() {
        let mut bytes = PARQUET.to_vec();
        bytes[at] ^= 0xFF;
        stage.write(&format!("m/{at:04}.parquet"), bytes);
    }
    // Which damage shows depends on where it is: the second run has to find what the first did. The
    // first also copies what is kept, which must not lose count of the rows that cannot be read.
    let rehearsal = stage.rehearse(&["--kept"]);
    assert_eq!(rehearsal.code, 3, "{}", rehearsal.messages);
    let others = rehearsal.documents() - GOOD;
    let name = format!("{} Parquet tables, a byte damaged in each", PARQUET.len());
    let done = "the readable tables are read";
    let says = ["m/0004.parquet"];
    let outcome = Case { name: &name, done, says: &says, others, ..Case::default() }.check(&stage);
    assert!(!outcome.messages.contains("internal error"), "{}", outcome.messages);
}
