//! Checks that must hold for any bytes.
//!
//! A fuzz target passes its bytes and name to [`check`]. The test of inputs that once failed
//! (`crates/firsthand-input/tests/regressions.rs`) does the same without a fuzzer.

mod decision_files;
mod line_stream;
mod models;
mod pages;
mod reading;

use firsthand::settings::Reading;
use firsthand_input::{Limits, ReadOptions};

/// Runs the checks of a target; panics if one fails.
pub fn check(target: &str, bytes: &[u8]) {
    match target {
        "html" => {
            pages::check(&String::from_utf8_lossy(bytes), &limits(bytes));
            // Character sets are tested by the target `text`.
            if bytes.len() % 8 < 2 {
                reading::check("page.html", bytes, &options(bytes));
            }
        }
        "time" => time(bytes),
        "warc" => reading::check("crawl.warc", bytes, &options(bytes)),
        "arc" => {
            reading::check("crawl.arc", bytes, &options(bytes));
            reading::check("crawl.arc.gz", &reading::gzip_by_record(bytes), &options(bytes));
        }
        "warc_gz" => {
            reading::check("crawl.warc.gz", &reading::gzip_by_record(bytes), &options(bytes));
        }
        "mail" => reading::check("letter.eml", bytes, &options(bytes)),
        "mbox" => reading::check("box.mbox", bytes, &options(bytes)),
        "jsonl" => reading::check("lines.jsonl", bytes, &options(bytes)),
        "decisions" => decision_files::check(bytes),
        "model" => models::check(bytes),
        "stream_line" => line_stream::check(bytes, &options(bytes)),
        "json" => reading::check("array.json", bytes, &options(bytes)),
        "csv" => {
            let name = if bytes.contains(&b'\t') { "table.tsv" } else { "table.csv" };
            reading::check(name, bytes, &options(bytes));
        }
        "parquet" => reading::check("table.parquet", bytes, &options(bytes)),
        "feed" => reading::check("news.rss", bytes, &options(bytes)),
        "zip" => reading::check("archive.zip", bytes, &options(bytes)),
        "tar" => reading::check("archive.tar", bytes, &options(bytes)),
        "text" => reading::check("note.txt", bytes, &options(bytes)),
        // The name shows no kind, so the content has to.
        "any" => reading::check("something", bytes, &options(bytes)),
        other => panic!("there is no target {other:?}"),
    }
}

/// Small limits test the limits themselves; default limits reach everything else. The length of the
/// input decides, so that an input always takes the same path.
fn limits(bytes: &[u8]) -> Limits {
    let small = Limits {
        file: 64 << 10,
        document: 8 << 10,
        line: 4 << 10,
        json_depth: 8,
        html_depth: 8,
        html_attributes: 4,
        html_blocks: 32,
        mime_parts: 8,
        mime_depth: 3,
        members: 20,
        layers: 2,
        ..Limits::default()
    };
    let wide = Limits { file: 1 << 20, members: 1_000, ..Limits::default() };
    let chosen = if bytes.len().is_multiple_of(2) { wide } else { small };
    // Timing must not affect the result.
    Limits { decompressed: 2 << 20, seconds: 3_600, ..chosen }
}

fn options(bytes: &[u8]) -> ReadOptions {
    // Records whose plain text is mail take a path of their own.
    let mail = bytes.len() % 4 >= 2;
    ReadOptions {
        reading: Reading { limits: limits(bytes), mail, ..Reading::default() },
        ..ReadOptions::default()
    }
}

/// A parsed time can be formatted as a date again.
fn time(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(time) = firsthand_input::parse_time(&text) {
        let padded = format!(" {}\n", text.trim());
        assert_eq!(firsthand_input::parse_time(&padded), Some(time), "white space changes it");
    }
}

/// Ignores panics of the Parquet library, which are common on damaged tables and caught by the
/// reader. Any other panic stops the fuzzer.
pub fn spare_the_library() {
    let end = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !firsthand_input::is_panic_expected() {
            end(panic);
        }
    }));
}
