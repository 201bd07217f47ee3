//! Whether the service lives and is ready, what version it is, and what it counts.

use crate::problem::{Code, Problem};
use crate::source::Source;
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::time::Duration;
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

/// How long metrics wait for the store.
const WAIT: Duration = Duration::from_millis(500);

/// The version of the service.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Version {
    /// The name of the program.
    #[schema(example = "firsthand")]
    name: String,
    /// Its version.
    #[schema(example = "0.1.0")]
    version: String,
    /// The version of this interface.
    #[schema(example = "v1")]
    api: String,
}

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(livez))
        .routes(routes!(readyz))
        .routes(routes!(version))
        .routes(routes!(metrics))
}

/// Whether the process lives.
#[utoipa::path(get, path = "/livez", tag = "probes", responses((status = 200, body = String)))]
async fn livez() -> &'static str {
    "ok\n"
}

/// Whether requests are welcome: not while the service stops, or its store has failed.
#[utoipa::path(
    get, path = "/readyz", tag = "probes",
    responses(
        (status = 200, body = String),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn readyz(State(state): State<AppState>) -> Result<&'static str, Problem> {
    let has_failed = match &state.source {
        Source::Store(source) => source.judge.has_failed(),
        Source::Results(review) => !review.is_there(),
    };
    let detail = match () {
        () if *state.stopping.borrow() => "the service is about to stop",
        () if has_failed => "the store, or the folder of results, cannot be used",
        () => return Ok("ok\n"),
    };
    Err(Problem::new(Code::Unavailable).detail(detail))
}

/// The version of the service.
#[utoipa::path(get, path = "/v1/version", tag = "service", responses((status = 200, body = Version)))]
async fn version() -> Json<Version> {
    Json(Version {
        name: "firsthand".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        api: "v1".to_owned(),
    })
}

/// What the service counts, in the text format of Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service",
    responses((status = 200, body = String, content_type = "text/plain"))
)]
async fn metrics(State(state): State<AppState>) -> Response {
    if let Source::Store(source) = &state.source {
        if let Some(free) = source.disk.free() {
            state.metrics.disk_free.set(free);
        }
        // A long round must not keep the one who watches waiting: the figures are those before it then.
        let holdings = source.judge.call(|session| session.upkeep().holdings());
        if let Ok(Ok(Ok(holdings))) = timeout(WAIT, holdings).await {
            state.metrics.store_documents.set(holdings.documents);
            state.metrics.store_bytes.set(holdings.bytes);
            state.metrics.capped.set(holdings.capped);
        }
    }
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, state.metrics.text()).into_response()
}
