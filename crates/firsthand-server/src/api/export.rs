//! All documents of the store with their answers, as they are read.

use super::refusals;
use crate::params::Params;
use crate::problem::{Code, Problem};
use crate::state::AppState;
use crate::store::StoreView;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use firsthand::online::Exported;
use firsthand_input::calendar::rfc3339;
use firsthand_jobs::results::csv::cell;
use firsthand_jobs::store::DocumentLine;
use http_body::{Body as HttpBody, Frame};
use serde::Deserialize;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

/// Documents that are read at once.
const STEP: usize = 1000;
/// Parts that wait for the client.
const AHEAD: usize = 4;
/// The bytes of a part.
const PART: usize = 64 << 10;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(export))
}

/// How documents are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// One JSON object a line.
    #[default]
    Jsonl,
    /// A table for spreadsheets.
    Csv,
    /// A table for programs that read columns.
    Parquet,
}

/// What is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportWanted {
    /// The format.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// All documents with their answers, in the order of arrival, as of the beginning of the export.
#[utoipa::path(
    get, path = "/v1/export", tag = "documents", params(ExportWanted),
    responses(
        (status = 200, description = "All documents", content(
            (super::schema::StoredDocument = "application/x-ndjson"),
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.apache.parquet"),
        )),
        refusals::Asked,
    )
)]
async fn export(
    State(state): State<AppState>,
    Params(ExportWanted { format }): Params<ExportWanted>,
) -> Result<Response, Problem> {
    if format == Format::Parquet && !cfg!(feature = "parquet") {
        let detail = "this build has no Parquet; ask for jsonl or csv";
        return Err(Problem::new(Code::Invalid).field("format").detail(detail));
    }
    let source = std::sync::Arc::clone(state.source.store()?);
    let (sender, parts) = channel(AHEAD);
    let (ready, is_ready) = tokio::sync::oneshot::channel();
    tokio::task::spawn_blocking(move || {
        let view = match source.view() {
            Ok(view) => view,
            Err(problem) => return drop(ready.send(Err(problem))),
        };
        let _ = ready.send(Ok(()));
        let out = PartWriter { part: Vec::new(), sender: sender.clone() };
        if write(view, format, out).is_err() {
            // The client must not take what it has for all of it.
            let _ = sender.blocking_send(Err(io::Error::other("the export failed")));
        }
    });
    is_ready.await.map_err(|_| Problem::new(Code::Internal))??;
    let (kind, name) = match format {
        Format::Jsonl => ("application/x-ndjson", "attachment; filename=\"documents.jsonl\""),
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"documents.csv\""),
        Format::Parquet => {
            ("application/vnd.apache.parquet", "attachment; filename=\"documents.parquet\"")
        }
    };
    let mut response = Response::new(Body::new(PartBody(parts)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    Ok(response)
}

/// Writes all documents, a few at a time.
fn write(mut view: StoreView, format: Format, out: PartWriter) -> io::Result<()> {
    let mut table = Table::new(format, out)?;
    let mut from = 0;
    loop {
        let page = view.ask(move |upkeep| upkeep.export(from, STEP));
        let (documents, next) = page.map_err(|_| io::Error::other("the store failed"))?;
        for document in &documents {
            table.push(document)?;
        }
        match next {
            Some(next) => from = next,
            None => return table.finish(),
        }
    }
}

/// The columns of tables.
const COLUMNS: [&str; 13] = [
    "number",
    "id",
    "verdict",
    "original",
    "score",
    "exact",
    "cluster",
    "via",
    "time",
    "url",
    "title",
    "generation",
    "replaces",
];

/// A table that is being written.
enum Table {
    Jsonl(PartWriter),
    Csv(PartWriter),
    #[cfg(feature = "parquet")]
    Parquet(Box<firsthand_input::ParquetRows<PartWriter>>),
}

impl Table {
    fn new(format: Format, mut out: PartWriter) -> io::Result<Self> {
        match format {
            Format::Jsonl => Ok(Self::Jsonl(out)),
            Format::Csv => {
                write!(out, "{}\r\n", COLUMNS.join(","))?;
                Ok(Self::Csv(out))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                use firsthand_input::CellType::{Integer, Real, Text, Time, Truth};
                let types = [
                    Integer, Text, Text, Text, Real, Truth, Text, Text, Time, Text, Text, Integer,
                    Text,
                ];
                let columns: Vec<_> = COLUMNS.into_iter().zip(types).collect();
                Ok(Self::Parquet(Box::new(firsthand_input::ParquetRows::new(out, &columns)?)))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(io::Error::other("this build has no Parquet")),
        }
    }

    fn push(&mut self, document: &Exported) -> io::Result<()> {
        let answer = &document.answer;
        let verdict = serde_json::to_value(answer.verdict)?;
        let verdict = verdict.as_str().unwrap_or_default();
        match self {
            Self::Jsonl(out) => {
                serde_json::to_writer(&mut *out, &DocumentLine::new(document))?;
                out.write_all(b"\n")
            }
            Self::Csv(out) => {
                let text = |text: &Option<String>| cell(text.as_deref().unwrap_or(""));
                let score = answer.score.map(|score| score.to_string()).unwrap_or_default();
                write!(
                    out,
                    "{},{},{verdict},{},{score},{},{},{},{},{},{},{},{}\r\n",
                    document.seq,
                    text(&answer.id),
                    text(&answer.original),
                    answer.exact,
                    text(&answer.cluster),
                    text(&answer.via),
                    rfc3339(document.time),
                    text(&document.url),
                    text(&document.title),
                    document.generation,
                    text(&answer.replaces),
                )
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => {
                use firsthand_input::Cell;
                let number = |number: u64| Cell::from(i64::try_from(number).unwrap_or(i64::MAX));
                rows.push([
                    number(document.seq),
                    Cell::from(answer.id.as_deref()),
                    Cell::from(verdict),
                    Cell::from(answer.original.as_deref()),
                    Cell::from(answer.score),
                    Cell::Truth(answer.exact),
                    Cell::from(answer.cluster.as_deref()),
                    Cell::from(answer.via.as_deref()),
                    Cell::from(document.time),
                    Cell::from(document.url.as_deref()),
                    Cell::from(document.title.as_deref()),
                    number(u64::from(document.generation)),
                    Cell::from(answer.replaces.as_deref()),
                ])
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Jsonl(mut out) | Self::Csv(mut out) => out.flush(),
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => rows.finish()?.flush(),
        }
    }
}

/// Hands what is written to the client, in parts; waits while it does not read.
struct PartWriter {
    part: Vec<u8>,
    sender: Sender<io::Result<Bytes>>,
}

impl Write for PartWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.part.is_empty() {
            return Ok(());
        }
        let part = Bytes::from(std::mem::take(&mut self.part));
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.sender.blocking_send(Ok(part)).map_err(gone)
    }
}

/// The parts as a body.
struct PartBody(Receiver<io::Result<Bytes>>);

impl HttpBody for PartBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data)))
    }
}
