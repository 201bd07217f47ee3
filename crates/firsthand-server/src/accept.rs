//! The accept loop: connections with their limits, and an orderly end.
//!
//! It is our own because `axum::serve` gives hyper no timer, so that its limit on the time for a request's
//! head does nothing, and because nothing there limits silent connections or the time to drain.

use crate::connection::{Activity, Watched};
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::tls::Tls;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

/// How long to wait after the system has refused a connection, such as for want of file descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// The other side of a connection, for handlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Accepts connections until `stopping` says so, then lets those in flight end, within the limit.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    router: Router,
    state: AppState,
    mut stopping: watch::Receiver<bool>,
) {
    let places = usize::try_from(state.limits.connections.min(affordable())).unwrap_or(usize::MAX);
    let places = Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
    let mut connections = JoinSet::new();
    let full = Problem::new(Code::Unavailable).limit("connections");
    let full: Arc<[u8]> = Arc::from(full.detail("there are too many connections; try again").raw());
    loop {
        let accepted = tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
            // Ended connections are taken out as they end, so that the set stays small.
            Some(_) = connections.join_next() => continue,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                if !is_of_the_client(&error) {
                    tracing::warn!(%error, "cannot accept a connection");
                    sleep(AFTER_FAILURE).await;
                }
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            state.metrics.rejected("connections");
            refuse(socket, full.clone());
            continue;
        };
        let connection = Connection {
            place,
            peer,
            router: router.clone(),
            state: state.clone(),
            stopping: stopping.clone(),
        };
        let tls = tls.clone();
        connections.spawn(async move {
            // An answer of one line must not wait for the next.
            let _ = socket.set_nodelay(true);
            match tls {
                None => connection.run(socket).await,
                Some(tls) => {
                    let shaken = timeout(connection.state.limits.first_byte, tls.accept(socket));
                    if let Ok(Ok(socket)) = shaken.await {
                        connection.run(socket).await;
                    }
                }
            }
        });
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    if timeout(state.limits.drain, all).await.is_err() {
        tracing::warn!("requests that have not ended in time are cut off");
    }
}

/// File descriptors that are kept for the store, for files of answers and for whatever else.
const OTHER_FILES: u64 = 256;

/// Raises the number of files that the process may have open as far as the system lets it.
pub(crate) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// The connections that there are file descriptors for.
fn affordable() -> u64 {
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    files.saturating_sub(OTHER_FILES).max(files / 2)
}

/// Whether an error of `accept` is about one connection only.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers a connection beyond the limit. What it has sent is read, or else closing would cut the answer off.
fn refuse(mut socket: TcpStream, answer: Arc<[u8]>) {
    tokio::spawn(async move {
        let talk = async {
            socket.write_all(&answer).await?;
            socket.shutdown().await?;
            let mut sent = [0; 4096];
            while socket.read(&mut sent).await? > 0 {}
            io::Result::Ok(())
        };
        let _ = timeout(Duration::from_secs(1), talk).await;
    });
}

/// A connection, and what it needs.
struct Connection {
    place: OwnedSemaphorePermit,
    peer: SocketAddr,
    router: Router,
    state: AppState,
    stopping: watch::Receiver<bool>,
}

impl Connection {
    async fn run<S: AsyncRead + AsyncWrite + Unpin>(self, socket: S) {
        let Self { place: _place, peer, router, state, mut stopping } = self;
        state.metrics.connections.inc();
        let limits = Arc::clone(&state.limits);
        let activity = Activity::new();
        let watched = TokioIo::new(Watched::new(socket, Arc::clone(&activity)));
        let service = {
            let activity = Arc::clone(&activity);
            hyper::service::service_fn(move |request: Request<Incoming>| {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(Peer(peer));
                request.extensions_mut().insert(Arc::clone(&activity));
                router.clone().oneshot(request)
            })
        };
        let header = usize::try_from(limits.header).unwrap_or(usize::MAX).max(8 << 10);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(header)
            .serve_connection(watched, service);
        tokio::pin!(connection);
        let tick = [limits.first_byte, limits.idle, limits.write].into_iter().min();
        let tick = tick.unwrap_or_default().div_f32(4.0).max(Duration::from_millis(10));
        let mut is_stopping = false;
        loop {
            tokio::select! {
                _ = connection.as_mut() => break,
                _ = stopping.wait_for(|stop| *stop), if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
                () = sleep(tick) => {
                    if let Some(overdue) = activity.overdue(&limits) {
                        state.metrics.rejected(overdue.label());
                        break;
                    }
                }
            }
        }
        state.metrics.connections.dec();
    }
}
