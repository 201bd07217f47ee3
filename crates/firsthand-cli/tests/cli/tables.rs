//! Tables and compressed files for tests: made by our own writers, read back by other crates.

use firsthand_input::{Cell, CellType, Compression, Packer, ParquetRows};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::io::{Read, Write};
use std::path::Path;

pub(crate) const LAYERS: [Compression; 4] =
    [Compression::None, Compression::Gzip, Compression::Zstd, Compression::Bzip2];

pub(crate) fn pack(bytes: &[u8], layer: Compression) -> Vec<u8> {
    let mut packer = Packer::new(Vec::new(), &[layer]).unwrap();
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

pub(crate) fn unpack(bytes: &[u8], layer: Compression) -> Vec<u8> {
    let mut plain = Vec::new();
    match layer {
        Compression::None => plain.extend_from_slice(bytes),
        Compression::Gzip => {
            flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut plain).map(drop).unwrap();
        }
        Compression::Zstd => plain = zstd::decode_all(bytes).unwrap(),
        Compression::Bzip2 => {
            bzip2::read::MultiBzDecoder::new(bytes).read_to_end(&mut plain).map(drop).unwrap();
        }
    }
    plain
}

/// A table of ids, texts and a column that is null now and then.
pub(crate) fn table(rows: &[(&str, &str)]) -> Vec<u8> {
    let columns = [("id", CellType::Text), ("text", CellType::Text), ("n", CellType::Integer)];
    let mut table = ParquetRows::new(Vec::new(), &columns).unwrap();
    for (at, (id, text)) in rows.iter().enumerate() {
        let n = (!at.is_multiple_of(2)).then_some(at as i64);
        table.push([Cell::from(*id), (*text).into(), n.into()]).unwrap();
    }
    table.finish().unwrap()
}

/// All rows of a table, as text, each with the names of its columns.
pub(crate) fn rows(bytes: Vec<u8>) -> Vec<String> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().to_string()).collect()
}

pub(crate) fn rows_of(folder: &Path, name: &str) -> Vec<String> {
    rows(std::fs::read(folder.join(name)).unwrap())
}

/// The names of the columns of a table, and their types.
pub(crate) fn columns(bytes: Vec<u8>) -> Vec<String> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter();
    columns.map(|column| format!("{} {}", column.name(), column.physical_type())).collect()
}
