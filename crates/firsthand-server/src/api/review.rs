//! What the page asks for: actions of people on clusters, undone and redone, and their history.

use super::decisions::{DecisionLine, actions, grades};
use super::small_body::json_problem;
use super::{refusals, small_body};
use crate::decode::media_type;
use crate::disk;
use crate::guard::Person;
use crate::problem::{Code, Problem};
use crate::source::Source;
use crate::state::AppState;
use crate::store::lost;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use firsthand_jobs::decisions::{Action, Grade};
use firsthand_jobs::review::{HistoryLine, Request, Review, ReviewError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The largest body.
const MOST: u64 = 8 << 20;
/// The lines of the history that are shown.
const HISTORY: usize = 1_000;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(act))
        .routes(routes!(undo))
        .routes(routes!(redo))
        .routes(routes!(history))
        .routes(routes!(version))
}

/// The problem of something that cannot be reviewed.
pub(crate) fn problem(error: &ReviewError) -> Problem {
    let code = match error {
        ReviewError::NoCluster(_) | ReviewError::NoDocument | ReviewError::Gone(_) => {
            Code::NotFound
        }
        ReviewError::Senseless(_) | ReviewError::Refused(_) => Code::Invalid,
        ReviewError::Meanwhile(_) | ReviewError::NotThere(_) | ReviewError::NotTaken(_) => {
            Code::Conflict
        }
        ReviewError::NoStore | ReviewError::Store(_) | ReviewError::Round(_) => Code::Unavailable,
        _ => Code::Internal,
    };
    Problem::new(code).detail(error.to_string())
}

/// An action on a cluster, as the page asks for it.
#[derive(ToSchema)]
#[allow(dead_code)]
struct ReviewAction {
    #[schema(schema_with = actions)]
    action: Action,
    /// The number of the cluster.
    cluster: Option<u32>,
    /// The ids of the chosen members; without any, the whole cluster. Two for a label.
    documents: Option<Vec<String>>,
    /// The cluster to merge with, by its number or the id of one of its documents.
    with: Option<String>,
    /// Tags.
    #[schema(max_items = 100)]
    tags: Option<Vec<String>>,
    /// A remark.
    note: Option<String>,
    /// How the original is chosen where no document is named: `"earliest"`, `"longest"`, or `{"source": NAME}`
    /// for the earliest of a source.
    rule: Option<Value>,
    #[schema(schema_with = grades, required = false)]
    grade: Option<Grade>,
    /// By whom, unless a name goes with the key.
    person: Option<String>,
}

/// What an action became.
#[derive(Serialize, ToSchema)]
struct ActionTaken {
    /// The line of the decision.
    #[schema(minimum = 1)]
    line: usize,
    /// The number of the last line that holds, by which a page knows whether it is current.
    version: usize,
}

/// What is to be undone or redone, and by whom.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LineToUndo {
    /// The number of the line; without one, the last.
    #[serde(default)]
    #[schema(minimum = 1)]
    of: Option<usize>,
    /// By whom, unless a name goes with the key.
    #[serde(default)]
    person: Option<String>,
}

/// A decision of the history.
#[derive(ToSchema)]
#[allow(dead_code)]
struct HistoryEntry {
    /// The number of its line, from 1.
    line: usize,
    /// Whether it holds.
    holds: bool,
    /// The number of the cluster of its first document.
    cluster: Option<u32>,
    /// What was decided.
    decision: DecisionLine,
}

/// The number of the last line that holds.
#[derive(Serialize, ToSchema)]
struct ReviewVersion {
    /// The number.
    version: usize,
}

type Named = Option<Extension<Person>>;

/// A name that came with a key cannot be another's.
fn person(named: Named, given: Option<String>) -> Option<String> {
    named.map(|Extension(Person(name))| name).or(given)
}

async fn read<T: DeserializeOwned>(
    state: &AppState,
    headers: &HeaderMap,
    body: Body,
) -> Result<T, Problem> {
    if media_type(headers) != "application/json" {
        let detail = "send JSON with `content-type: application/json`";
        return Err(Problem::new(Code::MediaType).field("content-type").detail(detail));
    }
    if let Source::Store(source) = &state.source
        && source.disk.is_nearly_full()
    {
        return Err(disk::full());
    }
    let bytes = small_body::read(state, headers, body, MOST).await?;
    let wanted = "the body is not an action; /openapi.json and docs/review.md list them";
    serde_json::from_slice(&bytes).map_err(|error| json_problem(&error, wanted))
}

/// Does what may take a while, such as reading files, away from the threads that serve.
async fn aside<T: Send + 'static>(
    state: &AppState,
    work: impl FnOnce(&Review) -> T + Send + 'static,
) -> Result<T, Problem> {
    let review = state.review()?;
    tokio::task::spawn_blocking(move || work(&review)).await.map_err(lost)
}

async fn taken(
    state: &AppState,
    act: impl FnOnce(&Review) -> Result<usize, ReviewError> + Send + 'static,
) -> Result<Json<ActionTaken>, Problem> {
    let taken = aside(state, move |review| {
        Ok(ActionTaken { line: act(review)?, version: review.version() })
    });
    taken.await?.map(Json).map_err(|error: ReviewError| problem(&error))
}

/// Does something with a cluster or with chosen members of it. It is durable when this is answered.
#[utoipa::path(
    post, path = "/v1/review/actions", tag = "review",
    request_body(content = ReviewAction, example = json!({"action": "tag", "cluster": 1, "tags": ["weather"]})),
    responses(
        (status = 200, body = ActionTaken),
        refusals::Stored,
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn act(
    State(state): State<AppState>,
    named: Named,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ActionTaken>, Problem> {
    let mut request: Request = read(&state, &headers, body).await?;
    request.person = person(named, request.person);
    taken(&state, |review| review.act(request)).await
}

/// Undoes a decision: a line of the history, or else the last one that holds.
#[utoipa::path(
    post, path = "/v1/review/undo", tag = "review",
    request_body(content = LineToUndo, example = json!({})),
    responses(
        (status = 200, body = ActionTaken),
        refusals::Stored,
    )
)]
async fn undo(
    State(state): State<AppState>,
    named: Named,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ActionTaken>, Problem> {
    let LineToUndo { of, person: given } = read(&state, &headers, body).await?;
    let person = person(named, given);
    taken(&state, move |review| review.undo(of, person)).await
}

/// Does again what was undone last.
#[utoipa::path(
    post, path = "/v1/review/redo", tag = "review",
    request_body(content = LineToUndo, example = json!({})),
    responses(
        (status = 200, body = ActionTaken),
        refusals::Stored,
    )
)]
async fn redo(
    State(state): State<AppState>,
    named: Named,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ActionTaken>, Problem> {
    let LineToUndo { person: given, .. } = read(&state, &headers, body).await?;
    let person = person(named, given);
    taken(&state, move |review| review.redo(person)).await
}

/// The last thousand decisions, the latest first, also those that were undone.
#[utoipa::path(
    get, path = "/v1/review/history", tag = "review",
    responses((status = 200, body = Vec<HistoryEntry>), refusals::Asked)
)]
async fn history(State(state): State<AppState>) -> Result<Json<Vec<HistoryLine>>, Problem> {
    aside(&state, |review| review.history(HISTORY)).await.map(Json)
}

/// By this number a page knows whether somebody has decided something since it was made.
#[utoipa::path(
    get, path = "/v1/review/version", tag = "review",
    responses((status = 200, body = ReviewVersion), refusals::Asked)
)]
async fn version(State(state): State<AppState>) -> Result<Json<ReviewVersion>, Problem> {
    aside(&state, |review| ReviewVersion { version: review.version() }).await.map(Json)
}
