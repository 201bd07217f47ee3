//! Keys and what they allow. Only hashes are kept, and they are compared in constant time.

use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use std::fmt;
use subtle::ConstantTimeEq;

/// What a key allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// To look up documents and clusters, and to export.
    Read,
    /// To have documents judged without storing them; also to extract and compare.
    Check,
    /// To have documents stored.
    Write,
    /// To decide about clusters.
    Review,
    /// To delete documents, and to see metrics and settings; allows everything else too.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 5] = [Self::Read, Self::Check, Self::Write, Self::Review, Self::Admin];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Check => "check",
            Self::Write => "write",
            Self::Review => "review",
            Self::Admin => "admin",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// Every scope.
    pub const ALL: Self = Self(0b1_1111);

    /// Whether something is allowed.
    pub const fn allow(self, scope: Scope) -> bool {
        self.0 & (scope.bit() | Scope::Admin.bit()) != 0
    }
}

/// A key that was found: which one it is, and what it allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The name of the key, for logs; none if no keys are asked for.
    pub name: Option<String>,
    /// What it allows.
    pub scopes: Scopes,
}

struct HashedKey {
    name: String,
    scopes: Scopes,
    hash: [u8; SHA256_OUTPUT_LEN],
}

/// The keys of a service. Without any, everything is allowed to whoever reaches it.
///
/// ```
/// use firsthand_server::{Keys, Scope};
///
/// let keys = Keys::parse("desk read,review a-key-of-24-letters-or-more\n")?;
/// let grant = keys.find(Some("a-key-of-24-letters-or-more")).expect("it is known");
/// assert!(grant.scopes.allow(Scope::Review) && !grant.scopes.allow(Scope::Write));
/// assert!(keys.find(Some("another")).is_none() && keys.find(None).is_none());
/// # Ok::<(), firsthand_server::KeysError>(())
/// ```
#[derive(Default)]
pub struct Keys(Vec<HashedKey>);

/// Why keys cannot be used. Keys themselves are never part of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the keys {reason}")]
pub struct KeysError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// The fewest letters of a key: fewer could be guessed.
const SHORTEST: usize = 16;

impl Keys {
    /// Reads keys: a line for each with its name, its scopes (separated by commas, or `all`) and the key,
    /// either in plain text or as `sha256:` and the hash in hexadecimal digits. Empty lines and lines that
    /// begin with `#` are skipped.
    ///
    /// # Errors
    ///
    /// If a line cannot be understood, or a key is too short.
    pub fn parse(text: &str) -> Result<Self, KeysError> {
        let mut keys = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line_text = line.trim();
            if line_text.is_empty() || line_text.starts_with('#') {
                continue;
            }
            let key =
                hashed_key(line_text).map_err(|reason| KeysError { line: index + 1, reason })?;
            keys.push(key);
        }
        Ok(Self(keys))
    }

    /// Adds further keys.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a key allows; `None` if it is not known. All keys are compared, whichever it is.
    pub fn find(&self, key: Option<&str>) -> Option<Grant> {
        if self.is_empty() {
            return Some(Grant { name: None, scopes: Scopes::ALL });
        }
        let hash = digest(&SHA256, key?.as_bytes());
        let mut found = None;
        for known in &self.0 {
            if bool::from(known.hash.as_slice().ct_eq(hash.as_ref())) {
                found = Some(Grant { name: Some(known.name.clone()), scopes: known.scopes });
            }
        }
        found
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Keys({})", self.0.len())
    }
}

fn hashed_key(line: &str) -> Result<HashedKey, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, scopes, key] = words[..] else {
        return Err(format!("has {} words instead of a name, scopes and a key", words.len()));
    };
    let hash = match key.strip_prefix("sha256:") {
        Some(digits) => hash(digits).ok_or("has a hash that is not 64 hexadecimal digits")?,
        None if key.len() < SHORTEST => {
            return Err(format!("has a key of fewer than {SHORTEST} letters; make a longer one"));
        }
        None => {
            let mut hash = [0; SHA256_OUTPUT_LEN];
            hash.copy_from_slice(digest(&SHA256, key.as_bytes()).as_ref());
            hash
        }
    };
    Ok(HashedKey { name: name.to_owned(), scopes: parse_scopes(scopes)?, hash })
}

fn parse_scopes(text: &str) -> Result<Scopes, String> {
    if text == "all" {
        return Ok(Scopes::ALL);
    }
    let mut bits = 0;
    for name in text.split(',') {
        let scope = Scope::ALL.into_iter().find(|scope| scope.name() == name);
        let names = Scope::ALL.map(Scope::name).join(", ");
        bits |=
            scope.ok_or_else(|| format!("has an unknown scope; there are {names} and all"))?.bit();
    }
    Ok(Scopes(bits))
}

fn hash(digits: &str) -> Option<[u8; SHA256_OUTPUT_LEN]> {
    let mut hash = [0; SHA256_OUTPUT_LEN];
    if digits.len() != 2 * hash.len() || !digits.is_ascii() {
        return None;
    }
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_stands_for_its_key() {
        // printf %s a-key-of-some-length | sha256sum
        let hash = digest(&SHA256, b"a-key-of-some-length");
        let digits: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let keys = Keys::parse(&format!("# a comment\n\nci check,read sha256:{digits}\n")).unwrap();
        let grant = keys.find(Some("a-key-of-some-length")).unwrap();
        assert_eq!(grant.name.as_deref(), Some("ci"));
        let allowed = Scope::ALL.map(|scope| grant.scopes.allow(scope));
        assert_eq!(allowed, [true, true, false, false, false]);
    }

    #[test]
    fn admin_allows_everything() {
        let keys = Keys::parse("boss admin 0123456789abcdef").unwrap();
        let grant = keys.find(Some("0123456789abcdef")).unwrap();
        assert!(Scope::ALL.iter().all(|scope| grant.scopes.allow(*scope)));
    }

    #[test]
    fn mistakes_are_told_without_the_key() {
        let cases = [
            ("a read", "2 words"),
            ("a read short-key", "fewer than 16"),
            ("a rule 0123456789abcdef-secret", "unknown scope"),
            ("a read sha256:xyz", "64 hexadecimal"),
        ];
        for (line, says) in cases {
            let error = Keys::parse(&format!("\n{line}")).unwrap_err();
            assert!(error.to_string().starts_with("line 2 of the keys has"), "{error}");
            assert!(
                error.to_string().contains(says) && !error.to_string().contains("secret"),
                "{error}"
            );
        }
    }
}
