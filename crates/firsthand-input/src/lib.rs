//! Turns bytes into documents: folders, archives, crawls, mailboxes, tables, feeds and HTML pages.
//!
//! [`read`] yields all documents in order:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("news.jsonl");
//! # std::fs::write(&path, "{\"id\": 7, \"text\": \"Ferry late\"}\nbroken\n")?;
//! let options = firsthand_input::ReadOptions::default();
//! for item in firsthand_input::read(&[path], &options)? {
//!     match item {
//!         Ok(document) => assert_eq!(document.id, "7"),
//!         Err(error) => assert_eq!(error.place.line_number(), Some(2)),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To use several threads, [`open`] the inputs as [`Batches`]: the iterator only reads bytes, and
//! any thread can turn a [`Batch`] into documents. A file or record that cannot be read yields a
//! [`ReadError`]; the documents after it still follow.

mod batch;
mod batches;
mod blocks;
mod buffer_pool;
mod build_document;
pub mod calendar;
mod caught;
mod cell;
mod charset;
mod chunk_buffer;
mod compression;
mod csv;
mod deadline;
mod depth;
mod detect;
mod error;
mod exceeded;
mod extension;
mod feed;
mod feeder;
mod final_end;
mod found_fields;
mod host;
mod html;
mod item;
mod json;
mod json_words;
mod line;
mod line_at;
mod line_stream;
mod lines;
mod listed;
mod mail;
mod memory;
mod noted_part;
mod options;
mod packing;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "parquet_left_out.rs"]
mod parquet;
mod part;
mod place;
mod read_buffer;
mod reader;
mod record;
mod record_file;
mod remarks;
mod row;
mod second_reading;
mod sniff;
mod spool;
mod stream;
mod surrogates;
mod tar;
mod time;
mod unicode;
mod walk;
mod warc;
mod word_table;
mod zip;

pub use batch::{Batch, Raw};
pub use batches::{Batches, open, open_bytes, open_memory};
pub use caught::{is_panic_expected, is_panic_reported};
pub use cell::{Cell, CellType};
pub use compression::Compression;
pub use csv::TableHeader;
pub use deadline::Deadline;
pub use error::{NotedReason, ReadError, Reason, known_label};
pub use exceeded::Exceeded;
pub use extension::kind_of;
pub use firsthand::settings::{Extract, Fields, Kind, Limit, Limits};
pub use found_fields::FoundFields;
pub use html::{Block, HtmlError, Page, SiteClues, blocks, extract};
pub use item::Item;
pub use json_words::json_words;
pub use line::{Line, LineError};
pub use line_at::read_line_at;
pub use line_stream::LineStream;
pub use listed::{is_listed, list, open_listed};
pub use memory::{MemoryCell, MemoryPieces, MemoryRows, check_columns};
pub use options::ReadOptions;
pub use packing::Packer;
pub use parquet::{Group, ParquetKept, ParquetRows, ParquetTable};
pub use place::{At, Place, Unit};
pub use reader::{Reader, read, read_bytes};
pub use record_file::{RecordFile, has_columns};
pub use remarks::{Note, Remarks};
pub use row::Row;
pub use second_reading::Reread;
pub use spool::Spool;
pub use time::parse as parse_time;
pub use walk::{holds_results, name_of as path_name};
