//! The service as a whole: from settings to routes, and from the start to the end.

use crate::accept;
use crate::clients::Clients;
use crate::guard::{self, LOCAL, guard};
use crate::keys::Keys;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::openapi;
use crate::page;
use crate::problem::{Code, Problem};
use crate::source::Source;
use crate::state::{AppState, Shared};
use crate::store::StoreSource;
use crate::stream_access::ServedStream;
use crate::tls::{Tls, TlsError, TlsFiles};
use crate::watch;
use axum::Router;
use axum::http::header;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use firsthand_jobs::review::Review;
use firsthand_jobs::store::OpenStore;
use firsthand_jobs::{Cancel, JobError};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::csrf::{CsrfLayer, ProtectionError};

/// The threads that talk to clients; documents are read and judged on others.
const SERVING_THREADS: usize = 2;

/// What is served.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it for a whole service")]
pub enum Content {
    /// A stream with its store.
    Store {
        /// The store.
        store: OpenStore,
        /// Whether the texts of documents are kept.
        keep_text: bool,
    },
    /// Results that `dedup` has written, under review.
    Results(Arc<Review>),
}

/// How a service is set up. Nothing here changes an answer.
#[derive(Debug)]
pub struct ServerSettings {
    /// What is served.
    pub content: Content,
    /// The limits.
    pub limits: Limits,
    /// The keys; without any, the service must listen on the loopback interface only.
    pub keys: Keys,
    /// Further names by which the service may be addressed.
    pub hosts: Vec<String>,
    /// The certificate, for TLS.
    pub tls: Option<TlsFiles>,
}

/// Why a service did not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It would be open to everybody.
    #[error(
        "without keys the service listens on the loopback interface only, not on {0}; give keys, or \
         listen on 127.0.0.1"
    )]
    OpenToAll(SocketAddr),
    /// The listener failed.
    #[error("the service cannot listen: {0}")]
    Listen(#[from] io::Error),
    /// Nobody could be told that the service has started.
    #[error("cannot write that the service listens: {0}")]
    Announce(#[source] io::Error),
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] JobError),
}

/// Serves until `shutdown` ends, then lets requests in flight end, within the limit `drain`.
///
/// # Errors
///
/// If the service would be open to everybody, cannot listen, or cannot use its certificate.
pub async fn run(
    listener: TcpListener,
    settings: ServerSettings,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), RunError> {
    let ServerSettings { content, limits, keys, hosts, tls } = settings;
    let address = listener.local_addr()?;
    if keys.is_empty() && !address.ip().is_loopback() {
        return Err(RunError::OpenToAll(address));
    }
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let tls = tls.as_ref().map(Tls::new).transpose()?;
    let (stop, stopping) = tokio::sync::watch::channel(false);
    let metrics = Arc::new(Metrics::default());
    let source = match content {
        Content::Store { store, keep_text } => {
            let source = StoreSource::start(store, keep_text, limits.disk, &metrics)?;
            Source::Store(Arc::new(source))
        }
        Content::Results(review) => Source::Results(review),
    };
    let review = match &source {
        Source::Results(review) => Some(Arc::clone(review)),
        Source::Store(source) => {
            match Review::of_stream(Box::new(ServedStream(Arc::clone(source)))) {
                Ok(review) => Some(Arc::new(review)),
                Err(error) => {
                    tracing::error!("there is no page: {error}");
                    None
                }
            }
        }
    };
    let state = AppState::new(Shared {
        limits: Arc::new(limits),
        keys,
        hosts: names(address, hosts),
        metrics,
        source,
        review,
        stopping: stopping.clone(),
        clients: Clients::default(),
    });
    let serving = accept::serve(listener, tls, router(&state), state.clone(), stopping);
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => {}
        () = shutdown => {
            let _ = stop.send(true);
            serving.await;
        }
    }
    if let Source::Store(source) = &state.source {
        // Everything that was answered is durable; this closes the store.
        source.judge.end();
    }
    Ok(())
}

/// The same on the calling thread, until `cancel` is told. Starts the threads that serve. `announce` says that
/// the service has started: from then on, a request to stop ends it in order.
///
/// # Errors
///
/// As [`run`], or if threads cannot be started, or `announce` fails.
pub fn run_until_cancelled(
    listener: TcpListener,
    settings: ServerSettings,
    cancel: &Cancel,
    announce: impl FnOnce() -> io::Result<()>,
) -> Result<(), RunError> {
    accept::raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(SERVING_THREADS)
        .thread_name("firsthand-serve")
        .enable_all()
        .build()?;
    let (sender, stopped) = tokio::sync::watch::channel(false);
    cancel.on_cancel(move || {
        let _ = sender.send(true);
    });
    announce().map_err(RunError::Announce)?;
    let mut stopped = stopped;
    let result = runtime.block_on(run(listener, settings, async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    }));
    // A thread that still waits for a client is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// The names by which the service may be addressed.
fn names(address: SocketAddr, further: Vec<String>) -> Vec<String> {
    let own = match address.ip() {
        ip if ip.is_unspecified() => None,
        std::net::IpAddr::V6(ip) => Some(format!("[{ip}]")),
        ip => Some(ip.to_string()),
    };
    let local = LOCAL.iter().map(|name| (*name).to_owned());
    local.chain(own).chain(further.into_iter().map(|name| name.to_ascii_lowercase())).collect()
}

/// All routes, with everything that a request passes before it gets there.
fn router(state: &AppState) -> Router {
    let (interface, description) = openapi::routes();
    let description = description.to_json().unwrap_or_default();
    let described = move || {
        let json = [(header::CONTENT_TYPE, "application/json")];
        std::future::ready((json, description.clone()))
    };
    let csrf = CsrfLayer::new()
        .with_rejection_response(|_: ProtectionError| guard::cross_site().into_response());
    // Answers to documents are sent as they come; an encoder would keep them back.
    let compression = CompressionLayer::new().compress_when(
        DefaultPredicate::new()
            .and(NotForContentType::const_new("application/x-ndjson"))
            .and(NotForContentType::const_new("application/vnd.apache.parquet")),
    );
    interface
        .merge(page::routes(state))
        .route("/openapi.json", get(described))
        .fallback(not_found)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn(watch::note_admitted))
        .layer(csrf)
        .layer(compression)
        .layer(from_fn_with_state(state.clone(), guard))
        .layer(from_fn_with_state(state.clone(), watch::watch))
        .with_state(state.clone())
}

async fn not_found() -> Response {
    let detail = "there is no such endpoint; /openapi.json lists them";
    Problem::new(Code::NotFound).detail(detail).into_response()
}

async fn no_method() -> Response {
    let detail = "/openapi.json lists the methods of each endpoint";
    Problem::new(Code::Method).detail(detail).into_response()
}
