//! Settings by name: profiles for kinds of users, and methods from papers.

use super::{Settings, SettingsError};
use std::sync::LazyLock;
use toml::Table;

/// The names of profiles, and what they are for. The first is the default.
pub const PROFILES: [(&str, &str); 5] = [
    ("archive", "web and news archives: clusters of copies, whatever their layout"),
    ("feed", "news feeds: stop copies, and hardly ever an original"),
    ("alert", "situation monitoring: miss no original"),
    ("mail", "mailboxes: find campaigns in spite of changed words"),
    ("corpus", "training text: remove only clear near-duplicates"),
];

/// The names of methods, and the papers that they follow.
pub const METHODS: [(&str, &str); 14] = [
    ("spotsigs", "spot signatures, multi-set Jaccard (Theobald et al. 2008)"),
    ("shingles", "word shingles, Jaccard (Broder et al. 1997)"),
    ("ddd", "character q-grams, overlap over the larger set (DDD)"),
    ("nrc", "sketches that collide, then n-gram overlap; on a stream (Rodier, Carter 2020)"),
    ("cosine", "terms or k-grams with TF-IDF weights, cosine, all pairs"),
    ("lsh", "min-hash bands over shingles, verified (Indyk, Motwani 1998)"),
    ("lsh-s", "min-hash bands over spot signatures, verified (Theobald et al. 2008)"),
    ("i-match", "one fingerprint of terms in an IDF range (Chowdhury et al. 2002)"),
    ("i-match-s", "one fingerprint of spot signatures in an IDF range (Theobald et al. 2008)"),
    ("i-match-r", "fingerprints of eleven randomised lexicons (Kołcz et al. 2004)"),
    ("shingles-sketch", "84 min-hashes of shingles, the share that agrees (Broder 1997)"),
    ("super-shingles", "two of six super-shingles agree (Broder 2000, Fetterly et al. 2003)"),
    ("simhash", "random projections, the share of bits that agrees (Charikar 2002)"),
    ("henzinger", "super-shingles, confirmed by random projections (Henzinger 2006)"),
];

/// The tables `profile` and `method`, with a table for each name.
static NAMED: LazyLock<Table> =
    LazyLock::new(|| include_str!("named.toml").parse().unwrap_or_default());

impl Settings {
    /// The settings of a profile.
    ///
    /// # Errors
    ///
    /// If there is no profile of that name.
    pub fn profile(name: &str) -> Result<Self, SettingsError> {
        known("profile", name, &PROFILES)
    }

    /// The settings of a method as in its paper: without our templates and our rule for short documents.
    /// `minhash`, as many call it, is `lsh`.
    ///
    /// # Errors
    ///
    /// If there is no method of that name.
    pub fn method(name: &str) -> Result<Self, SettingsError> {
        known("method", if name == "minhash" { "lsh" } else { name }, &METHODS)
    }
}

fn known(
    kind: &'static str,
    name: &str,
    known: &[(&str, &str)],
) -> Result<Settings, SettingsError> {
    let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let settings = named(kind, name).filter(|_| known.contains(&name));
    settings.ok_or_else(|| SettingsError::Unknown {
        kind,
        name: name.to_owned(),
        known: known.join(", "),
    })
}

/// The settings of a name, over those of its base.
fn named(kind: &str, name: &str) -> Option<Settings> {
    let mut own = NAMED.get(kind)?.get(name)?.as_table()?.clone();
    let base = match own.remove("base") {
        Some(base) => named(kind, base.as_str()?)?,
        None => Settings::default(),
    };
    let mut settings = Table::try_from(base).ok()?;
    settings.extend(own);
    settings.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_usable_configuration() {
        for (name, _) in PROFILES {
            Settings::profile(name).unwrap().check_collection().unwrap();
        }
        for (name, _) in METHODS {
            Settings::method(name).unwrap().check_collection().unwrap();
        }
        assert_eq!(Settings::profile(PROFILES[0].0).unwrap(), Settings::default());
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Settings::method("bloom").unwrap_err().to_string();
        assert!(error.starts_with("there is no method \"bloom\": use one of spotsigs, shingles"));
        assert_eq!(Settings::method("minhash").unwrap(), Settings::method("lsh").unwrap());
    }
}
