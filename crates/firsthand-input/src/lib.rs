//! Bytes to documents: folders and JSONL, HTML to main text.
//!
//! [`read`] gives all documents one after another:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("news.jsonl");
//! # std::fs::write(&path, "{\"id\": 7, \"text\": \"Ferry late\"}\nbroken\n")?;
//! let settings = firsthand_input::Settings::default();
//! for item in firsthand_input::read(&[path], &settings)? {
//!     match item {
//!         Ok(document) => assert_eq!(document.id, "7"),
//!         Err(error) => assert_eq!(error.place.line, Some(2)),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For many threads, [`open`] gives [`Batches`]: the iterator only reads bytes, and each
//! [`Batch`] is turned into documents by whichever thread has time. A file or line that cannot be
//! read is a [`ReadError`] among the documents, never the end of them.

mod batch;
mod batches;
mod blocks;
mod decode;
mod error;
mod host;
mod html;
mod kind;
mod lines;
mod make;
mod reader;
mod record;
mod settings;
mod spool;
mod surrogates;
mod time;
mod walk;

pub use batch::{Batch, Raw};
pub use batches::{Batches, open};
pub use error::{Place, ReadError, Reason};
pub use html::{Extract, HtmlError, HtmlLimits, Page, extract};
pub use kind::{Compression, Kind, kind_of};
pub use reader::{Reader, read};
pub use settings::{Fields, Limits, Settings};
pub use spool::Spool;
pub use time::parse as parse_time;
