//! Parameters of requests, whose mistakes are problems.

use crate::problem::{Code, Problem};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// The entries of a page, unless another number is asked for, and the most.
const PAGE: (usize, usize) = (50, 1000);

/// The number of entries of a page.
pub(crate) fn page_size(limit: Option<usize>) -> Result<usize, Problem> {
    match limit.unwrap_or(PAGE.0) {
        limit if (1..=PAGE.1).contains(&limit) => Ok(limit),
        _ => {
            let detail = format!("a page has 1 to {} entries", PAGE.1);
            Err(Problem::new(Code::Invalid).field("limit").detail(detail))
        }
    }
}

/// The query of a request.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(_) => Err(Problem::new(Code::Invalid)
                .field("query")
                .detail("a parameter is missing, or has a value that is none of its own")),
        }
    }
}

/// The id in the path of a request. A slash within it is written as %2F.
pub(crate) struct Id(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(Problem::new(Code::BadRequest)
                .field("id")
                .detail("the id is not valid UTF-8 once its percent signs are decoded")),
        }
    }
}
