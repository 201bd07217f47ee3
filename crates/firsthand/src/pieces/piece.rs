//! One document: signed, and later settled by what its site teaches.

use super::encoding;
use crate::{
    detector::Detector,
    document::Document,
    lines::LineFate,
    same_site::PageHead,
    set::Sorter,
    settings::Settings,
    sign::{PageLines, SignedPage, Signer},
    template::Templates,
};

/// Signs one document after another.
///
/// ```
/// use firsthand::{Detector, Document, Settings, pieces::{Piece, PieceSigner}};
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let mut signer = PieceSigner::new(&detector);
/// let piece = signer.sign(&Document::new("a", "one two three four five six seven eight nine ten"));
/// let again = Piece::from_bytes(&piece.to_bytes()).ok_or("damaged")?;
/// assert_eq!(again.settle(detector.settings(), None).features.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PieceSigner<'a> {
    signer: Signer,
    settings: &'a Settings,
}

/// A signed document whose site may have to be learned before it is compared.
#[derive(Clone, Debug, Default)]
pub struct Piece(SignedPage);

/// What a document is compared by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceText {
    /// The hash of its text, which exact copies share; none if it is empty.
    pub fingerprint: Option<u128>,
    /// The length of the normalised text in bytes.
    pub length: u32,
    /// Its features, ascending.
    pub features: Vec<u64>,
    /// Its site and headline in an encoding of our own; empty if it has none.
    pub head: Vec<u8>,
    /// Whether too few features are left only because what other pages of its site have was set aside.
    pub nothing_but_form: bool,
    /// The number of lines that were set aside.
    pub furniture: u64,
    /// Whether lines of its own completed its text.
    pub rescued: bool,
}

impl<'a> PieceSigner<'a> {
    /// By the settings of a detector.
    pub fn new(detector: &'a Detector) -> Self {
        Self { signer: Signer::default(), settings: detector.settings() }
    }

    /// Signs a document.
    pub fn sign(&mut self, document: &Document) -> Piece {
        Piece(self.signer.sign(document, self.settings))
    }
}

impl Piece {
    /// The site that has to be learned before the document can be settled, if there is one.
    pub fn site(&self) -> Option<&str> {
        self.0.page().map(PageLines::site)
    }

    /// The hash of its text as it was read.
    pub fn fingerprint(&self) -> Option<u128> {
        self.0.fingerprint
    }

    /// As bytes, for this version of the program.
    pub fn to_bytes(&self) -> Vec<u8> {
        encoding::page(&self.0)
    }

    /// From bytes; none if they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        encoding::read_page(bytes).map(Self)
    }

    /// What the pages of one site teach.
    pub fn learn<'a>(pages: impl IntoIterator<Item = &'a Self>) -> Templates {
        Templates::learn(pages.into_iter().map(|piece| &piece.0))
    }

    /// Reduces the document to what it is compared by. `templates` has those of its site and of all
    /// sites that its text was published on, with these sites if there are several: a line is set
    /// aside only if it is furniture on all of them, and a document without a site has none.
    pub fn settle(
        self,
        settings: &Settings,
        templates: Option<(&Templates, &[Option<String>])>,
    ) -> PieceText {
        let mut own = self.0;
        let (mut nothing_but_form, mut furniture, mut rescued) = (false, 0, false);
        if let (Some(page), Some((templates, sites))) = (own.page(), templates) {
            let fates = templates.fates_where(page, |line| match sites {
                [] => templates.contains(page.site(), line),
                sites => sites
                    .iter()
                    .all(|site| site.as_deref().is_some_and(|site| templates.contains(site, line))),
            });
            let count = |which| fates.iter().filter(|fate| **fate == which).count() as u64;
            furniture = count(LineFate::Furniture);
            rescued = count(LineFate::Rescued) > 0;
            let has_enough =
                |own: &SignedPage| own.text.has_at_least(settings.min_features, settings.multiset);
            nothing_but_form = has_enough(&own);
            templates.settle_by(&mut own, &fates);
            nothing_but_form &= !has_enough(&own);
        }
        if !own.text.is_set {
            Sorter::default().make_set(&mut own.text.features, settings.multiset);
        }
        own.sample_telling();
        PieceText {
            fingerprint: own.fingerprint,
            length: own.length,
            features: own.text.features,
            head: encoding::head(own.head.as_ref()),
            nothing_but_form,
            furniture,
            rescued,
        }
    }
}

impl PieceText {
    /// What is known of a text that is on several pages, from what is known of each; and whether that may
    /// speak against a pair, so that texts with equal features are kept apart.
    pub fn shared_head(heads: &[Vec<u8>]) -> (Vec<u8>, bool) {
        let mut heads = heads.iter().map(|head| encoding::read_head(head));
        let mut shared = heads.next().flatten();
        for other in heads {
            shared = shared.and_then(|head| head.shared_with(other.as_ref()));
        }
        let may_object = shared.as_ref().is_some_and(PageHead::may_object);
        (encoding::head(shared.as_ref()), may_object)
    }
}
