//! Methods and profiles by the names that evaluations know them by.

use super::NamedSettings;
use crate::settings::{Layers, LayersError, Purpose};
use firsthand::settings::{METHODS, PROFILES};
use toml::Table;

/// Marks profiles among the names of methods.
const PROFILE: &str = "profile:";

/// The settings of methods and `profile:NAME`s, each once; `all` stands for every one of both. `reading` holds
/// single settings of reading, which hold for all.
///
/// # Errors
///
/// If there is no method or profile of a name, or its settings cannot be used with those of reading.
pub fn settings_by_name(
    names: &[String],
    reading: &Table,
) -> Result<Vec<NamedSettings>, LayersError> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        match name.as_str() {
            "all" => {
                all.extend(METHODS.iter().map(|(name, _)| (*name).to_owned()));
                all.extend(PROFILES.iter().map(|(name, _)| format!("{PROFILE}{name}")));
            }
            name => all.push(name.to_owned()),
        }
    }
    let mut found: Vec<NamedSettings> = Vec::new();
    for name in all {
        if found.iter().all(|known| known.name != name) {
            found.push(by_name(name, reading)?);
        }
    }
    Ok(found)
}

/// The place of the settings that are in use unless others are asked for.
pub fn present(methods: &[NamedSettings]) -> Option<usize> {
    let usual = format!("{PROFILE}{}", PROFILES[0].0);
    methods.iter().position(|method| method.name == usual)
}

fn by_name(name: String, reading: &Table) -> Result<NamedSettings, LayersError> {
    let mut layers = Layers { overrides: reading.clone(), ..Layers::default() };
    let known: &[(&str, &str)] = match name.strip_prefix(PROFILE) {
        Some(profile) => {
            layers.profile = Some(profile.to_owned());
            &PROFILES
        }
        None => {
            layers.method = Some(name.clone());
            &METHODS
        }
    };
    let plain = name.strip_prefix(PROFILE).unwrap_or(&name);
    let about = known.iter().find(|(known, _)| *known == plain).map_or("", |(_, about)| about);
    let settings = layers.resolve(Purpose::Collection)?;
    let toml = toml::to_string(&settings).unwrap_or_default();
    Ok(NamedSettings { name, about: about.to_owned(), settings, toml })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stands_for_methods_and_profiles_once_each() {
        let names = ["shingles", "all"].map(str::to_owned);
        let found = settings_by_name(&names, &Table::new()).unwrap();
        assert_eq!(found.len(), METHODS.len() + PROFILES.len());
        assert_eq!(found[0].name, "shingles");
        assert!(present(&found).is_some());
        assert!(settings_by_name(&["profile:corpse".to_owned()], &Table::new()).is_err());
    }
}
