//! `firsthand tune`: the method and threshold that labelled documents favour, as a config file for
//! `dedup`.

use crate::args::{GoalArgs, TuneArgs};
use crate::eval::{exit_code, methods};
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::terminal::Terminal;
use crate::visible::shell_word;
use crate::{labels, print, settings};
use anyhow::{Result, bail};
use firsthand::evaluate::Goal;
use firsthand_jobs::results::file;
use firsthand_jobs::tune::tune;
use firsthand_jobs::{Purpose, reading};
use firsthand_pages::tuning;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &TuneArgs, session: &Session) -> Result<ExitCode> {
    let labelled = &args.labelled;
    let methods = methods::requested(Purpose::Collection, labelled)?;
    reading::check(labelled.labels.inputs.iter().chain(&labelled.labels.pairs))?;
    if let Some(output) = &args.output {
        file::check(output, &labelled.labels.inputs, args.force)?;
    }
    let mut terminal = Terminal::new(&labelled.run, session);
    let layout =
        labels::layout(&labelled.labels.inputs, labelled.labels.pairs.as_deref(), session)?;
    let goal = goal(&args.goal);
    let options = labels::options(labelled, args.output.as_deref());
    let named = methods.iter().map(|method| method.named.clone()).collect();
    let present = methods::present(&methods, labelled);
    let tuning = tune(&layout, named, present, goal, &options, &terminal)?;
    terminal.end_progress();

    let console = &terminal.console;
    let Some(best) = tuning.ranked.first() else {
        bail!(
            "the labels cannot be split into two halves with near-duplicates in each: tuning needs \
             at least two clusters, better twenty"
        );
    };
    console.say(tuning::table(&tuning, goal).trim_end());
    let (Some(threshold), Some(chosen)) = (best.threshold, &tuning.chosen) else {
        bail!(
            "no method reaches {} on these labels; the table shows how close the best, {}, comes",
            tuning::condition(goal),
            best.name
        );
    };
    for line in tuning::verdict(&tuning, goal, threshold) {
        console.say(&line);
    }
    let text = tuning::remarks(&tuning, best, goal) + &settings::show(chosen)?;
    match &args.output {
        Some(output) => {
            file::write(output, text.as_bytes(), &session.temp_files)?;
        }
        None => print(&text).map(drop)?,
    }
    if let Some(output) = &args.output {
        let name = tuning.kept.as_ref().map_or(&best.name, |kept| &kept.name);
        let requested = methods::named(&methods, name);
        let model = requested.and_then(|method| method.args.model.as_deref());
        console.say(&next(output, &labelled.labels.inputs, model));
    }
    Ok(exit_code(tuning.unreadable))
}

fn goal(args: &GoalArgs) -> Goal {
    match (args.precision, args.recall) {
        (Some(precision), _) => Goal::Recall { precision },
        (_, Some(recall)) => Goal::Precision { recall },
        _ => Goal::F1,
    }
}

/// The command that uses the file.
fn next(output: &Path, inputs: &[PathBuf], model: Option<&Path>) -> String {
    let word = |path: &Path| shell_word(&path.to_string_lossy()).into_owned();
    let words: Vec<_> = inputs.iter().map(|path| word(path)).collect();
    let model = model.map_or(String::new(), |model| format!(" --model {}", word(model)));
    let output = word(output);
    format!("Next: firsthand dedup {}{model} --config {output} -o result/", words.join(" "))
}
