//! The settings that answers depend on, and the limits.

use crate::problem::{Code, Problem};
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(settings))
}

/// The settings of the service.
#[derive(Debug, Serialize, ToSchema)]
struct ServiceSettings {
    /// Everything that changes an answer, as in a settings file.
    #[schema(value_type = Object)]
    settings: Value,
    /// The limits, by name.
    limits: BTreeMap<String, String>,
    /// Whether texts are kept.
    keep_text: bool,
}

/// The settings that answers depend on, and the limits.
#[utoipa::path(
    get, path = "/v1/settings", tag = "service",
    responses(
        (status = 200, body = ServiceSettings),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn settings(State(state): State<AppState>) -> Result<Json<ServiceSettings>, Problem> {
    let source = state.source.store()?;
    let settings =
        serde_json::to_value(&source.settings).map_err(|_| Problem::new(Code::Internal))?;
    let limits = state.limits.named().into_iter();
    let limits = limits.map(|limit| (limit.name.to_owned(), limit.value)).collect();
    Ok(Json(ServiceSettings { settings, limits, keep_text: source.keep_text }))
}
