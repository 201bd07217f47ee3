//! Who may ask for what: the host that was asked for, the site that asks, the key and its scopes, and how
//! many requests there may be at once.

use crate::accept::Peer;
use crate::clients::Client;
use crate::keys::{Grant, Scope};
use crate::problem::{Code, Problem};
use crate::state::AppState;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr};

/// The names by which a service on the loopback interface is addressed.
pub(crate) const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What a request needs, by its method and path; none for probes. What is not listed is part of the page.
pub(crate) fn scope(method: &Method, path: &str) -> Option<Scope> {
    let is_read = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    match path {
        "/livez" | "/readyz" | "/openapi.json" => None,
        "/v1/documents" if *method == Method::POST => Some(Scope::Write),
        "/v1/check" | "/v1/extract" | "/v1/compare" => Some(Scope::Check),
        _ if path.starts_with("/v1/documents/") && *method == Method::DELETE => Some(Scope::Admin),
        _ if is_read => Some(Scope::Read),
        _ => Some(Scope::Review),
    }
}

/// Whether a request sends documents, which takes a thread.
fn is_upload(method: &Method, path: &str) -> bool {
    *method == Method::POST && matches!(path, "/v1/documents" | "/v1/check")
}

/// Lets a request through if its host, origin, key and the limits allow it.
pub(crate) async fn guard(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    match admit(&state, &mut request) {
        Ok(in_flight) => {
            // The place is given back with the end of the answer: see `watch`.
            if let Some(in_flight) = in_flight {
                request.extensions_mut().insert(std::sync::Arc::new(in_flight));
            }
            next.run(request).await
        }
        Err(problem) => {
            state.metrics.rejected(problem.code.words().1);
            problem.into_response()
        }
    }
}

fn admit(
    state: &AppState,
    request: &mut Request,
) -> Result<Option<crate::clients::InFlight>, Problem> {
    let host = host(request.uri(), request.headers())?;
    if !state.hosts.contains(&host.name) {
        return Err(Problem::new(Code::Host).field("host").detail(
            "the service does not answer to this name; start it with --host and the name, if it is one \
             of its own",
        ));
    }
    check_origin(request.headers(), &host)?;
    let Some(scope) = scope(request.method(), request.uri().path()) else { return Ok(None) };
    let (grant, person) = authorize(state, request.headers(), scope)?;
    let peer = request.extensions().get::<Peer>();
    let address = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    let client = grant.name.clone().map_or(Client::Address(address), Client::Key);
    let is_upload = is_upload(request.method(), request.uri().path());
    let in_flight = state.clients.enter(client, is_upload, &state.limits)?;
    request.extensions_mut().insert(grant);
    if let Some(person) = person {
        request.extensions_mut().insert(person);
    }
    Ok(Some(in_flight))
}

/// The name that a person gave together with a key, for the history of decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person(pub(crate) String);

/// A host and its port, as a request names them.
#[derive(Debug, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    fn parse(text: &str) -> Option<Self> {
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port.parse().ok()?)),
            _ => (text, None),
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
        let fits = !name.is_empty() && name.len() < 256 && name.bytes().all(is_plain);
        fits.then(|| Self { name: name.to_ascii_lowercase(), port })
    }
}

/// The host that a request asks for.
fn host(uri: &Uri, headers: &HeaderMap) -> Result<Host, Problem> {
    let bad = || Problem::new(Code::BadRequest).field("host").detail("send one valid Host header");
    let mut given = headers.get_all(header::HOST).iter();
    let text = match (given.next(), given.next()) {
        (Some(host), None) => host.to_str().map_err(|_| bad())?,
        (None, None) => uri.authority().ok_or_else(bad)?.as_str(),
        _ => return Err(bad()),
    };
    Host::parse(text).ok_or_else(bad)
}

/// A request that a page sent must come from a page of this service, whatever its method: there are no
/// others that may read what it says.
fn check_origin(headers: &HeaderMap, host: &Host) -> Result<(), Problem> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().ok().and_then(|origin| {
        let (scheme, rest) = origin.split_once("://")?;
        let default = if scheme == "https" { 443 } else { 80 };
        Host::parse(rest).map(|host| (host, default))
    });
    match origin {
        Some((origin, default))
            if origin.name == host.name
                && origin.port.unwrap_or(default) == host.port.unwrap_or(default) =>
        {
            Ok(())
        }
        _ => Err(cross_site()),
    }
}

/// The refusal of a request that a page of another site has sent.
pub(crate) fn cross_site() -> Problem {
    Problem::new(Code::CrossSite).field("origin").detail(
        "a page of another site sent this request; use the service's own page, or a program",
    )
}

/// Finds what the key of a request allows, and whether that is enough.
fn authorize(
    state: &AppState,
    headers: &HeaderMap,
    scope: Scope,
) -> Result<(Grant, Option<Person>), Problem> {
    let (key, person) = credentials(headers);
    let Some(grant) = state.keys.find(key.as_deref()) else {
        let what = match key {
            None => "send a key as `Authorization: Bearer KEY`",
            Some(_) => "this key is not known",
        };
        return Err(Problem::new(Code::Unauthorized).field("authorization").detail(what));
    };
    if !grant.scopes.allow(scope) {
        let detail = format!("this needs a key with the scope `{}`", scope.name());
        return Err(Problem::new(Code::Scope).field("authorization").detail(detail));
    }
    Ok((grant, person.map(Person)))
}

/// The key of a request, and the name of a person beside it: `Bearer KEY`, or `Basic` with the name and the
/// key, as browsers send it.
fn credentials(headers: &HeaderMap) -> (Option<String>, Option<String>) {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some((scheme, rest)) = value.and_then(|value| value.split_once(' ')) else {
        return (None, None);
    };
    if scheme.eq_ignore_ascii_case("bearer") {
        return (Some(rest.trim().to_owned()), None);
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return (None, None);
    }
    let decoded = base64(rest.trim()).and_then(|bytes| String::from_utf8(bytes).ok());
    match decoded.as_deref().and_then(|text| text.split_once(':')) {
        Some((name, key)) => {
            (Some(key.to_owned()), Some(name.to_owned()).filter(|name| !name.is_empty()))
        }
        None => (None, None),
    }
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_with_and_without_a_port() {
        let host = |text| Host::parse(text).map(|host| (host.name, host.port));
        assert_eq!(host("LocalHost:7411"), Some(("localhost".to_owned(), Some(7411))));
        assert_eq!(host("[::1]"), Some(("[::1]".to_owned(), None)));
        assert_eq!(host("[::1]:80"), Some(("[::1]".to_owned(), Some(80))));
        for bad in ["", ":80", "a b", "a:port", "evil.example/", "a@b"] {
            assert_eq!(host(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_browser_sends_a_name_with_the_key() {
        let mut headers = HeaderMap::new();
        // Ada:open sesame
        headers.insert(header::AUTHORIZATION, "Basic QWRhOm9wZW4gc2VzYW1l".parse().unwrap());
        assert_eq!(credentials(&headers), (Some("open sesame".to_owned()), Some("Ada".to_owned())));
        headers.insert(header::AUTHORIZATION, "Bearer k".parse().unwrap());
        assert_eq!(credentials(&headers), (Some("k".to_owned()), None));
        headers.insert(header::AUTHORIZATION, "Basic ***".parse().unwrap());
        assert_eq!(credentials(&headers), (None, None));
    }

    #[test]
    fn what_changes_something_needs_more_than_reading() {
        let needs = |method: &str, path| scope(&method.parse().unwrap(), path);
        assert_eq!(needs("GET", "/livez"), None);
        assert_eq!(needs("GET", "/v1/clusters"), Some(Scope::Read));
        assert_eq!(needs("POST", "/v1/documents"), Some(Scope::Write));
        assert_eq!(needs("POST", "/v1/check"), Some(Scope::Check));
        assert_eq!(needs("DELETE", "/v1/documents/a"), Some(Scope::Admin));
        assert_eq!(needs("POST", "/v1/clusters/a/tags"), Some(Scope::Review));
        assert_eq!(needs("POST", "/anything"), Some(Scope::Review));
    }
}
