//! The verdict on a document of a stream, with the details.

use crate::guard::Change;
use serde::{Serialize, Serializer};

/// What a stream says of a document.
///
/// ```
/// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector, Verdict}};
///
/// let detector = StreamDetector::new(Settings::profile("alert")?)?;
/// let mut online = Online::new(detector.clone(), Memory::new());
/// let text = "The storm has killed 17 people in the old town by the river, said the police, who \
///             have asked all those who live there to stay in their homes until the morning.";
/// let texts = [text.to_owned(), text.to_uppercase(), text.replace("17", "23"), "Hm".to_owned()];
/// let arrivals = texts.map(|text| detector.sign(&Document::new(text.clone(), text), 0));
/// let verdicts: Vec<_> = online.add(&arrivals)?.iter().map(|answer| answer.verdict).collect();
/// use Verdict::{Duplicate, Original, TooShort, Update};
/// assert_eq!(verdicts, [Original, Duplicate, Update, TooShort]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No near-duplicate of it was seen before.
    Original,
    /// A near-duplicate of an earlier document.
    Duplicate,
    /// A near-duplicate of an earlier document in which some figures changed.
    Update,
    /// Too short to be compared, and no exact copy of it was seen before.
    TooShort,
    /// It could not be read.
    Error,
}

/// What decisions of people had to do with an answer.
///
/// ```
/// use firsthand::online::Decided;
///
/// assert!(!Decided::default().is_any());
/// assert_eq!(serde_json::to_string(&Decided { parted: true, ..Decided::default() })?, "[\"parted\"]");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// It is in its cluster because a person said that it belongs there.
    pub joined: bool,
    /// It is not in a cluster that it would have joined, because a person said that it is no copy.
    pub parted: bool,
    /// Its original, or the document itself, is the original because a person chose it.
    pub kept: bool,
    /// Something was decided about another text of this document, and does not hold any longer.
    pub text_changed: bool,
}

impl Decided {
    /// Whether any had.
    pub fn is_any(self) -> bool {
        self.joined || self.parted || self.kept || self.text_changed
    }

    /// The same as words.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let words = [
            (self.joined, "joined"),
            (self.parted, "parted"),
            (self.kept, "kept"),
            (self.text_changed, "text_changed"),
        ];
        words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word)
    }
}

impl Serialize for Decided {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.words())
    }
}

/// The answer to one document.
///
/// ```
/// use firsthand::online::{Answer, Verdict};
///
/// let answer = Answer::error(Some("7".to_owned()), "not valid JSON");
/// assert_eq!(answer.verdict, Verdict::Error);
/// assert_eq!(answer.error.as_deref(), Some("not valid JSON"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The id of the document, if it is known.
    pub id: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The id of the document that this one is a copy or an update of.
    pub original: Option<String>,
    /// The similarity to the original, or to `via`.
    pub score: Option<f64>,
    /// The cluster of the document, named by the id of its first original.
    pub cluster: Option<String>,
    /// Whether its text equals that of the original, or of `via`.
    pub exact: bool,
    /// The member of the cluster that it is a near-duplicate of, if it is not one of the original.
    pub via: Option<String>,
    /// The figures that changed.
    pub changed: Vec<Change>,
    /// The former original of the cluster, which this earlier document replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// Whether its time is before the window: it was not compared with the recent documents of the stream.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outside_window: bool,
    /// Whether its text may not be what the page is about: more running text was left out of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
    /// Whether it is too short only because what other pages of its site have as well was set aside.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nothing_but_form: bool,
    /// What decisions of people had to do with it: any of `joined`, `parted`, `kept`, `text_changed`.
    #[serde(skip_serializing_if = "is_none_of_it")]
    pub decided: Decided,
    /// Whether the same document arrived before; this is then the answer that it got.
    pub repeated: bool,
    /// Why the document could not be read.
    pub error: Option<String>,
}

impl Answer {
    /// An answer with a verdict and no details.
    pub fn new(id: impl Into<Option<String>>, verdict: Verdict) -> Self {
        Self {
            id: id.into(),
            verdict,
            original: None,
            score: None,
            cluster: None,
            exact: false,
            via: None,
            changed: Vec::new(),
            replaces: None,
            outside_window: false,
            doubtful: false,
            nothing_but_form: false,
            decided: Decided::default(),
            repeated: false,
            error: None,
        }
    }

    /// The answer to a document that could not be read.
    pub fn error(id: Option<String>, reason: impl Into<String>) -> Self {
        Self { error: Some(reason.into()), ..Self::new(id, Verdict::Error) }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands on a reference")]
fn is_none_of_it(decided: &Decided) -> bool {
    !decided.is_any()
}
