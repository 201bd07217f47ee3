//! Small inputs that once made a reader fail must pass the checks of their fuzz target.

// Test helpers may panic.
#![allow(clippy::unwrap_used, clippy::expect_used)]

// The checks of the fuzz targets, which are not part of this workspace.
#[path = "../../../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub)]
mod checks;

use std::fs;
use std::path::{Path, PathBuf};

/// The files in a folder and its subfolders.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Runs every file of `fuzz/KIND/TARGET/` through its target; returns the number of files.
fn run_all(kind: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind);
    let folders = listed(&root).into_iter().filter(|path| path.is_dir());
    let mut count = 0;
    for folder in folders {
        let target = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for path in listed(&folder) {
            // Shown only if the test fails.
            eprintln!("{}", path.display());
            checks::check(&target, &fs::read(&path).unwrap());
            count += 1;
        }
    }
    count
}

#[test]
fn inputs_that_once_failed() {
    run_all("regressions");
}

#[test]
fn seeds() {
    assert!(run_all("seeds") >= 30, "the seeds are not where they should be");
}
