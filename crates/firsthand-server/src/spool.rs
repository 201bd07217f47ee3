//! Answers on their way to a client: they wait in memory, then in a file, however slowly it reads.
//!
//! A service that stops reading documents until its answers are read would hang with every client that sends
//! everything first. So answers never wait for the client.

use crate::metrics::Metrics;
use axum::body::Bytes;
use http_body::{Body, Frame};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The bytes that are sent at once.
const PART: usize = 64 << 10;

/// Answers that wait.
#[derive(Debug, Default)]
struct Waiting {
    /// The first answers, in memory.
    memory: VecDeque<Bytes>,
    in_memory: usize,
    /// Those after them, from `read` to `written`.
    file: Option<File>,
    read: u64,
    written: u64,
    has_ended: bool,
    /// Whether the client is gone.
    is_abandoned: bool,
    waker: Option<Waker>,
}

impl Waiting {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// The end that answers are written to.
#[derive(Debug)]
pub(crate) struct Spool {
    waiting: Arc<Mutex<Waiting>>,
    /// The bytes that wait in memory.
    most: usize,
    metrics: Arc<Metrics>,
}

/// The end that they are sent from: a body.
#[derive(Debug)]
pub(crate) struct SpoolBody(Arc<Mutex<Waiting>>);

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both ends.
pub(crate) fn spool(most: u64, metrics: &Arc<Metrics>) -> (Spool, SpoolBody) {
    let waiting = Arc::new(Mutex::new(Waiting::default()));
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let spool = Spool { waiting: Arc::clone(&waiting), most, metrics: Arc::clone(metrics) };
    (spool, SpoolBody(waiting))
}

impl Spool {
    /// Adds answers; false if the client is gone.
    pub(crate) fn write(&self, bytes: Vec<u8>) -> io::Result<bool> {
        let mut waiting = lock(&self.waiting);
        if waiting.is_abandoned {
            return Ok(false);
        }
        let is_in_file = waiting.written > waiting.read;
        if !is_in_file && (waiting.in_memory == 0 || waiting.in_memory + bytes.len() <= self.most) {
            waiting.in_memory += bytes.len();
            waiting.memory.push_back(Bytes::from(bytes));
        } else {
            self.metrics.spilled_bytes.add(bytes.len() as u64);
            if !is_in_file {
                // What was in the file has been sent: it begins anew.
                (waiting.read, waiting.written) = (0, 0);
            }
            let at = waiting.written;
            if waiting.file.is_none() {
                waiting.file = Some(tempfile::tempfile()?);
            }
            if let Some(file) = &mut waiting.file {
                file.seek(SeekFrom::Start(at))?;
                file.write_all(&bytes)?;
            }
            waiting.written += bytes.len() as u64;
        }
        waiting.wake();
        Ok(true)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let mut waiting = lock(&self.waiting);
        waiting.has_ended = true;
        waiting.wake();
    }
}

impl Drop for SpoolBody {
    fn drop(&mut self) {
        let mut waiting = lock(&self.0);
        *waiting = Waiting { is_abandoned: true, ..Waiting::default() };
    }
}

impl Body for SpoolBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let mut waiting = lock(&self.0);
        if let Some(part) = waiting.memory.pop_front() {
            waiting.in_memory -= part.len();
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        let left = waiting.written - waiting.read;
        if left > 0 {
            let at = waiting.read;
            let mut part = vec![0; usize::try_from(left).unwrap_or(PART).min(PART)];
            let read = waiting.file.as_mut().map_or(Ok(()), |file| {
                file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut part))
            });
            waiting.read += part.len() as u64;
            return Poll::Ready(Some(read.map(|()| Frame::data(Bytes::from(part)))));
        }
        if waiting.has_ended {
            return Poll::Ready(None);
        }
        waiting.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    #[tokio::test]
    async fn answers_come_out_in_order_wherever_they_waited() {
        let metrics = Arc::new(Metrics::default());
        let (spool, mut body) = spool(100, &metrics);
        let (mut expected, mut seen) = (Vec::new(), Vec::new());
        for number in 0..2000u32 {
            let line = format!("answer {number}\n").into_bytes();
            expected.extend_from_slice(&line);
            assert!(spool.write(line).unwrap());
            if number % 700 == 699 {
                // The client catches up.
                while seen.len() < expected.len() {
                    seen.extend_from_slice(
                        &body.frame().await.unwrap().unwrap().into_data().unwrap(),
                    );
                }
            }
        }
        drop(spool);
        seen.extend_from_slice(&body.collect().await.unwrap().to_bytes());
        assert_eq!(seen, expected);
        assert!(metrics.spilled_bytes.get() > 0);
    }

    #[test]
    fn a_client_that_is_gone_costs_nothing() {
        let (spool, body) = spool(10, &Arc::default());
        assert!(spool.write(vec![0; 1000]).unwrap() && spool.write(vec![0; 1000]).unwrap());
        drop(body);
        assert!(!spool.write(vec![0]).unwrap());
    }
}
