//! Documents: sent to be judged, looked up, deleted.

use super::refusals;
use super::schema::{DocumentAnswer, DocumentToJudge, StoredDocument};
use crate::params::{Id, Params};
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::upload::upload;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use firsthand::online::FoundDocument;
use firsthand_jobs::store::document_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(add, by_url))
        .routes(routes!(check))
        .routes(routes!(get, delete))
}

/// Judges documents and stores them.
///
/// The answers are JSON, one a line, in the order of the documents; each is sent only once its document is
/// durable. A line that holds no document is answered with a problem in its place. If the whole body is
/// refused after answers were sent, the last line is the problem.
#[utoipa::path(
    post, path = "/v1/documents", tag = "documents",
    request_body(
        content(
            (Vec<DocumentToJudge> = "application/json", example = json!([{
                "id": "story-1",
                "text": "The ferry to the island will not sail today because of the storm, said the captain at the harbour this morning.",
                "url": "https://news.example/ferry"
            }, {
                "id": "story-3",
                "text": "The ferry to the island will not sail today because of a storm, said the captain at the harbour this morning."
            }])),
            (String = "application/x-ndjson", example = json!("{\"id\": \"story-2\", \"text\": \"The council has voted for a new bridge over the river, to be built within three years.\"}\n")),
        ),
        description = "A JSON array, or one object a line; also compressed with gzip or zstd"
    ),
    responses(
        (status = 200, body = DocumentAnswer, content_type = "application/x-ndjson", description = "One answer a line"),
        refusals::Stored,
    )
)]
async fn add(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    upload(&state, state.source.store()?, &headers, body, true).await
}

/// Judges documents without storing them, each as if it were the next to arrive.
#[utoipa::path(
    post, path = "/v1/check", tag = "documents",
    request_body(
        content(
            (Vec<DocumentToJudge> = "application/json", example = json!([{
                "id": "new", "text": "The ferry to the island will not sail today because of the storm."
            }])),
            (String = "application/x-ndjson", example = json!("{\"id\": \"new\", \"text\": \"The ferry did not sail.\"}\n")),
        ),
        description = "A JSON array, or one object a line; also compressed with gzip or zstd"
    ),
    responses(
        (status = 200, body = DocumentAnswer, content_type = "application/x-ndjson", description = "One answer a line"),
        refusals::Sent,
    )
)]
async fn check(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    upload(&state, state.source.store()?, &headers, body, false).await
}

/// Which document is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ByUrl {
    /// Its URL.
    #[param(example = "https://news.example/ferry")]
    url: String,
}

/// The latest document with a URL.
#[utoipa::path(
    get, path = "/v1/documents", tag = "documents", params(ByUrl),
    responses(
        (status = 200, body = StoredDocument),
        refusals::Asked,
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn by_url(
    State(state): State<AppState>,
    Params(ByUrl { url }): Params<ByUrl>,
) -> Result<Json<Value>, Problem> {
    shown(state.source.store()?.ask(move |session| session.upkeep().get_by_url(&url)).await?)
}

/// A document: its verdict, its original, its copies.
#[utoipa::path(
    get, path = "/v1/documents/{id}", tag = "documents",
    params(("id" = String, Path, description = "Its id", example = "story-1")),
    responses(
        (status = 200, body = StoredDocument),
        refusals::Named,
    )
)]
async fn get(State(state): State<AppState>, Id(id): Id) -> Result<Json<Value>, Problem> {
    shown(state.source.store()?.ask(move |session| session.upkeep().get(&id)).await?)
}

fn shown(found: Option<FoundDocument>) -> Result<Json<Value>, Problem> {
    let found = found.ok_or_else(no_document)?;
    document_json(&found).map(Json).map_err(|_| Problem::new(Code::Internal))
}

/// The problem of a document that is not there.
pub(super) fn no_document() -> Problem {
    Problem::new(Code::NotFound).detail("there is no such document; it may have expired")
}

/// What became of a document that was deleted.
#[derive(Debug, Serialize, ToSchema)]
struct DeletedDocument {
    /// Its id.
    id: String,
    /// The new original of its cluster, if it was the original.
    promoted: Option<String>,
    /// The number of other documents that named it, and do no longer.
    named_by: u64,
}

/// Deletes a document, and every mention of it. Its bytes are gone from the disk once the store is compacted.
#[utoipa::path(
    delete, path = "/v1/documents/{id}", tag = "documents",
    params(("id" = String, Path, description = "Its id", example = "story-2")),
    responses(
        (status = 200, body = DeletedDocument),
        refusals::Named,
    )
)]
async fn delete(
    State(state): State<AppState>,
    Id(id): Id,
) -> Result<Json<DeletedDocument>, Problem> {
    let source = state.source.store()?;
    let wanted = id.clone();
    let deleted = source.ask(move |session| session.delete(&wanted)).await;
    source.judge.note_change();
    let deleted = deleted?.ok_or_else(no_document)?;
    Ok(Json(DeletedDocument { id, promoted: deleted.promoted, named_by: deleted.named_by }))
}
