//! A folder read in two steps: list its files, then read the files the caller chooses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::batches::Batches;
use crate::error::ReadError;
use crate::options::ReadOptions;
use crate::walk::{Walk, above, holds_results, is_maildir, is_part_of_maildir};

/// Lists the files below a folder without opening them, and what is skipped or cannot be listed.
pub fn list(folder: &Path, options: &ReadOptions) -> (Vec<PathBuf>, Vec<ReadError>) {
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    Walk::new(options).visit(folder, |_, found| match found {
        Ok((path, _)) => files.push(path),
        Err(error) => unread.push(error),
    });
    (files, unread)
}

/// Whether [`list`] would include this file, found without listing any folder.
pub fn is_listed(folder: &Path, file: &Path, options: &ReadOptions) -> bool {
    let Ok(inside) = file.strip_prefix(folder) else { return false };
    let mut here = folder.to_path_buf();
    for part in inside.components() {
        let (before, next) = (here.clone(), here.join(part));
        let part = part.as_os_str().as_encoded_bytes();
        let is_hidden = part.starts_with(b".");
        if (is_hidden || part == b"tmp") && is_maildir(&before) {
            if part == b"tmp" || !is_maildir(&next) {
                return false;
            }
        } else if is_hidden {
            return false;
        }
        match next.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() && !options.reading.follow => return false,
            Ok(metadata) if metadata.is_dir() => {
                let real = options.except.as_ref().and_then(|_| next.canonicalize().ok());
                if real.is_some() && real == options.except || holds_results(&next) {
                    return false;
                }
            }
            Ok(_) => {}
            Err(_) => return false,
        }
        here = next;
    }
    here.is_file()
}

/// Reads the given files as they would be read as part of the folder. A file that no longer exists
/// yields an error among the documents.
pub fn open_listed(folder: &Path, files: &[PathBuf], options: &ReadOptions) -> Batches {
    let walk = Walk::new(options);
    let entry = |path: &PathBuf| {
        let is_message = path.parent().is_some_and(is_part_of_maildir);
        walk.inside(path.clone(), above(folder), is_message)
    };
    let entries = files.iter().map(entry).collect();
    Batches::new(entries, Arc::new(options.clone()), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_files_are_read_like_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("sub")).unwrap();
        std::fs::write(root.join("sub/a.txt"), "A ferry.").unwrap();
        std::fs::write(root.join("b.jsonl"), "{\"text\":\"one\"}\n{\"text\":\"two\"}\n").unwrap();
        std::fs::write(root.join(".hidden.txt"), "no").unwrap();
        std::fs::write(root.join("c.png"), "no text").unwrap();
        let options = ReadOptions::default();
        let (mut files, unread) = list(root, &options);
        assert_eq!((files.len(), unread.len()), (3, 1), "{files:?} {unread:?}");
        let items = |batches: Batches| -> Vec<_> {
            batches.flat_map(|batch| batch.into_documents(&options).collect::<Vec<_>>()).collect()
        };
        let whole = items(crate::open(&[root.to_path_buf()], &options).unwrap());
        let listed = items(open_listed(root, &files, &options));
        // Reading the folder also reports what is hidden.
        let read: Vec<_> = whole.iter().filter(|item| listed.contains(item)).collect();
        assert_eq!((read.len(), listed.len(), whole.len()), (4, 4, 5));
        files.push(root.join("gone.txt"));
        let last = items(open_listed(root, &files, &options)).pop().unwrap();
        assert!(last.unwrap_err().to_string().contains("there is no such file"));
    }

    #[test]
    #[cfg(unix)]
    fn what_is_heard_of_is_what_would_be_listed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let files = ["a.txt", "s/b.txt", ".h/c.txt", "s/.d", "box/tmp/e", "box/new/f", "own/g.txt"];
        for name in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "A ferry.").unwrap();
        }
        std::fs::create_dir(root.join("box/cur")).unwrap();
        std::os::unix::fs::symlink("s", root.join("link")).unwrap();
        let except = root.join("own").canonicalize().ok();
        let options = ReadOptions { except, ..ReadOptions::default() };
        let (listed, _) = list(root, &options);
        for name in files.into_iter().chain(["link/b.txt", "s", "gone.txt"]) {
            let path = root.join(name);
            assert_eq!(is_listed(root, &path, &options), listed.contains(&path), "{name}");
        }
        assert_eq!(listed.len(), 3);
        assert!(!is_listed(root, Path::new("/etc/passwd"), &options));
    }
}
