//! The comparison of two documents by their features.

use crate::{
    features::Features,
    matcher::{Sets, overlap, overlap_at_least},
    measure::Rule,
    same_site::{
        Identity, are_of_one_site, are_other_pages, are_versions, may_be_form, objection,
        rule_for_one_site, score_on_one_site, tell_nothing, told_by_siblings,
    },
    search::{Likeness, Search},
    settings::{Matcher, Settings},
    telling::Told,
    weights::{Weights, mass, reaches, score, shared},
};

/// How two documents compare. All decisions are made in integers; the score is only for display.
///
/// ```
/// use firsthand::{Detector, Settings, compare};
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let a = "one two three four five six seven eight nine ten";
/// let comparison = compare(&detector, a, &a.replace("ten", "eleven"))?;
/// assert_eq!((comparison.shared, comparison.sizes), (5, (6, 6)));
/// assert!(!comparison.near && comparison.score < 0.8);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Their similarity, from 0 to 1; 1 for exact copies.
    pub score: f64,
    /// The number of features that they share.
    pub shared: usize,
    /// The number of features of each.
    pub sizes: (usize, usize),
    /// Whether they are near-duplicates: exact copies, or a similarity that reaches the threshold.
    pub near: bool,
    /// Whether their normalised texts are equal.
    pub exact: bool,
    /// Whether the matcher compares them at all: bands and sketches miss some pairs.
    pub met: bool,
}

impl Comparison {
    pub(crate) fn new(settings: &Settings, a: &Features, b: &Features) -> Self {
        let sizes = (a.len(), b.len());
        let shared = overlap(&a.set, &b.set);
        let exact = a.is_exact_copy_of(b);
        let least = settings.min_features.max(1);
        let is_short = sizes.0 < least || sizes.1 < least;
        let likeness = likeness(settings, a, b, shared);
        let score = if exact { 1.0 } else { likeness.score };
        let near = exact || !is_short && likeness.is_match();
        Self { score, shared, sizes, near, exact, met: exact || likeness.met }
    }
}

/// The similarity of two sets of any size, decided as in a collection of the two.
fn likeness(settings: &Settings, a: &Features, b: &Features, shared: usize) -> Likeness {
    let is_plain = a.weights.is_empty() && settings.confirm.is_none();
    if is_plain && matches!(settings.collection_matcher(), Matcher::Exact) {
        let (x, y, shared) = (a.len() as u64, b.len() as u64, shared as u64);
        let rule = settings.rule();
        let score = if shared == 0 { 0.0 } else { rule.measure.score(shared, x, y) };
        let holds = rule.holds(shared, x, y);
        let objection = objection(rule, a.of_page(), b.of_page(), shared);
        let identity = Identity::of(a.page.as_ref(), b.page.as_ref());
        return Likeness { score, holds, met: true, confirmed: true, objection, identity };
    }
    let mut sets = Sets::default();
    sets.push_sorted(a.set.clone());
    sets.push_sorted(b.set.clone());
    let weights = settings.model.as_ref().map(|_| {
        let mut weights = Weights::default();
        weights.push(a.weights.clone());
        weights.push(b.weights.clone());
        weights
    });
    let heads = vec![a.page.clone(), b.page.clone()];
    Search::new(settings, sets, weights, heads).likeness(settings, 0, 1)
}

/// The similarity of two documents of a stream if it reaches the threshold or, with `above`, exceeds it. Of
/// pages of one site more is asked: a stream does not know its forms, as a collection does.
pub(crate) fn similarity(rule: Rule, a: &Features, b: &Features, above: bool) -> Option<f64> {
    let heads = (a.page.as_ref(), b.page.as_ref());
    if are_other_pages(a.of_page(), b.of_page()) {
        return None;
    }
    if !are_of_one_site(heads.0, heads.1) {
        return plain_similarity(rule, a, b, above);
    }
    let shared = overlap(&a.set, &b.set) as u64;
    let is_long = !may_be_form(shared);
    let told = told_by_siblings(a.of_page(), b.of_page(), shared);
    let on_one_site =
        |rule| plain_similarity(rule_for_one_site(rule), a, b, above).map(score_on_one_site);
    let held_to_more = || on_one_site(rule_for_one_site(rule)).map(score_on_one_site);
    if are_versions(heads.0, heads.1) {
        return match told {
            // It is the same page by its address or its anchors, and by its headline.
            None => plain_similarity(rule, a, b, above),
            // Pages of a form may be named alike, each in a folder of its own.
            Some(Told::Swapped) if !is_long => held_to_more(),
            Some(_) => on_one_site(rule),
        };
    }
    match told {
        Some(Told::Apart | Told::Swapped) => None,
        Some(Told::Nothing) if !is_long => None,
        Some(Told::Alike) if !is_long && tell_nothing(heads.0, heads.1) => None,
        Some(Told::Nothing | Told::Alike) if is_long => plain_similarity(rule, a, b, above),
        Some(_) => held_to_more(),
        None => on_one_site(rule),
    }
}

/// The same for siblings, by what they have beside the form of their pages (ascending features): at least
/// `least` features each.
pub(crate) fn similarity_beside(
    form: &[u64],
    rule: Rule,
    (a, b): (&Features, &Features),
    least: usize,
    above: bool,
) -> Option<f64> {
    let (a, b) = (a.without(form), b.without(form));
    let has_enough = a.len() >= least && b.len() >= least;
    has_enough.then(|| similarity(rule, &a, &b, above)).flatten()
}

/// The same, whatever their sites and headlines.
fn plain_similarity(rule: Rule, a: &Features, b: &Features, above: bool) -> Option<f64> {
    if a.weights.is_empty() {
        return similarity_of_sets(rule, a, b, above);
    }
    let common = shared(rule.measure, (&a.set, &a.weights), (&b.set, &b.weights));
    let (x, y) = (mass(rule.measure, &a.weights), mass(rule.measure, &b.weights));
    reaches(rule, common, x, y).then(|| score(rule.measure, common, x, y))
}

fn similarity_of_sets(rule: Rule, a: &Features, b: &Features, above: bool) -> Option<f64> {
    let (x, y) = (a.len() as u64, b.len() as u64);
    if x == 0 || y == 0 {
        return None;
    }
    let least = rule.least_overlap(x, y).max(1) as usize;
    let overlap = overlap_at_least(&a.set, &b.set, least)? as u64;
    let enough = !above || rule.exceeds(overlap, x, y);
    enough.then(|| rule.measure.score(overlap, x, y))
}
