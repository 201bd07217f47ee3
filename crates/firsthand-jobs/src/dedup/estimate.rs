//! How much memory a collection will take, before and while it is read.

use crate::reading::Reading;
use firsthand::Settings;
use firsthand::pieces::BatchCoder;
use firsthand::settings::{Kind, Scheme};
use firsthand_input::Compression;

/// Packed text usually has three times its size; the room on the disk is asked for as if it had twice, since
/// a run that would have gone well must not be refused.
pub(super) const PACKED: [u64; 2] = [3, 2];

/// The memory that a feature takes of a text that may have a partner: in its set, in what is copied of it for the
/// search, and in the index.
const FEATURE_BYTES: u64 = 24;

/// The memory that a collection takes for each byte of its text while it is read, in tenths.
pub(super) fn tenths_a_byte(settings: &Settings, is_compact: bool) -> u64 {
    if is_compact {
        return 6;
    }
    let features = match settings.scheme {
        // A feature for each character.
        Scheme::Chars { .. } => 220,
        Scheme::Spot(_) => 20,
        _ => 35,
    };
    // Pages have features of what is beside the text as well, and the lines that each touches.
    if settings.template { 2 * features } else { features }
}

/// The most features of texts that may have a partner which fit into what the texts leave of the memory.
pub(super) fn most_features(memory: u64, text: u64, is_compact: bool) -> usize {
    match is_compact {
        true => (memory.saturating_sub(text.saturating_mul(6) / 10) / FEATURE_BYTES) as usize,
        false => usize::MAX,
    }
}

/// About the bytes of text in some inputs, where their size is known; packed files are taken
/// to hold `packed_to` times their size.
pub(super) fn text_bytes(reading: &Reading, packed_to: u64) -> Option<u64> {
    let total = reading.batches.readable_bytes()?;
    let all: u64 = reading.batches.listed().count() as u64;
    let packed = |kind: Kind, compression: Compression| {
        compression != Compression::None || kind == Kind::Parquet || kind == Kind::Zip
    };
    let packed_files =
        reading.batches.listed().filter(|(_, kind, by)| packed(*kind, *by)).count() as u64;
    Some(total + (packed_to - 1) * total * packed_files / all.max(1))
}

/// The room that a collection takes on disk, by an estimate: its words or its features, the features of texts
/// that may have a partner once more, and what is noted of each document, with what it is called, where it is and
/// the hash of its text. By words, records of 3.1 kB took 0.6 times the size of the input, records of 150 bytes 1.6
/// times; by features, records of 820 bytes 1.3 times, records of 150 bytes 1.9 times.
pub(super) fn scratch_bytes(settings: &Settings, text: u64) -> u64 {
    match settings.scheme {
        Scheme::Chars { .. } => 12 * text,
        _ if settings.template => 5 * text,
        _ if BatchCoder::new(settings).is_some() => text + text / 2,
        _ => 2 * text,
    }
}
