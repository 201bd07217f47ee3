//! The address of a store in PostgreSQL: a server, a database, and a schema in it.

use firsthand::online::StoreError;
use postgres::config::{Config, SslMode};
use std::{fmt, time::Duration};

/// The schema, if the address names none.
const SCHEMA: &str = "firsthand";
/// How long to wait for a connection, if the address does not say.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The address of a store in PostgreSQL. It is shown without its password.
#[derive(Clone)]
pub(super) struct Address {
    pub(super) config: Config,
    pub(super) schema: String,
    shown: String,
}

impl Address {
    /// Parses `postgres://user@host:port/database?schema=name`. If it has no password, `PGPASSWORD` may
    /// hold one.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        let (place, parameters) = address.split_once('?').unwrap_or((address, ""));
        let mut schema = SCHEMA.to_owned();
        let (mut passed, mut shown) = (Vec::new(), Vec::new());
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("schema", name)) => {
                    schema = name.to_owned();
                    shown.push(parameter);
                }
                Some(("password", _)) => passed.push(parameter),
                _ => {
                    passed.push(parameter);
                    shown.push(parameter);
                }
            }
        }
        let shown = with(&without_password(place), &shown);
        let refuse = |why: String| StoreError::Failed(format!("{shown}: {why}"));
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
        if config.get_ssl_mode() == SslMode::Require {
            return Err(refuse(
                "TLS connections are not supported; leave out sslmode, and reach the server through a \
                 socket, a private network or a tunnel"
                    .to_owned(),
            ));
        }
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("firsthand");
        }
        Ok(Self { config, schema, shown })
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
            ("postgres://host/db?sslmode=require", "TLS"),
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
