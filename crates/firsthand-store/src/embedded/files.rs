//! The names of the files of a generation.

use super::errors::failed;
use firsthand::online::StoreError;
use std::{fs, path::Path};

/// What a file holds, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileKind {
    Main {
        log: u64,
    },
    Log {
        log: u64,
    },
    /// The keys of a part of a log.
    Run {
        log: u64,
        from: u64,
        to: u64,
    },
    /// A file that was not finished.
    Temporary,
    Other,
}

pub(super) fn main(log: u64) -> String {
    format!("{log:08}.main")
}

pub(super) fn log(log: u64) -> String {
    format!("{log:08}.log")
}

pub(super) fn run(log: u64, from: u64, to: u64) -> String {
    format!("{log:08}-{from}-{to}.run")
}

/// Every file of a folder, by name.
pub(super) fn list(folder: &Path) -> Result<Vec<(String, FileKind)>, StoreError> {
    let read = || {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            if let Ok(name) = entry?.file_name().into_string() {
                let kind = kind(&name);
                files.push((name, kind));
            }
        }
        files.sort();
        Ok(files)
    };
    read().map_err(|e| failed(folder, "list", &e))
}

fn kind(name: &str) -> FileKind {
    let Some((stem, extension)) = name.rsplit_once('.') else { return FileKind::Other };
    let number = |text: &str| text.parse::<u64>().ok();
    let known = match extension {
        "main" => number(stem).map(|log| FileKind::Main { log }),
        "log" => number(stem).map(|log| FileKind::Log { log }),
        "run" => {
            let mut numbers = stem.split('-').map(number);
            match (numbers.next(), numbers.next(), numbers.next(), numbers.next()) {
                (Some(Some(log)), Some(Some(from)), Some(Some(to)), None) => {
                    Some(FileKind::Run { log, from, to })
                }
                _ => None,
            }
        }
        "tmp" => Some(FileKind::Temporary),
        _ => None,
    };
    known.unwrap_or(FileKind::Other)
}

/// Deletes a file that is no longer needed. If that fails it does no harm: the file is deleted when the
/// store is opened again.
pub(super) fn delete(path: &Path) {
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        assert_eq!(kind(&main(3)), FileKind::Main { log: 3 });
        assert_eq!(kind(&log(123_456_789)), FileKind::Log { log: 123_456_789 });
        assert_eq!(kind(&run(1, 2, 3)), FileKind::Run { log: 1, from: 2, to: 3 });
        assert_eq!(kind("00000001.log.tmp"), FileKind::Temporary);
        for name in ["journal", "x.log", "1-2.run", "1-2-3-4.run", ".main"] {
            assert_eq!(kind(name), FileKind::Other, "{name}");
        }
    }
}
