//! Fills a disk: what was acknowledged before must be there when there is room again.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use firsthand::Detector;
use firsthand::online::{Arrival, Online, StoreError};

use super::writer::opened;
use super::{config, documents::document};

/// Writes to a folder on a small disk until that is full, makes room, and looks.
pub(crate) fn fill(folder: &Path, out: &mut impl Write) -> Result<()> {
    let (ballast, store) = (folder.join("ballast"), folder.join("store"));
    fs::write(&ballast, vec![1; 1 << 20]).context("cannot write the ballast")?;
    let address = store.to_string_lossy();
    let detector = Detector::new(config()?)?;
    let arrival = |index| Arrival::new(&detector, &document(7, index), 0);
    let mut online = Online::new(detector.clone(), opened(&address)?);
    let mut said = Vec::new();
    let error = loop {
        let next = said.len() as u64;
        ensure!(next < 1_000_000, "the disk of {} is too large for this", folder.display());
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
    let mut online = Online::new(detector.clone(), opened(&address)?);
    let mut lost = 0;
    // What is older than the window may be forgotten.
    let first = said.len().saturating_sub(1000);
    for (index, answer) in (first as u64..).zip(&said[first..]) {
        let found = online.check(&[arrival(index)])?.remove(0);
        let same = firsthand::online::Answer { repeated: false, ..found.clone() };
        lost += u64::from(!found.repeated || same != *answer);
    }
    let next = said.len() as u64;
    let after = online.add(&(next..next + 8).map(arrival).collect::<Vec<_>>())?;
    writeln!(out, "full disk: {} acknowledged, then: {reason}", said.len())?;
    writeln!(out, "after making room: {lost} lost or changed, {} more added", after.len())?;
    ensure!(lost == 0, "documents were lost");
    Ok(())
}
