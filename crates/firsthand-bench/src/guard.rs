//! The same-site guard: stories that a site publishes twice must be found, however much its pages have
//! in common.
//!
//! Whoever sets page furniture aside can set too much aside: two pages of one site with the same story
//! are alike in every line, as pages with the same menu are. So copies of real pages are made up, each
//! on the site of its original, and the share of them that is found is measured. There are four kinds,
//! and a collection for each, so that a site has at most a few copies at a time:
//!
//! - `edits`: one word in fifty of the story, and at least three, is replaced, dropped or followed by
//!   another.
//! - `headline`: the same, and title and heading are those of a page of another site.
//! - `links`: the same, and 64 to 120 words of links are added that no other page of the site has, after
//!   the story or at the end of the page; the story has 120 words or more, so that they do not outweigh it.
//! - `lines`: whole lines of the story are dropped and others replaced, each up to an eighth of its words,
//!   and one changes places with the next.
//!
//! The modules: `page` finds the story in the markup of a page, `site` knows what the pages of a site
//! share, `originals` picks the pages to copy, `copy` makes the copies.

mod copy;
mod originals;
mod page;
mod site;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use firsthand::collections::{Collection, Signed};
use firsthand::{Detector, Document, Settings};
use firsthand_input::ReadOptions;
use serde::{Deserialize, Serialize};

use site::Sites;

/// What to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct GuardTask {
    pub(crate) input: PathBuf,
    pub(crate) kinds: Vec<CopyKind>,
    /// Copies of each kind.
    pub(crate) copies: usize,
    pub(crate) seed: u64,
    pub(crate) settings: Settings,
    /// A folder for the collections with the copies, to try other programs on.
    pub(crate) output: Option<PathBuf>,
}

/// A kind of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CopyKind {
    Edits,
    Headline,
    Links,
    Lines,
}

impl CopyKind {
    pub(crate) const ALL: [(&'static str, Self); 4] = [
        ("edits", Self::Edits),
        ("headline", Self::Headline),
        ("links", Self::Links),
        ("lines", Self::Lines),
    ];
}

impl std::str::FromStr for CopyKind {
    type Err = std::io::Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        known.ok_or_else(|| std::io::Error::other(format!("there is no kind {name:?}")))
    }
}

/// A page of the input.
#[derive(Deserialize)]
pub(crate) struct InputPage {
    id: String,
    url: String,
    html: String,
    /// Its main text, where that is known.
    gold: Option<String>,
}

/// A page of a collection with copies.
#[derive(Serialize)]
struct OutputPage<'a> {
    id: &'a str,
    url: &'a str,
    html: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<&'a str>,
}

/// A made-up copy of a page.
pub(crate) struct PageCopy {
    id: String,
    url: String,
    html: String,
    /// The page it is a copy of, by position.
    original: usize,
}

/// The figures of one kind of copies.
#[derive(Debug, Serialize)]
pub(crate) struct GuardFigures {
    kind: CopyKind,
    copies: usize,
    /// The sites that have a copy.
    sites: usize,
    /// Copies that are paired with their originals.
    found: usize,
    share: f64,
    /// The others: short stories are easily outweighed, long ones are not.
    missed: Vec<MissedCopy>,
}

/// A copy that is not found.
#[derive(Debug, Serialize)]
struct MissedCopy {
    copy: String,
    original: String,
    /// Words of the story.
    words: usize,
}

/// Measures every kind and writes a line of figures for each.
pub(crate) fn run(task: &GuardTask, out: &mut impl Write) -> Result<()> {
    let pages = read(crate::open(&task.input)?)
        .with_context(|| format!("cannot read the pages of {}", task.input.display()))?;
    let sites = Sites::new(&pages);
    for &kind in &task.kinds {
        let copies = originals::pick(&sites, kind, task.copies, task.seed);
        let copies = copy::make(&sites, kind, &copies, task.seed);
        ensure!(!copies.is_empty(), "no page of {} can be copied", task.input.display());
        let mut lines = Vec::new();
        write(&pages, &copies, &mut lines)?;
        if let Some(folder) = &task.output {
            std::fs::create_dir_all(folder)
                .and_then(|()| {
                    let name = CopyKind::ALL.iter().find(|(_, known)| *known == kind);
                    let name = name.map_or("copies", |(name, _)| *name);
                    let mut file =
                        BufWriter::new(File::create(folder.join(format!("{name}.jsonl")))?);
                    file.write_all(&lines)?;
                    file.flush()
                })
                .with_context(|| format!("cannot write to {}", folder.display()))?;
        }
        let figures = measure(&task.settings, kind, &sites, &copies, &lines)?;
        serde_json::to_writer(&mut *out, &figures)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}

fn read(input: impl BufRead) -> Result<Vec<InputPage>> {
    let mut pages = Vec::new();
    for (number, line) in input.lines().enumerate() {
        let line = line?;
        if !line.trim().is_empty() {
            let page = serde_json::from_str(&line);
            pages.push(page.with_context(|| format!("line {} is no page", number + 1))?);
        }
    }
    ensure!(!pages.is_empty(), "there are no pages");
    Ok(pages)
}

/// Writes all pages, then the copies.
fn write(pages: &[InputPage], copies: &[PageCopy], out: &mut Vec<u8>) -> Result<()> {
    let pages_out = pages.iter().map(|page| OutputPage {
        id: &page.id,
        url: &page.url,
        html: &page.html,
        original: None,
    });
    let copies_out = copies.iter().map(|copy| OutputPage {
        id: &copy.id,
        url: &copy.url,
        html: &copy.html,
        original: Some(&pages[copy.original].id),
    });
    for line in pages_out.chain(copies_out) {
        serde_json::to_writer(&mut *out, &line)?;
        out.push(b'\n');
    }
    Ok(())
}

/// Searches a collection for its copies.
fn measure(
    settings: &Settings,
    kind: CopyKind,
    sites: &Sites<'_>,
    copies: &[PageCopy],
    lines: &[u8],
) -> Result<GuardFigures> {
    let pages = sites.pages;
    let detector = Detector::new(settings.clone())?;
    let options = ReadOptions::new(settings.reading.clone());
    let documents: Vec<Document> = firsthand_input::read_bytes("copies.jsonl", lines, &options)
        .collect::<Result<_, _>>()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    if documents.len() != pages.len() + copies.len() {
        bail!("of {} pages {} were read", pages.len() + copies.len(), documents.len());
    }
    let signed = Signed::new(&detector, documents.chunks(16), |batch| batch.iter().cloned());
    let collection = Collection::new(signed);
    let (pairs, _) = collection.matches()?;
    let is_found =
        |&(at, copy): &(usize, &PageCopy)| pairs.get(copy.original, pages.len() + at).is_some();
    let (found, missed): (Vec<_>, Vec<_>) = copies.iter().enumerate().partition(is_found);
    let hosts: HashSet<&str> = copies.iter().map(|copy| site::host(&copy.url)).collect();
    Ok(GuardFigures {
        kind,
        copies: copies.len(),
        sites: hosts.len(),
        found: found.len(),
        share: found.len() as f64 / copies.len() as f64,
        missed: missed
            .into_iter()
            .map(|(_, copy)| MissedCopy {
                copy: copy.id.clone(),
                original: pages[copy.original].id.clone(),
                words: sites.line_words(copy.original).iter().sum(),
            })
            .collect(),
    })
}
