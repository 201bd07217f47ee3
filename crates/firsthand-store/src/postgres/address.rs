//! The address of a store in PostgreSQL: a server, a database, and a schema in it.

use super::tls::Tls;
use firsthand::online::StoreError;
use std::{collections::BTreeMap, fmt, time::Duration};
use tokio_postgres::config::Config;

/// The schema, if the address names none.
const SCHEMA: &str = "firsthand";
/// How long to wait for a connection, if the address does not say: until the login is done.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait for the answer to a statement of a round, if the address does not say.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait for the round of another process, if the address does not say.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
/// The parameters of an address that are not for the library, each with the environment variable
/// that holds it if the address does not.
const OWN: [(&str, Option<&str>); 8] = [
    ("schema", None),
    ("response_timeout", None),
    ("lock_timeout", None),
    ("connect_timeout", Some("PGCONNECT_TIMEOUT")),
    ("sslmode", Some("PGSSLMODE")),
    ("sslrootcert", Some("PGSSLROOTCERT")),
    ("sslcert", Some("PGSSLCERT")),
    ("sslkey", Some("PGSSLKEY")),
];

/// The address of a store in PostgreSQL. It is shown without its password.
#[derive(Clone)]
pub(super) struct Address {
    pub(super) config: Config,
    pub(super) tls: Tls,
    pub(super) schema: String,
    pub(super) connect_timeout: Duration,
    /// None to wait for ever.
    pub(super) response_timeout: Option<Duration>,
    pub(super) lock_timeout: Duration,
    shown: String,
}

/// The parameters of an address that are our own.
#[derive(Default)]
pub(super) struct Parameters(BTreeMap<&'static str, String>);

impl Parameters {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A number of seconds; none if it is 0.
    fn seconds(&self, name: &str, default: Duration) -> Result<Option<Duration>, String> {
        let seconds = match self.get(name) {
            None => return Ok(Some(default)),
            Some(value) => value
                .parse::<u32>()
                .map_err(|_| format!("{name} is a whole number of seconds, not {value:?}"))?,
        };
        Ok((seconds > 0).then(|| Duration::from_secs(u64::from(seconds))))
    }
}

impl Address {
    /// Parses `postgres://user@host:port/database?schema=name`. If it has no password, `PGPASSWORD` may
    /// hold one.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        let (place, parameters) = address.split_once('?').unwrap_or((address, ""));
        let mut own = Parameters::default();
        let (mut passed, mut shown) = (Vec::new(), Vec::new());
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match OWN.iter().find(|(own, _)| *own == name) {
                Some((name, _)) => drop(own.0.insert(name, unescaped(value))),
                None => passed.push(parameter),
            }
            if name != "password" {
                shown.push(parameter);
            }
        }
        for (name, variable) in OWN {
            if let Some(value) = variable.and_then(|variable| std::env::var(variable).ok()) {
                own.0.entry(name).or_insert(value);
            }
        }
        let shown = with(&without_password(place), &shown);
        let refuse = |why: String| StoreError::Failed(format!("{shown}: {why}"));
        let schema = own.get("schema").unwrap_or(SCHEMA).to_owned();
        if !is_name(&schema) {
            return Err(refuse(format!(
                "{schema:?} cannot be the name of a schema: use at most 40 lower-case letters, digits \
                 and _, and do not begin with a digit"
            )));
        }
        if place.matches('@').count() > 1 {
            return Err(refuse("write an @ in a user name or a password as %40".to_owned()));
        }
        let config: Result<Config, _> = with(place, &passed).parse();
        let mut config = config.map_err(|e| {
            let why =
                std::error::Error::source(&e).map_or_else(|| e.to_string(), |e| e.to_string());
            refuse(format!(
                "this is not an address of a PostgreSQL server ({why}); write \
                 postgres://user@host:port/database?schema=name"
            ))
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(refuse(
                "the address names no server; write postgres://user@host:port/database, or \
                 ?host=/folder/of/the/socket"
                    .to_owned(),
            ));
        }
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_application_name().is_none() {
            config.application_name("firsthand");
        }
        let connect_timeout = own.seconds("connect_timeout", CONNECT_TIMEOUT).map_err(refuse)?;
        let response_timeout = own.seconds("response_timeout", RESPONSE_TIMEOUT).map_err(refuse)?;
        let lock_timeout = own.seconds("lock_timeout", LOCK_TIMEOUT).map_err(refuse)?;
        let lock_timeout = lock_timeout.unwrap_or(LOCK_TIMEOUT);
        let tls = Tls::new(&own).map_err(refuse)?;
        let connect_timeout = connect_timeout.unwrap_or(Duration::MAX);
        Ok(Self { config, tls, schema, connect_timeout, response_timeout, lock_timeout, shown })
    }

    /// Whether the server is reached by sockets in folders only, which are never encrypted.
    pub(super) fn is_local(&self) -> bool {
        use tokio_postgres::config::Host;
        self.config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Whether a name needs no quoting in SQL.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.len() <= 40
        && name.starts_with(|c: char| is_plain(c) && !c.is_ascii_digit())
        && name.chars().all(is_plain)
}

/// The value of a parameter, with its %XX read as bytes.
fn unescaped(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn with(place: &str, parameters: &[&str]) -> String {
    match parameters.is_empty() {
        true => place.to_owned(),
        false => format!("{place}?{}", parameters.join("&")),
    }
}

fn without_password(place: &str) -> String {
    let Some((scheme, rest)) = place.split_once("://") else { return place.to_owned() };
    // An address whose password has an @ is refused, but the message must not show it.
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_is_taken_out_and_passwords_are_not_shown() {
        let address = Address::parse("postgres://me:se:cr@et@host:99/db?schema=news").unwrap_err();
        assert!(!address.to_string().contains("cr"), "{address}");
        let address =
            Address::parse("postgresql://me:secret@host:99/db?schema=news&password=other").unwrap();
        assert_eq!(address.to_string(), "postgresql://me@host:99/db?schema=news");
        assert_eq!(address.schema, "news");
        assert_eq!(address.config.get_ports(), [99]);
        assert!(!format!("{address:?}").contains("secret"));
        assert_eq!(Address::parse("postgres://h/d").unwrap().schema, "firsthand");
    }

    #[test]
    fn refuses_what_it_cannot_use() {
        for (address, word) in [
            ("postgres://host/db?schema=a-b", "schema"),
            ("postgres://host/db?schema=1a", "schema"),
            ("postgres://host/db?schema=", "schema"),
            ("postgres://host/db?sslmode=maybe", "verify-full"),
            ("postgres://host/db?sslmode=verify-full&sslrootcert=/nowhere.crt", "/nowhere.crt"),
            ("postgres://host/db?sslmode=require&sslrootcert=system", "verify-full"),
            ("postgres://host/db?response_timeout=soon", "whole number of seconds"),
            ("postgres:///db", "no server"),
            ("postgres://host:port/db", "not an address"),
            ("postgres://host/db?colour=red", "colour"),
            ("postgres://[host/db", "not an address"),
        ] {
            let error = Address::parse(address).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
