//! What is left of models among the settings in a build without the feature `learn`: there are none.

use crate::args::SettingArgs;
use anyhow::Result;
use firsthand::Settings;
use std::path::Path;

/// There is none.
pub(super) enum Chosen {}

pub(super) fn chosen(_: &SettingArgs) -> Result<Option<Chosen>> {
    Ok(None)
}

impl Chosen {
    pub(super) fn profile(&self) -> &str {
        match *self {}
    }

    pub(super) fn base(&self) -> Result<Settings> {
        match *self {}
    }

    pub(super) fn over(&self, _: Settings) -> Settings {
        match *self {}
    }

    pub(super) fn restore(&self, _: Settings, _: Option<&Path>) -> Result<Settings> {
        match *self {}
    }
}
