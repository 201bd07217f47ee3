//! A document: a text with an id, and what else is known about it.

/// One text with its identity and provenance.
///
/// Every line of the text is a *block* (a paragraph, a heading, a table row), because templates,
/// explanations and differences work on blocks.
///
/// ```
/// use firsthand::Document;
///
/// let host = Some("www.site.example".to_owned());
/// let document = Document { host, ..Document::new("a", "A heading\n\nA paragraph") };
/// assert_eq!(document.blocks().count(), 2);
/// assert_eq!(document.site(), Some("site.example"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Unique within a collection and stable from run to run: a path, or a field of the record.
    pub id: String,
    /// The main text, one block per line.
    pub text: String,
    /// The title or subject.
    pub title: Option<String>,
    /// The URL under which it was published.
    pub url: Option<String>,
    /// The host it was published on; taken from the URL if the record names none.
    pub host: Option<String>,
    /// The channel or archive it came from.
    pub source: Option<String>,
    /// Who sent it, if it is a mail.
    pub sender: Option<String>,
    /// When it was published, in milliseconds since 1970-01-01 UTC.
    pub time: Option<i64>,
    /// The label of its true cluster, in labelled collections.
    pub cluster: Option<String>,
    /// For each line of the text, the percentage of its words that are in links; empty if unknown.
    pub links: Vec<u8>,
    /// For each line of the text, whether it belongs to a quote or signature of mail; empty if unknown.
    pub quoted_lines: Vec<bool>,
    /// Whether nobody has labelled it, in labelled collections: it then counts neither as a copy of
    /// another document nor as different.
    pub unlabelled: bool,
}

impl Document {
    /// A document with an id and a text, and nothing else.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into(), ..Self::default() }
    }

    /// The blocks of the text: its non-blank lines.
    pub fn blocks(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty())
    }

    /// The site whose pages share furniture with this one: the host without `www.`.
    pub fn site(&self) -> Option<&str> {
        let host = self.host.as_deref()?;
        Some(host.strip_prefix("www.").unwrap_or(host)).filter(|site| !site.is_empty())
    }
}
