//! Flips bits in a store: it must refuse to open, or answer as before.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use firsthand::online::{Answer, Arrival, Online, StoreError, StreamDetector};

use super::writer::opened;
use super::{config, documents::document};
use crate::rng::Rng;

/// Documents in the store, about a day's worth.
const DOCUMENTS: u64 = 1500;

/// Flips one bit at a time in a store folder, and checks each time.
pub(crate) fn flip(folder: &Path, flips: u64, out: &mut impl Write) -> Result<()> {
    let (whole, copy) = (folder.join("whole"), folder.join("copy"));
    let detector = StreamDetector::new(config()?)?;
    let arrivals: Vec<Arrival> =
        (0..DOCUMENTS + 200).map(|index| detector.sign(&document(7, index), i64::MAX)).collect();
    let (kept, new) = arrivals.split_at(DOCUMENTS as usize);
    let mut online =
        Online::new(detector.clone(), opened(&whole.to_string_lossy(), detector.settings())?);
    for round in kept.chunks(16) {
        online.add(round)?;
    }
    drop(online);
    let answers = |path: &Path| -> Result<Vec<Answer>, StoreError> {
        let store = opened(&path.to_string_lossy(), detector.settings()).map_err(|error| {
            error.downcast().unwrap_or_else(|other| StoreError::Failed(other.to_string()))
        })?;
        Online::new(detector.clone(), store).check(&[&kept[kept.len() - 200..], new].concat())
    };
    let expected = answers(&whole)?;
    let mut rng = Rng::new(7, &[0xf11b]);
    let (mut refused, mut unharmed, mut wrong) = (0, 0, 0);
    for _ in 0..flips {
        let _ = fs::remove_dir_all(&copy);
        let files = copy_all(&whole, &copy)?;
        // First a file, then a bit of it, so that small files are covered; half of the time a file
        // that cannot be rebuilt from others.
        let is_run = |file: &&PathBuf| file.extension().is_some_and(|kind| kind == "run");
        let (runs, others): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(is_run);
        let of_log = runs.is_empty() || rng.chance(0.5);
        let file = rng.pick(if of_log { &others } else { &runs });
        let mut bytes = fs::read(file)?;
        let bit = rng.below(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(file, bytes)?;
        match answers(&copy) {
            Ok(found) if found == expected => unharmed += 1,
            Ok(_) => {
                eprintln!("a wrong answer with bit {bit} of {} flipped", file.display());
                wrong += 1;
            }
            Err(StoreError::Damaged(_) | StoreError::Unfit(_)) => refused += 1,
            Err(error) => return Err(error).context("neither an answer nor a refusal"),
        }
    }
    writeln!(
        out,
        "bits flipped {flips}: refused {refused}, unharmed {unharmed}, silently wrong {wrong}"
    )?;
    ensure!(wrong == 0, "flipped bits gave wrong answers");
    Ok(())
}

/// Copies a folder; returns the files that are not empty.
fn copy_all(from: &Path, to: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(to)?;
    let mut files = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(from)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            files.extend(copy_all(&entry.path(), &target)?);
        } else if fs::copy(entry.path(), &target)? > 0 {
            files.push(target);
        }
    }
    Ok(files)
}
