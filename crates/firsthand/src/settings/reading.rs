//! How inputs are turned into documents.

use super::{kind::Kind, limits::Limits};
use serde::{Deserialize, Serialize};

/// How inputs are turned into documents.
///
/// ```
/// let settings = firsthand::Settings::profile("mail")?;
/// assert!(settings.reading.mail);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reading {
    /// How much of a page becomes text.
    pub extract: Extract,
    /// The kind to read every file as, whatever its name; archives are still opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Whether symbolic links inside folders are followed. Links given as inputs always are.
    pub follow: bool,
    /// Whether plain texts are treated as mail, so that quotes and signatures are cut out of them, as
    /// they always are of mail.
    pub mail: bool,
    /// Whether quotes and signatures of mail stay in the text, each line of them marked in
    /// [`Document::quoted_lines`](crate::Document::quoted_lines).
    pub keep_quotes: bool,
    /// The names of the fields of a record.
    pub fields: Fields,
    /// The limits beyond which an input is refused or cut short.
    pub limits: Limits,
}

/// How much of an HTML page becomes text.
///
/// ```
/// use firsthand::{Settings, settings::{Extract, Reading}};
///
/// // Adverts and navigation are left out of pages unless all of the text is wanted.
/// assert_eq!(Settings::default().reading.extract, Extract::Main);
/// let reading = Reading { extract: Extract::Text, ..Reading::default() };
/// assert!(Settings { reading, ..Settings::default() }.check_collection().is_ok());
/// ```
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Extract {
    /// The main text, without navigation, adverts and the like.
    #[default]
    Main,
    /// All visible text.
    Text,
    /// The page as it is, including markup.
    None,
}

/// The names of the fields of a record. Names are tried in order; the first field that exists and is
/// not null is used.
///
/// ```
/// use firsthand::settings::Fields;
///
/// let fields = Fields { text: vec!["story".to_owned()], ..Fields::default() };
/// assert_eq!(fields.id[0], "id");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    /// The id; a record without one is called `FILE:LINE`.
    pub id: Vec<String>,
    /// Plain text.
    pub text: Vec<String>,
    /// A page, used when the plain text is missing or blank.
    pub html: Vec<String>,
    /// The title or subject.
    pub title: Vec<String>,
    /// The URL.
    pub url: Vec<String>,
    /// The host, if it is not to be taken from the URL.
    pub host: Vec<String>,
    /// The channel or archive.
    pub source: Vec<String>,
    /// The time of publication: RFC 3339, RFC 2822, or seconds or milliseconds since 1970.
    pub time: Vec<String>,
    /// The label of the true cluster.
    pub cluster: Vec<String>,
    /// Whether the document was labelled; `false` leaves it out of an evaluation.
    pub labelled: Vec<String>,
}

impl Default for Fields {
    fn default() -> Self {
        let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        Self {
            id: names(&["id", "_id", "doc_id", "uuid"]),
            text: names(&["text", "content", "body"]),
            html: names(&["html"]),
            title: names(&["title", "headline", "subject"]),
            url: names(&["url", "link"]),
            host: names(&["host", "domain"]),
            source: names(&["source", "site", "publisher"]),
            time: names(&["time", "date", "published", "timestamp", "created_at"]),
            cluster: names(&["cluster", "label"]),
            labelled: names(&["labelled", "labeled"]),
        }
    }
}
