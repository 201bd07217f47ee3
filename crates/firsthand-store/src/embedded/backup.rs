//! Copying a store to another folder, where it can be opened.

use super::{
    Embedded, description,
    disk::{Disk, Faults},
    errors::failed,
    files,
    journal::Journal,
};
use firsthand::online::StoreError;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

impl Embedded {
    /// Copies the store as it is now. The description comes last: without it a partial copy cannot be
    /// opened.
    pub(super) fn copy_to(&mut self, to: &Path) -> Result<(), StoreError> {
        self.wait_for_worker()?;
        refuse_unless_empty(to)?;
        let disk = Disk::new(Faults::default());
        let folder = description::generation(to, self.description.generation);
        fs::create_dir_all(&folder).map_err(|e| failed(&folder, "create", &e))?;
        let logs = self.buckets.values().map(|bucket| &bucket.log);
        for log in logs.chain([&self.main]) {
            copy(log.handle.path(), &folder, log.end)?;
        }
        for run in self.buckets.values().flat_map(|bucket| &bucket.runs) {
            copy(run.handle.path(), &folder, run.length())?;
        }
        Journal::begin(&disk, &folder, self.state, self.ends())?;
        disk.sync_folder(&folder)?;
        disk.sync_folder(to)?;
        self.description.write(&disk, to)
    }
}

fn refuse_unless_empty(to: &Path) -> Result<(), StoreError> {
    if to.exists() && !files::list(to)?.is_empty() {
        return Err(StoreError::Unfit(format!(
            "{} is not empty; give a folder that is empty or new for the copy",
            to.display()
        )));
    }
    Ok(())
}

fn copy(from: &Path, folder: &Path, length: u64) -> Result<(), StoreError> {
    let Some(name) = from.file_name() else { return Ok(()) };
    let to = folder.join(name);
    let copy = || {
        let mut target = File::create_new(&to)?;
        let copied = io::copy(&mut File::open(from)?.take(length), &mut target)?;
        target.sync_all()?;
        Ok(copied)
    };
    match copy() {
        Ok(copied) if copied == length => Ok(()),
        Ok(copied) => Err(StoreError::Damaged(format!(
            "{} has {copied} bytes and should have {length}; the copy is incomplete",
            from.display()
        ))),
        Err(e) => Err(failed(&to, "copy to", &e)),
    }
}
