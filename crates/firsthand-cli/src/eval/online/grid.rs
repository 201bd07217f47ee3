//! nrc over the parameters that its paper varied.

use super::report::{GridRow, Quality};
use crate::args::LabelledArgs;
use crate::eval::methods::{self, Asked};
use anyhow::{Context, Result};
use firsthand::settings::{Collisions, Matcher};
use firsthand::settings::{Scheme, Threshold};

/// Words of a shingle.
const N: [usize; 2] = [3, 4];

/// Per cent of each document that are compared, from its start.
const F: [u32; 5] = [40, 50, 65, 80, 100];

/// Per cent of n-grams that have to be common.
const R: [u64; 4] = [20, 30, 40, 50];

/// nrc with all of them.
pub(super) fn asked(args: &LabelledArgs) -> Result<Vec<Asked>> {
    let mut all = Vec::new();
    for n in N {
        for f in F {
            for r in R {
                let mut asked = methods::by_name(args, "nrc")?;
                let config = &mut asked.settings.config;
                let base = match &config.online.index {
                    Index::Collisions(collisions) => collisions.clone(),
                    _ => Collisions::default(),
                };
                let first = f64::from(f) / 100.0;
                config.online.index = Index::Collisions(Collisions { n, first, ..base });
                config.scheme = Scheme::Words { n };
                config.threshold = Threshold::new(r, 100)?;
                config.check().context("nrc with the parameters of its paper")?;
                asked.name = format!("nrc n={n} f={first} r=0.{r}");
                all.push(asked);
            }
        }
    }
    Ok(all)
}

/// The rows of the report.
pub(super) fn rows(measured: Vec<(Asked, Quality)>) -> Vec<GridRow> {
    let rows = measured.into_iter().filter_map(|(asked, quality)| {
        let config = &asked.settings.config;
        let Index::Collisions(Collisions { n, first, .. }) = config.online.index else {
            return None;
        };
        let Quality { precision, recall, f1, .. } = quality;
        Some(GridRow { n, f: first, r: config.threshold.value(), precision, recall, f1 })
    });
    rows.collect()
}
