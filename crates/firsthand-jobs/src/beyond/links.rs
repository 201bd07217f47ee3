//! Which documents belong together: pairs as they are found, and the components that they connect.

use super::bits::Bits;
use super::record_sorter::{RecordSorter, SortedRecords};
use super::row::array;
use super::scratch::{Scratch, ScratchWriter, read_or_end};
use super::texts::Texts;
use std::io;
use std::sync::Arc;

const PAIRS: &str = "pairs";
const RECORD: usize = 16;

/// The score of a pair that stands for equal features.
const IDENTICAL: f64 = f64::INFINITY;

/// Pairs of texts by the positions of their first documents, and what they connect.
pub(crate) struct Links {
    scratch: Arc<Scratch>,
    out: ScratchWriter,
    /// The first document of the component of each document, or one that leads to it.
    parent: Vec<u32>,
    /// Documents that are in a pair.
    touched: Bits,
}

impl Links {
    pub(crate) fn new(scratch: &Arc<Scratch>, documents: usize) -> io::Result<Self> {
        Ok(Self {
            scratch: Arc::clone(scratch),
            out: scratch.create(PAIRS)?,
            parent: (0..documents as u32).collect(),
            touched: Bits::new(documents),
        })
    }

    /// Two texts that reach the threshold.
    pub(crate) fn near(&mut self, a: u32, b: u32, score: f64) -> io::Result<()> {
        self.connect(a, b);
        let mut record = [0; RECORD];
        record[..4].copy_from_slice(&a.to_le_bytes());
        record[4..8].copy_from_slice(&b.to_le_bytes());
        record[8..].copy_from_slice(&score.to_le_bytes());
        self.out.write_all(&record)
    }

    /// Two texts with equal features.
    pub(crate) fn identical(&mut self, a: u32, b: u32) -> io::Result<()> {
        self.near(a, b, IDENTICAL)
    }

    fn connect(&mut self, a: u32, b: u32) {
        self.touched.set(a as usize);
        self.touched.set(b as usize);
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn root(&mut self, at: u32) -> u32 {
        let mut at = at;
        while self.parent[at as usize] != at {
            let next = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = next;
            at = next;
        }
        at
    }

    /// The components with more than one document, with exact copies.
    pub(crate) fn components(mut self, texts: &Texts, memory: usize) -> io::Result<Components> {
        let mut copies = texts.copies()?;
        while let Some((copy, first)) = copies.next()? {
            self.connect(copy, first);
        }
        self.out.flush()?;
        let mut sorter = RecordSorter::new(&self.scratch, "components", memory);
        let mut copies = texts.copies()?;
        let mut copy = copies.next()?;
        let touched = std::mem::take(&mut self.touched);
        for at in touched.ones() {
            let at = at as u32;
            let text = match copy {
                Some((of, first)) if of == at => {
                    copy = copies.next()?;
                    first
                }
                _ => at,
            };
            let root = self.root(at);
            sorter.push(&be(&[root, 0, at, text]))?;
        }
        let mut pairs = self.scratch.read(PAIRS, 1 << 16)?;
        let mut record = [0; RECORD];
        while read_or_end(&mut pairs, &mut record)? {
            let a = u32::from_le_bytes(array(&record[..4]));
            let b = u32::from_le_bytes(array(&record[4..8]));
            let mut sorted = be(&[self.root(a), 1, a, b]);
            sorted.extend_from_slice(&record[8..]);
            sorter.push(&sorted)?;
        }
        self.scratch.remove(PAIRS);
        Ok(Components { sorted: sorter.finish()?, record: Vec::new(), has_record: None })
    }
}

fn be(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Components one after another.
pub(crate) struct Components {
    sorted: SortedRecords,
    record: Vec<u8>,
    /// Whether there is a record, once that is known.
    has_record: Option<bool>,
}

/// Documents that pairs connect.
#[derive(Debug, Default)]
pub(crate) struct Linked {
    /// Each with the first document that has its text, ascending.
    pub(crate) documents: Vec<(u32, u32)>,
    pub(crate) identical: Vec<(u32, u32)>,
    pub(crate) pairs: Vec<(u32, u32, f64)>,
}

impl Components {
    pub(crate) fn next(&mut self) -> io::Result<Option<Linked>> {
        let is_there = match self.has_record {
            Some(is_there) => is_there,
            None => self.sorted.next(&mut self.record)?,
        };
        if !is_there {
            return Ok(None);
        }
        let mut linked = Linked::default();
        let root = self.record[..4].to_vec();
        loop {
            let number = |at: usize| u32::from_be_bytes(array(&self.record[4 * at..4 * at + 4]));
            match (number(1), self.record.get(16..24)) {
                (0, _) => linked.documents.push((number(2), number(3))),
                (_, score) => {
                    let score = f64::from_le_bytes(array(score.unwrap_or_default()));
                    match score == IDENTICAL {
                        true => linked.identical.push((number(2), number(3))),
                        false => linked.pairs.push((number(2), number(3), score)),
                    }
                }
            }
            let is_there = self.sorted.next(&mut self.record)?;
            self.has_record = Some(is_there);
            if !is_there || self.record[..4] != root {
                return Ok(Some(linked));
            }
        }
    }
}
