//! Why a collection cannot be taken beyond memory.

use crate::numbers::bytes;
use std::io;
use std::path::PathBuf;

/// Why a run cannot keep within the memory that it is given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// Less memory than the program can do with.
    #[error("`memory` is {}, and at least {} is needed", bytes(*.memory), bytes(*.least))]
    TooLittle {
        /// What was asked for.
        memory: u64,
        /// What is needed.
        least: u64,
    },
    /// Something that needs all documents at once.
    #[error(
        "{what} needs all documents in memory at once: about {} for these inputs, and `memory` allows \
         {}; allow more, choose another method, or take fewer inputs at a time",
        bytes(*.needed), bytes(*.memory)
    )]
    NeedsAll {
        /// What needs it.
        what: &'static str,
        /// About the memory that is needed.
        needed: u64,
        /// The memory that there is.
        memory: u64,
    },
    /// Decisions, which are obeyed only in memory.
    #[error(
        "the decisions in {} need all documents in memory at once: about {} for these inputs, and \
         `memory` allows {}; allow more, take fewer inputs at a time, or search without that file",
        .file.display(), bytes(*.needed), bytes(*.memory)
    )]
    Decisions {
        /// The file.
        file: PathBuf,
        /// About the memory that is needed.
        needed: u64,
        /// The memory that there is.
        memory: u64,
    },
    /// More documents than can be numbered in memory.
    #[error(
        "{documents} documents need {} of memory for their numbers alone, and `memory` allows {}: allow \
         more, or take fewer inputs at a time", bytes(*.needed), bytes(*.memory)
    )]
    TooMany {
        /// The number of documents.
        documents: usize,
        /// About the memory that is needed.
        needed: u64,
        /// The memory that there is.
        memory: u64,
    },
    /// A site with more pages than fit.
    #[error(
        "the pages of the site {site} need about {} of memory to be learned from, and `memory` allows \
         {}: allow more, or compare pages as they are (`template` false)",
        bytes(*.needed), bytes(*.memory)
    )]
    LargeSite {
        /// The site.
        site: String,
        /// About the memory that is needed.
        needed: u64,
        /// The memory that there is.
        memory: u64,
    },
    /// A text so long that two of them do not fit.
    #[error(
        "the longest text needs about {} of memory to be compared, and `memory` allows {}: allow more, \
         or leave out such texts with `reading.limits.document`", bytes(*.needed), bytes(*.memory)
    )]
    LargeText {
        /// About the memory that is needed.
        needed: u64,
        /// The memory that there is.
        memory: u64,
    },
    /// Standard input that does not fit and cannot be read twice.
    #[error(
        "standard input does not fit into memory, and cannot be read a second time: give `memory`, so \
         that it is copied first, or save it to a file"
    )]
    StandardInput,
    /// A disk without enough room.
    #[error(
        "the folder for what does not fit into memory, {}, needs about {}, and {} are free: name \
         another with `scratch`, or allow more `memory`", .folder.display(), bytes(*.needed), bytes(*.free)
    )]
    NoRoom {
        /// The folder.
        folder: PathBuf,
        /// About the bytes that are needed.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
    /// A disk that became full.
    #[error(
        "the disk is full: {} are in {}; no result was written. Make room, and the same command goes on \
         from there; `no-resume` starts anew, and another folder is named with `scratch`",
        bytes(*.held), .folder.display()
    )]
    Full {
        /// The folder.
        folder: PathBuf,
        /// The bytes that are in it.
        held: u64,
    },
    /// A folder that another run uses.
    #[error("{} is in use by another run: wait for it, or name another with `scratch`", .0.display())]
    InUse(PathBuf),
    /// A folder that cannot be used.
    #[error("cannot keep what does not fit into memory in {}", .folder.display())]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}
