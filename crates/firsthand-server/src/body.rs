//! The body of a request, from the socket to a thread that reads it, within the limits on its size and pace.

use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use axum::body::{Body, Bytes};
use http_body_util::BodyExt;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

/// Parts of a body that are read ahead.
const AHEAD: usize = 16;
/// A body may be slow at first.
const GRACE: Duration = Duration::from_secs(10);
/// How much of a refused body is read and thrown away, so that its sender gets to see the refusal, and how
/// long.
const LINGER: (u64, Duration) = (8 << 20, Duration::from_secs(2));

/// Why a body is not read on, if so: the first reason stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusal(Arc<Mutex<Option<Problem>>>);

impl Refusal {
    /// Refuses the rest, unless it is refused already.
    pub(crate) fn set(&self, problem: Problem) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
    }

    /// The reason.
    pub(crate) fn get(&self) -> Option<Problem> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A body as a thread reads it.
#[derive(Debug)]
pub(crate) struct BodyReader {
    parts: Receiver<Bytes>,
    current: Bytes,
    refusal: Refusal,
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.parts.blocking_recv() {
                Some(part) => self.current = part,
                None if self.refusal.get().is_some() => return Err(io::Error::other("refused")),
                None => return Ok(0),
            }
        }
        // What has come is taken at once: many documents are signed together then.
        let mut filled = 0;
        while filled < buffer.len() {
            if self.current.is_empty() {
                match self.parts.try_recv() {
                    Ok(part) => self.current = part,
                    Err(_) => break,
                }
            }
            let length = (buffer.len() - filled).min(self.current.len());
            buffer[filled..filled + length].copy_from_slice(&self.current.split_to(length));
            filled += length;
        }
        Ok(filled)
    }
}

/// Starts to read a body; the task ends with the body, or once it is refused.
pub(crate) fn reader(
    body: Body,
    limits: &Arc<Limits>,
    metrics: &Arc<Metrics>,
    refusal: &Refusal,
) -> BodyReader {
    let (sender, parts) = channel(AHEAD);
    let pump = Pump {
        body,
        limits: Arc::clone(limits),
        metrics: Arc::clone(metrics),
        refusal: refusal.clone(),
        began: Instant::now(),
        waited: Duration::ZERO,
        bytes: 0,
    };
    tokio::spawn(pump.run(sender));
    BodyReader { parts, current: Bytes::new(), refusal: refusal.clone() }
}

/// Moves the parts of a body from the socket to the thread.
struct Pump {
    body: Body,
    limits: Arc<Limits>,
    metrics: Arc<Metrics>,
    refusal: Refusal,
    began: Instant,
    /// How long the thread had no room for more: that is not the client's fault.
    waited: Duration,
    bytes: u64,
}

impl Pump {
    async fn run(mut self, sender: Sender<Bytes>) {
        loop {
            match self.next().await {
                Ok(Some(part)) => {
                    let since = Instant::now();
                    if sender.send(part).await.is_err() {
                        break;
                    }
                    self.waited += since.elapsed();
                }
                Ok(None) => return,
                Err(problem) => {
                    self.refusal.set(problem);
                    drop(sender);
                    break;
                }
            }
        }
        // Nobody reads on. A client that still sends would see its connection reset before the answer.
        let (most, until) = (self.bytes.saturating_add(LINGER.0), Instant::now() + LINGER.1);
        while self.bytes < most && Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            match timeout(left, self.body.frame()).await {
                Ok(Some(Ok(frame))) => {
                    self.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                }
                _ => break,
            }
        }
    }

    /// The next part; none at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        let frame = match timeout(self.limits.body_idle, self.body.frame()).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(None) => return Ok(None),
            Ok(Some(Err(_))) => {
                let detail = "the body ended before its end";
                return Err(Problem::new(Code::BadRequest).detail(detail));
            }
            Err(_) => {
                let detail = "nothing more of the body came; send it without pauses";
                return Err(Problem::new(Code::Timeout).limit("body-idle").detail(detail));
            }
        };
        let Ok(data) = frame.into_data() else { return Ok(Some(Bytes::new())) };
        self.bytes += data.len() as u64;
        self.metrics.body_bytes.add(data.len() as u64);
        if self.bytes > self.limits.body {
            return Err(too_large(&self.limits));
        }
        let took = self.began.elapsed().saturating_sub(self.waited);
        let least = self.limits.body_rate.saturating_mul(took.saturating_sub(GRACE).as_secs());
        if self.bytes < least {
            let detail = "the body comes too slowly; send it faster, or in several requests";
            return Err(Problem::new(Code::Timeout).limit("body-rate").detail(detail));
        }
        Ok(Some(data))
    }
}

/// The refusal of a body that is larger than the limit.
pub(crate) fn too_large(limits: &Limits) -> Problem {
    let detail = format!("a body has at most {} bytes; send several requests", limits.body);
    Problem::new(Code::TooLarge).limit("body").detail(detail)
}

/// The whole of a small body.
pub(crate) async fn whole(
    body: Body,
    most: u64,
    limits: &Arc<Limits>,
    metrics: &Arc<Metrics>,
) -> Result<Vec<u8>, Problem> {
    let limits = Limits { body: most.min(limits.body), ..(**limits).clone() };
    let mut pump = Pump {
        body,
        limits: Arc::new(limits),
        metrics: Arc::clone(metrics),
        refusal: Refusal::default(),
        began: Instant::now(),
        waited: Duration::ZERO,
        bytes: 0,
    };
    let mut bytes = Vec::new();
    while let Some(part) = pump.next().await? {
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}
