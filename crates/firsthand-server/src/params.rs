//! Parameters of requests, whose mistakes are problems.

use crate::problem::{Code, Problem};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

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
