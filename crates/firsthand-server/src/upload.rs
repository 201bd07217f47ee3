//! Documents that are sent: lines are read and signed on a thread of the request, judged in rounds, and
//! answered in their order.
//!
//! ```text
//! socket -> body -> lines, signed -> judge -> answers, in order -> spool -> socket
//!          (task)   (thread)         (thread)  (task)              (memory, then a file)
//! ```
//!
//! Every arrow but the last waits for the next stage; the last never does.

use crate::body::{self, Refusal};
use crate::decode::{self, Encoding, Framing};
use crate::disk::{self, Disk};
use crate::judge::{Documents, Judge};
use crate::limits::Limits;
use crate::line_problem::{LineProblem, line_problem};
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use crate::spool::{Spool, spool};
use crate::state::AppState;
use crate::store::StoreSource;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use firsthand::online::{Answer, Arrival};
use firsthand_input::{Line, LineStream, ReadOptions};
use firsthand_jobs::KeptText;
use firsthand_jobs::stream::LineSigner;
use rayon::prelude::*;
use std::io::Read;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Parts of a request that are judged or wait for it.
const AHEAD: usize = 16;
/// Lines that are signed at once.
const SIGN_LINES: usize = 256;

/// A line of a request, once it is signed.
enum Slot {
    /// The next answer of the judge is its answer.
    Judged,
    Refused(Box<LineProblem>),
}

/// Lines whose answers are awaited.
struct Pending {
    slots: Vec<Slot>,
    answers: oneshot::Receiver<Result<Vec<Answer>, Problem>>,
}

/// Answers the documents of a request; with `keep`, they are stored.
pub(crate) async fn upload(
    state: &AppState,
    source: &StoreSource,
    headers: &HeaderMap,
    body: Body,
    keep: bool,
) -> Result<Response, Problem> {
    let (encoding, framing) = (Encoding::of(headers)?, Framing::of(headers)?);
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > state.limits.body) {
        return Err(body::too_large(&state.limits));
    }
    if keep && source.disk.is_nearly_full() {
        return Err(disk::full());
    }
    let refusal = Refusal::default();
    let raw = body::reader(body, &state.limits, &state.metrics, &refusal);
    let (sender, mut pending) = mpsc::channel(AHEAD);
    let reader = UploadReader {
        signer: source.signer.clone(),
        options: limited(source.signer.options(), &state.limits),
        judge: source.judge.clone(),
        disk: Arc::clone(&source.disk),
        limits: Arc::clone(&state.limits),
        refusal: refusal.clone(),
        keep,
        keep_text: keep && source.keep_text,
        lines: 0,
        sender,
    };
    let of_thread = refusal.clone();
    tokio::task::spawn_blocking(move || {
        let limits = Arc::clone(&reader.limits);
        match decode::lines(raw, encoding, framing, &limits, &of_thread) {
            Ok(lines) => reader.run(lines),
            Err(_) => of_thread.set(Problem::new(Code::BadEncoding).field("content-encoding")),
        }
    });
    // Until the first answer is there, the status can still be that of a problem.
    let first = match pending.recv().await {
        Some(first) => answered(first, &state.metrics).await?,
        None => refusal.get().map_or(Ok(Vec::new()), Err)?,
    };
    let (spool, answers) = spool(state.limits.answers, &state.metrics);
    let _ = spool.write(first);
    tokio::spawn(collect(pending, spool, refusal, Arc::clone(&state.metrics)));
    let mut response = Response::new(Body::new(answers));
    let kind = HeaderValue::from_static("application/x-ndjson");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// Reading for the service: never more than its limits allow.
fn limited(options: &ReadOptions, limits: &Limits) -> ReadOptions {
    let mut options = options.clone();
    let own = &mut options.reading.limits;
    own.line = own.line.min(limits.line);
    own.json_depth = own.json_depth.min(limits.json_depth);
    own.decompressed = own.decompressed.min(limits.decompressed);
    own.ratio = own.ratio.min(limits.ratio);
    options
}

/// Puts answers into the spool as they come, and last why there are no more, if the body was refused.
async fn collect(
    mut pending: mpsc::Receiver<Pending>,
    spool: Spool,
    refusal: Refusal,
    metrics: Arc<Metrics>,
) {
    while let Some(next) = pending.recv().await {
        match answered(next, &metrics).await {
            Ok(lines) => match spool.write(lines) {
                Ok(true) => {}
                // The client is gone, or its answers cannot be kept for it.
                Ok(false) | Err(_) => return,
            },
            Err(problem) => {
                refusal.set(problem);
                break;
            }
        }
    }
    if let Some(problem) = refusal.get() {
        let _ = spool.write(LineProblem::last(problem).to_line());
    }
}

/// The answers to some lines, once all that was stored of them is durable.
async fn answered(pending: Pending, metrics: &Metrics) -> Result<Vec<u8>, Problem> {
    let Pending { slots, answers } = pending;
    let gone = || Problem::new(Code::Unavailable).detail("the store cannot be used now; try again");
    let mut answers = answers.await.map_err(|_| gone())??.into_iter();
    let mut lines = Vec::with_capacity(slots.len() * 256);
    let mut errors = 0;
    for slot in slots {
        match slot {
            Slot::Judged => {
                let answer = answers.next().ok_or_else(gone)?;
                serde_json::to_writer(&mut lines, &answer)
                    .map_err(|_| Problem::new(Code::Internal))?;
                lines.push(b'\n');
            }
            Slot::Refused(problem) => {
                errors += 1;
                lines.extend_from_slice(&problem.to_line());
            }
        }
    }
    if errors > 0 {
        metrics.verdicts("error", errors);
    }
    Ok(lines)
}

/// The thread of a request: reads lines, signs them and hands them to the judge.
struct UploadReader {
    signer: LineSigner,
    options: ReadOptions,
    judge: Judge,
    disk: Arc<Disk>,
    limits: Arc<Limits>,
    refusal: Refusal,
    keep: bool,
    keep_text: bool,
    lines: u64,
    sender: mpsc::Sender<Pending>,
}

impl UploadReader {
    fn run(mut self, lines: Box<dyn Read + Send>) {
        let mut stream = match LineStream::reader("body", lines, &self.options) {
            Ok(stream) => stream,
            Err(_) => {
                let detail = "the body cannot be read";
                return self.refusal.set(Problem::new(Code::BadEncoding).detail(detail));
            }
        };
        while let Some(mut arrived) = stream.next() {
            // A line that was cut off is part of why the body was refused.
            let is_refused = self.refusal.get().is_some();
            if is_refused {
                arrived.pop();
            }
            self.lines += arrived.len() as u64;
            for part in arrived.chunks(SIGN_LINES) {
                if !self.hand_over(part) {
                    return;
                }
            }
            if is_refused {
                return;
            }
            if self.lines > self.limits.lines {
                let detail = format!("a body has at most {} lines", self.limits.lines);
                return self
                    .refusal
                    .set(Problem::new(Code::TooLarge).limit("lines").detail(detail));
            }
        }
    }

    /// Signs lines and hands them to the judge; false if nobody wants more.
    fn hand_over(&self, lines: &[Line]) -> bool {
        if lines.is_empty() {
            return true;
        }
        if self.keep && self.disk.is_nearly_full() {
            self.refusal.set(disk::full());
            return false;
        }
        let signed: Vec<_> = match lines {
            // Handing one line to the pool would take longer than signing it.
            [line] => vec![self.sign(line)],
            lines => lines.par_iter().map(|line| self.sign(line)).collect(),
        };
        let (mut slots, mut arrivals, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for signed in signed {
            match signed {
                Ok((arrival, text)) => {
                    slots.push(Slot::Judged);
                    arrivals.push(arrival);
                    texts.push(text);
                }
                Err(problem) => slots.push(Slot::Refused(problem)),
            }
        }
        let size = lines.iter().map(Line::size).sum();
        let answers = match arrivals.is_empty() {
            true => {
                let (reply, answers) = oneshot::channel();
                let _ = reply.send(Ok(Vec::new()));
                answers
            }
            false => self.judge.submit(Documents { arrivals, texts, keep: self.keep, size }),
        };
        self.sender.blocking_send(Pending { slots, answers }).is_ok()
    }

    fn sign(&self, line: &Line) -> Result<(Arrival, Option<KeptText>), Box<LineProblem>> {
        match self.signer.read_and_sign(line, &self.options) {
            Ok((document, arrival)) => {
                Ok((arrival, self.keep_text.then(|| KeptText::new(&document))))
            }
            Err(refusal) => Err(Box::new(line_problem(line.number(), refusal))),
        }
    }
}
