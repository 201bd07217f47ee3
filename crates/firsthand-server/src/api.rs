//! The endpoints under /v1, named as in the command line.

mod clusters;
mod compare;
mod decisions;
mod documents;
mod explain;
mod export;
mod extract;
mod refusals;
mod schema;
mod settings;

use crate::state::AppState;
use utoipa_axum::router::OpenApiRouter;

/// All endpoints.
pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(documents::routes())
        .merge(clusters::routes())
        .merge(decisions::routes())
        .merge(explain::routes())
        .merge(compare::routes())
        .merge(extract::routes())
        .merge(export::routes())
        .merge(settings::routes())
}
