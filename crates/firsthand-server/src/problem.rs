//! Errors as problem documents (RFC 9457): a stable code, and what to do, but nothing of what was sent.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;
use utoipa::openapi::{RefOr, schema::Schema};
use utoipa::{PartialSchema, ToSchema};

/// A problem. Its [code](Code) is stable: programs decide by it.
///
/// ```
/// use firsthand_server::{Code, Problem};
///
/// let problem = Problem::new(Code::NotFound).detail("there is no document with this id");
/// assert_eq!(problem.code.words(), (404, "not-found", "Not found"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "ProblemDocument")]
pub struct Problem {
    /// The kind of problem.
    pub code: Code,
    /// What happened here, and what to do.
    pub detail: Option<String>,
    /// The line of the body, from 1.
    pub line: Option<u64>,
    /// The field, parameter or header.
    pub field: Option<String>,
    /// The limit that was exceeded, by its name.
    pub limit: Option<String>,
}

/// A problem as it is sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
struct ProblemDocument {
    /// A URI reference that names the kind of problem: `/problems/` and the code.
    #[serde(rename = "type")]
    #[schema(example = "/problems/not-found")]
    kind: String,
    /// The kind of problem, in words.
    title: String,
    /// The status of the response.
    #[schema(example = 404, minimum = 400, maximum = 599)]
    status: u16,
    /// The kind of problem, as a code that does not change.
    #[schema(example = "not-found")]
    code: String,
    /// What happened here, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// The line of the body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The field, parameter or header.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// The limit that was exceeded, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
}

impl From<Problem> for ProblemDocument {
    fn from(problem: Problem) -> Self {
        let Problem { code, detail, line, field, limit } = problem;
        let (status, code, title) = code.words();
        let (kind, title) = (format!("/problems/{code}"), title.to_owned());
        Self { kind, title, status, code: code.to_owned(), detail, line, field, limit }
    }
}

impl PartialSchema for Problem {
    fn schema() -> RefOr<Schema> {
        ProblemDocument::schema()
    }
}

impl ToSchema for Problem {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Problem")
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $status:literal, $code:literal, $title:literal;)*) => {
        /// The kinds of problems.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The status, the code and the title.
            pub const fn words(self) -> (u16, &'static str, &'static str) {
                match self {
                    $(Self::$name => ($status, $code, $title),)*
                }
            }
        }
    };
}

codes! {
    /// The request is not what this endpoint takes.
    BadRequest = 400, "bad-request", "The request cannot be understood";
    /// The body is not compressed as it says.
    BadEncoding = 400, "bad-encoding", "The body is not compressed as it says";
    /// The body or a line is not JSON.
    BadJson = 400, "bad-json", "Not valid JSON";
    /// No key, or one that is not known.
    Unauthorized = 401, "unauthorized", "A key is needed";
    /// The key does not have the scope.
    Scope = 403, "scope", "The key does not allow this";
    /// The name of the service in the request is not one of its own.
    Host = 403, "host", "This is not the host that was asked for";
    /// A page of another site sent the request.
    CrossSite = 403, "cross-site", "Requests from other sites are refused";
    /// There is no such document, cluster or endpoint.
    NotFound = 404, "not-found", "Not found";
    /// The endpoint does not have this method.
    Method = 405, "method", "The endpoint does not have this method";
    /// The client was too slow.
    Timeout = 408, "timeout", "The request took too long to arrive";
    /// It cannot be done as things are.
    Conflict = 409, "conflict", "This cannot be done as things are";
    /// Texts are needed, and this service keeps none.
    NoText = 409, "no-text", "The text was not kept";
    /// A limit on size was exceeded.
    TooLarge = 413, "too-large", "More than the service takes";
    /// The body is of another type or encoding.
    MediaType = 415, "media-type", "The body is of a type that is not read here";
    /// A field is missing or wrong.
    Invalid = 422, "invalid", "A field is missing or has a wrong value";
    /// This client has too many requests in flight.
    TooMany = 429, "too-many", "Too many requests at once";
    /// The head of the request is too large.
    HeadTooLarge = 431, "head-too-large", "The head of the request is too large";
    /// A mistake of the service.
    Internal = 500, "internal", "The service failed";
    /// The service is busy, stopping, or its store does not answer.
    Unavailable = 503, "unavailable", "The service cannot do this now";
    /// The disk is nearly full.
    DiskFull = 507, "disk-full", "The disk is nearly full";
}

impl Problem {
    /// A problem of this kind.
    pub fn new(code: Code) -> Self {
        Self { code, detail: None, line: None, field: None, limit: None }
    }

    /// The status of the response.
    pub fn status(&self) -> u16 {
        self.code.words().0
    }

    /// The same with what happened and what to do.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same about a field, parameter or header.
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same about a line of the body.
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same about a limit.
    pub fn limit(mut self, name: &str) -> Self {
        self.limit = Some(name.to_owned());
        self
    }
}

impl Problem {
    /// The whole answer as bytes, where no handler makes one; the connection ends with it.
    pub(crate) fn raw(self) -> Vec<u8> {
        let status = StatusCode::from_u16(self.status()).unwrap_or(StatusCode::BAD_REQUEST);
        let retry = if status.as_u16() == 503 { "retry-after: 1\r\n" } else { "" };
        let body = serde_json::to_string(&self).unwrap_or_default();
        let (number, reason) = (status.as_u16(), status.canonical_reason().unwrap_or("Refused"));
        format!(
            "HTTP/1.1 {number} {reason}\r\ncontent-type: application/problem+json\r\n\
             content-length: {}\r\n{retry}cache-control: no-store\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let is_key_missing = status == 401;
        // A moment is enough: a place is free, or the store is open again, with the next request that ends.
        let retry_after = matches!(status, 429 | 503).then_some(1);
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, json);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if is_key_missing {
            // A browser asks for a name and a key, and the name goes into the history.
            let basic = HeaderValue::from_static("Basic realm=\"firsthand\", charset=\"UTF-8\"");
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            headers.append(header::WWW_AUTHENTICATE, basic);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_told_from_the_others() {
        let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.words().1).collect();
        assert_eq!(codes.len(), Code::ALL.len());
    }

    #[test]
    fn a_problem_says_when_to_try_again() {
        let response = Problem::new(Code::Unavailable).into_response();
        assert_eq!(response.headers()[header::RETRY_AFTER], "1");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        assert!(
            !Problem::new(Code::DiskFull)
                .into_response()
                .headers()
                .contains_key(header::RETRY_AFTER)
        );
    }
}
