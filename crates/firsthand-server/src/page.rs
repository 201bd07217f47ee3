//! The page on which people look at copies.

use crate::state::AppState;
use axum::Router;
use axum::response::Html;
use axum::routing::get;

/// The routes of the page.
pub(crate) fn routes(_state: &AppState) -> Router<AppState> {
    Router::new().route("/", get(index))
}

async fn index() -> Html<&'static str> {
    Html(include_str!("page/index.html"))
}
