//! `firsthand tune`: pick method and threshold by labelled documents, say how sure that is, and
//! write both as settings that `dedup` takes.

mod round;
mod words;

use crate::args::{GoalArgs, TuneArgs};
use crate::console::Console;
use crate::eval::{measure, methods, methods::Asked};
use crate::labels::{self, Labelled, Layout, Readings};
use crate::results::file;
use crate::settings::{self, RunSettings};
use crate::{inputs, visible::visible};
use anyhow::{Context, Result, bail};
use firsthand::evaluate::{Candidate, Effort, Goal, tune};
use firsthand::{Detector, Settings, settings::Threshold};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &TuneArgs) -> Result<ExitCode> {
    let labelled = &args.labelled;
    let asked = different(methods::asked(labelled)?);
    let console = Arc::new(Console::new(&labelled.run));
    inputs::check(labelled.inputs.iter().chain(&labelled.pairs))?;
    if let Some(output) = &args.output {
        file::check(output, &labelled.inputs, args.force)?;
    }
    let layout = Layout::find(&labelled.inputs, labelled.pairs.as_deref())?;
    let mut readings = Readings::new(&layout, args.output.as_deref(), &console);
    let first = readings.texts(&asked[0].settings.reading)?;
    let unreadable = first.unread.unreadable.count;
    let Labelled { truth, about } = labels::label(&layout, first)?;
    for note in &about.notes {
        console.say(&visible(&format!("note: {note}")));
    }
    let measured = readings.each(asked, |asked, texts| {
        measure::scores(asked, &texts.documents, &truth, labelled.floor)
    })?;
    console.show("choosing");
    let goal = goal(&args.goal);
    let (asked, scored): (Vec<_>, Vec<_>) = measured.into_iter().unzip();
    let effort = Effort { draws: labelled.draws, seed: labelled.seed, ..Effort::default() };
    let ranked = tune(&truth, &scored, goal, effort);
    console.show("");

    let Some(best) = ranked.first() else {
        bail!(
            "the labels cannot be split into two halves with near-duplicates in each: tuning \
             takes two clusters at least, and better twenty"
        );
    };
    let names: Vec<&str> = asked.iter().map(|asked| asked.name.as_str()).collect();
    console.say(words::table(&ranked, &names, goal).trim_end());
    let Some(threshold) = threshold(best) else {
        bail!(
            "no method reaches {} on these labels; the best, {}, comes to what the table says",
            words::condition(goal),
            names[best.at]
        );
    };
    for line in words::verdict(&ranked, &names, goal, threshold, about.positive_pairs) {
        console.say(&line);
    }
    let mut settings = RunSettings {
        config: asked[best.at].settings.config.clone(),
        reading: asked[best.at].settings.reading.clone(),
    };
    settings.config.threshold = threshold;
    // Bands that are chosen follow the threshold; whether they can is checked here.
    Detector::new(settings.config.clone())?;
    let remarks = words::remarks(best, names[best.at], goal, &about);
    write(args, &(remarks + &settings::show(&settings)?))?;
    if let Some(output) = &args.output {
        let inputs: Vec<_> = labelled.inputs.iter().map(|path| path.as_path()).collect();
        console.say(&words::next(output, &inputs, asked[best.at].args.model.path()));
    }
    Ok(if unreadable > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// Without those that are another but for the threshold, which is to be chosen.
fn different(asked: Vec<Asked>) -> Vec<Asked> {
    let mut kept: Vec<Asked> = Vec::new();
    for one in asked {
        let same = |other: &Asked| {
            let threshold = other.settings.config.threshold;
            let config = Settings { threshold, ..one.settings.config.clone() };
            let reading = (&one.settings.reading, &other.settings.reading);
            config == other.settings.config
                && format!("{:?}", reading.0) == format!("{:?}", reading.1)
        };
        if !kept.iter().any(same) {
            kept.push(one);
        }
    }
    kept
}

fn goal(args: &GoalArgs) -> Goal {
    match (args.precision, args.recall) {
        (Some(precision), _) => Goal::Recall { precision },
        (_, Some(recall)) => Goal::Precision { recall },
        _ => Goal::F1,
    }
}

/// The threshold to use elsewhere: a round number between the lowest score that is to be stated and
/// the highest that is not.
fn threshold(best: &Candidate) -> Option<Threshold> {
    let choice = best.choice?;
    round::between(choice.below, choice.threshold)
}

fn write(args: &TuneArgs, text: &str) -> Result<()> {
    if let Some(output) = &args.output {
        return file::write(output, text.as_bytes());
    }
    let mut stdout = io::stdout().lock();
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.context("cannot write to standard output")
}
