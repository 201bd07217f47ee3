//! The answers of the interface as its description has them. The values themselves are those of the command
//! line; a test holds both together.

use crate::line_problem::LineProblem;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What the stream says of a document.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
pub(crate) enum VerdictName {
    /// No near-duplicate of it was seen before.
    Original,
    /// A near-duplicate of an earlier document.
    Duplicate,
    /// A near-duplicate of an earlier document in which some figures changed.
    Update,
    /// Too short to be compared.
    TooShort,
}

/// The answer to one line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code)]
pub(crate) enum DocumentAnswer {
    /// It holds a document.
    Judged(Box<AnswerLine>),
    /// It does not.
    Refused(Box<LineProblem>),
}

/// The answer to one document.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code)]
pub(crate) struct AnswerLine {
    /// The id of the document, if it is known.
    #[schema(required = true)]
    id: Option<String>,
    /// The verdict.
    verdict: VerdictName,
    /// The id of the document that this one is a copy or an update of.
    original: Option<String>,
    /// The similarity to the original, or to `via`.
    score: Option<f64>,
    /// The cluster of the document, named by the id of its first original.
    cluster: Option<String>,
    /// Whether its text equals that of the original, or of `via`.
    exact: Option<bool>,
    /// The member of the cluster that it is a near-duplicate of, if it is not one of the original.
    via: Option<String>,
    /// The figures that changed.
    #[schema(value_type = Option<Vec<Object>>)]
    changed: Option<Vec<Value>>,
    /// The former original of the cluster, which this earlier document replaces.
    replaces: Option<String>,
    /// Whether its time is outside of the window.
    outside_window: Option<bool>,
    /// Whether its text may not be what the page is about.
    doubtful: Option<bool>,
    /// Whether it is too short only because what other pages of its site have as well was set aside.
    nothing_but_form: Option<bool>,
    /// What decisions of people had to do with it: any of `joined`, `parted`, `kept`, `text_changed`.
    decided: Option<Vec<String>>,
    /// Whether the same document arrived before; this is then the answer that it got.
    repeated: Option<bool>,
    /// Null.
    error: Option<String>,
}

/// A document of the store, with the answer that it got when it arrived.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code)]
pub(crate) struct StoredDocument {
    #[serde(flatten)]
    answer: AnswerLine,
    /// Its time.
    #[schema(example = "2024-05-31T18:00:00Z")]
    time: String,
    /// Its URL.
    url: Option<String>,
    /// Its title.
    title: Option<String>,
    /// Its source: the one that it names, or the host of its URL.
    source: Option<String>,
    /// How many times it has changed.
    generation: u32,
    /// Its number in the order of arrival.
    number: u64,
    /// The document that took its place as the original of its cluster.
    replaced_by: Option<String>,
    /// Where it is now: decisions of people may have moved it since it was answered.
    now: Option<Place>,
    /// The ids of its copies.
    copies: Option<Vec<String>>,
}

/// Where a document is.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code)]
pub(crate) struct Place {
    /// The name of its cluster.
    cluster: String,
    /// The id of the original of that cluster.
    original: String,
}

/// A document to be judged. Other names of the fields are those of the settings of the store.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code)]
pub(crate) struct DocumentToJudge {
    /// Its id: a string or a number.
    #[schema(example = "story-1")]
    id: String,
    /// Its text, unless there is a page.
    #[schema(
        example = "The ferry to the island will not sail today because of the storm, said the captain at the harbour this morning."
    )]
    text: Option<String>,
    /// Its page as HTML, from which the main text is taken.
    html: Option<String>,
    /// Its title.
    title: Option<String>,
    /// Its URL.
    #[schema(example = "https://news.example/ferry")]
    url: Option<String>,
    /// Its source, such as the name of an agency.
    source: Option<String>,
    /// Its time.
    #[schema(example = "2024-05-31T18:00:00Z")]
    time: Option<String>,
}
