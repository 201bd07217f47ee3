//! The flags for single settings as a table, for front ends whose keywords have the same names.

use crate::args::{FLAGS, Flag, insert, size};
use toml::{Table, Value};

/// The name of a single setting and what it sets.
#[derive(Clone, Copy, Debug)]
pub struct SingleSetting(&'static Flag);

/// All single settings, in the order of the help.
pub fn all() -> impl Iterator<Item = SingleSetting> {
    // The table begins with a line about itself.
    FLAGS.iter().filter(|flag| !flag.heading.is_empty()).map(SingleSetting)
}

/// The single setting with the name of a flag.
pub fn named(name: &str) -> Option<SingleSetting> {
    all().find(|setting| setting.name() == name)
}

/// A number of bytes as it is written after a flag: 1000000, 500k, 64M, 2G.
///
/// # Errors
///
/// What to write instead.
pub fn bytes(written: &str) -> Result<u64, String> {
    size(written)
}

impl SingleSetting {
    /// The name of the flag, without dashes in front.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The key in a settings file, with dots between tables.
    pub fn key(self) -> &'static str {
        self.0.key
    }

    /// The heading that it has in the help: `Stream` for what only a stream has.
    pub fn heading(self) -> &'static str {
        self.0.heading
    }

    /// What it does, in a sentence.
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// The value in a settings file of what a person wrote, such as 64M.
    ///
    /// # Errors
    ///
    /// If it cannot be understood.
    pub fn read(self, written: &str) -> Result<Value, String> {
        self.0.read(written)
    }

    /// Puts a value into a table in the form of a settings file.
    pub fn insert(self, settings: &mut Table, value: Value) {
        insert(settings, self.0.key, value);
    }
}
