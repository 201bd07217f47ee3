//! Pages with their main text as people marked it, from JSONL.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

/// A page and what should come out of it.
pub struct Page {
    /// What the identifier has before its first slash, if it has one.
    pub group: Option<String>,
    pub html: String,
    pub gold: String,
}

/// The pages of a file that have both `html` and `gold`; `.zst` is decompressed.
pub fn read(path: &str) -> io::Result<Vec<Page>> {
    let file = File::open(path)?;
    let bytes: Box<dyn Read> = match path.ends_with(".zst") {
        true => Box::new(zstd::Decoder::new(file)?),
        false => Box::new(file),
    };
    let mut pages = Vec::new();
    for line in BufReader::new(bytes).lines() {
        let value: Value = serde_json::from_str(&line?)?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let (Some(html), Some(gold)) = (text("html"), text("gold")) else { continue };
        let group = value["id"].as_str().and_then(|id| id.split_once('/'));
        pages.push(Page { group: group.map(|(group, _)| group.to_owned()), html, gold });
    }
    Ok(pages)
}
