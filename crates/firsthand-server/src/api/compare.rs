//! Two texts that are sent, or one that is sent and one of the store, compared.

use super::explain::explained;
use super::{refusals, small_body};
use crate::decode::media_type;
use crate::problem::{Code, Problem};
use crate::state::AppState;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firsthand::Document;
use firsthand_input::calendar::rfc3339;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The largest body.
const MOST: u64 = 64 << 20;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(compare))
}

/// A text to be compared.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct GivenText {
    /// The text.
    text: String,
    /// Its title.
    title: Option<String>,
    /// Its URL.
    url: Option<String>,
}

/// What is to be compared: `a` and `b`, or `id` and `b`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Compared {
    /// The id of a document of the store.
    id: Option<String>,
    /// A text, in the place of `id`.
    a: Option<GivenText>,
    /// Another text.
    b: GivenText,
}

impl GivenText {
    fn document(self, id: &str) -> Document {
        Document { title: self.title, url: self.url, ..Document::new(id, self.text) }
    }
}

/// Compares two texts, or a text with a document of the store, by the settings of the store. Nothing is stored.
#[utoipa::path(
    post, path = "/v1/compare", tag = "texts",
    request_body(content = Compared, example = json!({
        "a": {"text": "The ferry to the island will not sail today because of the storm, said the captain."},
        "b": {"text": "The ferry to the island will not sail today because of a storm, the captain said."}
    })),
    responses(
        (status = 200, body = Object),
        refusals::Sent,
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn compare(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Problem> {
    if media_type(&headers) != "application/json" {
        let detail = "send application/json with `a` and `b`, or `id` and `b`";
        return Err(Problem::new(Code::MediaType).field("content-type").detail(detail));
    }
    let bytes = small_body::read(&state, &headers, body, MOST).await?;
    let source = state.source.store()?;
    let compared: Compared = serde_json::from_slice(&bytes).map_err(|error| {
        small_body::json_problem(&error, "send `a` and `b`, or `id` and `b`, each with a text")
    })?;
    match (compared.id, compared.a, compared.b) {
        (None, Some(a), b) => {
            explained(a.document("a"), b.document("b"), source.settings.clone()).await
        }
        (Some(id), None, b) => {
            let detector = source.signer.detector().clone();
            let document = b.document("b");
            let compared = source.ask(move |session| {
                let now = session.upkeep().holdings()?.clock.unwrap_or(0);
                let arrival = detector.sign(&document, now);
                session.upkeep().compare(&id, &arrival)
            });
            let compared = compared.await?.ok_or_else(super::documents::no_document)?;
            let time = rfc3339(compared.time);
            let mut value =
                serde_json::to_value(compared).map_err(|_| Problem::new(Code::Internal))?;
            value["time"] = time.into();
            Ok(Json(value))
        }
        _ => Err(Problem::new(Code::Invalid).field("a").detail("send either `a` or `id`, and `b`")),
    }
}
