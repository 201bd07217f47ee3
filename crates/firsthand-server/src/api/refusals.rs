//! Problems that many endpoints answer with, for the description of the interface.

use crate::problem::Problem;
use std::collections::BTreeMap;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

/// What a request that names a document or a cluster may be answered with: no key, no scope or another site, no
/// store, a store that fails, and nothing of that name.
pub(crate) struct Named;

/// The same for a request with parameters.
pub(crate) struct Asked;

/// The same for a request with a body.
pub(crate) struct Sent;

/// The same for a request whose body is stored.
pub(crate) struct Stored;

type Responses = BTreeMap<String, RefOr<utoipa::openapi::Response>>;

fn problems(statuses: &[u16]) -> Responses {
    let reference = Ref::from_schema_name(Problem::name());
    let content = ContentBuilder::new().schema(Some(reference)).build();
    let response = |status: &u16| {
        let response = ResponseBuilder::new().content("application/problem+json", content.clone());
        (status.to_string(), RefOr::T(response.build()))
    };
    statuses.iter().map(response).collect()
}

impl IntoResponses for Named {
    fn responses() -> Responses {
        problems(&[400, 401, 403, 404, 409, 503])
    }
}

impl IntoResponses for Asked {
    fn responses() -> Responses {
        problems(&[401, 403, 409, 422, 503])
    }
}

impl IntoResponses for Sent {
    fn responses() -> Responses {
        problems(&[400, 401, 403, 408, 409, 413, 415, 422, 429, 503])
    }
}

impl IntoResponses for Stored {
    fn responses() -> Responses {
        let mut responses = Sent::responses();
        responses.extend(problems(&[507]));
        responses
    }
}
