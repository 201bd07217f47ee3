//! Rows are read as they were written, and broken tables do no harm.

mod damage;
mod kept;
mod values;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression as Codec;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};

use crate::{Item, ReadError, ReadOptions, open_bytes};

/// A table in memory.
fn table(batch: &RecordBatch, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let properties = Some(properties.build());
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), properties).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn properties(codec: Codec) -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(codec)
}

/// A batch of columns that may be null.
fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn strings(texts: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

/// All items of a table.
fn read(bytes: &[u8], options: &ReadOptions) -> Vec<Result<Item, ReadError>> {
    let batches = open_bytes("t.parquet", bytes, options);
    batches.flat_map(|batch| batch.documents(options).collect::<Vec<_>>()).collect()
}

fn texts(bytes: &[u8], options: &ReadOptions) -> Vec<String> {
    let text = |item: Result<Item, ReadError>| item.map(|item| item.document.text);
    read(bytes, options).into_iter().map(|item| text(item).unwrap()).collect()
}

/// The message of the only error.
fn failure(bytes: &[u8]) -> String {
    let mut items = read(bytes, &ReadOptions::default());
    assert_eq!(items.len(), 1, "{items:?}");
    items.remove(0).unwrap_err().to_string()
}
