//! Why two documents of the store are near-duplicates, or not. Their texts must be kept.

use super::refusals;
use crate::params::Params;
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::store::{StoreSource, lost, store_problem};
use axum::Json;
use axum::extract::State;
use firsthand::{Document, Settings};
use firsthand_jobs::KeptText;
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(explain))
}

/// Which documents are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Two {
    /// The id of one document.
    #[param(example = "story-1")]
    a: String,
    /// The id of the other.
    #[param(example = "story-2")]
    b: String,
}

/// The kept texts of two documents.
pub(super) async fn texts(
    source: &StoreSource,
    a: &str,
    b: &str,
) -> Result<(KeptText, KeptText), Problem> {
    if !source.keep_text {
        return Err(Problem::new(Code::NoText).detail(
            "this service keeps no texts; start it with --keep-text, and send the documents again",
        ));
    }
    let ids = [a.to_owned(), b.to_owned()];
    let found = source.judge.call(move |session| {
        ids.map(|id| {
            // A text whose document is gone is none.
            session.upkeep().get(&id)?.map(|_| session.text(&id)).transpose()
        })
    });
    let [a, b] = found.await?.map(|found| match found {
        Ok(Some(Some(text))) => Ok(text),
        Ok(None) => Err(super::documents::no_document()),
        Ok(Some(None)) => Err(Problem::new(Code::NoText)
            .detail("the document arrived when texts were not kept; send it again")),
        Err(error) => Err(store_problem(&error)),
    });
    Ok((a?, b?))
}

/// How similar two documents are, and why: scores, shared features, passages side by side.
#[utoipa::path(
    get, path = "/v1/explain", tag = "texts", params(Two),
    responses(
        (status = 200, body = Object),
        refusals::Asked,
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn explain(
    State(state): State<AppState>,
    Params(Two { a, b }): Params<Two>,
) -> Result<Json<Value>, Problem> {
    let source = state.source.store()?;
    let (text_a, text_b) = texts(source, &a, &b).await?;
    let (a, b) = (text_a.into_document(&a), text_b.into_document(&b));
    explained(a, b, source.settings.clone()).await
}

/// Two documents compared by themselves.
pub(super) async fn explained(
    a: Document,
    b: Document,
    settings: Settings,
) -> Result<Json<Value>, Problem> {
    let explained =
        tokio::task::spawn_blocking(move || firsthand_jobs::explain::of_two(a, b, &settings));
    let explained = explained.await.map_err(lost)?.map_err(|_| Problem::new(Code::Internal))?;
    let value = serde_json::to_value(&explained.explanation);
    value.map(Json).map_err(|_| Problem::new(Code::Internal))
}
