//! The method nrc with each combination of the parameters that its paper varied.

use super::report::{GridRow, StreamQuality};
use crate::error::JobError;
use crate::labels::NamedSettings;
use firsthand::evaluate::online::StreamFigures;
use firsthand::settings::{Collisions, Matcher};
use firsthand::settings::{Scheme, Threshold};

/// Words per shingle.
const N: [usize; 2] = [3, 4];

/// The part of each document that is compared, from its start, in per cent.
const F: [u32; 5] = [40, 50, 65, 80, 100];

/// The share of n-grams that two near-duplicates have in common, in per cent.
const R: [u64; 4] = [20, 30, 40, 50];

/// All combinations, based on the settings of nrc.
///
/// # Errors
/// If nrc does not take one of them.
pub fn grid(nrc: &NamedSettings) -> Result<Vec<NamedSettings>, JobError> {
    let mut all = Vec::new();
    for n in N {
        for f in F {
            for r in R {
                let mut named = nrc.clone();
                let settings = &mut named.settings;
                let base = match &settings.stream.matcher {
                    Some(Matcher::Collisions(collisions)) => collisions.clone(),
                    _ => Collisions::default(),
                };
                let first = f64::from(f) / 100.0;
                let collisions = Collisions { n, first, ..base };
                settings.stream.matcher = Some(Matcher::Collisions(collisions));
                settings.scheme = Scheme::Words { n };
                settings.threshold = Threshold::new(r, 100)?;
                settings.check_stream()?;
                named.name = format!("nrc n={n} f={first} r=0.{r}");
                all.push(named);
            }
        }
    }
    Ok(all)
}

/// The rows of the report.
pub(super) fn rows(
    methods: &[NamedSettings],
    measured: Vec<(usize, StreamQuality)>,
) -> Vec<GridRow> {
    let rows = measured.into_iter().filter_map(|(at, quality)| {
        let settings = &methods[at].settings;
        let Some(Matcher::Collisions(Collisions { n, first, .. })) = settings.stream.matcher else {
            return None;
        };
        let StreamFigures { precision, recall, f1, .. } = quality.figures;
        Some(GridRow { n, f: first, r: settings.threshold.value(), precision, recall, f1 })
    });
    rows.collect()
}
