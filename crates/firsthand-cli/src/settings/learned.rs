//! A model among the settings: over profile or method, under the config file.

use crate::args::SettingArgs;
use crate::model::file;
use anyhow::{Context, Result, bail};
use firsthand::model::Model;
use firsthand::{Settings, settings::Learned};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The model that was named.
pub(super) struct Chosen {
    model: Arc<Model>,
    path: PathBuf,
}

/// Reads the model that was named, if one was.
pub(super) fn chosen(args: &SettingArgs) -> Result<Option<Chosen>> {
    let Some(path) = args.model.path() else { return Ok(None) };
    if let Some(method) = &args.method {
        bail!(
            "--method {method} does not go with --model: a model is a method of its own, with grams, \
             measure and threshold; --profile says how documents are read and grouped"
        );
    }
    Ok(Some(Chosen { model: file::read(path)?, path: path.to_path_buf() }))
}

impl Chosen {
    /// The profile that the model was learned with.
    pub(super) fn profile(&self) -> &str {
        &self.model.written().profile
    }

    /// The settings to put the model over where no others are named.
    pub(super) fn base(&self) -> Result<Settings> {
        Settings::profile(self.profile()).with_context(|| {
            format!("the model {} goes with a profile that is not known", self.path.display())
        })
    }

    /// Settings with the model in them. Those of a store that was made with it stay as they are.
    pub(super) fn over(&self, base: Settings) -> Settings {
        let is_there = base.model.as_ref().is_some_and(|known| self.is(known));
        if is_there { self.within(base) } else { self.model.apply(base) }
    }

    /// Puts the model back into settings that know its fingerprint only.
    pub(super) fn restore(&self, config: Settings, file: Option<&Path>) -> Result<Settings> {
        let (shown, ours) = (self.path.display(), self.model.fingerprint());
        let file = file.unwrap_or(Path::new("the config file")).display();
        if let Some(other) = config.model.as_ref().filter(|known| !self.is(known)) {
            bail!(
                "{file} goes with the model {}, and {shown} is the model {ours}: name the one that \
                 it was made with, or take `model` out of it",
                other.fingerprint()
            );
        }
        let applied = self.model.apply(config.clone());
        let stranger = if config.scheme != applied.scheme {
            Some("scheme")
        } else if config.multiset != applied.multiset {
            Some("multiset")
        } else if config.weights != applied.weights {
            Some("weights")
        } else if config.frequency != applied.frequency {
            Some("frequency")
        } else {
            None
        };
        if let Some(name) = stranger {
            bail!(
                "{file} sets `{name}`, which does not go with --model: the model {shown} has grams \
                 and weights of its own; take it out of the file"
            );
        }
        Ok(self.within(config))
    }

    fn within(&self, config: Settings) -> Settings {
        Settings { model: Some(Learned::new(self.model.clone())), ..config }
    }

    fn is(&self, known: &Learned) -> bool {
        known.fingerprint() == self.model.fingerprint()
    }
}
