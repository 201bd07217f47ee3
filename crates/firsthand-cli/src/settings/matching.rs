//! Flags for the matcher, and what a reader of the settings should know about it.

use crate::args::MatchingArgs;
use anyhow::{Result, bail};
use firsthand::{Settings, settings::Matcher};

/// Similarities at which the chance to meet is shown.
const SHOWN: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

pub(super) fn apply(args: &MatchingArgs, config: &mut Settings) -> Result<()> {
    let MatchingArgs { matcher, bands, rows, recall, hashes, group, lexicons, bits } = args;
    if let Some(name) = matcher
        && name != config.matcher.name()
    {
        config.matcher = Matcher::named(name)?;
        // As many as in the paper that learned weights are from.
        if let (Matcher::Sketch { hashes, .. }, Some(_)) = (&mut config.matcher, &config.model) {
            *hashes = 80;
        }
    }
    let set = |slot: &mut usize, flag: &Option<usize>| *slot = flag.unwrap_or(*slot);
    let kind = config.matcher.name();
    let strangers: &[(&str, bool)] = match &mut config.matcher {
        Matcher::Bands(own) => {
            if bands.is_some() || recall.is_some() || hashes.is_some() {
                (own.bands, own.rows) = (*bands, *rows);
            }
            own.recall = recall.unwrap_or(own.recall);
            set(&mut own.hashes, hashes);
            &[
                ("group", group.is_some()),
                ("lexicons", lexicons.is_some()),
                ("bits", bits.is_some()),
            ]
        }
        Matcher::Sketch { hashes: own, group: together } => {
            set(own, hashes);
            set(together, group);
            &[
                ("bands", bands.is_some()),
                ("recall", recall.is_some()),
                ("lexicons", lexicons.is_some()),
                ("bits", bits.is_some()),
            ]
        }
        Matcher::Fingerprint { lexicons: own, .. } => {
            set(own, lexicons);
            &[
                ("bands", bands.is_some()),
                ("recall", recall.is_some()),
                ("hashes", hashes.is_some()),
                ("group", group.is_some()),
                ("bits", bits.is_some()),
            ]
        }
        Matcher::Bits { bits: own } => {
            set(own, bits);
            &[
                ("bands", bands.is_some()),
                ("recall", recall.is_some()),
                ("hashes", hashes.is_some()),
                ("group", group.is_some()),
                ("lexicons", lexicons.is_some()),
            ]
        }
        Matcher::Exact => &[
            ("bands", bands.is_some()),
            ("recall", recall.is_some()),
            ("hashes", hashes.is_some()),
            ("group", group.is_some()),
            ("lexicons", lexicons.is_some()),
            ("bits", bits.is_some()),
        ],
    };
    if let Some((flag, _)) = strangers.iter().find(|(_, given)| *given) {
        let right = match *flag {
            "bands" | "recall" => "bands",
            "hashes" | "group" => "sketch",
            "lexicons" => "fingerprint",
            _ => "bits",
        };
        bail!(
            "--{flag} does not go with the matcher {kind}: add --matcher {right}, or leave it out"
        );
    }
    Ok(())
}

/// What the bands come to, as comments of a config file.
pub(super) fn remarks(config: &Settings) -> String {
    let Matcher::Bands(bands) = &config.matcher else { return String::new() };
    let Some(banding) = bands.banding(config.rule()) else { return String::new() };
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
