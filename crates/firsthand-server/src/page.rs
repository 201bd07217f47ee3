//! The page on which people look at copies: HTML made here, a small script and a style sheet, all of it in
//! the binary. Everything from documents is hostile, so that nothing of it becomes markup, nothing is
//! inline, and no other site is asked for anything.

mod address;
mod beside;
mod cluster;
mod differences;
mod exports;
mod history;
mod label;
mod layout;
mod list;
mod members;
mod on_view;
mod shown;
mod timeline;

use crate::api::review_problem;
use crate::problem::{Code, Problem};
use crate::state::AppState;
use address::ListQuery;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use firsthand_jobs::review::{ExportFormat, Review, ReviewError};
use maud::Markup;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::sync::mpsc;

type Shared = State<Arc<Review>>;
type Fields = Query<Vec<(String, String)>>;

/// The routes of the page.
pub(crate) fn routes(state: &AppState) -> Router<AppState> {
    let Some(review) = &state.review else { return Router::new() };
    Router::new()
        .route("/", get(clusters))
        .route("/clusters/{number}", get(cluster))
        .route("/clusters/{number}/page", get(original_page))
        .route("/label", get(label))
        .route("/history", get(history))
        .route("/export", get(exports))
        .route("/export/{name}", get(export))
        .route("/page/page.css", get(async || asset("text/css", include_str!("page/page.css"))))
        .route(
            "/page/page.js",
            get(async || asset("text/javascript", include_str!("page/page.js"))),
        )
        .route(
            "/page/icon.svg",
            get(async || asset("image/svg+xml", include_str!("page/icon.svg"))),
        )
        .layer(map_response(secured))
        .with_state(Arc::clone(review))
}

/// What a page may do: nothing but what is served here.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
                      object-src 'none'";
/// What a page of a document may do: nothing. Its own styles may stand in it.
const FRAME_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                            base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

async fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let set = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ];
    for (name, value) in set {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn asset(kind: &'static str, content: &'static str) -> Response {
    let kind = match kind {
        "text/css" => "text/css; charset=utf-8",
        "text/javascript" => "text/javascript; charset=utf-8",
        kind => kind,
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], content).into_response()
}

/// Does what may take a while, such as reading files, away from the threads that serve.
async fn aside<T: Send + 'static>(
    review: Arc<Review>,
    work: impl FnOnce(&Review) -> T + Send + 'static,
) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(move || work(&review)).await;
    done.map_err(|_| Problem::new(Code::Internal).into_response())
}

fn html(page: Markup) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page.into_string()).into_response()
}

/// A page that says what went wrong.
fn failed(error: &ReviewError) -> Response {
    let problem = review_problem(error);
    let (status, _, title) = problem.code.words();
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let detail = problem.detail.unwrap_or_default();
    (status, html(layout::problem(title, &detail))).into_response()
}

async fn clusters(State(review): Shared, Query(fields): Fields) -> Result<Response, Response> {
    let query = ListQuery::new(&fields);
    aside(review, move |review| html(list::page(review, &query))).await
}

async fn cluster(
    State(review): Shared,
    Path(number): Path<u32>,
    Query(fields): Fields,
) -> Result<Response, Response> {
    aside(review, move |review| {
        let field = |name: &str| {
            let found = fields.iter().rev().find(|(known, _)| known == name);
            found.map(|(_, value)| &**value)
        };
        let shown = on_view::Shown {
            query: &ListQuery::new(&fields),
            member: field("m"),
            show: field("show").unwrap_or("diff"),
            from: field("from").and_then(|from| from.parse().ok()).unwrap_or(0),
        };
        cluster::page(review, number, &shown).map_or_else(|error| failed(&error), html)
    })
    .await
}

/// A page of a document as it is, in a frame that runs nothing and fetches nothing.
async fn original_page(
    State(review): Shared,
    Path(number): Path<u32>,
    Query(fields): Fields,
) -> Result<Response, Response> {
    aside(review, move |review| {
        let id = fields.iter().find(|(name, _)| name == "m").map(|(_, id)| &**id).unwrap_or("");
        let page = || {
            let cluster = review.cluster(number)?;
            let member = cluster.members.into_iter().find(|member| member.id == id);
            review.page(&member.ok_or(ReviewError::NoDocument)?)
        };
        match page() {
            Ok(bytes) => {
                let headers = [
                    (header::CONTENT_TYPE, "text/html"),
                    (header::CONTENT_SECURITY_POLICY, FRAME_POLICY),
                ];
                (headers, bytes).into_response()
            }
            Err(error) => failed(&error),
        }
    })
    .await
}

async fn label(State(review): Shared) -> Result<Response, Response> {
    aside(review, |review| html(label::page(review))).await
}

async fn history(State(review): Shared) -> Result<Response, Response> {
    aside(review, |review| html(history::page(review))).await
}

async fn exports(State(review): Shared) -> Result<Response, Response> {
    aside(review, |review| html(exports::page(review))).await
}

async fn export(State(review): Shared, Path(name): Path<String>) -> Response {
    let (kind, format) = match &*name {
        "clusters.csv" => ("text/csv; charset=utf-8", Some(ExportFormat::Csv)),
        "clusters.jsonl" => ("application/x-ndjson", Some(ExportFormat::Jsonl)),
        "clusters.parquet" => ("application/vnd.apache.parquet", Some(ExportFormat::Parquet)),
        "labels.tsv" => ("text/tab-separated-values; charset=utf-8", None),
        _ => return Problem::new(Code::NotFound).into_response(),
    };
    let (sender, receiver) = mpsc::channel(4);
    tokio::task::spawn_blocking(move || {
        let mut out = io::BufWriter::with_capacity(1 << 16, Sending(sender.clone()));
        let written = match format {
            Some(format) => review.export(format, &mut out).map_err(io::Error::other),
            None => review.labels(&mut out),
        };
        if let Err(error) = written.and_then(|()| out.flush()) {
            // The answer is cut off, so that nobody takes it for the whole.
            let _ = sender.blocking_send(Err(error));
        }
    });
    let chunks = futures_chunks(receiver);
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers =
        [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    (headers, chunks).into_response()
}

/// A writer whose bytes go to the body of an answer.
struct Sending(mpsc::Sender<io::Result<Bytes>>);

impl Write for Sending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes))).map_err(gone)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn futures_chunks(receiver: mpsc::Receiver<io::Result<Bytes>>) -> Body {
    Body::new(Chunks(receiver))
}

/// The body of an answer that is written on another thread.
struct Chunks(mpsc::Receiver<io::Result<Bytes>>);

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, io::Error>>> {
        self.0.poll_recv(context).map(|chunk| chunk.map(|chunk| chunk.map(http_body::Frame::data)))
    }
}
