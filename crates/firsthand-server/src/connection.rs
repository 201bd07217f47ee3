//! One connection, watched: whether it ever says something, idles, or leaves answers unread.

use crate::limits::Limits;
use crate::problem::{Code, Problem};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What a connection has been doing.
#[derive(Debug)]
pub(crate) struct Activity {
    began: Instant,
    has_spoken: AtomicBool,
    /// Milliseconds since `began` of the last byte that came in or went out.
    last: AtomicU64,
    /// Requests that are being worked on or answered.
    in_service: AtomicUsize,
    /// Whether the client does not take what was written.
    is_stalled: AtomicBool,
}

/// Why a connection is closed before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// It has been silent from the beginning.
    Silent,
    /// It has asked for nothing for a while.
    Idle,
    /// It does not read its answers.
    Unread,
}

impl Overdue {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Idle => "idle",
            Self::Unread => "unread",
        }
    }
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            began: Instant::now(),
            has_spoken: AtomicBool::new(false),
            last: AtomicU64::new(0),
            in_service: AtomicUsize::new(0),
            is_stalled: AtomicBool::new(false),
        })
    }

    fn note(&self) {
        let since = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.store(since, Ordering::Relaxed);
    }

    /// A request is being worked on until this is dropped.
    pub(crate) fn serve(self: &Arc<Self>) -> InService {
        self.in_service.fetch_add(1, Ordering::Relaxed);
        InService(Arc::clone(self))
    }

    /// Whether the connection has outlived its limits.
    pub(crate) fn overdue(&self, limits: &Limits) -> Option<Overdue> {
        let last = Duration::from_millis(self.last.load(Ordering::Relaxed));
        let since = self.began.elapsed().saturating_sub(last);
        if !self.has_spoken.load(Ordering::Relaxed) {
            return (since >= limits.first_byte).then_some(Overdue::Silent);
        }
        if self.is_stalled.load(Ordering::Relaxed) {
            return (since >= limits.write).then_some(Overdue::Unread);
        }
        let is_idle = self.in_service.load(Ordering::Relaxed) == 0;
        (is_idle && since >= limits.idle).then_some(Overdue::Idle)
    }
}

/// Counts a request as being worked on.
#[derive(Debug)]
pub(crate) struct InService(Arc<Activity>);

impl Drop for InService {
    fn drop(&mut self) {
        // The time of idling begins when the answer is done.
        self.0.note();
        self.0.in_service.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A socket whose activity is noted.
#[derive(Debug)]
pub(crate) struct Watched<S> {
    socket: S,
    activity: Arc<Activity>,
    /// An answer in the place of one without a body, and how much of it is written.
    instead: Option<(Vec<u8>, usize)>,
}

impl<S> Watched<S> {
    pub(crate) fn new(socket: S, activity: Arc<Activity>) -> Self {
        Self { socket, activity, instead: None }
    }

    /// What is written in the place of these bytes, if they are a refusal of hyper's own: those have no
    /// body, and a problem document says more.
    fn notice_refusal(&mut self, bytes: &[u8]) {
        let is = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        let code = match bytes {
            _ if bytes.starts_with(b"HTTP/1.1 431 ") => Code::HeadTooLarge,
            _ if bytes.starts_with(b"HTTP/1.1 400 ") && is(b"content-length: 0\r\n") => {
                Code::BadRequest
            }
            _ => return,
        };
        let detail = match code {
            Code::HeadTooLarge => "send fewer or shorter headers, and a shorter address",
            _ => "the head of the request is not HTTP/1.1",
        };
        self.instead = Some((Problem::new(code).detail(detail).raw(), 0));
    }

    fn wrote<T>(&self, poll: &Poll<io::Result<T>>) {
        match poll {
            Poll::Pending => self.activity.is_stalled.store(true, Ordering::Relaxed),
            Poll::Ready(_) => {
                self.activity.is_stalled.store(false, Ordering::Relaxed);
                self.activity.note();
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let poll = Pin::new(&mut self.socket).poll_read(context, buffer);
        if poll.is_ready() && buffer.filled().len() > before {
            self.activity.has_spoken.store(true, Ordering::Relaxed);
            self.activity.note();
        }
        poll
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let own = &mut *self;
        if own.instead.is_none() {
            own.notice_refusal(bytes);
        }
        let poll = match &mut own.instead {
            None => Pin::new(&mut own.socket).poll_write(context, bytes),
            Some((answer, done)) => loop {
                match Pin::new(&mut own.socket).poll_write(context, &answer[*done..]) {
                    Poll::Ready(Ok(written)) if written > 0 => *done += written,
                    Poll::Ready(Ok(_)) => break Poll::Ready(Ok(0)),
                    other => break other,
                }
                if *done == answer.len() {
                    break Poll::Ready(Ok(bytes.len()));
                }
            },
        };
        if matches!(&own.instead, Some((answer, done)) if *done == answer.len()) {
            own.instead = None;
        }
        self.wrote(&poll);
        poll
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // The beginning of an answer may be a refusal.
        if self.instead.is_some()
            || parts.first().is_some_and(|part| part.starts_with(b"HTTP/1.1 4"))
        {
            let first = parts.iter().find(|part| !part.is_empty());
            return self.poll_write(context, first.map_or(&[], |part| part));
        }
        let poll = Pin::new(&mut self.socket).poll_write_vectored(context, parts);
        self.wrote(&poll);
        poll
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(milliseconds: u64) -> Limits {
        let time = Duration::from_millis(milliseconds);
        Limits { first_byte: time, idle: time, write: time, ..Limits::default() }
    }

    #[test]
    fn a_connection_is_overdue_for_one_reason() {
        let activity = Activity::new();
        assert_eq!(activity.overdue(&limits(0)), Some(Overdue::Silent));
        assert_eq!(activity.overdue(&limits(60_000)), None);
        activity.has_spoken.store(true, Ordering::Relaxed);
        assert_eq!(activity.overdue(&limits(0)), Some(Overdue::Idle));
        let request = activity.serve();
        assert_eq!(activity.overdue(&limits(0)), None);
        activity.is_stalled.store(true, Ordering::Relaxed);
        assert_eq!(activity.overdue(&limits(0)), Some(Overdue::Unread));
        activity.is_stalled.store(false, Ordering::Relaxed);
        drop(request);
        assert_eq!(activity.overdue(&limits(0)), Some(Overdue::Idle));
    }
}
