//! Makes the seeds that no editor can write: tables in columns, archives, compressed streams.
//!
//! Run in this folder as `cargo run --example seeds`; the outputs are small and kept.

use std::error::Error;
use std::fs;
use std::io::{Cursor, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use zip::write::SimpleFileOptions;

type Made = Result<Vec<u8>, Box<dyn Error>>;

const LINES: &[u8] = b"{\"id\":1,\"text\":\"The night ferry is late.\"}\n{\"text\":\"Again.\"}\n";
const PAGE: &[u8] = b"<html><title>Ferry</title><p>The night ferry ran aground.</p></html>";
const CRAWL: &[u8] = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n\
    WARC-Target-URI: http://a.example/\r\nContent-Length: 5\r\n\r\nHello\r\n\r\n";

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = [
        ("parquet/plain.parquet", table(Compression::UNCOMPRESSED, 3)?),
        ("parquet/snappy.parquet", table(Compression::SNAPPY, 2)?),
        ("parquet/zstd.parquet", table(Compression::ZSTD(Default::default()), 2)?),
        ("zip/members.zip", zipped(&members()?)?),
        ("zip/nested.zip", zipped(&[("inner.zip", zipped(&[("a.txt", PAGE.to_vec())])?)])?),
        ("tar/members.tar", tarred(&members()?)?),
        ("tar/long.tar", tarred(&[(&"long/".repeat(40), PAGE.to_vec())])?),
        ("warc_gz/whole.warc.gz", gzipped(CRAWL)?),
        ("warc_gz/members.warc.gz", [gzipped(CRAWL)?, gzipped(CRAWL)?].concat()),
        ("any/lines.gz", gzipped(LINES)?),
        ("any/lines.zst", zstd::encode_all(LINES, 3)?),
        ("any/twice.gz", gzipped(&gzipped(PAGE)?)?),
        ("any/tar.gz", gzipped(&tarred(&members()?)?)?),
        ("any/table", table(Compression::UNCOMPRESSED, 1)?),
        ("any/zip", zipped(&members()?)?),
    ];
    for (name, bytes) in seeds {
        fs::write(format!("seeds/{name}"), bytes)?;
    }
    Ok(())
}

fn members() -> Result<Vec<(&'static str, Vec<u8>)>, Box<dyn Error>> {
    Ok(vec![
        ("pages/a.html", PAGE.to_vec()),
        ("lines.jsonl.gz", gzipped(LINES)?),
        ("../outside.txt", b"no".to_vec()),
        ("nameless", LINES.to_vec()),
        ("crawl.warc", CRAWL.to_vec()),
    ])
}

/// A table of few rows, in groups of `rows`.
fn table(compression: Compression, rows: usize) -> Made {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]));
    let texts = vec![Some("The night ferry is late."), Some("Again."), None];
    let texts: ArrayRef = Arc::new(StringArray::from(texts));
    let batch =
        RecordBatch::try_from_iter_with_nullable([("id", ids, true), ("text", texts, true)])?;
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(rows))
        .build();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(file)
}

fn zipped(members: &[(&str, Vec<u8>)]) -> Made {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, SimpleFileOptions::default())?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

fn tarred(members: &[(&str, Vec<u8>)]) -> Made {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if name.starts_with("..") {
            // The library refuses such names; others do not.
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, bytes.as_slice())?;
        } else {
            archive.append_data(&mut header, name, bytes.as_slice())?;
        }
    }
    Ok(archive.into_inner()?)
}

fn gzipped(bytes: &[u8]) -> Made {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
