//! Why two documents of a collection are near-duplicates, or why they are not.
//!
//! Nothing is decided here a second time: the sets and the rule are those of the collection. What is
//! added is what a person wants to see: features as words, passages side by side, and what was set
//! aside.

mod align;
mod fates;
mod page_identity;
mod passages;
mod phrases;
mod reason;
mod score_text;
mod units;
mod weighed;

#[cfg(test)]
mod tests;

pub use fates::{ExplainedLine, line_fates};
pub use page_identity::{PageClue, PageIdentity, page_identity};
pub use passages::{Passage, Piece};
pub use phrases::Phrase;
pub use score_text::score_text;
pub use weighed::{PhraseWeight, Sums};

use crate::{
    collection::Collection,
    document::Document,
    guard::{Change, Figures},
    lines::LineFate,
    matcher::overlap,
    measure::Measure,
    scheme::Scheme,
    set::Sorter,
    settings::Numbers,
    sign::{SignedPage, Signer, apply_numbers},
    summary::Summary,
    threshold::Threshold,
    tokenized::TokenizedDocument,
    tokens::{Folding, Tokens},
};
use passages::ExplainedBlock;
use serde::Serialize;
use std::borrow::Cow;

/// How two documents are related.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::explain::{Outcome, explain};
///
/// let a = Document::new("a", "The ferry did not sail.");
/// let b = Document::new("b", "THE FERRY did not sail.");
/// let c = Document::new("c", "");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone(), c.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// assert_eq!(explain(&collection, &a, &b)?.verdict, Outcome::ExactCopy);
/// assert_eq!(explain(&collection, &a, &c)?.verdict, Outcome::Empty);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Their normalised texts are equal.
    ExactCopy,
    /// Their similarity reaches the threshold.
    NearDuplicate,
    /// The same, and figures changed from the first to the second: what a stream with the number
    /// guard calls an update.
    Update,
    /// Their similarity does not reach the threshold.
    Different,
    /// One of them has too few features to be compared, and they are not exact copies.
    TooShort,
    /// The same, but only because what other pages of its site have as well was set aside: there is no
    /// verdict on what is left.
    NothingButForm,
    /// One of them has no text.
    Empty,
}

/// The similarity of two documents, and the reasons for the verdict.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
///
/// let a = Document::new("a", "The ferry to the island did not sail because of the storm.");
/// let b = Document::new("b", "The ferry to the island did not sail because of the strike.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explanation = explain(&collection, &a, &b)?;
/// assert_eq!((explanation.unit, explanation.overlap), ("shingles", explanation.shared.len()));
/// assert_eq!(explanation.score, collection.similarity(0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// How they are related.
    pub verdict: Outcome,
    /// The reason, in one sentence.
    pub reason: String,
    /// What else a reader should know, one sentence each.
    pub notes: Vec<String>,
    /// The figures that changed, of an update.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Change>,
    /// The similarity by the measure of the settings.
    pub score: f64,
    /// The measure of the settings.
    pub measure: Measure,
    /// The least similarity of near-duplicates.
    pub threshold: Threshold,
    /// What the similarity is computed from, where a model weighs features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sums: Option<Sums>,
    /// The similarity by every measure; with a model, by those that are defined for weights.
    pub scores: Vec<Score>,
    /// What the features are called: signatures, shingles, words or grams.
    pub unit: &'static str,
    /// The number of features that they share.
    pub overlap: usize,
    /// The first document.
    pub a: ExplainedDocument,
    /// The second document.
    pub b: ExplainedDocument,
    /// The features that they share, in the order of `a`; with a model, the heaviest first.
    pub shared: Vec<Phrase>,
    /// The features that only `a` has, or has more often.
    pub only_a: Vec<Phrase>,
    /// The features that only `b` has, or has more often.
    pub only_b: Vec<Phrase>,
    /// Their passages side by side, without those that were set aside.
    pub passages: Vec<Passage>,
}

/// The similarity by one measure.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
///
/// let a = Document::new("a", "The ferry to the island did not sail because of the storm.");
/// let b = Document::new("b", "The ferry to the island did not sail.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explanation = explain(&collection, &a, &b)?;
/// let configured = explanation.scores.iter().find(|score| score.configured);
/// assert_eq!(configured.map(|score| score.score), Some(explanation.score));
/// // All of `b` is in `a`: by containment they would be the same.
/// assert!(explanation.scores.iter().any(|score| score.score == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The measure.
    pub measure: Measure,
    /// The similarity, from 0 to 1.
    pub score: f64,
    /// Whether this is the measure of the settings.
    pub configured: bool,
}

/// One of two documents that are explained.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
///
/// let a = Document::new("a", "The ferry to the island did not sail.");
/// let b = Document::new("b", "The ferry to the island did not sail again.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![a.clone(), b.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explained = explain(&collection, &a, &b)?.a;
/// // Eight words have four shingles of five.
/// assert_eq!((&*explained.id, explained.words, explained.features), ("a", 8, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedDocument {
    /// Its id in the collection.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// Its site, if it has one.
    pub site: Option<String>,
    /// The number of its words.
    pub words: usize,
    /// The number of features that it is compared by.
    pub features: usize,
    /// The language whose word lists are used, if the scheme uses any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
    /// The passages that were set aside as page furniture.
    pub aside: Vec<String>,
    /// The passages that were not taken for text, but that no other page of the site has.
    pub rescued: Vec<String>,
}

/// The id of a document that is not in the collection.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
///
/// let known = Document::new("known", "The ferry did not sail.");
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [vec![known.clone()]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let error = explain(&collection, &known, &Document::new("new", "Text")).unwrap_err();
/// assert!(error.to_string().starts_with("the collection has no document \"new\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the collection has no document {0:?}: only its own documents can be explained")]
pub struct NotInCollection(String);

/// Explains two documents of a collection, which are found in it by their ids.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}, explain};
///
/// let documents = [
///     Document::new("a", "one two three four five six seven eight nine ten"),
///     Document::new("b", "one two three four five six seven eight nine eleven"),
/// ];
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [documents.to_vec()].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let explanation = explain(&collection, &documents[0], &documents[1])?;
/// assert!(explanation.reason.starts_with("They share 5 of their 7 shingles"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If one of them is not in the collection.
pub fn explain(
    collection: &Collection,
    a: &Document,
    b: &Document,
) -> Result<Explanation, NotInCollection> {
    let found = |document: &Document| {
        let summary = collection.documents().iter().find(|known| known.id == document.id);
        summary.ok_or_else(|| NotInCollection(document.id.clone()))
    };
    let (of_a, of_b) = (found(a)?, found(b)?);
    Ok(explain_known(collection, (of_a, a), (of_b, b), Detail::Features))
}

/// Explains two documents by their positions in the collection, without their features as text: for a page that
/// compares many documents, and shows passages only.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::explain::{explain, explain_passages};
///
/// let documents = [
///     Document::new("a", "one two three four five six seven eight nine ten"),
///     Document::new("b", "one two three four five six seven eight nine eleven"),
/// ];
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let batches = [documents.to_vec()].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let brief = explain_passages(&collection, (0, &documents[0]), (1, &documents[1]));
/// let full = explain(&collection, &documents[0], &documents[1])?;
/// assert_eq!((&brief.reason, &brief.passages), (&full.reason, &full.passages));
/// assert!(brief.shared.is_empty() && !full.shared.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If the collection has no such positions.
pub fn explain_passages(
    collection: &Collection,
    (at_a, a): (usize, &Document),
    (at_b, b): (usize, &Document),
) -> Explanation {
    let known = collection.documents();
    explain_known(collection, (&known[at_a], a), (&known[at_b], b), Detail::Passages)
}

/// What an explanation has beside the verdict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Features,
    Passages,
}

fn explain_known(
    collection: &Collection,
    (of_a, a): (&Summary, &Document),
    (of_b, b): (&Summary, &Document),
    detail: Detail,
) -> Explanation {
    let settings = collection.settings();
    let changed = match settings.on_stream().numbers {
        Numbers::Guard => Figures::read(&a.text).changed(&Figures::read(&b.text)),
        _ => Vec::new(),
    };
    let (a, b) = (View::new(collection, of_a, a, detail), View::new(collection, of_b, b, detail));
    let exact = a.summary.text.is_some() && a.summary.text == b.summary.text;
    let overlap = overlap(&a.set, &b.set);
    let (shares, x, y) = (overlap as u64, a.set.len() as u64, b.set.len() as u64);
    // The collection has no sets of short documents: their similarity is only shown.
    let likeness = match (a.summary.text, b.summary.text) {
        (Some(x), Some(y)) if !a.summary.short && !b.summary.short => {
            Some(collection.likeness(x, y))
        }
        _ => None,
    };
    let verdict = if a.summary.text.is_none() || b.summary.text.is_none() {
        Outcome::Empty
    } else if exact {
        Outcome::ExactCopy
    } else if a.summary.short || b.summary.short {
        let is_form = |view: &View<'_>| !view.summary.short || view.summary.nothing_but_form;
        if is_form(&a) && is_form(&b) { Outcome::NothingButForm } else { Outcome::TooShort }
    } else if likeness.is_some_and(|likeness| likeness.is_match()) {
        Outcome::NearDuplicate
    } else {
        Outcome::Different
    };
    let by_sets = |measure: Measure| match verdict {
        Outcome::ExactCopy => 1.0,
        _ if shares == 0 => 0.0,
        _ if settings.model.is_some() => weighed::score(measure, &a, &b).unwrap_or(0.0),
        _ => measure.score(shares, x, y),
    };
    let score = match likeness {
        Some(likeness) if verdict != Outcome::ExactCopy => likeness.score,
        _ => by_sets(settings.measure),
    };
    let scores = Measure::ALL.map(|measure| Score {
        measure,
        score: if measure == settings.measure && likeness.is_some() && !settings.is_by_sketch() {
            score
        } else {
            by_sets(measure)
        },
        configured: measure == settings.measure && !settings.is_by_sketch(),
    });
    let scores = scores.into_iter().filter(|score| match (&settings.model, score.measure) {
        (Some(_), measure) => weighed::knows_weights(measure),
        // Without weights it equals Jaccard.
        (None, Measure::ExtendedJaccard) => score.configured,
        (None, _) => true,
    });
    let unit = if settings.model.is_some() { "grams" } else { unit(&settings.scheme) };
    let weighed = weighed::compare(settings.measure, &a, &b);
    let heaviest = weighed.as_ref().map_or(&[][..], |weighed| &weighed.shared);
    let reasoning =
        reason::Reasoning { settings, unit, verdict, score, likeness, overlap: shares, heaviest };
    let (mut reason, notes) = (reasoning.reason(&a, &b), reasoning.notes(&a, &b));
    let changed = if verdict == Outcome::NearDuplicate { changed } else { Vec::new() };
    let verdict = if changed.is_empty() { verdict } else { Outcome::Update };
    if verdict == Outcome::Update {
        reason.push_str(&reason::changes(&changed));
    }
    let sums = weighed.as_ref().map(|weighed| weighed.sums.clone());
    let (shared, only_a, only_b) = match weighed {
        Some(weighed) => (weighed.shared, weighed.only_a, weighed.only_b),
        None => phrases::compare(&a.phrases, &b.phrases),
    };
    Explanation {
        verdict,
        reason,
        notes,
        changed,
        score,
        measure: settings.measure,
        threshold: settings.threshold,
        sums,
        scores: scores.collect(),
        unit,
        overlap,
        passages: passages::compare(a.blocks, b.blocks, exact),
        shared,
        only_a,
        only_b,
        a: a.side,
        b: b.side,
    }
}

/// The features of a document without page furniture, and their weights, before any cut by frequency.
fn settled(
    collection: &Collection,
    mut signed: SignedPage,
    fates: &[LineFate],
) -> (Vec<u64>, Vec<u32>) {
    let settings = collection.settings();
    collection.templates().settle_by(&mut signed, fates);
    match settings.model {
        Some(_) => signed.text.make_vector(),
        None => Sorter::default().make_set(&mut signed.text.features, settings.multiset),
    }
    (signed.text.features, signed.text.weights)
}

fn unit(scheme: &Scheme) -> &'static str {
    match scheme {
        Scheme::Spot(_) => "signatures",
        Scheme::Words { n: 1 } => "words",
        Scheme::Prose { .. } | Scheme::Words { .. } => "shingles",
        Scheme::Chars { .. } => "grams",
    }
}

/// A document of the collection, with everything that an explanation needs.
struct View<'a> {
    side: ExplainedDocument,
    summary: &'a Summary,
    /// Its features; of a short document, those that it would be compared by.
    set: Cow<'a, [u64]>,
    /// The weights of its features, if a model weighs them.
    weights: Option<Cow<'a, [u32]>>,
    phrases: Vec<(u64, Phrase)>,
    /// The number of features left out because they are too common or too rare.
    cut: usize,
    /// The number of features left out because they belong to the form of its site's pages.
    form: usize,
    /// Whether the setting `fold` changed its text.
    folded: bool,
    /// The blocks that were not set aside.
    blocks: Vec<ExplainedBlock<'a>>,
}

impl<'a> View<'a> {
    fn new(
        collection: &'a Collection,
        summary: &'a Summary,
        document: &'a Document,
        detail: Detail,
    ) -> Self {
        let settings = collection.settings();
        let signed = Signer::default().sign(document, settings);
        let fates = collection.fates(&signed);
        let lines = fates::of_signed(collection, document, &signed, &fates);
        let mut with_form: Vec<u64> = signed.compared(&fates).collect();
        if !settings.multiset || settings.model.is_some() {
            with_form.sort_unstable();
            with_form.dedup();
        }
        let (features, own_weights) = settled(collection, signed, &fates);
        let uncut = features.len();
        let form = with_form.len().saturating_sub(uncut);
        let (set, weights) = match summary.text {
            Some(text) if !summary.short => {
                (Cow::Borrowed(collection.set(text)), collection.weights(text).map(Cow::Borrowed))
            }
            _ => (Cow::Owned(features), Some(Cow::Owned(own_weights))),
        };
        let weights = weights.filter(|_| settings.model.is_some());

        let (folding, text) = Folding::of(&document.text, settings.fold);
        let plain = apply_numbers(&text, settings);
        let tokens = Tokens::new(&plain);
        let folded = text != document.text && tokens.text() != Tokens::new(&document.text).text();
        let passages = |of: LineFate| {
            let lines = lines.iter().filter(move |line| line.fate == of);
            lines.map(|line| line.text.to_owned()).collect()
        };
        let compared_lines = lines.iter().filter(|line| line.fate.is_compared());
        let blocks = compared_lines.map(|line| ExplainedBlock::new(line.text, folding)).collect();
        let side = ExplainedDocument {
            id: document.id.clone(),
            title: document.title.clone(),
            site: document.site().map(str::to_owned),
            words: tokens.len(),
            features: summary.features as usize,
            language: reason::language(&settings.scheme, &tokens),
            aside: passages(LineFate::Furniture),
            rescued: passages(LineFate::Rescued),
        };
        let phrases = match settings.model() {
            _ if detail == Detail::Passages && settings.model.is_none() => Vec::new(),
            Ok(Some(model)) => {
                let reading =
                    TokenizedDocument { document, plain: &plain, folding, tokens: &tokens };
                let all = model.texts(reading).into_iter();
                all.filter(|(feature, _)| set.binary_search(feature).is_ok())
                    .map(|(feature, text)| (feature, Phrase::once(&text)))
                    .collect()
            }
            _ if side.rescued.is_empty() => {
                phrases::of(&settings.scheme, &tokens, settings.multiset, &set)
            }
            _ => {
                let text = format!("{text}\n{}", folding.apply(&side.rescued.join("\n")));
                let tokens = Tokens::new(&apply_numbers(&text, settings));
                phrases::of(&settings.scheme, &tokens, settings.multiset, &set)
            }
        };
        let cut = uncut.saturating_sub(side.features);
        Self { side, summary, set, weights, phrases, cut, form, folded, blocks }
    }
}
