//! Exact copies: documents with the same text, found by sorting its hash.

use super::bits::Bits;
use super::record_sorter::RecordSorter;
use super::row::number;
use super::scratch::{Scratch, ScratchReader, read_or_end};
use firsthand::pieces::PieceText;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

const COPIES: &str = "copies";

/// Which documents have the text of an earlier one.
pub(crate) struct Texts {
    /// By position.
    pub(crate) is_copy: Bits,
    /// The number of different texts.
    pub(crate) count: u64,
    /// The number of pairs of documents with the same text, across the split if there is one.
    pub(crate) equal_pairs: u64,
    /// What is known of the sites of texts that are on several pages.
    pub(crate) heads: HashMap<u32, Vec<u8>>,
    /// Whether texts with equal features are kept apart.
    pub(crate) apart: bool,
    scratch: Arc<Scratch>,
}

/// Takes the texts of all documents, in any order.
pub(crate) struct TextSorter {
    scratch: Arc<Scratch>,
    sorter: RecordSorter,
    memory: usize,
    record: Vec<u8>,
}

impl TextSorter {
    pub(crate) fn new(scratch: &Arc<Scratch>, memory: usize) -> Self {
        let sorter = RecordSorter::new(scratch, "texts", memory);
        Self { scratch: Arc::clone(scratch), sorter, memory, record: Vec::new() }
    }

    /// Adds the text of a document, with its head.
    pub(crate) fn add(&mut self, at: u32, fingerprint: u128, head: &[u8]) -> io::Result<()> {
        self.record.clear();
        self.record.extend_from_slice(&fingerprint.to_be_bytes());
        self.record.extend_from_slice(&at.to_be_bytes());
        self.record.extend_from_slice(head);
        self.sorter.push(&self.record)
    }

    pub(crate) fn finish(self, documents: usize, split: Option<u32>) -> io::Result<Texts> {
        let Self { scratch, sorter, memory, .. } = self;
        let mut sorted = sorter.finish()?;
        let mut copies = RecordSorter::new(&scratch, COPIES, memory / 4);
        let mut texts = Texts {
            is_copy: Bits::new(documents),
            count: 0,
            equal_pairs: 0,
            heads: HashMap::new(),
            apart: false,
            scratch: Arc::clone(&scratch),
        };
        let mut group = TextGroup::default();
        let mut record = Vec::new();
        while sorted.next(&mut record)? {
            let at = u32::from_be_bytes(super::row::array(&record[16..20]));
            if group.text != record[..16] {
                texts.end(&mut group, split.is_some());
                group.text.clear();
                group.text.extend_from_slice(&record[..16]);
                group.first = at;
            } else {
                texts.is_copy.set(at as usize);
                copies.push(&[at.to_be_bytes(), group.first.to_be_bytes()].concat())?;
            }
            group.counts[usize::from(split.is_none_or(|split| at >= split))] += 1;
            if record.len() > 20 || !group.heads.is_empty() {
                group.heads.resize(group.counts.iter().sum::<u64>() as usize - 1, Vec::new());
                group.heads.push(record[20..].to_vec());
            }
        }
        texts.end(&mut group, split.is_some());
        let mut out = scratch.create(COPIES)?;
        copies.finish()?.write(&mut out)?;
        out.finish()?;
        Ok(texts)
    }
}

/// The documents with one text.
#[derive(Default)]
struct TextGroup {
    text: Vec<u8>,
    first: u32,
    /// Old and new documents.
    counts: [u64; 2],
    heads: Vec<Vec<u8>>,
}

impl Texts {
    fn end(&mut self, group: &mut TextGroup, is_against: bool) {
        let [old, new] = std::mem::take(&mut group.counts);
        if old + new == 0 {
            return;
        }
        self.count += 1;
        self.equal_pairs += if is_against { old * new } else { new * (new - 1) / 2 };
        let heads = std::mem::take(&mut group.heads);
        if !heads.is_empty() {
            let (head, may_object) = PieceText::shared_head(&heads);
            self.apart |= may_object;
            if old + new > 1 {
                self.heads.insert(group.first, head);
            }
        }
    }

    /// The copies in ascending order, each with the first document that has its text.
    pub(crate) fn copies(&self) -> io::Result<Copies> {
        self.scratch.read(COPIES, 1 << 16).map(Copies)
    }
}

/// Copies in ascending order.
pub(crate) struct Copies(ScratchReader);

impl Copies {
    /// The next copy and the first document with its text.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u32, u32)>> {
        let mut bytes = [0; 8];
        let is_there = read_or_end(&mut self.0, &mut bytes)?;
        let be = |bytes: &[u8]| number(bytes).swap_bytes();
        Ok(is_there.then(|| (be(&bytes[..4]), be(&bytes[4..]))))
    }
}
