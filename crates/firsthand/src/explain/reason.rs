//! The reason for a verdict in plain words, and notes on what else a reader should know.

use super::{Outcome, Phrase, View, score_text::beside};
use crate::{
    guard::Change,
    measure::Measure,
    same_site::{Identity, Objection, rule_for_one_site},
    scheme::{Scheme, Spot},
    search::Likeness,
    settings::{Confirm, Matcher, Settings},
    tokens::Tokens,
    weights::Weighting,
};

/// The number of heavy features that a reason names.
const NAMED: usize = 3;

/// Everything that the reason and the notes depend on.
pub(super) struct Reasoning<'a> {
    pub(super) settings: &'a Settings,
    pub(super) unit: &'static str,
    pub(super) verdict: Outcome,
    pub(super) score: f64,
    /// The similarity as the matcher sees it; `None` if one of the documents is short.
    pub(super) likeness: Option<Likeness>,
    pub(super) overlap: u64,
    /// The shared features, the heaviest first, where a model weighs them.
    pub(super) heaviest: &'a [Phrase],
}

impl Reasoning<'_> {
    /// The reason for the verdict.
    pub(super) fn reason(&self, a: &View<'_>, b: &View<'_>) -> String {
        let Self { settings, unit, overlap, .. } = self;
        let (x, y) = (a.set.len() as u64, b.set.len() as u64);
        match self.verdict {
            Outcome::ExactCopy if a.folded || b.folded => {
                "Their texts are identical apart from case, white space, paragraph breaks and \
                 obfuscation."
                    .to_owned()
            }
            Outcome::ExactCopy => {
                "Their texts are identical apart from case, white space and paragraph breaks."
                    .to_owned()
            }
            Outcome::Empty => {
                let which = match (a.summary.text.is_none(), b.summary.text.is_none()) {
                    (true, true) => "Neither has any",
                    (true, false) => "a has no",
                    _ => "b has no",
                };
                format!("{which} text, and an empty text matches nothing.")
            }
            Outcome::TooShort => {
                let least = settings.min_features;
                let (few_a, few_b) = (a.side.features, b.side.features);
                let which = match (a.summary.short, b.summary.short) {
                    (true, true) => format!("a has {few_a} and b has {few_b}"),
                    (true, false) => format!("a has {few_a}"),
                    _ => format!("b has {few_b}"),
                };
                format!(
                    "{which} of the {least} {unit} that a comparison needs (setting \
                     `min-features`); documents this short match only exact copies, and these two \
                     are not."
                )
            }
            Outcome::NothingButForm => self.nothing_but_form(a, b),
            Outcome::NearDuplicate | Outcome::Update | Outcome::Different
                if settings.is_by_sketch() =>
            {
                self.by_sketch()
            }
            Outcome::Different if *overlap == 0 => format!("They share none of their {unit}."),
            Outcome::NearDuplicate | Outcome::Update | Outcome::Different => {
                let share = self.share(x, y) + &self.most();
                let verb = match self.verdict {
                    Outcome::Different => "does not reach",
                    _ => "reaches",
                };
                let score = beside(self.score, settings.threshold.value());
                let threshold = settings.threshold;
                let needed = self.needed(x, y);
                let name = name(settings.measure);
                let measure = match (&settings.model, settings.weights) {
                    (Some(_), _) => format!("the {name} of their learned weights, {score},"),
                    (None, Weighting::TfIdf) => {
                        format!("the {name} of their TF-IDF weights, {score},")
                    }
                    (None, Weighting::Equal) => format!("{name} {score}"),
                };
                let but = self.but();
                let verb = if but.is_empty() { verb } else { "reaches" };
                format!(
                    "They share {share}: {measure} {verb} the threshold \
                     {threshold}{needed}{but}."
                )
            }
        }
    }

    /// The reason where nothing is left to judge by.
    fn nothing_but_form(&self, a: &View<'_>, b: &View<'_>) -> String {
        let (least, unit) = (self.settings.min_features, self.unit);
        let (left_a, left_b) = (a.side.features, b.side.features);
        let (what, left, whose) = match (a.summary.short, b.summary.short) {
            (true, true) => (
                "nothing but the form is shared",
                format!("a has {left_a} and b has {left_b}"),
                "their sites",
            ),
            (true, false) => {
                ("a is nothing but the form of its site", format!("a has {left_a}"), "its site")
            }
            _ => ("b is nothing but the form of its site", format!("b has {left_b}"), "its site"),
        };
        format!(
            "No verdict: {what}. Without what other pages of {whose} have as well, {left} of the \
             {least} {unit} that a comparison needs (setting `min-features`); such a page matches \
             only exact copies, and these two are not."
        )
    }

    /// The share of features that the measure is computed from.
    fn share(&self, x: u64, y: u64) -> String {
        let Self { unit, overlap, .. } = self;
        match self.settings.measure {
            Measure::Jaccard | Measure::ExtendedJaccard => {
                format!("{overlap} of their {} {unit}", x + y - overlap)
            }
            Measure::MaxOverlap => {
                format!("{overlap} of the {} {unit} of the larger document", x.max(y))
            }
            Measure::Containment => {
                format!("{overlap} of the {} {unit} of the smaller document", x.min(y))
            }
            Measure::Cosine | Measure::Dice => {
                format!("{overlap} {unit}, of {x} in a and {y} in b")
            }
        }
    }

    /// The heaviest shared features, where a model weighs them.
    fn most(&self) -> String {
        let names: Vec<&str> =
            self.heaviest.iter().take(NAMED).map(|phrase| phrase.text.as_str()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(", chiefly {}", names.join(", ")),
        }
    }

    /// The reason where sketches decide.
    fn by_sketch(&self) -> String {
        let settings = self.settings;
        let (values, total) = match *settings.collection_matcher() {
            Matcher::Sketch { hashes, group: 1 } => ("min-hashes", hashes),
            Matcher::Sketch { hashes, group } => ("super-shingles", hashes / group),
            Matcher::Fingerprint { lexicons, .. } => ("fingerprints", lexicons),
            Matcher::Bits { bits } => ("bits", bits),
            Matcher::Exact | Matcher::Bands(_) | Matcher::Collisions(_) => ("features", 1),
        };
        let agree = (self.score * total as f64).round();
        let score = beside(self.score, settings.threshold.value());
        let holds = self.likeness.is_some_and(|likeness| likeness.holds);
        let verb = if holds { "reaches" } else { "does not reach" };
        let (threshold, but) = (settings.threshold, self.but());
        format!(
            "Their sketches agree on {agree} of {total} {values}: {score} {verb} the threshold \
             {threshold}{but}."
        )
    }

    /// Why a pair that reaches the threshold is still not found.
    fn but(&self) -> String {
        match (self.likeness, self.settings.collection_matcher(), self.settings.confirm) {
            (Some(likeness), Matcher::Bands(bands), _) if likeness.holds && !likeness.met => {
                let bands = bands.banding(self.settings.rule()).map_or(0, |banding| banding.bands);
                format!(
                    ", but they share none of their {bands} bands of min-hashes, so the matcher \
                     does not compare them"
                )
            }
            (Some(likeness), matcher, _) if likeness.holds && !likeness.met => {
                let values = if matcher.name() == "bits" { "bits" } else { "min-hashes" };
                let (least, of) = matcher.least_agreement(self.settings.rule()).unwrap_or_default();
                format!(
                    ", but fewer than {least} of their {of} {values} agree, so the matcher does \
                     not compare them"
                )
            }
            (Some(likeness), _, Some(confirm)) if likeness.holds && !likeness.confirmed => {
                let Confirm { bits, threshold } = confirm;
                format!(
                    ", but the share of their {bits} random projections that agree is below \
                     {threshold} (setting `confirm`)"
                )
            }
            (Some(Likeness { holds: true, objection: Some(Objection::Untold), .. }), ..) => {
                ", but neither text tells its headline, so that both may be what every page of the site \
                 says"
                    .to_owned()
            }
            (Some(Likeness { holds: true, objection: Some(Objection::OneForm), .. }), ..) => {
                let least = rule_for_one_site(self.settings.rule()).threshold;
                format!(
                    ", but they are pages of one form: they are on one site and differ where they \
                     tell their headlines, and such pages have to reach {least}"
                )
            }
            (Some(Likeness { holds: true, objection: Some(Objection::OtherPage), .. }), ..) => format!(
                ", but they are different pages of one site by their anchors, the names that the site \
                 gives to parts of a page, and such pages match only if all of their {} are equal",
                self.unit
            ),
            _ => String::new(),
        }
    }

    /// How many shared features the threshold would take.
    fn needed(&self, x: u64, y: u64) -> String {
        let holds = self.likeness.is_some_and(|likeness| likeness.holds);
        let weighed = self.settings.model.is_some() || self.settings.weights != Weighting::Equal;
        if holds || weighed {
            return String::new();
        }
        let needed = self.settings.rule().least_overlap(x, y);
        if needed > x.min(y) {
            return format!("; sets of {x} and {y} {} cannot reach it", self.unit);
        }
        format!("; that would take {needed} shared {}", self.unit)
    }

    pub(super) fn notes(&self, a: &View<'_>, b: &View<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        let versions = match self.likeness.map(|likeness| likeness.identity) {
            Some(Identity::SameName) => Some("their addresses give them the same name"),
            Some(Identity::SameAnchors) => Some(
                "they have the same anchors, the names that a site gives to parts of a page, and few \
                 other pages have these",
            ),
            _ => None,
        };
        notes.extend(versions.map(|because| format!("They are versions of one page: {because}.")));
        if let Some(spot) = listed(&self.settings.scheme) {
            let grams = spot.grams;
            match (a.side.language, b.side.language) {
                _ if self.verdict == Outcome::Empty => {}
                (Some(one), Some(other)) if one != other => notes.push(format!(
                    "a was recognised as language {one:?} and b as {other:?}, and documents in \
                     different languages seldom share signatures; the setting `scheme.language` \
                     fixes one language for both."
                )),
                (None, None) => notes.push(format!(
                    "Neither is in a language with word lists, so they are compared by grams of \
                     {grams} characters."
                )),
                (None, Some(_)) | (Some(_), None) => {
                    let which = if a.side.language.is_none() { "a" } else { "b" };
                    notes.push(format!(
                        "{which} does not seem to be in a language with word lists, so its \
                         features are grams of {grams} characters, which never equal the \
                         signatures of the other; the setting `scheme.language` fixes one \
                         language for both."
                    ));
                }
                _ => {}
            }
        }
        for (which, view) in [("a", a), ("b", b)] {
            if view.folded {
                notes.push(format!(
                    "{which} has invisible characters or look-alike letters, which are undone \
                     before comparing (setting `fold`)."
                ));
            }
            if view.form > 0 {
                notes.push(format!(
                    "{} {} of {which} are left out because pages of its site with many different \
                     headlines have them: they are the form of these pages (setting `template`).",
                    view.form, self.unit
                ));
            }
            if view.cut > 0 {
                notes.push(format!(
                    "{} {} of {which} are left out because they are too common or too rare in \
                     the collection (setting `frequency`).",
                    view.cut, self.unit
                ));
            }
        }
        notes
    }
}

/// The language whose word lists are used for a text, if the scheme uses any.
pub(super) fn language(scheme: &Scheme, tokens: &Tokens) -> Option<&'static str> {
    let language = match scheme {
        Scheme::Prose { .. } => Spot::default().language_of(tokens),
        _ => listed(scheme)?.language_of(tokens),
    };
    Some(language?.code())
}

/// The settings of spot signatures, if their antecedents depend on the language.
fn listed(scheme: &Scheme) -> Option<&Spot> {
    match scheme {
        Scheme::Spot(spot) => Some(spot).filter(|spot| spot.antecedents.is_empty()),
        Scheme::Prose { .. } | Scheme::Words { .. } | Scheme::Chars { .. } => None,
    }
}

/// What changed from one document to the other, as a sentence.
pub(super) fn changes(changed: &[Change]) -> String {
    let few = changed.iter().take(NAMED);
    let few = few.map(|Change { before, after, .. }| format!("\"{before}\" became \"{after}\""));
    let more = match changed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!(" Figures changed: {}{more}.", few.collect::<Vec<_>>().join(", "))
}

fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::Jaccard => "Jaccard",
        Measure::MaxOverlap => "max-overlap",
        Measure::Cosine => "cosine",
        Measure::Dice => "Dice",
        Measure::Containment => "containment",
        Measure::ExtendedJaccard => "extended Jaccard",
    }
}
