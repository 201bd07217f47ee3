//! `firsthand store`: what lies in the store of a stream, and how it is looked after.

pub(crate) mod open;

use crate::args::StoreArgs;
use anyhow::Result;
use std::process::ExitCode;

pub(crate) fn run(_args: &StoreArgs) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
