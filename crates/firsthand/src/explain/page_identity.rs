//! Which page of its site a document is, and which others are versions of it.

use crate::{
    collection::Collection,
    document::Document,
    same_site::{Identity, PageHead},
    sign::Signer,
};
use serde::Serialize;

/// What tells a page from the other pages of its site, and its versions from different pages.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::explain::{PageClue, page_identity};
///
/// let page = |edition: u32| Document {
///     host: Some("site.example".to_owned()),
///     url: Some(format!("http://site.example/{edition}/ferry.html")),
///     ..Document::new(format!("{edition}"), "The ferry to the island did not sail")
/// };
/// let pages = [page(1), Document { text: "It sails to the island again".to_owned(), ..page(2) }];
/// let detector = Detector::new(Settings::default())?;
/// let batches = [pages.to_vec()].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let identity = page_identity(&collection, &pages[0]);
/// assert_eq!(identity.known_by, Some(PageClue::Address));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PageClue {
    /// The name in its address.
    Address,
    /// Its own anchors: names of its parts that few other pages have.
    Anchors,
}

/// Which page of its site a document is; see [`PageClue`].
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::explain::{PageIdentity, page_identity};
///
/// let text = Document::new("a", "A text that is on no site");
/// let detector = Detector::new(Settings::default())?;
/// let batches = [vec![text.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let unknown = PageIdentity { known_by: None, versions: Vec::new() };
/// assert_eq!(page_identity(&collection, &text), unknown);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageIdentity {
    /// What tells it; nothing if its address does not name it, or it has none and too few anchors of its own.
    pub known_by: Option<PageClue>,
    /// The ids of documents that are other versions of it.
    pub versions: Vec<String>,
}

/// What is known of a document that has the site of others in the collection.
pub fn page_identity(collection: &Collection, document: &Document) -> PageIdentity {
    let mut signed = Signer::default().sign(document, collection.settings());
    let fates = collection.fates(&signed);
    collection.templates().settle_by(&mut signed, &fates);
    let Some(head) = signed.head else {
        return PageIdentity { known_by: None, versions: Vec::new() };
    };
    let known_by = match &head {
        PageHead { name: 1.., .. } => Some(PageClue::Address),
        PageHead { anchors, .. } => anchors.tell().then_some(PageClue::Anchors),
    };
    let is_version = |text: u32| Identity::of(Some(&head), collection.head(text)).is_version();
    let others = collection.documents().iter().filter(|other| other.id != document.id);
    let versions = others.filter(|other| other.text.is_some_and(is_version));
    PageIdentity { known_by, versions: versions.map(|other| other.id.clone()).collect() }
}
