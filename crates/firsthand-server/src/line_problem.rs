//! What is wrong with a line: the same problem document as elsewhere, in the place of its answer.
//!
//! The words are ours: those of the readers quote the document.

use crate::problem::{Code, Problem};
use firsthand_input::{Exceeded, Reason};
use firsthand_jobs::stream::LineRefusal;
use serde::Serialize;
use utoipa::ToSchema;

/// The answer to a line that holds no document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LineProblem {
    /// The id of the document, if it could be read.
    id: Option<String>,
    /// Always `error`.
    #[schema(example = "error")]
    verdict: String,
    /// What is wrong.
    #[serde(flatten)]
    problem: Problem,
}

impl LineProblem {
    /// Why there are no more answers.
    pub(crate) fn last(problem: Problem) -> Self {
        Self { id: None, verdict: "error".to_owned(), problem }
    }

    /// As a line.
    pub(crate) fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// What is wrong with a line.
pub(crate) fn line_problem(number: u64, refusal: LineRefusal) -> LineProblem {
    let (id, problem) = match refusal {
        LineRefusal::Unread(unread) => (unread.id, of_reason(&unread.error.reason)),
        LineRefusal::Implausible { id, .. } => {
            let detail = "the time is not plausible; correct it, or have the time of arrival count";
            (Some(id), Problem::new(Code::Invalid).field("time").detail(detail))
        }
    };
    LineProblem { id, ..LineProblem::last(problem.line(number)) }
}

fn of_reason(reason: &Reason) -> Problem {
    let invalid =
        |field: &str, detail: &str| Problem::new(Code::Invalid).field(field).detail(detail);
    match reason {
        Reason::BadJson(_) => Problem::new(Code::BadJson).detail("the line is not valid JSON"),
        Reason::NotUtf8(_) => Problem::new(Code::BadJson).detail("the line is not valid UTF-8"),
        Reason::NotAnObject(_) => {
            Problem::new(Code::BadJson).detail("the line is JSON, but not an object with fields")
        }
        Reason::NoId(fields) => invalid("id", &format!("none of the fields {fields} is present")),
        Reason::NotAnId { field, found } => {
            invalid("id", &format!("the field {field} holds {found}"))
        }
        Reason::BrokenId => invalid("id", "the id holds half of a surrogate pair"),
        Reason::LongId(_, most) => invalid("id", &format!("an id has at most {most} bytes")),
        Reason::NoText { wanted, .. } => {
            invalid("text", &format!("none of the fields {wanted} is present"))
        }
        Reason::NotAText { found, .. } => invalid("text", &format!("the text is {found}")),
        Reason::WrongType { field, found } => {
            invalid(field, &format!("the field holds {found}, not a string"))
        }
        Reason::BadTime(_) => invalid("time", "write the time as 2024-05-31T18:00:00Z"),
        Reason::Beyond(Exceeded { limit, value }) => Problem::new(Code::TooLarge)
            .limit(limit.key())
            .detail(format!("the document exceeds the limit of {value}")),
        _ => invalid("page", "the page cannot be read as a document"),
    }
}

/// What is wrong with a document that was sent by itself.
pub(crate) fn reading_problem(reason: &Reason) -> Problem {
    of_reason(reason)
}
