//! Pages, site by site: what a site teaches is learned from all of its pages, which are grouped on disk,
//! and every page is settled by it.

use super::log::LoggedBatch;
use super::record_sorter::{RecordSorter, SortedRecords};
use super::row::array;
use super::scratch::{Scratch, ScratchReader, read_at, read_or_end};
use super::set_record::{SetRecord, damaged, feature_bytes};
use super::set_source::{SettledSets, SettledWriter};
use super::steps::Step;
use super::table::{DocumentTable, SettledRow};
use super::texts::TextSorter;
use firsthand::pieces::Piece;
use firsthand::{Settings, Templates};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

const PAGES: &str = "pages";
const TEMPLATES: &str = "templates";
const SETTLED_ROWS: &str = "settled-rows";
/// What a page takes in memory for each byte of its record.
const FACTOR: usize = 3;

/// What was learned and settled.
#[derive(Debug, Default)]
pub(crate) struct SiteCounts {
    pub(crate) sites: usize,
    pub(crate) passages: usize,
    pub(crate) furniture: u64,
    pub(crate) rescued: u64,
}

/// Why sites cannot be learned.
pub(crate) enum SitesError {
    Io(io::Error),
    /// A site whose pages need more memory than there is: its name, and the bytes that it needs.
    TooLarge(String, u64),
}

impl From<io::Error> for SitesError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Pages of a site and what they have in common with others.
pub(crate) struct Sites<'a> {
    pub(crate) scratch: &'a Arc<Scratch>,
    pub(crate) settings: &'a Settings,
    pub(crate) table: &'a DocumentTable,
    pub(crate) memory: usize,
}

impl Sites<'_> {
    /// Settles all pages: their sets, the rows of all documents, and counts. The texts of pages are
    /// added to `texts`. None if there are no pages.
    pub(crate) fn settle(
        &self,
        texts: &mut TextSorter,
        step: &Step<'_>,
    ) -> Result<Option<(SettledSets, File, SiteCounts)>, SitesError> {
        let total = self.table.batches().len().max(1) as f64;
        let mut pages = RecordSorter::new(self.scratch, "pages-by-site", self.memory / 3);
        let mut published = RecordSorter::new(self.scratch, "published", self.memory / 6);
        let mut rows = RecordSorter::new(self.scratch, "settled-by-position", self.memory / 6);
        let mut has_pages = false;
        for (number, (first, batch)) in self.table.batches().enumerate() {
            step.share(number as f64 / total / 4.0)?;
            self.deal((first, batch), &mut pages, &mut published, &mut rows, &mut has_pages)?;
        }
        if !has_pages {
            return Ok(None);
        }
        let mut out = self.scratch.create(PAGES)?;
        let (mut sorted, mut record) = (pages.finish()?, Vec::new());
        let mut count = 0u64;
        while sorted.next(&mut record)? {
            out.write_all(&(record.len() as u32).to_le_bytes())?;
            out.write_all(&record)?;
            count += 1;
        }
        out.finish()?;
        drop(sorted);
        let elsewhere = self.elsewhere(published.finish()?)?;
        let (templates, mut counts) = self.learn((step, count))?;
        let mut settled = SettledWriter::new(self.scratch)?;
        let mut bench = Settling {
            templates,
            elsewhere,
            next: None,
            known: HashMap::new(),
            held: 0,
            memory: self.memory / 3,
        };
        let mut from = self.scratch.read(PAGES, 1 << 16)?;
        let (mut at_page, mut features) = (0, Vec::new());
        while let Some((site, at, bytes)) = next_page(&mut from, &mut record)? {
            at_page += 1;
            if at_page % 256 == 0 {
                step.share(0.6 + 0.4 * at_page as f64 / count as f64)?;
            }
            let piece = Piece::from_bytes(bytes).ok_or_else(damaged)?;
            let own = piece.site().unwrap_or_default().to_owned();
            let sites = bench.sites_of(site, at)?;
            let text = bench.with_templates(&own, &sites, |templates| {
                piece.settle(self.settings, Some((templates, &sites)))
            })?;
            counts.furniture += text.furniture;
            counts.rescued += u64::from(text.rescued);
            let row = SettledRow {
                fingerprint: text.fingerprint,
                length: text.length,
                size: text.features.len() as u32,
                nothing_but_form: text.nothing_but_form,
            };
            rows.push(&[&at.to_be_bytes()[..], &row.to_bytes()].concat())?;
            if let Some(fingerprint) = text.fingerprint {
                texts.add(at, fingerprint, &text.head)?;
            }
            feature_bytes(&text.features, &mut features);
            let record =
                SetRecord { position: at, head: &text.head, content: &features, is_page: false };
            settled.add(&record)?;
        }
        drop(from);
        self.scratch.remove(PAGES);
        self.scratch.remove(TEMPLATES);
        let mut out = self.scratch.create(SETTLED_ROWS)?;
        let mut sorted = rows.finish()?;
        while sorted.next(&mut record)? {
            out.write_all(&record[4..])?;
        }
        out.finish()?;
        let path = self.scratch.file(SETTLED_ROWS);
        let rows = File::options().read(true).write(true).open(path)?;
        Ok(Some((settled.finish(self.scratch)?, rows, counts)))
    }

    /// Sorts the documents of a batch by what they are needed for.
    fn deal(
        &self,
        (first, batch): (u32, &LoggedBatch),
        pages: &mut RecordSorter,
        published: &mut RecordSorter,
        rows: &mut RecordSorter,
        has_pages: &mut bool,
    ) -> io::Result<()> {
        let all = self.table.rows(first, batch)?;
        self.table.each_set((first, batch), |at, record| {
            let row = all[(at - first) as usize];
            if !record.is_page {
                let settled = SettledRow {
                    fingerprint: row.fingerprint,
                    length: row.length,
                    size: row.size,
                    nothing_but_form: false,
                };
                rows.push(&[&at.to_be_bytes()[..], &settled.to_bytes()].concat())?;
            }
            let mut site = [0; 16];
            let mut name = String::new();
            if record.is_page {
                *has_pages = true;
                let piece = Piece::from_bytes(record.content).ok_or_else(damaged)?;
                name = piece.site().unwrap_or_default().to_owned();
                site = xxh3_128(name.as_bytes()).to_be_bytes();
                pages.push(&[&site[..], &at.to_be_bytes(), record.content].concat())?;
            }
            if let Some(fingerprint) = row.fingerprint {
                // What has no site comes first among the places of a text.
                let text = fingerprint.to_be_bytes();
                let is_page = [u8::from(record.is_page)];
                let at = at.to_be_bytes();
                published.push(&[&text[..], &is_page, &site, &at, name.as_bytes()].concat())?;
            }
            Ok(())
        })
    }

    /// The pages whose text was published on several sites, by site and position, with these sites.
    fn elsewhere(&self, mut sorted: SortedRecords) -> io::Result<SortedRecords> {
        let mut several = RecordSorter::new(self.scratch, "elsewhere", self.memory / 6);
        let (mut record, mut text) = (Vec::new(), Vec::new());
        let mut sites: Vec<Option<String>> = Vec::new();
        let mut pages: Vec<[u8; 20]> = Vec::new();
        loop {
            let is_there = sorted.next(&mut record)?;
            if !is_there || record[..16] != text {
                if sites.len() > 1 {
                    let names = serde_json::to_vec(&sites)?;
                    for page in &pages {
                        several.push(&[&page[..], &names].concat())?;
                    }
                }
                if !is_there {
                    return several.finish();
                }
                sites.clear();
                pages.clear();
                text = record[..16].to_vec();
            }
            let is_page = record[16] != 0;
            let name = String::from_utf8_lossy(&record[37..]).into_owned();
            let site = is_page.then_some(name);
            if sites.last() != Some(&site) {
                sites.push(site);
            }
            if is_page {
                pages.push(array(&record[17..37]));
            }
        }
    }

    /// Learns every site, one after another.
    fn learn(
        &self,
        (step, count): (&Step<'_>, u64),
    ) -> Result<(TemplateFile, SiteCounts), SitesError> {
        let mut out = self.scratch.create(TEMPLATES)?;
        let (mut index, mut end, mut counts) = (HashMap::new(), 0u64, SiteCounts::default());
        let mut from = self.scratch.read(PAGES, 1 << 16)?;
        let (mut record, mut pages) = (Vec::new(), Vec::<Piece>::new());
        let (mut current, mut bytes, mut done) = ([0; 16], 0, 0u64);
        loop {
            let page = next_page(&mut from, &mut record)?;
            if page.is_none_or(|(site, ..)| site != current) {
                if !pages.is_empty() {
                    let templates = Piece::learn(&pages);
                    let (sites, passages) = templates.size();
                    counts.sites += sites;
                    counts.passages += passages;
                    let encoded = templates.to_bytes();
                    out.write_all(&encoded)?;
                    index.insert(current, (end, encoded.len()));
                    end += encoded.len() as u64;
                    pages.clear();
                }
                bytes = 0;
            }
            let Some((site, _, content)) = page else { break };
            current = site;
            bytes += content.len();
            let piece = Piece::from_bytes(content).ok_or_else(damaged)?;
            done += 1;
            if done % 256 == 0 {
                step.share(0.25 + 0.35 * done as f64 / count as f64)?;
            }
            if FACTOR * bytes > self.memory {
                let name = piece.site().unwrap_or_default().to_owned();
                let needed = self.site_bytes(site)? * FACTOR as u64;
                return Err(SitesError::TooLarge(name, needed));
            }
            pages.push(piece);
        }
        out.finish()?;
        let file = File::open(self.scratch.file(TEMPLATES))?;
        Ok((TemplateFile { file, index }, counts))
    }

    /// The bytes of all pages of a site.
    fn site_bytes(&self, wanted: [u8; 16]) -> io::Result<u64> {
        let mut from = self.scratch.read(PAGES, 1 << 16)?;
        let (mut record, mut bytes) = (Vec::new(), 0);
        while let Some((site, _, content)) = next_page(&mut from, &mut record)? {
            bytes += if site == wanted { content.len() as u64 } else { 0 };
        }
        Ok(bytes)
    }
}

type PageRecord<'a> = ([u8; 16], u32, &'a [u8]);

/// The next page by site: the hash of the site, its position, and the page.
fn next_page<'a>(
    from: &mut ScratchReader,
    record: &'a mut Vec<u8>,
) -> io::Result<Option<PageRecord<'a>>> {
    let mut len = [0; 4];
    if !read_or_end(from, &mut len)? {
        return Ok(None);
    }
    record.resize(u32::from_le_bytes(len) as usize, 0);
    from.read_exact(record)?;
    Ok(Some((array(&record[..16]), u32::from_be_bytes(array(&record[16..20])), &record[20..])))
}

/// The templates of all sites, outside of memory.
struct TemplateFile {
    file: File,
    index: HashMap<[u8; 16], (u64, usize)>,
}

/// What pages are settled by, one after another in the order of their sites.
struct Settling {
    templates: TemplateFile,
    elsewhere: SortedRecords,
    /// The next page whose text is on several sites, if that is known.
    next: Option<Option<([u8; 16], u32, Vec<Option<String>>)>>,
    /// Templates by site, and about their bytes.
    known: HashMap<String, Templates>,
    held: usize,
    memory: usize,
}

impl Settling {
    /// The sites that the text of a page was published on, if there are several.
    fn sites_of(&mut self, site: [u8; 16], at: u32) -> io::Result<Vec<Option<String>>> {
        if self.next.is_none() {
            let mut record = Vec::new();
            self.next = Some(match self.elsewhere.next(&mut record)? {
                false => None,
                true => {
                    let sites = serde_json::from_slice(&record[20..]).map_err(|_| damaged())?;
                    Some((array(&record[..16]), u32::from_be_bytes(array(&record[16..20])), sites))
                }
            });
        }
        let is_next = matches!(&self.next, Some(Some((of, page, _))) if (*of, *page) == (site, at));
        match is_next {
            true => Ok(self.next.take().flatten().map(|(.., sites)| sites).unwrap_or_default()),
            false => Ok(Vec::new()),
        }
    }

    /// Has the templates of a site, and of others, in memory.
    fn with_templates<T>(
        &mut self,
        own: &str,
        sites: &[Option<String>],
        then: impl FnOnce(&Templates) -> T,
    ) -> io::Result<T> {
        if sites.is_empty() {
            self.load(own)?;
            return Ok(then(&self.known[own]));
        }
        let mut all = Templates::default();
        for site in sites.iter().flatten().map(String::as_str) {
            self.load(site)?;
            all.merge(self.known[site].clone());
        }
        Ok(then(&all))
    }

    fn load(&mut self, site: &str) -> io::Result<()> {
        if self.known.contains_key(site) {
            return Ok(());
        }
        let place = self.templates.index.get(&xxh3_128(site.as_bytes()).to_be_bytes());
        let (at, len) = place.copied().unwrap_or((0, 0));
        let mut bytes = vec![0; len];
        read_at(&self.templates.file, &mut bytes, at)?;
        if self.held + 4 * len > self.memory {
            self.known.clear();
            self.held = 0;
        }
        let templates = match len {
            0 => Templates::default(),
            _ => Templates::from_bytes(&bytes).map_err(|_| damaged())?,
        };
        self.held += 4 * len + 256;
        self.known.insert(site.to_owned(), templates);
        Ok(())
    }
}
