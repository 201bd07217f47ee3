//! Why a block is kept or dropped: the rules and their weights.
//!
//! A block's score is [`BASE`] plus the weights of all rules that apply; above zero it is kept. The
//! reported reason is the strongest rule on the winning side; a rule about the whole page is
//! reported only if there is no other. The weights were tuned on pages with known main text.

/// A rule that applies to a block, or a decision that overrides the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub(crate) enum BlockReason {
    // The rules, described in [`RULES`].
    Prose, LongProse, Sentence, Paragraph, Preformatted, Heading, Title, Headline, BesideProse,
    MainElement, NearMain, RichElement, Body, Content, PlainPage, NamelessPage, MostlyLinks,
    Furniture, Marks, Label, FarFromProse, UnlikeMain, LinkyElement, LinkyRegion, PoorElement,
    OutsideBody, Navigation, Foot, Side, Comment, Author, Advert, Social, Related, Overlay, Dialog,
    BelowComments,
    // What is noticed beside them.
    WhollyLinks, InContent, InNamedContent,
    // Decisions that override the weights.
    Hidden, LeadsToKept, AmongKept, OfContent, NothingForIt, NothingElse, TooMany,
}

/// The score of a block to which no rule applies.
pub(super) const BASE: i32 = -3;

/// Each rule, its weight for keeping a block, and its description.
#[rustfmt::skip]
pub(super) const RULES: [(BlockReason, i32, &str); 37] = [
    // The block itself.
    (BlockReason::Prose, 1, "running text"),
    (BlockReason::LongProse, 1, "much running text"),
    (BlockReason::Sentence, 1, "ends like a sentence"),
    (BlockReason::Paragraph, 1, "a paragraph"),
    (BlockReason::Preformatted, 2, "preformatted text"),
    (BlockReason::Heading, 3, "a heading"),
    (BlockReason::Title, 4, "has the words of the page's title"),
    (BlockReason::Headline, 2, "a heading with the words of the page's title"),
    (BlockReason::MostlyLinks, -3, "mostly links"),
    (BlockReason::Furniture, -2, "uses the words of menus and notices, such as share, subscribe or cookies"),
    (BlockReason::Marks, -1, "has the separators of a list of labels"),
    (BlockReason::Label, -5, "begins like a copyright notice or an advertisement"),
    // Its neighbours.
    (BlockReason::BesideProse, 1, "next to running text"),
    (BlockReason::FarFromProse, -1, "far from running text"),
    // The elements around it.
    (BlockReason::MainElement, 2, "inside the main element"),
    (BlockReason::NearMain, 1, "beside the main element"),
    (BlockReason::RichElement, 1, "inside an element with most of the running text"),
    (BlockReason::UnlikeMain, -1, "its element differs from those of the running text"),
    (BlockReason::LinkyElement, -3, "inside an element full of links"),
    (BlockReason::LinkyRegion, -1, "inside a region full of links"),
    (BlockReason::PoorElement, -1, "inside an element with little running text"),
    // Their names.
    (BlockReason::Body, 2, "inside an element named as the text of an article"),
    (BlockReason::Content, 1, "inside an element named as content"),
    (BlockReason::OutsideBody, -5, "outside the element named as the text of the article"),
    (BlockReason::Navigation, -2, "its element is named as navigation"),
    (BlockReason::Foot, -6, "its element is named as the foot of the page"),
    (BlockReason::Side, -3, "its element is named as a side column"),
    (BlockReason::Comment, -10, "its element is named as readers' comments"),
    (BlockReason::Author, -6, "running text in an element named as the author"),
    (BlockReason::Advert, -3, "its element is named as an advertisement"),
    (BlockReason::Social, -5, "its element is named as sharing or subscribing"),
    (BlockReason::Related, -2, "its element is named as pointers to other pages"),
    (BlockReason::Overlay, -3, "its element is named as an overlay"),
    (BlockReason::Dialog, -10, "its element is a dialog, such as a request for consent"),
    (BlockReason::BelowComments, -10, "below a heading that says comments"),
    // The page.
    (BlockReason::PlainPage, 3, "a page with hardly any links"),
    (BlockReason::NamelessPage, 1, "a page with no element named as page furniture"),
];

impl BlockReason {
    /// The description of the reason.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Hidden => "hidden by the page's style",
            Self::LeadsToKept => "a heading of text that is kept",
            Self::AmongKept => "between blocks that are kept",
            Self::OfContent => "in the content of the page, which is no running text",
            Self::NothingForIt => "too few signs of main text",
            Self::NothingElse => "the page has hardly any other text",
            Self::TooMany => "the page has too many blocks to score",
            _ => RULES.iter().find(|rule| rule.0 == self).map_or("", |rule| rule.2),
        }
    }
}

/// A set of rules.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reasons(u64);

impl Reasons {
    /// Adds a rule if it applies.
    pub(super) fn note(&mut self, reason: BlockReason, applies: bool) {
        self.0 |= u64::from(applies) << reason as u32;
    }

    /// Whether the set contains a rule.
    pub(super) fn has(self, reason: BlockReason) -> bool {
        self.0 >> reason as u32 & 1 == 1
    }

    /// Whether the name of a surrounding element marks the block as page furniture.
    pub(super) fn names_furniture(self) -> bool {
        // The rules about names stand side by side.
        const NAMED: u64 =
            (2 << BlockReason::BelowComments as u32) - (1 << BlockReason::Navigation as u32);
        self.0 & NAMED != 0
    }

    /// Whether words or names mark the block as page furniture, and the names are ones that tables
    /// and sections of a manual do not have.
    pub(super) fn surely_speaks_of_furniture(self) -> bool {
        let mut sure = self;
        if !self.has(BlockReason::LinkyElement) && !self.has(BlockReason::WhollyLinks) {
            sure.0 &= !(1 << BlockReason::Related as u32 | 1 << BlockReason::Overlay as u32);
        }
        let words = self.has(BlockReason::Label);
        words || sure.names_furniture()
    }

    /// Whether links, words or names mark the block as page furniture.
    pub(super) fn speaks_of_furniture(self) -> bool {
        let links = [
            BlockReason::MostlyLinks,
            BlockReason::LinkyElement,
            BlockReason::LinkyRegion,
            BlockReason::OutsideBody,
            BlockReason::Furniture,
            BlockReason::Label,
        ];
        self.names_furniture() || links.into_iter().any(|reason| self.has(reason))
    }

    /// The score, and the strongest rules for and against keeping.
    pub(super) fn weigh(self) -> (i32, BlockReason, BlockReason) {
        let (mut score, mut most, mut least) = (BASE, 0, 0);
        let (mut pro, mut contra) = (BlockReason::NothingForIt, BlockReason::NothingForIt);
        for (reason, weight, _) in RULES.iter().filter(|rule| self.has(rule.0)) {
            score += weight;
            let about_page = matches!(reason, BlockReason::PlainPage | BlockReason::NamelessPage);
            if *weight > most && (most == 0 || !about_page) {
                (most, pro) = (*weight, *reason);
            }
            if *weight < least {
                (least, contra) = (*weight, *reason);
            }
        }
        (score, pro, contra)
    }
}
