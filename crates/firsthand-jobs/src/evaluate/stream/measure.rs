//! One method on a stream: every order, the number guard, and the wrong verdicts.

use super::report::{
    FigureSpread, GuardError, GuardReport, StreamMethodReport, StreamQuality, TimeOrderQuality,
    WrongVerdict,
};
use crate::error::JobError;
use crate::evaluate::MeasureOptions;
use crate::labels::NamedSettings;
use firsthand::evaluate::Truth;
use firsthand::evaluate::online::{
    Figures, Guarded, Mistake, Outcome, Run, Stream, Tally, figures, guarded, mistakes,
    over_labels, over_orders,
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
    orders: usize,
    options: &MeasureOptions<'_>,
) -> Result<StreamMethodReport, JobError> {
    let settings = &method.settings;
    let stream = Stream { documents, truth };
    let started = Instant::now();
    let runs = stream.at_random(settings, orders, options.seed)?;
    let seconds = started.elapsed().as_secs_f64();
    let time = stream.in_time(settings)?.map(|run| {
        let tally = run.tally();
        TimeOrderQuality::new(&figures(&tally), tally, run.order.len())
    });
    Ok(StreamMethodReport {
        name: method.name.clone(),
        about: method.about.clone(),
        config: method.toml.clone(),
        threshold: settings.threshold.value(),
        window: settings.stream.window != Window::default(),
        random: spreads(truth, &runs, options),
        time,
        guard: guard(&stream, settings, options.seed)?,
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
    let stream = Stream { documents, truth };
    let runs = stream.at_random(&method.settings, orders, options.seed)?;
    Ok(spreads(truth, &runs, options))
}

fn spreads(truth: &Truth, runs: &[Run], options: &MeasureOptions<'_>) -> StreamQuality {
    let tallies: Vec<Tally> = runs.iter().map(Run::tally).collect();
    let outcomes: Vec<Vec<Option<Outcome>>> = runs.iter().map(|run| run.outcomes.clone()).collect();
    let spread = |figure: fn(&Figures) -> f64| {
        let over = over_orders(&tallies, figure);
        let draws = (options.draws, options.seed);
        FigureSpread {
            mean: over.mean.value,
            low: over.mean.low,
            high: over.mean.high,
            least: over.least,
            most: over.most,
            over_clusters: over_labels(truth, &outcomes, draws, figure),
        }
    };
    let all = outcomes.iter().flatten().flatten().map(|&outcome| (outcome, 1));
    StreamQuality {
        precision: spread(|figures| figures.precision),
        recall: spread(|figures| figures.recall),
        f1: spread(|figures| figures.f1),
        strict_recall: spread(|figures| figures.strict_recall),
        strict_f1: spread(|figures| figures.strict_f1),
        suppressed_of_10_000: spread(|figures| figures.suppressed_of_10_000),
        counts: Tally::new(all),
    }
}

/// How the number guard does, if the method has one.
fn guard(
    stream: &Stream<'_>,
    settings: &Settings,
    seed: u64,
) -> Result<Option<GuardReport>, JobError> {
    if settings.on_stream().numbers != Numbers::Guard {
        return Ok(None);
    }
    let found = guarded(stream, settings, seed)?;
    let (recall, false_rate) = (found.recall(), found.false_rate());
    let Guarded { changed, caught, hidden, furniture, false_updates, unlinked, slips } = found;
    let slips = slips.into_iter().map(|slip| GuardError {
        id: stream.documents[slip.document].id.clone(),
        verdict: slip.verdict,
        made: slip.made,
        found: slip.found,
    });
    let slips = slips.collect();
    Ok(Some(GuardReport {
        changed,
        caught,
        hidden,
        recall,
        furniture,
        false_updates,
        unlinked,
        false_rate,
        slips,
    }))
}

/// Every wrong verdict, by ids. The score of a missed duplicate is that of the whole collection: the
/// similarity that there was to be found.
fn wrong_verdicts(
    stream: &Stream<'_>,
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
            Outcome::Suppressed => "suppressed",
            Outcome::WrongLink => "wrong-link",
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
