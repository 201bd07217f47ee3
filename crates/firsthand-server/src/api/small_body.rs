//! Bodies that are read as a whole before anything is done with them.

use crate::body;
use crate::decode::{self, Encoding};
use crate::problem::{Code, Problem};
use crate::state::AppState;
use axum::body::Body;
use axum::http::HeaderMap;
use serde_json::error::Category;

/// The body without its compression, of at most this many bytes.
pub(super) async fn read(
    state: &AppState,
    headers: &HeaderMap,
    body: Body,
    most: u64,
) -> Result<Vec<u8>, Problem> {
    let encoding = Encoding::of(headers)?;
    let bytes = body::whole(body, most, &state.limits, &state.metrics).await?;
    decode::whole(bytes, encoding, most, &state.limits)
}

/// The problem of JSON that cannot be read; `wanted` says what it should be. Nothing of it is quoted.
pub(super) fn json_problem(error: &serde_json::Error, wanted: &'static str) -> Problem {
    match error.classify() {
        Category::Data => Problem::new(Code::Invalid).detail(wanted),
        _ => Problem::new(Code::BadJson).detail("this is not valid JSON"),
    }
}
