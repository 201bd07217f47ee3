//! `firsthand dedup`: open, sign, collect, match, group, write, sum up.

use crate::args::{DedupArgs, Format};
use crate::console::Console;
use crate::findings::Findings;
use crate::inputs::{self, Inputs, Listeners};
use crate::numbers;
use crate::problems::{Problems, Unread};
use crate::progress::Progress;
use crate::report::{Counts, Report, Stopwatch, Times};
use crate::results::{self, Material, folder, folder::Folder};
use crate::settings;
use crate::sources::Sources;
use crate::summary::{RunSummary, summary};
use anyhow::{Result, bail};
use firsthand::{
    Detector,
    collections::{Collection, group},
};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &DedupArgs) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    let detector = Detector::new(settings.config.clone())?;
    let console = Arc::new(Console::new(&args.run));
    inputs::check(args.inputs.iter().chain(&args.against))?;
    let mut folder = open_folder(args)?;

    let mut watch = Stopwatch::new();
    let mut times = Times::default();
    let progress = Progress::new(&console);
    let twice = results::read_twice(&args.output);
    let mut inputs = inputs::open(args, settings.reading.clone(), twice, &console)?;
    let (problems, sources) = (Problems::default(), Sources::default());
    let collection = {
        let listeners = Listeners {
            console: &console,
            progress: &progress,
            problems: &problems,
            sources: Some(&sources),
        };
        collect(&detector, &mut inputs, &listeners, &mut watch, &mut times)
    };
    let unread = problems.finish(&console, folder.is_some());
    if collection.documents().is_empty() {
        refuse_nothing(args, &unread)?;
    }

    progress.phase("matching");
    let (pairs, cost) = collection.matches()?;
    times.matching = watch.lap();
    let config = detector.settings();
    let clusters = group(&collection, &pairs, config.grouping, config.original);
    times.grouping = watch.lap();
    let findings = Findings::new(collection, pairs, clusters, cost);
    let counts = Counts::new(&findings, &unread, progress.bytes());
    let losses = sources.losses(findings.drops());

    progress.phase("writing");
    let threshold = config.threshold;
    let material = Material { findings: &findings, inputs: &inputs, unread: &unread, threshold };
    let mut files = results::planned(&args.output);
    if let Some(folder) = &mut folder {
        let too_large = results::to_folder(folder, &args.output, &material)?;
        if too_large > 0 {
            let records = numbers::counted(too_large, "record");
            console.warn(&format!(
                "not copied: {records} beyond the limit of --max-file, which holds no document; \
                 a higher limit copies everything"
            ));
        }
        files = folder.names().chain(["report.json".to_owned()]).collect();
    }
    // From here on the terminal belongs to results and summary.
    drop(progress);
    if folder.is_none() && !args.output.dry_run {
        let format = args.output.format.unwrap_or(Format::Text);
        results::to_stdout(args.output.emit, format, &material)?;
    }
    times.writing = watch.lap();
    times.total = watch.total().as_secs_f64();
    if let Some(mut folder) = folder {
        let figures = (counts, cost, times);
        let report = Report::new(args, &settings, figures, &unread, &losses, files.clone())?
            .with_files(inputs.new.files());
        folder.write("report.json", |out| report.write(out))?;
        folder.publish()?;
    }

    let took = watch.total();
    let facts = RunSummary {
        args,
        findings: &findings,
        unread: &unread,
        counts,
        losses: &losses,
        config,
        took,
        kinds: inputs.new.files(),
        files,
    };
    for line in summary(&facts) {
        console.say(&line);
    }
    let code = exit_code(args, &unread, &findings);
    // The program ends here: the system takes the memory back faster than piece by piece.
    std::mem::forget(findings);
    Ok(code)
}

/// The folder for results, checked before the long work; none without -o or in a dry run.
fn open_folder(args: &DedupArgs) -> Result<Option<Folder>> {
    let Some(output) = &args.output.output else { return Ok(None) };
    if args.output.format == Some(Format::Text) {
        bail!("--format text is for the screen and -o writes files: leave one of them out");
    }
    folder::check(output, args.output.force)?;
    inputs::keep_apart(args.inputs.iter().chain(&args.against), output)?;
    if args.output.dry_run { Ok(None) } else { Folder::open(output).map(Some) }
}

/// Reads and signs the inputs and the reference.
fn collect(
    detector: &Detector,
    inputs: &mut Inputs,
    listeners: &Listeners<'_>,
    watch: &mut Stopwatch,
    times: &mut Times,
) -> Collection {
    let Inputs { new, reference, reading, .. } = inputs;
    let total = match reference {
        Some(reference) => new.total_bytes().zip(reference.total_bytes()).map(|(a, b)| a + b),
        None => new.total_bytes(),
    };
    listeners.progress.expect(total);
    let reference = reference.as_mut().map(|reference| {
        let listeners = Listeners { sources: None, ..*listeners };
        inputs::sign(detector, reference, reading, 0, &listeners)
    });
    let documents = inputs::sign(detector, new, reading, 1, listeners);
    times.reading = watch.lap();
    listeners.progress.phase("preparing");
    let collection = match reference {
        Some(reference) => Collection::against(reference, documents),
        None => Collection::new(documents),
    };
    times.preparing = watch.lap();
    collection
}

/// A folder in which there is nothing to read is a mistake; an empty stream or file is not.
fn refuse_nothing(args: &DedupArgs, unread: &Unread) -> Result<()> {
    if unread.unreadable.count > 0 || !args.inputs.iter().all(|input| input.is_dir()) {
        return Ok(());
    }
    let names: Vec<_> = args.inputs.iter().map(|input| input.display().to_string()).collect();
    let skipped = match unread.skipped.count {
        0 => String::new(),
        _ => format!(" (skipped: {})", unread.skipped.reasons()),
    };
    bail!(
        "nothing to read in {}: there is no page, text, mail, table, web archive or feed\
         {skipped}; --kind reads files whatever their names",
        names.join(", ")
    )
}

/// Unreadable inputs weigh more than duplicates: the result may lack some of them.
fn exit_code(args: &DedupArgs, unread: &Unread, findings: &Findings) -> ExitCode {
    if unread.unreadable.count > 0 {
        ExitCode::from(3)
    } else if args.output.exit_code && !findings.clusters.is_empty() {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}
