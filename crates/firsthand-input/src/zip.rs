//! zip archives: directory, headers and contents, in bounded memory.
//!
//! The `zip` crate keeps the whole directory in memory, drops members that share a name, and cannot
//! read an archive without its directory, so headers are parsed here.

pub(crate) mod directory;
pub(crate) mod headers;
pub(crate) mod member;
mod pages;
pub(crate) mod scan;

use crate::error::Reason;

pub(crate) use directory::Directory;
pub(crate) use pages::CachedFile;

pub(crate) fn bad(detail: String) -> Reason {
    Reason::BadRecord { format: "zip archive", detail }
}
