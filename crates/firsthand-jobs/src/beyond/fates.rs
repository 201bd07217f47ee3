//! What becomes of each document of a cluster, found by its position.

use super::record_sorter::SortedRecords;
use super::row::{NONE, array};
use super::scratch::{Scratch, read_at};
use firsthand::collections::Member;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

const FATES: &str = "fates";
const RECORD: usize = 25;
/// Records that are read at once.
const TOGETHER: u64 = 1024;

/// A document of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fate {
    pub(crate) document: u32,
    /// Counted from 0.
    pub(crate) cluster: u32,
    pub(crate) original: u32,
    pub(crate) member: Member,
}

impl Fate {
    pub(crate) fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        let via = self.member.via.map_or(NONE, |via| via as u32);
        let numbers = [self.document, self.cluster, self.original, via];
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes[16..24].copy_from_slice(&self.member.score.to_be_bytes());
        bytes[24] = u8::from(self.member.exact);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let number = |at: usize| u32::from_be_bytes(array(&bytes[4 * at..4 * at + 4]));
        let member = Member {
            document: number(0) as usize,
            score: f64::from_be_bytes(array(&bytes[16..24])),
            exact: bytes[24] != 0,
            via: Some(number(3)).filter(|via| *via != NONE).map(|via| via as usize),
            decided: false,
        };
        Self { document: number(0), cluster: number(1), original: number(2), member }
    }
}

/// The documents of all clusters, by position.
#[derive(Debug)]
pub(crate) struct FateFile {
    file: File,
    /// The first document of each block of records.
    firsts: Vec<u32>,
    len: u64,
    /// The records that were read last.
    read: Mutex<(usize, Vec<Fate>)>,
}

impl FateFile {
    pub(crate) fn new(scratch: &Arc<Scratch>, mut sorted: SortedRecords) -> io::Result<Self> {
        let mut out = scratch.create(FATES)?;
        let (mut record, mut len, mut firsts) = (Vec::new(), 0, Vec::new());
        while sorted.next(&mut record)? {
            if len % TOGETHER == 0 {
                firsts.push(u32::from_be_bytes(array(&record[..4])));
            }
            out.write_all(&record)?;
            len += 1;
        }
        out.finish()?;
        let file = File::open(scratch.file(FATES))?;
        Ok(Self { file, firsts, len, read: Mutex::new((usize::MAX, Vec::new())) })
    }

    /// What becomes of a document; none if it is in no cluster.
    pub(crate) fn get(&self, at: usize) -> io::Result<Option<Fate>> {
        let Some(group) = self.firsts.partition_point(|first| *first as usize <= at).checked_sub(1)
        else {
            return Ok(None);
        };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.0 != group {
            let start = group as u64 * TOGETHER;
            let count = (self.len - start).min(TOGETHER) as usize;
            let mut bytes = vec![0; count * RECORD];
            read_at(&self.file, &mut bytes, start * RECORD as u64)?;
            *read = (group, bytes.chunks_exact(RECORD).map(Fate::from_bytes).collect());
        }
        let found = read.1.binary_search_by_key(&(at as u32), |fate| fate.document);
        Ok(found.ok().map(|place| read.1[place]))
    }
}
