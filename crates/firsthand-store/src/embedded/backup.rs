//! Copying a store to another folder, where it can be opened.

use super::{
    Embedded, description,
    disk::{Disk, Faults, Handle},
    errors::failed,
    files,
    journal::Journal,
};
use firsthand::online::StoreError;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// Bytes that are copied at once.
const STEP: u64 = 1 << 20;

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
            copy(&log.handle, &folder, log.end)?;
        }
        for run in self.buckets.values().flat_map(|bucket| &bucket.runs) {
            copy(&run.handle, &folder, run.length())?;
        }
        self.copy_texts(&folder.join("texts"))?;
        Journal::begin(&disk, &folder, self.state, self.ends())?;
        disk.sync_folder(&folder)?;
        disk.sync_folder(to)?;
        self.description.write(&disk, to)
    }
}

impl Embedded {
    /// Copies the files of texts, as far as they are written.
    fn copy_texts(&self, to: &Path) -> Result<(), StoreError> {
        let from = self.texts_folder();
        if !from.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(to).map_err(|e| failed(to, "create", &e))?;
        for (name, _) in files::list(&from)? {
            let target = to.join(&name);
            let copied =
                fs::copy(from.join(&name), &target).and_then(|_| File::open(&target)?.sync_all());
            copied.map_err(|e| failed(&target, "copy to", &e))?;
        }
        Ok(())
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

/// Copies a file that is open, so that it may have been deleted meanwhile.
fn copy(from: &Arc<Handle>, folder: &Path, length: u64) -> Result<(), StoreError> {
    let Some(name) = from.path().file_name() else { return Ok(()) };
    let to = folder.join(name);
    let failed = |e: io::Error| failed(&to, "copy to", &e);
    let mut target = File::create_new(&to).map_err(failed)?;
    let mut buffer = vec![0; STEP.min(length) as usize];
    for offset in (0..length).step_by(STEP as usize) {
        let part = &mut buffer[..STEP.min(length - offset) as usize];
        if !from.read(offset, part)? {
            return Err(StoreError::Damaged(format!(
                "{} should have {length} bytes and has fewer; the copy is incomplete",
                from.path().display()
            )));
        }
        target.write_all(part).map_err(failed)?;
    }
    target.sync_all().map_err(failed)
}
