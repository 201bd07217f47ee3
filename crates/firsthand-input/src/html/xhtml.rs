//! Whether a page is XML: there a self-closed element is empty, in HTML it is open.

use memchr::memmem;

/// How strictly a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `<script/>` opens a script.
    Html,
    /// It calls itself XHTML, but most such pages are read as HTML: only where a self-closed
    /// element would swallow the page is it taken as empty.
    Xhtml,
    /// It begins as XML does: every self-closed element is empty, and CDATA sections are text.
    Xml,
}

/// A page says what it is near its start.
const LOOKED_AT: usize = 2048;

/// The dialect of a page.
pub(super) fn dialect(page: &str) -> Dialect {
    let start = page.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).as_bytes();
    let start = &start[..start.len().min(LOOKED_AT)];
    let has = |name: &str| memmem::find(start, name.as_bytes()).is_some();
    if start.starts_with(b"<?xml") {
        Dialect::Xml
    } else if has("//DTD XHTML") || has("://www.w3.org/1999/xhtml") {
        Dialect::Xhtml
    } else {
        Dialect::Html
    }
}
