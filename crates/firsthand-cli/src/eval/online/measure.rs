//! One method on the stream: every order, the guard, and where it was wrong.

use super::report::{Guard, Method, Quality, Slip, Spread, Timed, Wrong};
use crate::args::EvalArgs;
use crate::eval::methods::Asked;
use crate::eval::report::Interval;
use anyhow::Result;
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

/// How much is run and drawn.
pub(super) struct Plan {
    pub(super) orders: usize,
    pub(super) seed: u64,
    draws: usize,
}

impl Plan {
    pub(super) fn new(args: &EvalArgs) -> Self {
        let labelled = &args.labelled;
        Self { orders: args.online.orders, seed: labelled.seed, draws: labelled.draws }
    }
}

/// Documents that one thread signs before it asks for more.
const BATCH: usize = 16;

/// All there is to say about one method.
pub(super) fn measure(
    asked: &Asked,
    documents: &[Document],
    truth: &Truth,
    plan: &Plan,
) -> Result<Method> {
    let config = &asked.settings.config;
    let stream = Stream { documents, truth };
    let started = Instant::now();
    let runs = stream.at_random(config, plan.orders, plan.seed)?;
    let seconds = started.elapsed().as_secs_f64();
    let time = stream.in_time(config)?.map(|run| {
        let tally = run.tally();
        Timed::new(&figures(&tally), tally, run.order.len())
    });
    Ok(Method {
        name: asked.name.clone(),
        about: asked.about.clone(),
        flags: crate::summary::flags(&asked.args),
        config: crate::settings::show(&asked.settings)?,
        threshold: config.threshold.value(),
        window: config.online.window != Window::default(),
        random: spreads(truth, &runs, plan),
        time,
        guard: guard(&stream, config, plan)?,
        seconds,
        errors: wrong(&stream, config, &runs)?,
    })
}

/// The figures over random orders alone.
pub(super) fn quality(
    asked: &Asked,
    documents: &[Document],
    truth: &Truth,
    plan: &Plan,
) -> Result<Quality> {
    let stream = Stream { documents, truth };
    let runs = stream.at_random(&asked.settings.config, plan.orders, plan.seed)?;
    Ok(spreads(truth, &runs, plan))
}

fn spreads(truth: &Truth, runs: &[Run], plan: &Plan) -> Quality {
    let tallies: Vec<Tally> = runs.iter().map(Run::tally).collect();
    let outcomes: Vec<Vec<Option<Outcome>>> = runs.iter().map(|run| run.outcomes.clone()).collect();
    let spread = |figure: fn(&Figures) -> f64| {
        let over = over_orders(&tallies, figure);
        let clusters = over_labels(truth, &outcomes, (plan.draws, plan.seed), figure);
        Spread {
            mean: over.mean.value,
            low: over.mean.low,
            high: over.mean.high,
            least: over.least,
            most: over.most,
            over_clusters: Interval {
                value: clusters.value,
                low: clusters.low,
                high: clusters.high,
            },
        }
    };
    let all = outcomes.iter().flatten().flatten().map(|&outcome| (outcome, 1));
    Quality {
        precision: spread(|figures| figures.precision),
        recall: spread(|figures| figures.recall),
        f1: spread(|figures| figures.f1),
        strict_recall: spread(|figures| figures.strict_recall),
        strict_f1: spread(|figures| figures.strict_f1),
        suppressed_of_10_000: spread(|figures| figures.suppressed_of_10_000),
        counts: Tally::new(all).into(),
    }
}

/// How its guard does, if it has one.
fn guard(stream: &Stream<'_>, config: &Settings, plan: &Plan) -> Result<Option<Guard>> {
    if config.numbers != Numbers::Guard {
        return Ok(None);
    }
    let found = guarded(stream, config, plan.seed)?;
    let (recall, false_rate) = (found.recall(), found.false_rate());
    let Guarded { changed, caught, hidden, furniture, false_updates, unlinked, slips } = found;
    let slips = slips.into_iter().map(|slip| Slip {
        id: stream.documents[slip.document].id.clone(),
        verdict: slip.verdict,
        made: slip.made,
        found: slip.found,
    });
    let slips = slips.collect();
    Ok(Some(Guard {
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

/// Every mistake, by ids. What a missed duplicate scores, batch tells: with all that is known in the
/// end, it is what there was to be found.
fn wrong(stream: &Stream<'_>, config: &Settings, runs: &[Run]) -> Result<Vec<Wrong>> {
    let mistakes = mistakes(&stream.stories(), runs);
    if mistakes.is_empty() {
        return Ok(Vec::new());
    }
    let detector = Detector::new(config.clone())?;
    let batches = stream.documents.chunks(BATCH);
    let signed = Signed::new(&detector, batches, |batch| batch.iter().cloned());
    let collection = Collection::new(signed);
    let id = |at: usize| stream.documents[at].id.clone();
    let wrong = |mistake: Mistake| Wrong {
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
