//! Temporary files of commands that do not take a session yet.

use firsthand_jobs::TempFiles;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

pub(crate) static FILES: LazyLock<TempFiles> = LazyLock::new(TempFiles::default);

#[derive(Debug)]
pub(crate) struct TempFileGuard(#[expect(dead_code)] firsthand_jobs::TempFileGuard);

impl TempFileGuard {
    pub(crate) fn new(path: &Path) -> Self {
        Self(FILES.note(path))
    }

    pub(crate) fn make<T>(
        make: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        FILES.make(make, path).map(|(made, guard)| (made, Self(guard)))
    }
}
