//! A document as every stage meets it: an id, its text, and what is known about it.

/// One text with its identity and provenance.
///
/// The text keeps its passages apart: every line is a *block* (a paragraph, a heading, a table
/// row), because templates, explanations and differences work on blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Unique within a collection and stable from run to run: a path, or a field of the record.
    pub id: String,
    /// The main text, one block a line.
    pub text: String,
    /// The title or subject.
    pub title: Option<String>,
    /// Where it was published.
    pub url: Option<String>,
    /// The host it was published on; filled from the URL where the record names none.
    pub host: Option<String>,
    /// The channel or archive it came from.
    pub source: Option<String>,
    /// When it was published, in milliseconds since 1970-01-01 UTC.
    pub time: Option<i64>,
    /// The label of its true cluster, in labelled collections.
    pub cluster: Option<String>,
    /// For each line of the text, percent of its words that are in links; empty where there is no
    /// telling.
    pub links: Vec<u8>,
    /// For each line of the text, whether it is set apart, as quotes and signatures of mail are;
    /// empty where there is no telling.
    pub quoted_lines: Vec<bool>,
    /// Whether nobody has looked for its cluster, in labelled collections: it then counts neither
    /// as like another nor as different.
    pub unlabelled: bool,
}

impl Document {
    /// A document of which only id and text are known.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), text: text.into(), ..Self::default() }
    }

    /// The blocks of the text: its non-blank lines.
    pub fn blocks(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty())
    }

    /// The site whose pages share a frame with this one: the host, without `www.`.
    pub fn site(&self) -> Option<&str> {
        let host = self.host.as_deref()?;
        Some(host.strip_prefix("www.").unwrap_or(host)).filter(|site| !site.is_empty())
    }
}
