//! Each request with an id, one line in the log, its share of the metrics, and safe headers.

use crate::clients::InFlight;
use crate::connection::{Activity, InService};
use crate::keys::Grant;
use crate::metrics::Metrics;
use crate::state::AppState;
use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

/// The header with the id of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What every answer says to a browser, unless it says something else itself.
const SAFE: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The id of a request: that of the client if it is harmless, or else a new one.
fn request_id(request: &Request) -> HeaderValue {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let is_harmless = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=64).contains(&bytes.len()) && bytes.iter().all(is_plain)
    };
    if let Some(given) = request.headers().get(REQUEST_ID).filter(is_harmless) {
        return given.clone();
    }
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let id = format!("{:016x}", RandomState::new().hash_one(count));
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("none"))
}

/// Watches a request from its head to the end of its answer.
pub(crate) async fn watch(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request_id(&request);
    let in_service = request.extensions().get::<Arc<Activity>>().map(Activity::serve);
    // Only the pattern: a path holds ids, which are nobody's business.
    let pattern = request.extensions().get::<MatchedPath>();
    let endpoint = pattern.map_or("other", |pattern| pattern.as_str()).to_owned();
    let method = request.method().clone();
    let shared = Arc::new(Seen::default());
    request.extensions_mut().insert(Arc::clone(&shared));
    state.metrics.in_flight.inc();
    let mut line = LogLine {
        began: Instant::now(),
        metrics: Arc::clone(&state.metrics),
        id: id.clone(),
        method: method.as_str().to_owned(),
        endpoint,
        status: 0,
        bytes: 0,
        is_complete: false,
        seen: shared,
        _in_service: in_service,
    };
    let mut response = next.run(request).await;
    line.status = response.status().as_u16();
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    for (name, value) in SAFE {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response.map(|body| Body::new(WatchedBody { body, line }))
}

/// What is learned of a request on its way.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The name of its key, and its place among those in flight.
    admitted: std::sync::OnceLock<(Option<String>, Option<Arc<InFlight>>)>,
}

/// Notes who was let in. To be called after the guard.
pub(crate) async fn note_admitted(request: Request, next: Next) -> Response {
    if let Some(seen) = request.extensions().get::<Arc<Seen>>() {
        let key = request.extensions().get::<Grant>().and_then(|grant| grant.name.clone());
        let in_flight = request.extensions().get::<Arc<InFlight>>().cloned();
        let _ = seen.admitted.set((key, in_flight));
    }
    next.run(request).await
}

/// What is told of a request once its answer has ended, or was cut off.
struct LogLine {
    began: Instant,
    metrics: Arc<Metrics>,
    id: HeaderValue,
    method: String,
    endpoint: String,
    status: u16,
    bytes: u64,
    is_complete: bool,
    seen: Arc<Seen>,
    _in_service: Option<InService>,
}

impl Drop for LogLine {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        self.metrics.in_flight.dec();
        self.metrics.request(&self.endpoint, self.status, took);
        let key = self.seen.admitted.get().and_then(|(key, _)| key.as_deref()).unwrap_or("-");
        tracing::info!(
            id = self.id.to_str().unwrap_or("-"),
            method = self.method,
            endpoint = self.endpoint,
            status = self.status,
            bytes = self.bytes,
            complete = self.is_complete,
            key,
            milliseconds = took.as_micros() as f64 / 1000.0,
            "request"
        );
    }
}

/// The body of an answer, counted.
struct WatchedBody {
    body: Body,
    line: LogLine,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let poll = Pin::new(&mut self.body).poll_frame(context);
        match &poll {
            Poll::Ready(Some(Ok(frame))) => {
                self.line.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                // The last frame may be known to be the last: nobody asks for another then.
                self.line.is_complete = self.body.is_end_stream();
            }
            Poll::Ready(None) => self.line.is_complete = true,
            _ => {}
        }
        poll
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
