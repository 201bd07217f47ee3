//! The texts of documents, for stores that are asked to keep them: compressed, in a file for each bucket,
//! beside the logs.
//!
//! ```text
//! generation-1/texts/
//!   477000.texts   the texts of the documents of bucket 477000
//! ```
//!
//! A file is a sequence of frames: the length of the content, a checksum over its place and the content, and
//! the content, which is the number and the id of a document and its compressed text, or, without a text, a
//! note that the text of an id was erased. A text is written once its document is stored, and before the
//! document is acknowledged. A bucket that is forgotten takes its file with it. What was erased or replaced
//! is gone from the disk once the shelf is compacted.

use crate::text_shelf::{NewText, TextShelf, compress, decompress};
use firsthand::online::{Seq, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Bytes before the content of a frame: its length and its checksum.
const AROUND: usize = 12;
/// Bytes before the id in the content: the number, and the length of the id.
const BEFORE_ID: usize = 12;
/// The longest content; a longer one is damage.
const LONGEST: u32 = 256 << 20;
/// What the name of a file ends in.
const ENDING: &str = "texts";

/// The kept texts of a store in a folder.
#[derive(Debug)]
pub(super) struct TextFiles {
    folder: PathBuf,
    files: BTreeMap<i64, TextFile>,
    /// The place of the latest text of each id, by its hash.
    places: HashMap<u64, TextPlace>,
}

#[derive(Debug)]
struct TextFile {
    file: File,
    end: u64,
    is_unsynced: bool,
    /// Frames that are obsolete.
    dead: u64,
}

#[derive(Clone, Copy, Debug)]
struct TextPlace {
    bucket: i64,
    seq: Seq,
    place: u64,
    length: u32,
}

/// A frame of a file.
struct TextFrame {
    seq: Seq,
    id: Vec<u8>,
    /// Compressed; empty if the text of the id was erased.
    text: Vec<u8>,
}

impl TextFrame {
    fn parse(content: &[u8]) -> Option<Self> {
        let (seq, rest) = content.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (id, text) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some(Self { seq: u64::from_le_bytes(*seq), id: id.to_vec(), text: text.to_vec() })
    }
}

fn failed(path: &Path, doing: &str, error: &io::Error) -> StoreError {
    StoreError::Failed(format!("cannot {doing} {}: {error}", path.display()))
}

/// The file of a bucket in the folder of a shelf.
pub(super) fn file_of(folder: &Path, bucket: i64) -> PathBuf {
    folder.join(format!("{bucket}.{ENDING}"))
}

impl TextFiles {
    /// Opens the shelf in a folder, or makes it.
    pub(super) fn open(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(|e| failed(folder, "create", &e))?;
        Self::read(folder, true)
    }

    /// Opens the shelf in a folder to read it.
    pub(super) fn open_to_read(folder: &Path) -> Result<Self, StoreError> {
        Self::read(folder, false)
    }

    fn read(folder: &Path, writable: bool) -> Result<Self, StoreError> {
        let mut shelf =
            Self { folder: folder.to_owned(), files: BTreeMap::new(), places: HashMap::new() };
        let listed = fs::read_dir(folder).map_err(|e| failed(folder, "list", &e))?;
        let mut erased: HashMap<u64, Seq> = HashMap::new();
        for entry in listed {
            let path = entry.map_err(|e| failed(folder, "list", &e))?.path();
            let is_ours = path.extension().is_some_and(|ending| ending == ENDING);
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            if let Some(bucket) = stem.filter(|_| is_ours).and_then(|stem| stem.parse().ok()) {
                shelf
                    .read_file(bucket, &path, writable, &mut erased)
                    .map_err(|e| failed(&path, "read", &e))?;
            }
        }
        // A note may lie in another file than the text.
        for (id, seq) in erased {
            if shelf.places.get(&id).is_some_and(|place| place.seq <= seq) {
                shelf.forget(id);
            }
        }
        Ok(shelf)
    }

    fn read_file(
        &mut self,
        bucket: i64,
        path: &Path,
        writable: bool,
        erased: &mut HashMap<u64, Seq>,
    ) -> io::Result<()> {
        let file = File::options().read(true).write(writable).open(path)?;
        let length = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let (mut at, mut dead) = (0, 0);
        while let Some((size, content)) = next_frame(&mut reader, at, length)? {
            match content.as_deref().and_then(TextFrame::parse) {
                Some(frame) if frame.text.is_empty() => {
                    let latest = erased.entry(xxh3_64(&frame.id)).or_default();
                    *latest = frame.seq.max(*latest);
                    dead += 1;
                }
                Some(frame) => {
                    let length = size as u32 - AROUND as u32;
                    let place = TextPlace { bucket, seq: frame.seq, place: at, length };
                    dead += u64::from(self.place(xxh3_64(&frame.id), place));
                }
                None => dead += 1,
            }
            at += size;
        }
        if writable && at < length {
            // A write that a crash cut short: its documents were not acknowledged.
            file.set_len(at)?;
        }
        self.files.insert(bucket, TextFile { file, end: at, is_unsynced: false, dead });
        Ok(())
    }

    /// Notes where the text of an id is, if that is the latest; whether another one is obsolete in the same
    /// file.
    fn place(&mut self, id: u64, place: TextPlace) -> bool {
        match self.places.get(&id).copied() {
            Some(other) if other.seq > place.seq => true,
            Some(other) => {
                self.places.insert(id, place);
                if other.bucket != place.bucket
                    && let Some(file) = self.files.get_mut(&other.bucket)
                {
                    file.dead += 1;
                }
                other.bucket == place.bucket
            }
            None => {
                self.places.insert(id, place);
                false
            }
        }
    }

    fn forget(&mut self, id: u64) {
        if let Some(place) = self.places.remove(&id)
            && let Some(file) = self.files.get_mut(&place.bucket)
        {
            file.dead += 1;
        }
    }

    /// Makes everything durable.
    fn sync(&mut self) -> Result<(), StoreError> {
        for (bucket, file) in &mut self.files {
            if file.is_unsynced {
                let path = file_of(&self.folder, *bucket);
                file.file.sync_data().map_err(|e| failed(&path, "sync", &e))?;
                file.is_unsynced = false;
            }
        }
        Ok(())
    }

    fn append(
        &mut self,
        bucket: i64,
        seq: Seq,
        id: &str,
        text: &[u8],
    ) -> Result<TextPlace, StoreError> {
        let path = file_of(&self.folder, bucket);
        if !self.files.contains_key(&bucket) {
            let mut options = File::options();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path);
            let file = file.map_err(|e| failed(&path, "create", &e))?;
            File::open(&self.folder)
                .and_then(|folder| folder.sync_all())
                .map_err(|e| failed(&self.folder, "sync", &e))?;
            self.files.insert(bucket, TextFile { file, end: 0, is_unsynced: false, dead: 0 });
        }
        let Some(file) = self.files.get_mut(&bucket) else {
            return Err(StoreError::Failed(format!("{} is not open", path.display())));
        };
        let frame = frame(file.end, seq, id, text);
        let place =
            TextPlace { bucket, seq, place: file.end, length: (frame.len() - AROUND) as u32 };
        let written =
            file.file.seek(SeekFrom::Start(file.end)).and_then(|_| file.file.write_all(&frame));
        written.map_err(|e| failed(&path, "write to", &e))?;
        file.end += frame.len() as u64;
        file.is_unsynced = true;
        Ok(place)
    }

    /// Forgets the buckets that are not among these.
    pub(super) fn keep_buckets(&mut self, live: &[i64]) {
        let gone: Vec<i64> =
            self.files.keys().copied().filter(|bucket| !live.contains(bucket)).collect();
        if gone.is_empty() {
            return;
        }
        for bucket in &gone {
            self.files.remove(bucket);
            let _ = fs::remove_file(file_of(&self.folder, *bucket));
        }
        self.places.retain(|_, place| !gone.contains(&place.bucket));
    }

    /// Writes files anew without what was erased or replaced.
    pub(super) fn compact(&mut self) -> Result<(), StoreError> {
        let buckets: Vec<i64> = self
            .files
            .iter()
            .filter(|(_, file)| file.dead > 0)
            .map(|(bucket, _)| *bucket)
            .collect();
        for bucket in buckets {
            let path = file_of(&self.folder, bucket);
            self.rewrite(bucket, &path).map_err(|e| failed(&path, "rewrite", &e))?;
        }
        Ok(())
    }

    fn rewrite(&mut self, bucket: i64, path: &Path) -> io::Result<()> {
        let Some(old) = self.files.get(&bucket) else { return Ok(()) };
        let temporary = path.with_extension("tmp");
        let mut new =
            File::options().read(true).write(true).create(true).truncate(true).open(&temporary)?;
        let mut reader = BufReader::with_capacity(1 << 20, &old.file);
        reader.seek(SeekFrom::Start(0))?;
        let (mut at, mut end, mut moved) = (0, 0, Vec::new());
        while let Some((size, content)) = next_frame(&mut reader, at, old.end)? {
            if let Some(content) = content
                && let Some(kept) = TextFrame::parse(&content)
                && let hash = xxh3_64(&kept.id)
                && self
                    .places
                    .get(&hash)
                    .is_some_and(|place| (place.bucket, place.place) == (bucket, at))
            {
                let id = String::from_utf8_lossy(&kept.id);
                let bytes = frame(end, kept.seq, &id, &kept.text);
                new.write_all(&bytes)?;
                moved.push((hash, end));
                end += bytes.len() as u64;
            }
            at += size;
        }
        new.sync_all()?;
        fs::rename(&temporary, path)?;
        File::open(&self.folder)?.sync_all()?;
        for (hash, place) in moved {
            if let Some(known) = self.places.get_mut(&hash) {
                known.place = place;
            }
        }
        self.files.insert(bucket, TextFile { file: new, end, is_unsynced: false, dead: 0 });
        Ok(())
    }
}

impl TextShelf for TextFiles {
    fn put(&mut self, texts: &[NewText<'_>]) -> Result<(), StoreError> {
        for NewText { bucket, seq, id, text } in texts {
            let place = self.append(*bucket, *seq, id, &compress(text)?)?;
            let is_dead = self.place(xxh3_64(id.as_bytes()), place);
            if let Some(file) = self.files.get_mut(bucket) {
                file.dead += u64::from(is_dead);
            }
        }
        self.sync()
    }

    fn lacking<'a>(&mut self, ids: &[&'a str]) -> Result<Vec<&'a str>, StoreError> {
        let lacks = |id: &&&str| !self.places.contains_key(&xxh3_64(id.as_bytes()));
        Ok(ids.iter().filter(lacks).copied().collect())
    }

    fn get(&mut self, id: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(place) = self.places.get(&xxh3_64(id.as_bytes())).copied() else {
            return Ok(None);
        };
        let path = file_of(&self.folder, place.bucket);
        let Some(file) = self.files.get_mut(&place.bucket) else { return Ok(None) };
        let mut bytes = vec![0; AROUND + place.length as usize];
        let read = file.file.seek(SeekFrom::Start(place.place));
        read.and_then(|_| file.file.read_exact(&mut bytes))
            .map_err(|e| failed(&path, "read", &e))?;
        let damaged = || {
            StoreError::Damaged(format!(
                "{}: the text at byte {} cannot be read as it was written",
                path.display(),
                place.place
            ))
        };
        let frame = checked(place.place, &bytes).and_then(TextFrame::parse).ok_or_else(damaged)?;
        if frame.id != id.as_bytes() {
            return Ok(None);
        }
        decompress(&frame.text).map(Some).ok_or_else(damaged)
    }

    fn erase(&mut self, ids: &[&str]) -> Result<(), StoreError> {
        for id in ids {
            let hash = xxh3_64(id.as_bytes());
            let Some(place) = self.places.get(&hash).copied() else { continue };
            self.append(place.bucket, place.seq, id, &[])?;
            self.forget(hash);
        }
        self.sync()
    }
}

/// The bytes of a frame at this place.
fn frame(place: u64, seq: Seq, id: &str, text: &[u8]) -> Vec<u8> {
    let mut content = Vec::with_capacity(BEFORE_ID + id.len() + text.len());
    content.extend_from_slice(&seq.to_le_bytes());
    content.extend_from_slice(&(id.len() as u32).to_le_bytes());
    content.extend_from_slice(id.as_bytes());
    content.extend_from_slice(text);
    let mut bytes = Vec::with_capacity(AROUND + content.len());
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&xxh3_64_with_seed(&content, place).to_le_bytes());
    bytes.extend_from_slice(&content);
    bytes
}

/// The content of a frame, if it is as it was written at this place.
fn checked(place: u64, frame: &[u8]) -> Option<&[u8]> {
    let (_, rest) = frame.split_first_chunk::<4>()?;
    let (sum, content) = rest.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == xxh3_64_with_seed(content, place)).then_some(content)
}

/// The size of the next frame, and its content unless it is damaged; none where none follows that could be
/// whole.
fn next_frame(
    reader: &mut impl Read,
    at: u64,
    end: u64,
) -> io::Result<Option<(u64, Option<Vec<u8>>)>> {
    if end.saturating_sub(at) < (AROUND + BEFORE_ID) as u64 {
        return Ok(None);
    }
    let mut head = [0; AROUND];
    reader.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
    let size = AROUND as u64 + u64::from(length);
    if length > LONGEST || size > end - at {
        return Ok(None);
    }
    let mut bytes = head.to_vec();
    bytes.resize(size as usize, 0);
    reader.read_exact(&mut bytes[AROUND..])?;
    let content = checked(at, &bytes).map(<[u8]>::to_vec);
    // The last one may be what a crash cut short.
    if content.is_none() && at + size == end {
        return Ok(None);
    }
    Ok(Some((size, content)))
}

#[cfg(test)]
mod tests;
