//! One method on a stream: every order, the number guard, and the wrong verdicts.

use super::groups::groups;
use super::report::{StreamMethodReport, StreamQuality, TimeOrderQuality, WrongVerdict};
use crate::error::JobError;
use crate::evaluate::MeasureOptions;
use crate::evaluate::evidence::PageGroups;
use crate::labels::NamedSettings;
use firsthand::evaluate::Truth;
use firsthand::evaluate::online::{
    Guarded, LabelledStream, Mistake, Run, Tally, VerdictOutcome, figures, guarded, mistakes,
    spreads,
};
use firsthand::settings::{Numbers, Window};
use firsthand::{
    Detector, Document, Settings,
    collections::{Collection, Signed},
};
use std::time::Instant;

/// Documents that a thread signs at a time.
const BATCH: usize = 16;

/// Everything there is to report on one method.
pub(super) fn measure(
    method: &NamedSettings,
    documents: &[Document],
    truth: &Truth,
    pages: &PageGroups,
    orders: usize,
    options: &MeasureOptions<'_>,
) -> Result<StreamMethodReport, JobError> {
    let settings = &method.settings;
    let stream = LabelledStream { documents, truth };
    let started = Instant::now();
    let runs = stream.at_random(settings, orders, options.seed)?;
    let seconds = started.elapsed().as_secs_f64();
    let time = stream.in_time(settings)?.map(|run| {
        let tally = run.tally();
        TimeOrderQuality { figures: figures(&tally), documents: run.order.len(), counts: tally }
    });
    Ok(StreamMethodReport {
        name: method.name.clone(),
        about: method.about.clone(),
        config: method.toml.clone(),
        threshold: settings.threshold.value(),
        window: settings.stream.window != Window::default(),
        random: quality_of(truth, &runs, options),
        time,
        guard: guard(&stream, settings, options.seed)?,
        groups: groups(&runs, pages),
        seconds,
        errors: wrong_verdicts(&stream, settings, &runs)?,
    })
}

/// The quality over random orders alone.
pub(super) fn quality(
    method: &NamedSettings,
    documents: &[Document],
    truth: &Truth,
    orders: usize,
    options: &MeasureOptions<'_>,
) -> Result<StreamQuality, JobError> {
    let stream = LabelledStream { documents, truth };
    let runs = stream.at_random(&method.settings, orders, options.seed)?;
    Ok(quality_of(truth, &runs, options))
}

fn quality_of(truth: &Truth, runs: &[Run], options: &MeasureOptions<'_>) -> StreamQuality {
    let all = runs.iter().flat_map(|run| run.outcomes.iter().flatten());
    StreamQuality {
        figures: spreads(truth, runs, options.draws, options.seed),
        counts: Tally::new(all.map(|&outcome| (outcome, 1))),
    }
}

/// How the number guard does, if the method has one.
fn guard(
    stream: &LabelledStream<'_>,
    settings: &Settings,
    seed: u64,
) -> Result<Option<Guarded>, JobError> {
    if settings.on_stream().numbers != Numbers::Guard {
        return Ok(None);
    }
    Ok(Some(guarded(stream, settings, seed)?))
}

/// Every wrong verdict, by ids. The score of a missed duplicate is that of the whole collection: the
/// similarity that there was to be found.
fn wrong_verdicts(
    stream: &LabelledStream<'_>,
    settings: &Settings,
    runs: &[Run],
) -> Result<Vec<WrongVerdict>, JobError> {
    let mistakes = mistakes(&stream.stories(), runs);
    if mistakes.is_empty() {
        return Ok(Vec::new());
    }
    let detector = Detector::new(settings.clone())?;
    let batches = stream.documents.chunks(BATCH);
    let signed = Signed::new(&detector, batches, |batch| batch.iter().cloned());
    let collection = Collection::new(signed);
    let id = |at: usize| stream.documents[at].id.clone();
    let wrong = |mistake: Mistake| WrongVerdict {
        id: id(mistake.document),
        kind: match mistake.outcome {
            VerdictOutcome::Suppressed => "suppressed",
            VerdictOutcome::WrongLink => "wrong-link",
            _ => "missed",
        },
        partner: id(mistake.partner),
        score: mistake
            .score
            .unwrap_or_else(|| collection.similarity(mistake.document, mistake.partner)),
        orders: mistake.times,
    };
    Ok(mistakes.into_iter().map(wrong).collect())
}
