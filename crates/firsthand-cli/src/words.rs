//! Errors of jobs in words for the command line: settings by their flags, and what to type instead.

use crate::numbers::grouped;
use anyhow::{Error, anyhow};
use firsthand::SettingsError;
use firsthand_input::{Limit, Note, ReadError, Reason};
use firsthand_jobs::{
    DocumentError, InputError, JobError, LabelError, LayersError, OpenError, OutputError,
    SampleError,
};
#[cfg(feature = "learn")]
use firsthand_jobs::{ModelFileError, ModelFileReason};
use std::collections::BTreeMap;
use std::path::Path;

/// The error as it is shown.
pub(crate) fn of_job(error: JobError) -> Error {
    match error {
        JobError::Settings(error) => of_settings(error, None),
        JobError::Input(error) => of_input(error),
        JobError::Output(error) => of_output(error),
        JobError::Document(error) => of_document(error),
        JobError::Open(error) => of_store(error),
        #[cfg(feature = "learn")]
        JobError::Model(error) => of_model(error),
        JobError::Labels(error) => of_labels(error),
        JobError::Sample(error) => of_sample(error),
        error => error.into(),
    }
}

/// Settings by their flags; `file` is the config file, if there is one.
pub(crate) fn of_settings(error: LayersError, file: Option<&Path>) -> Error {
    let shown = file.unwrap_or(Path::new("the config file")).display();
    match error {
        LayersError::Settings(error) => of_setting(&error),
        LayersError::File(error) => {
            anyhow!(error).context(format!("{shown} holds a setting that cannot be used"))
        }
        LayersError::MethodWithModel { method, in_file: false } => anyhow!(
            "--method {method} does not go with --model: a model is a method of its own, with grams, \
             measure and threshold; --profile says how documents are read and grouped"
        ),
        LayersError::MethodWithModel { method, in_file: true } => anyhow!(
            "the config file names the method {method}, which does not go with --model: a model is a \
             method of its own; take it out of the file"
        ),
        LayersError::NotWithModel { setting, in_file: false } => anyhow!(
            "--{setting} does not go with a model, which has grams and weights of its own: leave it \
             out, or learn a model of other grams with `firsthand learn --words`"
        ),
        LayersError::NotWithModel { setting, in_file: true } => anyhow!(
            "{shown} sets `{setting}`, which does not go with --model: a model has grams and \
             weights of its own; take it out of the file"
        ),
        LayersError::OtherModel { wanted, given } => anyhow!(
            "{shown} goes with the model {wanted}, and --model names the model {given}: name \
             the one that it was made with, or take `model` out of it"
        ),
        LayersError::TwoSchemes => {
            anyhow!("--n and --q do not go with flags for spot signatures: choose one scheme")
        }
        LayersError::NotWithMatcher { setting, matcher, belongs_to } => anyhow!(
            "--{setting} does not go with the matcher {matcher}: add --matcher {belongs_to}, or leave \
             it out"
        ),
        error => error.into(),
    }
}

/// Keys of settings, and the flags that set them.
const FLAGS: [(&str, &str); 15] = [
    ("scheme.n", "--n"),
    ("scheme.q", "--q"),
    ("scheme.distance", "--distance"),
    ("scheme.chain", "--chain"),
    ("matcher.hashes", "--hashes"),
    ("matcher.group", "--group"),
    ("matcher.lexicons", "--lexicons"),
    ("matcher.bits", "--bits"),
    ("matcher.bands", "--bands"),
    ("matcher.rows", "--rows"),
    ("matcher.recall", "--recall"),
    ("matcher", "--matcher"),
    ("grouping", "--grouping"),
    ("original", "--original"),
    ("numbers", "--numbers"),
];

/// A setting that cannot be used, by its flag.
fn of_setting(error: &SettingsError) -> Error {
    let mut text = error.to_string();
    if let SettingsError::NoModel { .. } = error {
        return match cfg!(feature = "learn") {
            true => anyhow!("{text}: name its file with --model"),
            false => anyhow!("{text}: this firsthand was built without models"),
        };
    }
    for (key, flag) in FLAGS {
        text = match text.strip_prefix(&format!("{key} = ")) {
            Some(rest) => format!("{flag} {rest}"),
            None if key.contains('.') => text.replace(&format!("{key} "), &format!("{flag} ")),
            None => text,
        };
    }
    anyhow!(text)
}

/// Inputs, and how to name others.
pub(crate) fn of_input(error: InputError) -> Error {
    match error {
        InputError::Model(path) => anyhow!(
            "{} is a model, not a document: name documents, and the model with --model",
            path.display()
        ),
        InputError::IsFolder(path) => anyhow!(
            "{} is a folder: name files of JSON lines, or use `firsthand watch`",
            path.display()
        ),
        InputError::Nothing { ref skipped, .. } => {
            let skipped = match skipped.is_empty() {
                true => String::new(),
                false => format!(" (skipped: {})", reasons(skipped)),
            };
            anyhow!(
                "{error}: there is no page, text, mail, table, web archive or feed{skipped}; --kind \
                 reads files whatever their names"
            )
        }
        error => error.into(),
    }
}

/// Stores, and the flags that choose another or change one.
pub(crate) fn of_store(error: OpenError) -> Error {
    match error {
        OpenError::NoAddress => {
            anyhow!("--store is empty: name a folder, or postgres://..., or memory:")
        }
        OpenError::GenerationWithoutStoring => {
            anyhow!("--new-generation changes the store, but nothing is to be stored: leave it out")
        }
        OpenError::OtherSettings(error) => anyhow!("{error} (--new-generation does that)"),
        error => error.into(),
    }
}

/// Documents, and how to name others.
fn of_document(error: DocumentError) -> Error {
    match &error {
        DocumentError::StandardInput => anyhow!(
            "{error}: name a collection on standard input with `--in -`, and two of its ids"
        ),
        DocumentError::Folder { name } => {
            anyhow!("{error}: name two files, or two ids of documents in it with --in {name}")
        }
        DocumentError::NoFile { .. } => {
            anyhow!("{error}: if it is the id of a document, name its collection with --in")
        }
        DocumentError::Several { name } => {
            anyhow!("{error}: name two of them by their ids, with --in {name}")
        }
        DocumentError::NotInCollection { name } => {
            anyhow!("the file {name:?} is not part of --in: add it with --in {name}")
        }
        DocumentError::NoDocument { name, example: Some(example) } => {
            anyhow!("no document of --in has the id {name:?}; ids there look like {example:?}")
        }
        DocumentError::NoDocument { name, example: None } => {
            anyhow!("no document of --in has the id {name:?}: it holds no documents at all")
        }
        _ => error.into(),
    }
}

/// Standard output that cannot be written to.
pub(crate) fn of_stdout(error: std::io::Error) -> Error {
    Error::new(error).context("cannot write to standard output")
}

/// Results, and how to write them elsewhere.
pub(crate) fn of_output(error: OutputError) -> Error {
    match error {
        // Outputs other than standard output name themselves.
        OutputError::Stream(error) if error.get_ref().is_some() => error.into(),
        OutputError::Stream(error) => of_stdout(error),
        OutputError::Exists { folder: Some(ref folder), .. } => anyhow!(
            "{error}: --force replaces the results in {}, or choose another folder",
            folder.display()
        ),
        OutputError::Exists { .. } => {
            anyhow!("{error}: --force replaces it, or name another file")
        }
        OutputError::InTheWay(_) => anyhow!("{error}: choose another with -o"),
        OutputError::IsFolder(_) => anyhow!("{error}: name a file"),
        OutputError::IsFile(path) => {
            anyhow!("-o {} is a file: results go to a folder, name another", path.display())
        }
        OutputError::NoFolder { .. } => anyhow!("{error}: make it first"),
        OutputError::IsInput { input, output } if input.is_dir() => anyhow!(
            "{} is both an input and the folder for results: choose another with -o",
            output.display()
        ),
        OutputError::IsInput { input, output } if output.is_dir() => anyhow!(
            "{} is an input, and results of that name go to {}: choose another folder with -o",
            input.display(),
            output.display()
        ),
        OutputError::IsInput { output, .. } => {
            anyhow!("{} is an input: name another file", output.display())
        }
        error => error.into(),
    }
}

/// Labels, and the flags that name others.
fn of_labels(error: LabelError) -> Error {
    match error {
        LabelError::NoLabels => anyhow!("{error} (--cluster-field, --pairs)"),
        LabelError::TwoGradedFiles { .. } => anyhow!("{error} with --pairs"),
        error => error.into(),
    }
}

/// Why there is nothing to sample, and the flags that change that.
fn of_sample(error: SampleError) -> Error {
    match error {
        SampleError::FloorAboveThreshold { .. } => {
            anyhow!("{error}: give a lower --floor or a higher --threshold")
        }
        SampleError::NoPairs { documents: 2.., .. } => {
            anyhow!("{error}, so there is no pair to look at: give a lower --floor")
        }
        SampleError::UnusableIds => anyhow!("{error}; name another field with --id-field"),
        error => error.into(),
    }
}

/// A model, and where to get one.
#[cfg(feature = "learn")]
pub(crate) fn of_model(error: ModelFileError) -> Error {
    let ModelFileError { path, reason } = error;
    let shown = path.display();
    match reason {
        ModelFileReason::Folder => {
            anyhow!("the model {shown} is a folder: name the file that `firsthand learn` wrote")
        }
        ModelFileReason::NotFound => {
            anyhow!(
                "there is no model {shown}: `firsthand learn` makes one from labelled documents"
            )
        }
        ModelFileReason::Io(error) => {
            Error::new(error).context(format!("cannot read the model {shown}"))
        }
        ModelFileReason::TooLarge => {
            anyhow!("{shown} is not a model: it is larger than any model can be")
        }
        ModelFileReason::CutOff(error) => {
            anyhow!("the model {shown} is cut off ({error}): copy it anew, or learn it again")
        }
        ModelFileReason::NotJson(error) => {
            anyhow!("{shown} is not a model of `firsthand learn`: it is not JSON ({error})")
        }
        ModelFileReason::NoModel => anyhow!(
            "{shown} is not a model of `firsthand learn`: it is JSON, but has neither version nor \
             fingerprint"
        ),
        ModelFileReason::Version { found } => anyhow!(
            "the model {shown} is of version {found}, and this firsthand knows version {}: learn it \
             again",
            firsthand::model::VERSION
        ),
        ModelFileReason::Damaged(error) => Error::new(error).context(format!(
            "the model {shown} was damaged or changed: copy it anew, or learn it again"
        )),
        reason => Error::new(reason).context(format!("{shown} cannot be used")),
    }
}

/// `3 not valid JSON, 1 no text`, the most frequent first.
pub(crate) fn reasons(by_label: &BTreeMap<&'static str, usize>) -> String {
    let mut labels: Vec<_> = by_label.iter().collect();
    labels.sort_by_key(|(label, count)| (std::cmp::Reverse(**count), **label));
    let words =
        labels.into_iter().map(|(label, count)| format!("{} {label}", grouped(*count as u64)));
    words.collect::<Vec<_>>().join(", ")
}

/// Why an input was not read, and the flag by which it would be.
pub(crate) fn of_read(error: &ReadError) -> String {
    let advice = match &error.reason {
        Reason::Beyond(exceeded) => sets_the_limit(exceeded.limit),
        Reason::NoText(_) => "name the right one with --text-field or --html-field".to_owned(),
        Reason::NoTextColumn { .. } | Reason::UnfitColumn(_) => {
            "name the one with the text by --text-field".to_owned()
        }
        Reason::NoId(_) => "name the right one with --id-field".to_owned(),
        Reason::UnknownKind => "name the kind with --kind".to_owned(),
        _ => return error.to_string(),
    };
    format!("{error}; {advice}")
}

/// What is odd about a document, and the flag that changes it.
pub(crate) fn of_note(note: &Note) -> String {
    match note.limit {
        Some(limit) => format!("{}; {}", note.sentence, sets_the_limit(limit)),
        None => note.sentence.clone(),
    }
}

fn sets_the_limit(limit: Limit) -> String {
    format!("--max-{} sets the limit", limit.key())
}
