//! The skeleton of all pages: self-contained, and with a content policy that forbids everything else.

use crate::markup::{escape, fill};
use crate::plot;

/// A whole page around a body.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    /// What a picture on the page needs beside the common style sheet.
    pub(crate) style: &'a str,
    /// Whether tables can be sorted, which takes the only script that may run.
    pub(crate) sortable: bool,
    /// Markup.
    pub(crate) body: &'a str,
}

const SCRIPT: &str = include_str!("html/page.js");

/// The SHA-256 of the script: `openssl dgst -sha256 -binary page.js | base64`. The browser test fails if
/// script and hash do not agree.
const SCRIPT_HASH: &str = "DY4KrMkItxwVaajGOSGTuhhddShi//2kcX1pTvRqg04=";

impl Page<'_> {
    pub(crate) fn html(&self) -> String {
        let style = [plot::STYLE, include_str!("html/page.css"), self.style].concat();
        let (scripts, body) = match self.sortable {
            true => (
                format!(" script-src 'sha256-{SCRIPT_HASH}';"),
                format!("{}<script>{SCRIPT}</script>\n", self.body),
            ),
            false => (String::new(), self.body.to_owned()),
        };
        let values =
            [("scripts", scripts), ("title", escape(self.title)), ("style", style), ("body", body)];
        fill(include_str!("html/page.html"), &values)
    }
}
