//! What a collection knows of each document.

/// What a collection knows of a document, whose text is not kept.
///
/// ```
/// use firsthand::{Detector, Document, Settings, find_duplicates};
///
/// let documents = ["The ferry did not sail", "", "A bridge"].map(|text| Document::new("a", text));
/// let report = find_duplicates(&Detector::new(Settings::profile("corpus")?)?, documents);
/// // Ids that occurred before get a number.
/// assert_eq!((&*report.documents[0].id, &*report.documents[2].id), ("a", "a#3"));
/// assert_eq!((report.documents[1].length, report.documents[1].short), (0, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its id. If it occurred before, `#2`, `#3` and so on are appended.
    pub id: String,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: Option<i64>,
    /// The length of its normalised text in bytes; an empty document matches nothing.
    pub length: u32,
    /// The number of features that it is compared by.
    pub features: u32,
    /// Whether it has too few features, so that it matches only exact copies.
    pub short: bool,
    /// Whether it is short only because what other pages of its site have as well was set aside: nothing
    /// but the form of the site's pages is left to compare it by.
    pub nothing_but_form: bool,
    /// The number of its text, which exact copies share; `None` if it is empty.
    pub(crate) text: Option<u32>,
}

impl Summary {
    /// A document of a collection that is kept elsewhere: its id and time; the length of its text and the
    /// number of its features; whether it is short, and whether only because of the form of its site.
    pub fn new(
        id: String,
        time: Option<i64>,
        (length, features): (u32, u32),
        (short, nothing_but_form): (bool, bool),
    ) -> Self {
        Self { id, time, length, features, short, nothing_but_form, text: None }
    }
}
