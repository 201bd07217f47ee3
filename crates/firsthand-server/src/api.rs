//! The endpoints under /v1, named as in the command line.

mod clusters;
mod compare;
mod decisions;
mod documents;
mod explain;
mod export;
mod extract;
mod refusals;
mod review;
mod schema;
mod settings;
mod small_body;

pub(crate) use review::problem as review_problem;

use crate::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// All endpoints.
pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(documents::routes())
        .merge(clusters::routes())
        .merge(decisions::routes())
        .merge(review::routes())
        .merge(explain::routes())
        .merge(compare::routes())
        .merge(extract::routes())
        .merge(export::routes())
        .merge(settings::routes())
}
