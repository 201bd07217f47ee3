//! Temporary files that do not outlive a run, even one that is interrupted.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The temporary files of a run, shared by all clones. A front end that can be interrupted keeps a
/// clone and removes what is left.
#[derive(Clone, Debug, Default)]
pub struct TempFiles(Arc<Mutex<Vec<(PathBuf, IsTree)>>>);

/// Whether it is a folder with everything in it.
type IsTree = bool;

/// A temporary file that is removed if the run is interrupted while this lives.
#[derive(Debug)]
pub struct TempFileGuard {
    files: TempFiles,
    path: PathBuf,
}

impl TempFiles {
    /// Notes a file or an empty folder that is there or may be there later.
    pub fn note(&self, path: &Path) -> TempFileGuard {
        self.add(&mut self.lock(), path, false)
    }

    /// Notes a folder that may be there later and goes with everything in it: nobody else may use it.
    pub fn note_tree(&self, path: &Path) -> TempFileGuard {
        self.add(&mut self.lock(), path, true)
    }

    /// Makes a file and notes it. An interruption cannot come between the two.
    ///
    /// # Errors
    ///
    /// If the file cannot be made.
    pub fn make<T>(
        &self,
        make: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, TempFileGuard)> {
        let mut pending = self.lock();
        let made = make()?;
        let guard = self.add(&mut pending, path(&made), false);
        Ok((made, guard))
    }

    /// Removes everything that is left, and calls `then` before a new file can be made.
    pub fn remove_all(&self, then: impl FnOnce()) {
        let pending = self.lock();
        // A folder was noted before the files in it.
        for (path, is_tree) in pending.iter().rev() {
            let _ = match is_tree {
                // Somebody may still write to it: what is new goes as well.
                true => (0..50)
                    .try_for_each(|_| match std::fs::remove_dir_all(path) {
                        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
                        Ok(()) => Err(None),
                        Err(error) => Err(Some(error)),
                    })
                    .err()
                    .flatten()
                    .map_or(Ok(()), Err),
                false => std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path)),
            };
        }
        then();
    }

    fn add(
        &self,
        pending: &mut Vec<(PathBuf, IsTree)>,
        path: &Path,
        is_tree: IsTree,
    ) -> TempFileGuard {
        pending.push((path.to_path_buf(), is_tree));
        TempFileGuard { files: self.clone(), path: path.to_path_buf() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(PathBuf, IsTree)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TempFileGuard {
    fn drop(&mut self) {
        self.files.lock().retain(|(path, _)| *path != self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (kept, left) = (folder.path().join("kept"), folder.path().join("left"));
        let files = TempFiles::default();
        let write = |path: &Path| std::fs::write(path, "text").map(|()| path.to_path_buf());
        drop(files.make(|| write(&kept), |path| path).unwrap());
        let _guard = files.make(|| write(&left), |path| path).unwrap();
        files.remove_all(|| ());
        assert!(kept.exists() && !left.exists());
    }

    #[test]
    fn a_tree_goes_with_all_that_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, deep) = (folder.path().join("kept"), folder.path().join("kept/a/b"));
        let files = TempFiles::default();
        let _guard = files.note_tree(&tree);
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("c.jsonl"), "text").unwrap();
        files.remove_all(|| ());
        assert!(!tree.exists() && folder.path().exists());
    }
}
