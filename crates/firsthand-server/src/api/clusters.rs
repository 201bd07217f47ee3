//! Clusters: a list in pages, one of them with its members, and how its members differ.

use super::refusals;
use super::schema::StoredDocument;
use crate::cursor::Cursor;
use crate::diff::{Change, diff};
use crate::params::{Id, Params, page_size};
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::store::lost;
use axum::Json;
use axum::extract;
use firsthand::online::{FoundDocument, StoreError, StoredCluster};
use firsthand_input::calendar::rfc3339;
use firsthand_input::parse_time;
use firsthand_jobs::decisions::State;
use firsthand_jobs::store::{DocumentLine, Reviewed};
use firsthand_jobs::stream::StreamSession;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Reverse;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(clusters))
        .routes(routes!(cluster))
        .routes(routes!(cluster_diff))
}

/// The order of clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    /// The largest first.
    #[default]
    Size,
    /// By the time of the earliest document.
    First,
    /// By the time of the latest document, the most recent first.
    Last,
    /// By the lowest similarity of a copy, the least certain first.
    Certainty,
    /// By the number of different sources, the most first.
    Sources,
}

/// Whether somebody has looked at a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ReviewState {
    /// Nobody has.
    Open,
    /// Somebody has decided something.
    Reviewed,
    /// Somebody has left it as it is.
    Skipped,
}

impl From<State> for ReviewState {
    fn from(state: State) -> Self {
        match state {
            State::Open => Self::Open,
            State::Reviewed => Self::Reviewed,
            State::Skipped => Self::Skipped,
        }
    }
}

/// Which clusters are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Their order.
    #[serde(default)]
    #[param(inline)]
    sort: Sort,
    /// The fewest documents.
    #[param(minimum = 1)]
    min_size: Option<u64>,
    /// The most documents.
    #[param(minimum = 1)]
    max_size: Option<u64>,
    /// A source of one of its documents, or the host of the original's URL, or the end of that, such as
    /// `news.example`.
    source: Option<String>,
    /// A tag of one of its documents.
    tag: Option<String>,
    /// Whether somebody has looked at it.
    #[param(inline)]
    state: Option<ReviewState>,
    /// With a document at this time or later.
    #[param(example = "2024-05-31T00:00:00Z")]
    from: Option<String>,
    /// With a document at this time or earlier.
    to: Option<String>,
    /// Words in the title of the original, its id or its URL, in whatever case.
    text: Option<String>,
    /// The most clusters of a page.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the page begins: `next` of the page before.
    cursor: Option<String>,
}

/// A cluster.
#[derive(Debug, Serialize, ToSchema)]
struct ClusterLine {
    /// Its name: the id of its first original.
    cluster: String,
    /// The id of its original.
    original: String,
    /// The number of its documents.
    size: u64,
    /// How many of them are updates.
    updates: u64,
    /// The time of its earliest document.
    first: String,
    /// The time of its latest document.
    last: String,
    /// The title of the original.
    title: Option<String>,
    /// The URL of the original.
    url: Option<String>,
    /// The source of the original: the one that it names, or the host of its URL.
    source: Option<String>,
    /// The number of different sources of its documents.
    sources: u64,
    /// The lowest similarity of a copy to its original; null without copies.
    lowest: Option<f64>,
    /// Whether somebody has looked at it.
    state: ReviewState,
    /// The tags of its documents.
    tags: Vec<String>,
}

/// Some clusters.
#[derive(Debug, Serialize, ToSchema)]
struct ClusterPage {
    /// The clusters.
    clusters: Vec<ClusterLine>,
    /// How many there are in all, as wanted.
    total: usize,
    /// Where the next page begins; null at the end.
    next: Option<String>,
}

impl ClusterLine {
    fn new(found: &StoredCluster, reviewed: &Reviewed) -> Self {
        Self {
            first: rfc3339(found.times.0),
            last: rfc3339(found.times.1),
            original: found.original.clone(),
            size: found.size,
            updates: found.updates,
            title: found.title.clone(),
            url: found.url.clone(),
            source: found.source.clone(),
            sources: found.sources,
            lowest: found.lowest,
            state: reviewed.state(&found.cluster).into(),
            tags: reviewed.tags(&found.cluster).map(str::to_owned).collect(),
            cluster: found.cluster.clone(),
        }
    }
}

fn key(sort: Sort, cluster: &StoredCluster) -> (Reverse<i64>, &str) {
    let by = match sort {
        Sort::Size => i64::try_from(cluster.size).unwrap_or(i64::MAX),
        Sort::First => cluster.times.0.saturating_neg(),
        Sort::Last => cluster.times.1,
        // Without copies there is no doubt.
        Sort::Certainty => -((cluster.lowest.unwrap_or(2.0) * 1e12) as i64),
        Sort::Sources => i64::try_from(cluster.sources).unwrap_or(i64::MAX),
    };
    (Reverse(by), &cluster.cluster)
}

fn time(field: &str, text: Option<&String>) -> Result<Option<i64>, Problem> {
    let parsed = text.map(|text| {
        let detail = "write the time as 2024-05-31T18:00:00Z";
        parse_time(text).ok_or_else(|| Problem::new(Code::Invalid).field(field).detail(detail))
    });
    parsed.transpose()
}

fn is_from(url: Option<&str>, source: &str) -> bool {
    let host = url.and_then(|url| url.split_once("://")).map(|(_, rest)| rest);
    let host = host.and_then(|rest| rest.split(['/', '?', '#', ':']).next()).unwrap_or("");
    host.strip_suffix(source).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// The clusters, in pages.
#[utoipa::path(
    get, path = "/v1/clusters", tag = "clusters", params(Wanted),
    responses(
        (status = 200, body = ClusterPage),
        refusals::Asked,
    )
)]
async fn clusters(
    extract::State(state): extract::State<AppState>,
    Params(wanted): Params<Wanted>,
) -> Result<Json<ClusterPage>, Problem> {
    let (from, to) = (time("from", wanted.from.as_ref())?, time("to", wanted.to.as_ref())?);
    let limit = page_size(wanted.limit)?;
    let after = wanted.cursor.as_deref().map(Cursor::parse).transpose()?;
    let list = state.source.store()?.clusters().await?;
    let text = wanted.text.as_deref().map(str::to_lowercase);
    let least = wanted.min_size.unwrap_or(2);
    let is_wanted = |cluster: &&StoredCluster| {
        let says = |text: &str| {
            let fields =
                [cluster.title.as_deref(), cluster.url.as_deref(), Some(&*cluster.original)];
            fields.into_iter().flatten().any(|field| field.to_lowercase().contains(text))
        };
        cluster.size >= least
            && wanted.max_size.is_none_or(|most| cluster.size <= most)
            && from.is_none_or(|from| cluster.times.1 >= from)
            && to.is_none_or(|to| cluster.times.0 <= to)
            && wanted.source.as_deref().is_none_or(|source| {
                let host = source.to_lowercase();
                cluster.has_source(source) || is_from(cluster.url.as_deref(), &host)
            })
            && wanted.tag.as_deref().is_none_or(|tag| {
                list.reviewed.tags(&cluster.cluster).any(|known| known == tag.trim())
            })
            && wanted.state.is_none_or(|state| {
                ReviewState::from(list.reviewed.state(&cluster.cluster)) == state
            })
            && text.as_deref().is_none_or(says)
    };
    let sort = wanted.sort;
    let mut found: Vec<&StoredCluster> = list.clusters.iter().filter(is_wanted).collect();
    let total = found.len();
    if let Some(after) = &after {
        found.retain(|cluster| key(sort, cluster) > (Reverse(after.by), &*after.name));
    }
    let has_more = found.len() > limit;
    if has_more {
        found.select_nth_unstable_by(limit - 1, |a, b| key(sort, a).cmp(&key(sort, b)));
        found.truncate(limit);
    }
    found.sort_unstable_by(|a, b| key(sort, a).cmp(&key(sort, b)));
    let next = found.last().filter(|_| has_more).map(|last| {
        let (Reverse(by), name) = key(sort, last);
        Cursor { by, name: name.to_owned() }.text()
    });
    let clusters = found.into_iter().map(|found| ClusterLine::new(found, &list.reviewed)).collect();
    Ok(Json(ClusterPage { clusters, total, next }))
}

/// Which members are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MembersWanted {
    /// The most members of a page.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the page begins: `next` of the page before.
    cursor: Option<String>,
}

/// A cluster with its members.
#[derive(Debug, Serialize, ToSchema)]
struct Cluster {
    /// Its name: the id of its first original.
    cluster: String,
    /// The id of its original.
    original: String,
    /// The number of its documents.
    size: usize,
    /// Its documents, the original first, then in the order of arrival.
    #[schema(value_type = Vec<StoredDocument>)]
    members: Vec<Value>,
    /// Where the next page of members begins; null at the end.
    next: Option<String>,
}

/// The original of the cluster that a document is in.
fn original_of(
    session: &mut StreamSession<'_>,
    id: &str,
) -> Result<Option<FoundDocument>, StoreError> {
    let Some(found) = session.upkeep().get(id)? else { return Ok(None) };
    // It may have been forgotten.
    Ok(Some(session.upkeep().get(&found.original)?.unwrap_or(found)))
}

/// A cluster with its members, by its name or by the id of any of them.
#[utoipa::path(
    get, path = "/v1/clusters/{id}", tag = "clusters",
    params(("id" = String, Path, description = "Its name, or the id of a member", example = "story-1"), MembersWanted),
    responses(
        (status = 200, body = Cluster),
        refusals::Named,
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn cluster(
    extract::State(state): extract::State<AppState>,
    Id(id): Id,
    Params(wanted): Params<MembersWanted>,
) -> Result<Json<Cluster>, Problem> {
    let limit = page_size(wanted.limit)?;
    let from = wanted.cursor.as_deref().map(Cursor::parse).transpose()?;
    let from = from.map_or(0, |cursor| usize::try_from(cursor.by).unwrap_or(0));
    let source = state.source.store()?;
    let found = source.ask(move |session| members(session, &id, from, limit)).await?;
    found.map(Json).ok_or_else(no_cluster)
}

fn no_cluster() -> Problem {
    Problem::new(Code::NotFound).detail("there is no such cluster; it may have expired")
}

fn members(
    session: &mut StreamSession<'_>,
    id: &str,
    from: usize,
    limit: usize,
) -> Result<Option<Cluster>, StoreError> {
    let Some(original) = original_of(session, id)? else { return Ok(None) };
    let name = original.document.answer.id.clone().unwrap_or_default();
    let mut ids = vec![name.clone()];
    ids.extend(original.copies.iter().cloned());
    let size = ids.len();
    let mut members = Vec::new();
    for id in ids.iter().skip(from).take(limit) {
        if let Some(found) = session.upkeep().get(id)? {
            members.extend(serde_json::to_value(DocumentLine::new(&found.document)).ok());
        }
    }
    let next = from.saturating_add(limit);
    let next = (next < size).then(|| {
        Cursor { by: i64::try_from(next).unwrap_or(i64::MAX), name: String::new() }.text()
    });
    Ok(Some(Cluster { cluster: original.cluster, original: name, size, members, next }))
}

/// Which member is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DiffWanted {
    /// The id of the member that is compared with the original; its last one by default.
    member: Option<String>,
}

/// How a member differs from the original.
#[derive(Debug, Serialize, ToSchema)]
struct Diff {
    /// The id of the original.
    original: String,
    /// The id of the member.
    member: String,
    /// What is in both, only in the original, or only in the member, in the order of the texts.
    changes: Vec<Change>,
}

/// How a member of a cluster differs from the original, word by word. The texts must be kept.
#[utoipa::path(
    get, path = "/v1/clusters/{id}/diff", tag = "clusters",
    params(("id" = String, Path, description = "Its name, or the id of a member", example = "story-1"), DiffWanted),
    responses(
        (status = 200, body = Diff),
        refusals::Named,
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn cluster_diff(
    extract::State(state): extract::State<AppState>,
    Id(id): Id,
    Params(wanted): Params<DiffWanted>,
) -> Result<Json<Diff>, Problem> {
    let source = state.source.store()?;
    let found = source.ask(move |session| {
        let Some(original) = original_of(session, &id)? else { return Ok(None) };
        let name = original.document.answer.id.clone().unwrap_or_default();
        let last = original.copies.last().unwrap_or(&name).clone();
        Ok(Some((name, wanted.member.unwrap_or(last))))
    });
    let (original, member) = found.await?.ok_or_else(no_cluster)?;
    let (a, b) = super::explain::texts(source, &original, &member).await?;
    let changes = tokio::task::spawn_blocking(move || diff(&a.text, &b.text));
    Ok(Json(Diff { original, member, changes: changes.await.map_err(lost)? }))
}
