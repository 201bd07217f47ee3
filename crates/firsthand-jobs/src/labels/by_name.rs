//! Methods and profiles by the names that evaluations know them by.

use super::NamedSettings;
use crate::settings::{Layers, LayersError, Purpose};
use firsthand::settings::{METHODS, PROFILES};
use toml::Table;

/// Marks profiles among the names of methods.
const PROFILE: &str = "profile:";

/// The methods that can judge a stream; the others need all documents at once.
const ONLINE: [&str; 4] = ["nrc", "ddd", "shingles", "spotsigs"];

/// A method or, as `profile:NAME`, a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MethodName {
    /// A method.
    Method(String),
    /// A profile.
    Profile(String),
}

impl MethodName {
    /// Reads a name.
    pub fn read(name: &str) -> Self {
        match name.strip_prefix(PROFILE) {
            Some(profile) => Self::Profile(profile.to_owned()),
            None => Self::Method(name.to_owned()),
        }
    }

    /// The profile of the settings that are in use unless others are asked for.
    pub fn usual() -> Self {
        Self::Profile(PROFILES[0].0.to_owned())
    }

    /// The name as it is read.
    pub fn written(&self) -> String {
        match self {
            Self::Method(name) => name.clone(),
            Self::Profile(name) => format!("{PROFILE}{name}"),
        }
    }

    /// What it is, in a few words; nothing of a name that is not known.
    pub fn about(&self) -> &'static str {
        let (known, name): (&[(&str, &str)], _) = match self {
            Self::Method(name) => (&METHODS, name),
            Self::Profile(name) => (&PROFILES, name),
        };
        known.iter().find(|(known, _)| *known == name.as_str()).map_or("", |(_, about)| about)
    }
}

/// The names with `all` replaced by every method and profile; on a stream, by the methods that can judge one.
pub fn named_methods<'a>(
    names: impl IntoIterator<Item = &'a str>,
    purpose: Purpose,
) -> Vec<MethodName> {
    let is_in_all = |method: &str| purpose == Purpose::Collection || ONLINE.contains(&method);
    let mut all = Vec::new();
    for name in names {
        match name {
            "all" => {
                let methods = METHODS.iter().filter(|(name, _)| is_in_all(name));
                all.extend(methods.map(|(name, _)| MethodName::Method((*name).to_owned())));
                let profiles = PROFILES.iter().map(|(name, _)| (*name).to_owned());
                all.extend(profiles.map(MethodName::Profile));
            }
            name => all.push(MethodName::read(name)),
        }
    }
    all
}

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
    let mut found: Vec<NamedSettings> = Vec::new();
    for name in named_methods(names.iter().map(String::as_str), Purpose::Collection) {
        if found.iter().all(|known| known.name != name.written()) {
            found.push(settings_of(&name, reading)?);
        }
    }
    Ok(found)
}

/// The place of the settings that are in use unless others are asked for.
pub fn present(methods: &[NamedSettings]) -> Option<usize> {
    let usual = MethodName::usual().written();
    methods.iter().position(|method| method.name == usual)
}

fn settings_of(name: &MethodName, reading: &Table) -> Result<NamedSettings, LayersError> {
    let mut layers = Layers { overrides: reading.clone(), ..Layers::default() };
    match name.clone() {
        MethodName::Method(name) => layers.method = Some(name),
        MethodName::Profile(name) => layers.profile = Some(name),
    }
    let settings = layers.resolve(Purpose::Collection)?;
    let toml = toml::to_string(&settings).unwrap_or_default();
    let (name, about) = (name.written(), name.about().to_owned());
    Ok(NamedSettings { name, about, settings, toml })
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
        assert!(found.iter().all(|method| !method.about.is_empty()));
        assert!(present(&found).is_some());
        assert!(settings_by_name(&["profile:corpse".to_owned()], &Table::new()).is_err());
    }

    #[test]
    fn on_a_stream_all_are_those_that_can_judge_one() {
        let all = named_methods(["all"], Purpose::Stream);
        assert_eq!(all.len(), ONLINE.len() + PROFILES.len());
        assert!(all.iter().all(|name| MethodName::read(&name.written()) == *name));
    }
}
