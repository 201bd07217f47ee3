//! What people decide about documents: taken down line by line, and the history of it.

use super::small_body::json_problem;
use super::{refusals, small_body};
use crate::cursor::Cursor;
use crate::decode::Framing;
use crate::disk;
use crate::guard::Person;
use crate::params::{Params, page_size};
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::store::job_problem;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use firsthand::online::DecideError;
use firsthand_input::calendar::rfc3339;
use firsthand_jobs::decisions::{Action, Active, Decision, Grade, Named};
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

/// The largest body, and the most lines of it.
const MOST: (u64, usize) = (8 << 20, 10_000);

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(decide, decisions))
}

/// The names of values, as they are written in JSON.
fn names<T: Serialize>(values: &[T], description: &str) -> Schema {
    let names = values.iter().map(|value| serde_json::to_value(value).unwrap_or_default());
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(names))
        .into()
}

pub(super) fn actions() -> Schema {
    names(
        &Action::ALL,
        "What is decided. `not-a-copy`: none of `documents` is a copy of any of `others`; without any, of \
         their original. `is-a-copy`: each of `documents` is a copy of `others`. `split`: `documents` are a \
         cluster of their own, without `others`; without any, the rest of their cluster. `merge`: the \
         clusters of `documents` and of `others` are one. `keep`: the first of `documents` is the original \
         of its cluster. `tag`, `untag`: `documents` get or lose `tags`. `skip`: the cluster of `documents` \
         was looked at, and nothing is to be done. `note`: a remark on `documents`. `label`: whether two \
         `documents` are copies of each other, by `grade`, for `tune` and `learn`. `undo`: the decision in \
         line `of`, or else the last one, no longer holds. `redo`: the decision in line `of`, or else the \
         one that was undone last, holds again.",
    )
}

pub(super) fn grades() -> Schema {
    names(&Grade::ALL, "The answer of a label: whether two documents are copies of each other.")
}

/// A decision to be taken down.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionToTake {
    /// What is decided.
    #[schema(schema_with = actions)]
    action: Action,
    /// The ids of the documents that it is about.
    #[serde(default)]
    #[schema(example = json!(["story-1"]))]
    documents: Vec<String>,
    /// The ids of the documents on the other side.
    #[serde(default)]
    others: Vec<String>,
    /// Tags.
    #[serde(default)]
    #[schema(max_items = 100)]
    tags: Vec<String>,
    /// A remark.
    note: Option<String>,
    /// The answer of a label.
    #[schema(schema_with = grades, required = false)]
    grade: Option<Grade>,
    /// The number of the line that is undone or redone.
    #[schema(minimum = 1)]
    of: Option<usize>,
    /// By whom, unless a name goes with the key.
    person: Option<String>,
}

impl DecisionToTake {
    fn into_decision(self, person: Option<&str>) -> Decision {
        let named = |ids: Vec<String>| -> Vec<Named> {
            ids.into_iter().map(|id| Named { id, text: None }).collect()
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = rfc3339(i64::try_from(now.as_millis()).unwrap_or(i64::MAX));
        let given = self.person.filter(|name| !name.trim().is_empty());
        Decision {
            others: named(self.others),
            tags: self.tags,
            note: self.note,
            grade: self.grade,
            of: self.of,
            // A name that came with a key cannot be another's.
            person: person.map(str::to_owned).or(given),
            ..Decision::new(self.action, named(self.documents), now)
        }
    }
}

/// A decision that was taken down.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TakenDecision {
    /// The number of its line, from 1.
    #[schema(minimum = 1)]
    line: usize,
    /// Whether it holds: it is neither undone nor an undoing itself.
    holds: bool,
    /// What was decided, in full.
    #[serde(flatten)]
    #[schema(value_type = DecisionLine)]
    decision: Decision,
}

/// A decision in full.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code)]
pub(super) struct DecisionLine {
    /// What was decided.
    #[schema(schema_with = actions)]
    action: Action,
    /// The documents that it is about.
    documents: Option<Vec<NamedDocument>>,
    /// The documents on the other side.
    others: Option<Vec<NamedDocument>>,
    /// Tags.
    tags: Option<Vec<String>>,
    /// A remark.
    note: Option<String>,
    /// The answer of a label.
    #[schema(schema_with = grades, required = false)]
    grade: Option<Grade>,
    /// The similarity that the documents of a label have.
    score: Option<f64>,
    /// The number of the line that is undone or redone.
    of: Option<usize>,
    /// When.
    #[schema(example = "2026-11-17T10:00:00Z")]
    time: String,
    /// By whom.
    person: Option<String>,
}

/// A document that a decision is about.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code)]
pub(super) struct NamedDocument {
    /// Its id.
    id: String,
    /// The hash of its text at that time: of another text nothing was decided.
    text: Option<String>,
}

/// The answer to one line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum DecisionAnswer {
    /// It was taken down.
    Taken(Box<TakenDecision>),
    /// It was not.
    Refused(Box<Problem>),
}

/// Why a decision was not taken down.
fn refused(error: &DecideError) -> Problem {
    let code = match error {
        DecideError::Refused(_) => Code::Invalid,
        DecideError::NotThere(_) | DecideError::Line(_) => Code::Conflict,
        DecideError::Unknown(_) => Code::NotFound,
    };
    // None of these words quotes what was sent.
    Problem::new(code).detail(error.to_string())
}

/// Takes decisions down, and obeys them from then on.
///
/// The answers are JSON, one a line, in the order of the decisions; they are sent once all are durable. One that
/// cannot be taken down is answered with a problem in its place, and the others are taken down all the same.
#[utoipa::path(
    post, path = "/v1/decisions", tag = "decisions",
    request_body(
        content(
            (Vec<DecisionToTake> = "application/json", example = json!([
                {"action": "tag", "documents": ["story-1"], "tags": ["weather"]},
                {"action": "skip", "documents": ["story-1"]}
            ])),
            (String = "application/x-ndjson", example = json!("{\"action\": \"note\", \"documents\": [\"story-1\"], \"note\": \"Ask the harbour.\"}\n")),
        ),
        description = "A JSON array, or one object a line; also compressed with gzip or zstd"
    ),
    responses(
        (status = 200, body = DecisionAnswer, content_type = "application/x-ndjson", description = "One answer a line"),
        refusals::Stored,
    )
)]
async fn decide(
    State(state): State<AppState>,
    person: Option<Extension<Person>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let framing = Framing::of(&headers)?;
    let source = state.source.store()?;
    if source.disk.is_nearly_full() {
        return Err(disk::full());
    }
    let bytes = small_body::read(&state, &headers, body, MOST.0).await?;
    let lines = read(&bytes, framing)?;
    let person = person.map(|Extension(Person(name))| name);
    let answers = source.judge.call(move |session| {
        let mut answers = Vec::with_capacity(lines.len());
        for (number, line) in (1..).zip(lines) {
            let taken = match line {
                Ok(line) => session.decide(&line.into_decision(person.as_deref()))?,
                Err(problem) => {
                    answers.push(DecisionAnswer::Refused(Box::new(problem.line(number))));
                    continue;
                }
            };
            answers.push(match taken {
                Ok((line, decision)) => {
                    let holds = !matches!(decision.action, Action::Undo | Action::Redo);
                    DecisionAnswer::Taken(Box::new(TakenDecision { line, holds, decision }))
                }
                Err(error) => DecisionAnswer::Refused(Box::new(refused(&error).line(number))),
            });
        }
        Ok(answers)
    });
    let answers = answers.await;
    source.note_decisions();
    let answers = answers?.map_err(|error| job_problem(&error))?;
    let mut body = Vec::new();
    for answer in answers {
        serde_json::to_writer(&mut body, &answer).map_err(|_| Problem::new(Code::Internal))?;
        body.push(b'\n');
    }
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

type Read = Result<DecisionToTake, Problem>;

fn read(bytes: &[u8], framing: Framing) -> Result<Vec<Read>, Problem> {
    let wanted = "send decisions with an action and documents; see /openapi.json";
    let bad = |error: serde_json::Error| json_problem(&error, wanted);
    let lines: Vec<Read> = match framing {
        Framing::Array => {
            let array: Vec<DecisionToTake> = serde_json::from_slice(bytes).map_err(bad)?;
            array.into_iter().map(Ok).collect()
        }
        Framing::Lines => {
            let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
            let lines = lines.filter(|line| !line.is_empty());
            lines.map(|line| serde_json::from_slice(line).map_err(bad)).collect()
        }
    };
    if lines.len() > MOST.1 {
        let detail = format!("send at most {} decisions at once", MOST.1);
        return Err(Problem::new(Code::TooLarge).limit("lines").detail(detail));
    }
    Ok(lines)
}

/// Which decisions are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Only those that name this document.
    document: Option<String>,
    /// The most decisions of a page.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the page begins: `next` of the page before.
    cursor: Option<String>,
}

/// Some decisions.
#[derive(Debug, Serialize, ToSchema)]
struct DecisionPage {
    /// The decisions, in the order in which they were taken down.
    decisions: Vec<TakenDecision>,
    /// Where the next page begins; null at the end.
    next: Option<String>,
}

/// What was decided, when and by whom; also what was undone.
#[utoipa::path(
    get, path = "/v1/decisions", tag = "decisions", params(Wanted),
    responses((status = 200, body = DecisionPage), refusals::Asked)
)]
async fn decisions(
    State(state): State<AppState>,
    Params(wanted): Params<Wanted>,
) -> Result<Json<DecisionPage>, Problem> {
    let limit = page_size(wanted.limit)?;
    let after = wanted.cursor.as_deref().map(Cursor::parse).transpose()?;
    let after = after.map_or(0, |cursor| usize::try_from(cursor.by).unwrap_or(0));
    let page = state.source.store()?.ask(move |session| {
        let lines = session.upkeep().decisions()?;
        let active = Active::new(lines);
        let holding: std::collections::HashSet<usize> =
            active.lines().iter().map(|(line, _)| *line).collect();
        let names = |decision: &Decision, id: &str| {
            decision.documents.iter().chain(&decision.others).any(|one| one.id == id)
        };
        let found = (1..).zip(lines).skip(after).filter_map(|(line, decision)| {
            let decision = decision.clone()?;
            let is_wanted = wanted.document.as_deref().is_none_or(|id| names(&decision, id));
            let holds = holding.contains(&line);
            is_wanted.then_some(TakenDecision { line, holds, decision })
        });
        let mut decisions: Vec<TakenDecision> = found.take(limit + 1).collect();
        let has_more = decisions.len() > limit;
        decisions.truncate(limit);
        let next = decisions.last().filter(|_| has_more).map(|last| {
            let by = i64::try_from(last.line).unwrap_or(i64::MAX);
            Cursor { by, name: String::new() }.text()
        });
        Ok(DecisionPage { decisions, next })
    });
    page.await.map(Json)
}
