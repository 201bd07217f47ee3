//! Whether a page is XML, where a self-closed element is empty; in HTML it stays open.

use memchr::memmem;

/// The dialect of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `<script/>` opens a script.
    Html,
    /// It claims to be XHTML, but such pages are mostly HTML: a self-closed element is empty only if
    /// it would otherwise swallow the page.
    Xhtml,
    /// It starts as XML: every self-closed element is empty, and CDATA sections are text.
    Xml,
}

/// The number of bytes searched for the dialect.
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
