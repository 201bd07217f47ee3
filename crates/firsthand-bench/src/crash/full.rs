//! Fills a disk: everything acknowledged before must be there once there is room again.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use firsthand::online::{Answer, Arrival, Online, StoreError, StreamDetector};
use firsthand::settings::Window;

use super::writer::opened;
use super::{config, documents::document};

/// Writes to a folder on a small disk until it is full, makes room, and checks.
pub(crate) fn fill(folder: &Path, out: &mut impl Write) -> Result<()> {
    let (ballast, store) = (folder.join("ballast"), folder.join("store"));
    fs::write(&ballast, vec![1; 1 << 20]).context("cannot write the ballast")?;
    let address = store.to_string_lossy();
    // Nothing expires, so that the disk does fill up.
    let mut config = config()?;
    config.stream.window = Window::default();
    let detector = StreamDetector::new(config)?;
    let arrival = |index| detector.sign(&document(7, index), i64::MAX);
    let mut online = Online::new(detector.clone(), opened(&address, detector.settings())?);
    let mut said = Vec::new();
    let error = loop {
        let next = said.len() as u64;
        ensure!(next < 100_000, "the disk of {} is too large for this", folder.display());
        let arrivals: Vec<Arrival> = (next..next + 8).map(arrival).collect();
        match online.add(&arrivals) {
            Ok(answers) => said.extend(answers),
            Err(error) => break error,
        }
    };
    let StoreError::Failed(reason) = error else { bail!("a full disk gave {error}") };
    let again = online.add(&[arrival(said.len() as u64)]);
    ensure!(again.is_err(), "something was acknowledged after a failure");
    drop(online);
    fs::remove_file(&ballast).context("cannot make room")?;
    let mut online = Online::new(detector.clone(), opened(&address, detector.settings())?);
    let mut lost = 0;
    for (index, answer) in (0..).zip(&said) {
        let found = online.check(&[arrival(index)])?.remove(0);
        let same = Answer { repeated: false, ..found.clone() };
        lost += u64::from(!found.repeated || same != *answer);
    }
    let next = said.len() as u64;
    let after = online.add(&(next..next + 8).map(arrival).collect::<Vec<_>>())?;
    writeln!(out, "full disk: {} acknowledged, then: {reason}", said.len())?;
    writeln!(out, "after making room: {lost} lost or changed, {} more added", after.len())?;
    ensure!(lost == 0, "documents were lost");
    Ok(())
}
