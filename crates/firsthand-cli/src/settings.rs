//! From what was typed to layers of settings, and settings as a file.

use crate::args::{OnlineArgs, ReadingArgs, SettingArgs};
use crate::words;
use anyhow::{Context, Result};
use firsthand::Settings;
use firsthand::settings::{Learned, Matcher};
use firsthand_jobs::settings::{FieldOverrides, LimitOverrides, ReadingOverrides, StreamOverrides};
use firsthand_jobs::{Layers, Overrides, Purpose};
use std::path::Path;
use toml::Table;

/// Works out the effective settings.
pub(crate) fn resolve(args: &SettingArgs) -> Result<Settings> {
    resolved(args, layers(args)?, Purpose::Collection)
}

/// The layers that were typed for a stream.
pub(crate) fn stream_layers(args: &SettingArgs, online: &OnlineArgs) -> Result<Layers> {
    let mut layers = layers(args)?;
    layers.overrides.numbers = online.numbers;
    layers.overrides.stream = StreamOverrides {
        window: online.window,
        window_documents: online.window_documents,
        window_bytes: online.window_bytes,
        clock: online.time,
    };
    Ok(layers)
}

fn resolved(args: &SettingArgs, layers: Layers, purpose: Purpose) -> Result<Settings> {
    layers.resolve(purpose).map_err(|error| words::of_settings(error, args.config.as_deref()))
}

/// The layers that were typed.
pub(crate) fn layers(args: &SettingArgs) -> Result<Layers> {
    #[cfg(feature = "learn")]
    let model = match args.model.path() {
        Some(path) => {
            Some(Learned::new(firsthand_jobs::model_file::read(path).map_err(words::of_model)?))
        }
        None => None,
    };
    #[cfg(not(feature = "learn"))]
    let model: Option<Learned> = None;
    Ok(Layers {
        base: None,
        profile: args.profile.clone(),
        method: args.method.clone(),
        model,
        file: args.config.as_deref().map(read_file).transpose()?,
        overrides: overrides(args),
    })
}

/// A settings file as it is written.
fn read_file(path: &Path) -> Result<Table> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the config file {shown}"))?;
    text.parse::<Table>().with_context(|| format!("{shown} is not valid TOML"))
}

fn overrides(args: &SettingArgs) -> Overrides {
    let matching = &args.matching;
    Overrides {
        threshold: args.threshold,
        measure: args.measure,
        n: args.n,
        q: args.q,
        distance: args.distance,
        chain: args.chain,
        antecedents: args.antecedents.clone(),
        language: args.language,
        multiset: args.multiset,
        min_features: args.min_features,
        template: args.template,
        fold: args.fold,
        grouping: args.grouping,
        original: args.original,
        numbers: None,
        matcher: matching.matcher.clone(),
        bands: matching.bands,
        rows: matching.rows,
        recall: matching.recall,
        hashes: matching.hashes,
        group: matching.group,
        lexicons: matching.lexicons,
        bits: matching.bits,
        stream: StreamOverrides::default(),
        reading: reading(args),
    }
}

fn reading(args: &SettingArgs) -> ReadingOverrides {
    let ReadingArgs { extract, kind, mail, follow, .. } = args.reading;
    let names = args.reading.clone();
    let limits = &args.limits;
    ReadingOverrides {
        extract,
        kind,
        mail,
        follow: follow.then_some(true),
        fields: FieldOverrides {
            id: names.id_field,
            text: names.text_field,
            html: names.html_field,
            title: names.title_field,
            url: names.url_field,
            source: names.source_field,
            time: names.time_field,
            cluster: names.cluster_field,
        },
        limits: LimitOverrides {
            file: limits.max_file,
            document: limits.max_document,
            line: limits.max_line,
            json_depth: limits.max_json_depth,
            html_depth: limits.max_html_depth,
            html_attributes: limits.max_html_attributes,
            html_blocks: limits.max_html_blocks,
            mime_parts: limits.max_mime_parts,
            mime_depth: limits.max_mime_depth,
            members: limits.max_members,
            layers: limits.max_layers,
            decompressed: limits.max_decompressed,
            ratio: limits.max_ratio,
            seconds: limits.max_seconds,
        },
    }
}

/// Similarities at which the chance to meet is shown.
const SHOWN: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The settings as a config file.
pub(crate) fn show(settings: &Settings) -> Result<String> {
    let mut remarks = remarks(settings);
    if let Some(model) = &settings.model {
        let model = model.fingerprint();
        remarks += &format!("# Goes with the model {model}: name its file with --model.\n\n");
    }
    Ok(remarks + &toml::to_string(settings)?)
}

/// What the bands come to, as comments of a config file.
fn remarks(settings: &Settings) -> String {
    let Matcher::Bands(bands) = settings.collection_matcher() else { return String::new() };
    let Some(banding) = bands.banding(settings.rule()) else { return String::new() };
    let mut text = format!(
        "# {} bands of {} rows, {} min-hashes. The chance that a pair is met, by its Jaccard \
         similarity:\n#  ",
        banding.bands,
        banding.rows,
        banding.hashes()
    );
    for similarity in SHOWN {
        text += &format!(" {similarity}: {:.3} ", banding.probability(similarity));
    }
    text + "\n\n"
}
