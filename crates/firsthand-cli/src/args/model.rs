//! The arguments of `firsthand learn` and `firsthand model`, and `--model` elsewhere.

#[cfg(feature = "learn")]
mod learn;
#[cfg(feature = "learn")]
mod show;

#[cfg(feature = "learn")]
pub(crate) use learn::LearnArgs;
#[cfg(feature = "learn")]
pub(crate) use show::{ModelArgs, ModelCommand, ShowArgs};

use clap::Args;
use std::path::{Path, PathBuf};

/// The model that settings go with.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ModelArg {
    /// Compare by the weights and the threshold of this model, a file that `firsthand learn` wrote
    #[cfg(feature = "learn")]
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
}

/// The models that are measured.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ModelsArg {
    /// Also measure this model, a file that `firsthand learn` wrote (repeatable)
    #[cfg(feature = "learn")]
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Vec<PathBuf>,
}

#[cfg(feature = "learn")]
impl ModelArg {
    pub(crate) fn new(path: &Path) -> Self {
        Self { model: Some(path.to_path_buf()) }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.model.as_deref()
    }
}

#[cfg(feature = "learn")]
impl ModelsArg {
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.model
    }
}

/// A build without the feature `learn` has no models.
#[cfg(not(feature = "learn"))]
impl ModelArg {
    pub(crate) fn new(_: &Path) -> Self {
        Self {}
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        None
    }
}

#[cfg(not(feature = "learn"))]
impl ModelsArg {
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &[]
    }
}
