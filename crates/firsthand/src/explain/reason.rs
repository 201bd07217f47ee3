//! The verdict in plain words, and what else a reader should know.

use super::{Outcome, Phrase, View};
use crate::{
    measure::Measure,
    scheme::{Scheme, Spot},
    search::Likeness,
    settings::{Confirm, Matcher, Settings},
    threshold::Threshold,
    tokens::Tokens,
    weights::Weighting,
};

/// Heavy features that are named.
const NAMED: usize = 3;

/// What the words depend on.
pub(super) struct Reasoning<'a> {
    pub(super) settings: &'a Settings,
    pub(super) unit: &'static str,
    pub(super) verdict: Outcome,
    pub(super) score: f64,
    /// By what the settings compare; none if one of them is short.
    pub(super) likeness: Option<Likeness>,
    pub(super) overlap: u64,
    /// The features that they share, those that add most first, where a model weighs them.
    pub(super) heaviest: &'a [Phrase],
}

impl Reasoning<'_> {
    /// The reason for the verdict.
    pub(super) fn reason(&self, a: &View<'_>, b: &View<'_>) -> String {
        let Self { settings, unit, overlap, .. } = self;
        let (x, y) = (a.set.len() as u64, b.set.len() as u64);
        match self.verdict {
            Outcome::ExactCopy if a.folded || b.folded => {
                "Their texts are identical, apart from case, white space, paragraphs and \
                 obfuscation."
                    .to_owned()
            }
            Outcome::ExactCopy => {
                "Their texts are identical, apart from case, white space and paragraphs.".to_owned()
            }
            Outcome::Empty => {
                let which = match (a.summary.text.is_none(), b.summary.text.is_none()) {
                    (true, true) => "Both have",
                    (true, false) => "a has",
                    _ => "b has",
                };
                format!("{which} no text, and an empty text matches nothing.")
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
                    "{which} of the {least} {unit} that a comparison needs; of such short \
                     documents only exact copies count, and these are none."
                )
            }
            Outcome::NearDuplicate | Outcome::Different if settings.is_by_sketch() => {
                self.by_sketch()
            }
            Outcome::Different if *overlap == 0 => format!("They share none of their {unit}."),
            Outcome::NearDuplicate | Outcome::Different => {
                let share = self.share(x, y) + &self.most();
                let verb = match self.verdict {
                    Outcome::NearDuplicate => "reaches",
                    _ => "does not reach",
                };
                let score = rounded(self.score, settings.threshold);
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

    /// What part of which features is shared, as the measure sees it.
    fn share(&self, x: u64, y: u64) -> String {
        let Self { unit, overlap, .. } = self;
        match self.settings.measure {
            Measure::Jaccard | Measure::ExtendedJaccard => {
                format!("{overlap} of their {} {unit}", x + y - overlap)
            }
            Measure::MaxOverlap => {
                format!("{overlap} of the {} {unit} of the one that has more", x.max(y))
            }
            Measure::Containment => {
                format!("{overlap} of the {} {unit} of the one that has fewer", x.min(y))
            }
            Measure::Cosine | Measure::Dice => {
                format!("{overlap} {unit}, of {x} in a and {y} in b")
            }
        }
    }

    /// The heaviest of what they share, where a model weighs it.
    fn most(&self) -> String {
        let names: Vec<&str> =
            self.heaviest.iter().take(NAMED).map(|phrase| phrase.text.as_str()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(", above all {}", names.join(", ")),
        }
    }

    /// How much of their sketches agrees.
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
        let score = rounded(self.score, settings.threshold);
        let holds = self.likeness.is_some_and(|likeness| likeness.holds);
        let verb = if holds { "reaches" } else { "does not reach" };
        let (threshold, but) = (settings.threshold, self.but());
        format!(
            "Their sketches agree on {agree} of {total} {values}: {score} {verb} the threshold \
             {threshold}{but}."
        )
    }

    /// Why a pair that reaches the threshold is not found all the same.
    fn but(&self) -> String {
        match (self.likeness, self.settings.collection_matcher(), self.settings.confirm) {
            (Some(likeness), Matcher::Bands(bands), _) if likeness.holds && !likeness.met => {
                let bands = bands.banding(self.settings.rule()).map_or(0, |banding| banding.bands);
                format!(
                    ", but they share none of {bands} bands of min-hashes, so that the search does \
                     not meet them"
                )
            }
            (Some(likeness), matcher, _) if likeness.holds && !likeness.met => {
                let values = if matcher.name() == "bits" { "bits" } else { "min-hashes" };
                let (least, of) = matcher.least_agreement(self.settings.rule()).unwrap_or_default();
                format!(
                    ", but fewer than {least} of {of} {values} agree, so that the search does not \
                     meet them"
                )
            }
            (Some(likeness), _, Some(confirm)) if likeness.holds && !likeness.confirmed => {
                let Confirm { bits, threshold } = confirm;
                format!(", but fewer than {threshold} of {bits} random projections agree")
            }
            _ => String::new(),
        }
    }

    /// What it would have taken.
    fn needed(&self, x: u64, y: u64) -> String {
        let holds = self.likeness.is_some_and(|likeness| likeness.holds);
        let weighed = self.settings.model.is_some() || self.settings.weights != Weighting::Equal;
        if holds || weighed {
            return String::new();
        }
        let needed = self.settings.rule().least_overlap(x, y);
        if needed > x.min(y) {
            return format!(", which {x} and {y} {} never can", self.unit);
        }
        format!("; that would take {needed} shared {}", self.unit)
    }

    pub(super) fn notes(&self, a: &View<'_>, b: &View<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(spot) = listed(&self.settings.scheme) {
            let grams = spot.grams;
            match (a.side.language, b.side.language) {
                _ if self.verdict == Outcome::Empty => {}
                (Some(one), Some(other)) if one != other => notes.push(format!(
                    "a was read as language {one:?} and b as {other:?}, and signatures of \
                     different languages seldom meet; --language sets one for both."
                )),
                (None, None) => notes.push(format!(
                    "neither is in a language with word lists, so they are compared by grams of \
                     {grams} characters."
                )),
                (None, Some(_)) | (Some(_), None) => {
                    let which = if a.side.language.is_none() { "a" } else { "b" };
                    notes.push(format!(
                        "{which} does not seem to be in a language with word lists and is taken \
                         by grams of {grams} characters, which never meet the signatures of the \
                         other; --language sets a language for both."
                    ));
                }
                _ => {}
            }
        }
        for (which, view) in [("a", a), ("b", b)] {
            if view.folded {
                notes.push(format!(
                    "{which} has characters that cannot be seen or letters that stand in for \
                     others; it is compared without them (setting `fold`)."
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

/// The language whose lists are used for a text, if the scheme uses lists.
pub(super) fn language(scheme: &Scheme, tokens: &Tokens) -> Option<&'static str> {
    Some(listed(scheme)?.language_of(tokens)?.code())
}

/// The settings, if the words to start from depend on the language.
fn listed(scheme: &Scheme) -> Option<&Spot> {
    match scheme {
        Scheme::Spot(spot) => Some(spot).filter(|spot| spot.antecedents.is_empty()),
        Scheme::Prose { .. } | Scheme::Words { .. } | Scheme::Chars { .. } => None,
    }
}

fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::Jaccard => "Jaccard",
        Measure::MaxOverlap => "the overlap over the larger set",
        Measure::Cosine => "cosine",
        Measure::Dice => "Dice",
        Measure::Containment => "containment",
        Measure::ExtendedJaccard => "extended Jaccard",
    }
}

/// With two decimals, or as many as it takes to tell it from the threshold and from 1.
fn rounded(score: f64, threshold: Threshold) -> String {
    let threshold = threshold.value();
    let differs = |digits: &usize| {
        let shown: f64 = format!("{score:.digits$}").parse().unwrap_or(score);
        let side = |score: f64| (score < threshold, score < 1.0);
        side(shown) == side(score) || score == threshold
    };
    let digits = (2..6).find(differs).unwrap_or(6);
    format!("{score:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_never_contradicts_the_verdict() {
        let rounded = |score, threshold: &str| rounded(score, threshold.parse().unwrap());
        assert_eq!(rounded(0.78846, "0.44"), "0.79");
        assert_eq!(rounded(0.4399, "0.44"), "0.4399");
        assert_eq!(rounded(0.44, "0.44"), "0.44");
        assert_eq!(rounded(1.0 / 3.0, "1/3"), "0.33");
        assert_eq!(rounded(0.857, "0.855"), "0.86");
        assert_eq!(rounded(244.0 / 245.0, "0.44"), "0.996");
        assert_eq!(rounded(1.0, "1"), "1.00");
    }
}
