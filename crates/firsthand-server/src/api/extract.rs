//! The text that a page is compared by, and what was left out of it.

use super::{refusals, small_body};
use crate::decode::media_type;
use crate::line_problem::reading_problem;
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::store::lost;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firsthand_input::{ReadError, ReadOptions, open_bytes};
use firsthand_jobs::extract::{Extracted, ReadDocument};
use serde_json::Value;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The largest page.
const MOST: u64 = 64 << 20;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(extract))
}

/// The name under which a body is read, by its type.
fn name(headers: &HeaderMap) -> Result<&'static str, Problem> {
    match &*media_type(headers) {
        "text/html" | "application/xhtml+xml" => Ok("page.html"),
        "text/plain" => Ok("page.txt"),
        "message/rfc822" => Ok("page.eml"),
        _ => Err(Problem::new(Code::MediaType)
            .field("content-type")
            .detail("send a page as text/html, text/plain or message/rfc822")),
    }
}

/// The main text of a page, with every block and why it was kept or not.
#[utoipa::path(
    post, path = "/v1/extract", tag = "texts",
    request_body(
        content(
            (String = "text/html", example = json!("<title>Ferry</title><p>The ferry to the island will not sail today because of the storm.</p>")),
            (String = "text/plain", example = json!("The ferry to the island will not sail today.")),
            (String = "message/rfc822"),
        ),
        description = "A page, a text or a message"
    ),
    responses(
        (status = 200, body = Object),
        refusals::Sent,
    )
)]
async fn extract(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Problem> {
    let name = name(&headers)?;
    let bytes = small_body::read(&state, &headers, body, MOST).await?;
    let options = match state.source.store() {
        Ok(source) => source.signer.options().clone(),
        Err(_) => ReadOptions::default(),
    };
    let options = ReadOptions { blocks: true, ..options };
    let extracted = tokio::task::spawn_blocking(move || read(name, &bytes, &options));
    extracted.await.map_err(lost)?.map(Json)
}

fn read(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Value, Problem> {
    let items = open_bytes(name, bytes, options).flat_map(|batch| {
        let items: Vec<Result<_, ReadError>> = batch.into_documents(options).collect();
        items
    });
    let Some(item) = items.into_iter().next() else {
        return Err(Problem::new(Code::Invalid).detail("the body holds no document"));
    };
    let item = item.map_err(|error| reading_problem(&error.reason))?;
    let read = ReadDocument { item, on_site: None };
    let extracted = Extracted::new(&read, &options.reading.limits, true);
    let mut value = serde_json::to_value(extracted).map_err(|_| Problem::new(Code::Internal))?;
    // Its id and place are those of a file that there is not.
    if let Some(fields) = value.as_object_mut() {
        fields.remove("id");
        fields.remove("place");
    }
    Ok(value)
}
