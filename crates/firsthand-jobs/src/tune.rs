//! Tuning: the method and threshold that labelled documents favour, and how certain the choice is.

mod round;

use crate::error::JobError;
use crate::evaluate::{self, MeasureOptions};
use crate::labels::{LabelSummary, Labels, Layout, NamedSettings, ReadingCache};
use crate::observer::{Observer, Phase};
#[cfg(feature = "learn")]
use firsthand::Document;
#[cfg(feature = "learn")]
use firsthand::evaluate::Truth;
use firsthand::evaluate::{Candidate, Effort, Goal, Interval};
use firsthand::settings::Threshold;
use firsthand::{Detector, Settings};

/// The result of tuning.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// All distinct methods, the best first; empty if the labels cannot be split into two halves.
    pub ranked: Vec<RankedMethod>,
    /// The settings of the best method with its threshold, or those that were kept; none if no
    /// method reaches the goal.
    pub chosen: Option<Settings>,
    /// The present settings, if the best method is not clearly better.
    pub kept: Option<KeptSettings>,
    /// The labels.
    pub labels: LabelSummary,
    /// Inputs that could not be read.
    pub unreadable: usize,
}

/// Settings that are not clearly beaten.
#[derive(Clone, Debug)]
pub struct KeptSettings {
    /// Their name.
    pub name: String,
    /// Their threshold.
    pub threshold: Threshold,
    /// How far the best method is ahead of them on the labels; it may be chance.
    pub lead: Interval,
}

/// A method and how it does.
#[derive(Clone, Debug)]
pub struct RankedMethod {
    /// Its name.
    pub name: String,
    /// The threshold to use elsewhere; none if the method cannot reach the goal. It is a round
    /// number between the lowest score that is to be stated and the highest that is not.
    pub threshold: Option<Threshold>,
    /// Its quality on labels that the threshold was not chosen by.
    pub candidate: Candidate,
}

/// Chooses the method and the threshold that are best for the goal. The present settings, one of the
/// methods by its place, are kept with their threshold unless the labels clearly show that the best
/// is better.
///
/// # Errors
/// If the documents cannot be read or have no labels, if the chosen settings cannot be used, or if
/// the observer asks to stop.
pub fn tune(
    layout: &Layout,
    mut methods: Vec<NamedSettings>,
    present: Option<usize>,
    goal: Goal,
    options: &MeasureOptions<'_>,
    observer: &dyn Observer,
) -> Result<Tuning, JobError> {
    if let Some(present) = present.filter(|&at| at < methods.len()) {
        methods[..=present].rotate_right(1);
    }
    let methods = distinct(methods);
    let mut cache = ReadingCache::new(layout, options.output, observer);
    let first = methods.first().ok_or(JobError::NothingMeasured)?;
    let Labels { truth, summary, unreadable } = cache.labels(&first.settings.reading)?;
    #[cfg(feature = "learn")]
    if summary.clusters > 0 {
        check_copies(&cache.documents(&first.settings.reading)?.documents, &truth)?;
    }
    let measured = cache.each(&methods, |method, documents| {
        evaluate::scores(method, documents, &truth, options.floor)
    })?;
    observer.phase(Phase::Other("choosing"));
    let (places, scored): (Vec<usize>, Vec<_>) = measured.into_iter().unzip();
    let effort = Effort { draws: options.draws, seed: options.seed, ..Effort::default() };
    let candidates = firsthand::evaluate::tune(&truth, &scored, goal, effort);
    let own = present.and_then(|_| places.iter().position(|&place| place == 0));
    let kept = candidates.first().filter(|best| threshold(best).is_some()).zip(own);
    let kept = kept.and_then(|(best, own)| {
        let NamedSettings { name, settings, .. } = &methods[0];
        let threshold = settings.threshold;
        let present = (&scored[own], threshold.value());
        let lead = firsthand::evaluate::lead(&truth, &scored[best.at], present, goal, effort);
        let is_clear = lead.low > 0.0;
        (!is_clear).then(|| KeptSettings { name: name.clone(), threshold, lead })
    });
    let chosen = match candidates.first().and_then(|best| Some((best, threshold(best)?))) {
        Some(_) if kept.is_some() => Some(methods[0].settings.clone()),
        Some((best, threshold)) => {
            let mut settings = methods[places[best.at]].settings.clone();
            settings.threshold = threshold;
            // Bands that were chosen for a threshold follow it; this checks whether they can.
            Detector::new(settings.clone())?;
            Some(settings)
        }
        None => None,
    };
    let ranked = candidates.into_iter().map(|candidate| RankedMethod {
        name: methods[places[candidate.at]].name.clone(),
        threshold: threshold(&candidate),
        candidate,
    });
    Ok(Tuning { ranked: ranked.collect(), chosen, kept, labels: summary, unreadable })
}

/// Refuses what is no cluster of copies: a folder per site would have the best method be the one that finds
/// pages of a site alike. Labels that are too few to tell pass.
#[cfg(feature = "learn")]
fn check_copies(documents: &[Document], truth: &Truth) -> Result<(), JobError> {
    use firsthand::learn::{LearnError, LearningPlan, check_copies};
    let plan = LearningPlan::new(firsthand::settings::PROFILES[0].0)?;
    match check_copies(documents, truth, &plan) {
        Err(error @ LearnError::NotCopies { .. }) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Leaves out methods that differ from another in nothing but the threshold, which is to be chosen.
fn distinct(methods: Vec<NamedSettings>) -> Vec<NamedSettings> {
    let mut kept: Vec<NamedSettings> = Vec::new();
    for method in methods {
        let same = |other: &NamedSettings| {
            let threshold = other.settings.threshold;
            Settings { threshold, ..method.settings.clone() } == other.settings
        };
        if !kept.iter().any(same) {
            kept.push(method);
        }
    }
    kept
}

fn threshold(candidate: &Candidate) -> Option<Threshold> {
    let choice = candidate.choice?;
    round::between(choice.below, choice.threshold)
}
