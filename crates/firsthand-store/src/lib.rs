//! Where firsthand keeps the documents of a stream: in a folder, in PostgreSQL, or in memory.
//!
//! [`open`] returns a [`ManagedStore`] for an address. The folder ([`Embedded`]) is the default; choose
//! PostgreSQL ([`Postgres`]) when several processes share a store. All of them give the same answers,
//! and a commit is durable when it returns.
//!
//! ```
//! use firsthand::{Settings, online::{Cap, Changes, Entry, Probe, Store}};
//! use firsthand_store::{OnOtherSettings, StoredSettings, open};
//!
//! let folder = tempfile::tempdir()?;
//! let address = folder.path().to_string_lossy();
//! let settings = StoredSettings::new(&Settings::default())?;
//! let mut store = open(&address, Some(&settings), OnOtherSettings::Refuse)?;
//!
//! // A round: begin, look up, commit.
//! let seq = store.begin()?.next;
//! let document = Entry { seq, bucket: 1, time: 0, keys: vec![7, 8], payload: b"kept".to_vec() };
//! store.commit(Changes { insert: vec![document], ..Changes::default() })?;
//!
//! store.begin()?;
//! let probe = Probe { keys: vec![8], from: 0, to: 0, cap: Cap::NONE };
//! let found = store.find(&[probe])?;
//! assert_eq!(found[0].lists[0].seqs, [seq]);
//! assert_eq!(store.load(&[seq])?, [Some(b"kept".to_vec())]);
//! store.abandon();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Documents are usually not stored by hand: [`firsthand::online::Online`] runs the rounds.
//!
//! # What it is not
//!
//! - A general key-value store. Keys are 64-bit hashes, and a key leads to a list of documents.
//! - A place for texts, unless it is asked: it keeps the payload that it is given, which is a few
//!   kilobytes of features. Folders and PostgreSQL may have a [`TextShelf`].
//! - Able to delete a single document. Documents are forgotten by the bucket, for example by the hour.
//! - Independent of memory. A folder needs about 40 bytes of memory for each document, 1.5 bytes for
//!   each of its keys, and room for 1.2 million recent keys.
//! - Shared between processes, if it is a folder: one process at a time can change it, and others can
//!   only read it ([`open_to_read`]). PostgreSQL is for several.
//! - Encrypted on disk. Connections to PostgreSQL are, as their `sslmode` says; see `docs/postgres.md`.
//! - Converted from one version to the next. A store has a layout version; a store of another layout is
//!   refused when it is opened, with what to do about it.
//!
//! # Threads
//!
//! [`Embedded`] starts one thread, named `firsthand-store`, which sorts keys and writes them to files in
//! the background. If the current rayon pool has only one thread when the store is opened, it starts
//! none, and commits do that work themselves. Look-ups for 64 documents or more run on at most two
//! threads, and loading 64 payloads or more on at most four; neither on more than the current rayon
//! pool has, and a busy background thread counts as one of those that do look-ups. [`Postgres`] and the
//! store in memory start no threads of their own; the server works in its own processes.

mod embedded;
mod fact;
mod layout;
mod managed_store;
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod settings;
mod text_shelf;

pub use embedded::Embedded;
#[doc(hidden)]
pub use embedded::{CrashPoint, Faults, POINTS, Tuning};
pub use fact::Fact;
pub use managed_store::{
    ManagedStore, OnOtherSettings, StopCheck, Verified, WaitNotice, open, open_to_read,
};
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
pub use settings::StoredSettings;
pub use text_shelf::{NewText, TextShelf};
