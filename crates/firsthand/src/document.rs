//! A document: a text with an id, and what else is known about it.

use crate::anchors::Anchors;

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
    /// The site it belongs to, and how that is known; without it, the host tells the site.
    pub known_site: Option<KnownSite>,
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
    /// What else the page shows, beside its text.
    pub rest: Rest,
    /// The names that the page gives to its parts.
    pub anchors: Anchors,
    /// Whether the text may not be what the page is about: more running text was left out of it.
    pub doubtful: bool,
    /// For each line of the text, whether it belongs to a quote or signature of mail; empty if unknown.
    pub quoted_lines: Vec<bool>,
    /// Whether nobody has labelled it, in labelled collections: it then counts neither as a copy of
    /// another document nor as different.
    pub unlabelled: bool,
}

/// The site of a document, and how it is known.
///
/// ```
/// use firsthand::{Document, pages::{KnownSite, SiteClue}};
///
/// let site = KnownSite { name: "site.example/~anna".to_owned(), clue: SiteClue::Address };
/// let document = Document { known_site: Some(site), ..Document::new("a", "A diary") };
/// assert_eq!(document.site(), Some("site.example/~anna"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSite {
    /// Equal for all pages of a site: mostly its host.
    pub name: String,
    /// How it is known.
    pub clue: SiteClue,
}

/// How the site of a document is known, the surest first.
///
/// ```
/// use firsthand::pages::SiteClue;
///
/// assert_eq!(SiteClue::ALL.map(SiteClue::label)[..2], ["record", "address"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteClue {
    /// The record names its host.
    Record,
    /// The record, or the crawl, names its address.
    Address,
    /// The page says where it belongs.
    Canonical,
    /// The page names the address that its links are relative to.
    Base,
    /// A folder is named like a host, as in mirrors of sites.
    Folder,
    /// Most absolute links of the page, or else most of its pictures and style sheets, name one host.
    Links,
    /// The page loads the same style sheets and scripts as others.
    Assets,
}

impl SiteClue {
    /// All clues, in their order.
    pub const ALL: [Self; 7] = [
        Self::Record,
        Self::Address,
        Self::Canonical,
        Self::Base,
        Self::Folder,
        Self::Links,
        Self::Assets,
    ];

    /// The word for it in reports.
    pub fn label(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Address => "address",
            Self::Canonical => "canonical",
            Self::Base => "base",
            Self::Folder => "folder",
            Self::Links => "links",
            Self::Assets => "assets",
        }
    }
}

/// The visible lines of a page that are not part of its text: menus, adverts, and what was taken for
/// them. They show what recurs on a site, and what the text may lack.
///
/// ```
/// use firsthand::{Document, pages::{Rest, RestLine}};
///
/// let menu = RestLine { before: 0, named: true };
/// let rest = Rest { text: "Home News Weather".to_owned(), lines: vec![menu] };
/// let document = Document { rest, ..Document::new("a", "The ferry is late.") };
/// assert_eq!(document.rest.text.lines().count(), document.rest.lines.len());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// The lines, in reading order.
    pub text: String,
    /// What is known of each of them.
    pub lines: Vec<RestLine>,
}

/// A visible line that is not part of the text of its page; see [`Rest`].
///
/// ```
/// use firsthand::pages::RestLine;
///
/// let menu = RestLine { before: 0, named: true };
/// assert!(menu.named, "it stands before the text, in an element named as a menu");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestLine {
    /// The number of lines of the text that stand before it on the page.
    pub before: u32,
    /// Whether an element around it is named as page furniture.
    pub named: bool,
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

    /// The site whose pages share furniture with this one: the known one, or else the host without
    /// what only tells its versions apart, such as `www.` and `m.`.
    pub fn site(&self) -> Option<&str> {
        let known = self.known_site.as_ref().map(|site| site.name.as_str());
        known.or_else(|| self.host.as_deref().map(site_of_host)).filter(|site| !site.is_empty())
    }
}

/// The first labels of hosts that serve one site to different readers.
const VERSIONS: [&str; 4] = ["www", "m", "mobile", "amp"];

/// The site of a host: without labels before it that only tell versions of the site apart. The last
/// two labels stay, so that `m.example` and `www.example` are sites.
pub fn site_of_host(host: &str) -> &str {
    let mut site = host;
    while let Some((label, rest)) = site.split_once('.')
        && rest.contains('.')
        && VERSIONS.contains(&label.trim_end_matches(|c: char| c.is_ascii_digit()))
    {
        site = rest;
    }
    site
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_host_are_one_site() {
        let cases = [
            ("www.example.com", "example.com"),
            ("www2.example.com", "example.com"),
            ("m.example.com", "example.com"),
            ("www.m.example.com", "example.com"),
            ("amp.example.com", "example.com"),
            ("mobile.news.example.com", "news.example.com"),
            ("news.example.com", "news.example.com"),
            ("wwwhatever.example.com", "wwwhatever.example.com"),
            ("www.example", "www.example"),
            ("m.example", "m.example"),
            ("localhost", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("2.0.0.1", "2.0.0.1"),
            ("", ""),
        ];
        for (host, site) in cases {
            assert_eq!(site_of_host(host), site, "{host}");
        }
    }
}
