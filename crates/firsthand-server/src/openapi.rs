//! The description of the interface: OpenAPI 3.1, generated from the handlers.

use crate::api;
use crate::probes;
use crate::state::AppState;
use axum::Router;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "firsthand",
        description = "Near-duplicate detection: which documents are copies, of which original, and why.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "documents", description = "Documents of a stream, judged as they arrive"),
        (name = "clusters", description = "Documents that belong together"),
        (name = "decisions", description = "What people have decided about copies"),
        (name = "review", description = "What the page asks for"),
        (name = "texts", description = "Texts, and how they compare"),
        (name = "service", description = "The service itself"),
        (name = "probes", description = "Whether the service lives and is ready"),
    )
)]
struct Interface;

/// All routes of the interface, and their description.
pub(crate) fn routes() -> (Router<AppState>, Description) {
    OpenApiRouter::with_openapi(Interface::openapi())
        .merge(api::routes())
        .merge(probes::routes())
        .split_for_parts()
}

/// The description of the interface as JSON, as `/openapi.json` serves it.
///
/// # Errors
///
/// If it cannot be written as JSON.
pub fn openapi_json() -> Result<String, serde_json::Error> {
    Ok(routes().1.to_pretty_json()? + "\n")
}
