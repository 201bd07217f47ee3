//! Which measures and matchers work with weights: those with a known bound or probability for them.

use super::{Matcher, Settings, SettingsError};
use crate::{measure::Measure, weights::Weighting};

impl Settings {
    /// Checks that the measure and the matcher work with weights, if there are any.
    pub(super) fn check_weights(&self, matcher: &Matcher) -> Result<(), SettingsError> {
        if self.weights == Weighting::Equal && self.model.is_none() {
            return Ok(());
        }
        let refused = |with, instead| Err(SettingsError::Weights { with, instead });
        match self.measure {
            Measure::Cosine | Measure::ExtendedJaccard | Measure::Jaccard => {}
            Measure::MaxOverlap | Measure::Dice | Measure::Containment => {
                return refused(
                    "this measure",
                    "use measure = \"cosine\", \"extended-jaccard\" or \"jaccard\"",
                );
            }
        }
        let jaccard = self.measure == Measure::Jaccard;
        if self.model.is_none() {
            let instead = "use the exact matcher, or bits with measure = \"cosine\"";
            return match matcher {
                Matcher::Exact => Ok(()),
                Matcher::Bits { .. } if self.measure == Measure::Cosine => Ok(()),
                Matcher::Bits { .. } => refused("bits and this measure", instead),
                Matcher::Bands(_) => refused("bands", instead),
                Matcher::Sketch { .. } => refused("a sketch", instead),
                Matcher::Fingerprint { .. } => refused("a fingerprint", instead),
                // Refused as a matcher for streams only.
                Matcher::Collisions(_) => Ok(()),
            };
        }
        let cosine = "min-hashes do not estimate it: use bits or the exact matcher";
        match matcher {
            Matcher::Exact => Ok(()),
            Matcher::Bits { .. } if jaccard => refused(
                "bits and measure = \"jaccard\"",
                "bits estimate only the angle: use a sketch, bands or the exact matcher",
            ),
            Matcher::Bits { .. } => Ok(()),
            Matcher::Sketch { .. } if !jaccard => refused("a sketch and this measure", cosine),
            // Bands that are set explicitly need no estimate.
            Matcher::Bands(bands) if !jaccard && bands.bands.is_none() => {
                refused("bands that are to be chosen and this measure", cosine)
            }
            Matcher::Sketch { .. } | Matcher::Bands(_) => Ok(()),
            Matcher::Fingerprint { .. } => {
                refused("a fingerprint", "use the exact matcher, bits, a sketch or bands")
            }
            Matcher::Collisions(_) => refused("collisions", "use the exact matcher or bands"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        scheme::Scheme,
        settings::{Bands, Learned},
    };
    use serde::{
        Deserialize,
        de::{IntoDeserializer, value::Error},
    };

    #[test]
    fn weights_go_with_measures_and_matchers_that_know_them() {
        let named: Result<Learned, Error> = Learned::deserialize("0".into_deserializer());
        let base = Settings { scheme: Scheme::Words { n: 1 }, ..Settings::default() };
        let tf_idf = Settings { weights: Weighting::TfIdf, ..base.clone() };
        let learned = Settings { model: named.ok(), ..base };
        let sketch = Matcher::Sketch { hashes: 80, group: 1 };
        let bits = Matcher::Bits { bits: 384 };
        let bands = Matcher::Bands(Bands::default());
        let stated = Matcher::Bands(Bands { bands: Some(9), rows: Some(3), ..Bands::default() });
        let fingerprint = Matcher::Fingerprint { lexicons: 1, keep: 0.7 };
        use Measure::{Cosine, Dice, ExtendedJaccard, Jaccard};
        for (settings, matcher, measure, part) in [
            (&tf_idf, &Matcher::Exact, Cosine, None),
            (&tf_idf, &Matcher::Exact, ExtendedJaccard, None),
            (&tf_idf, &Matcher::Exact, Dice, Some("use measure")),
            (&tf_idf, &bits, Cosine, None),
            (&tf_idf, &bits, ExtendedJaccard, Some("exact matcher")),
            (&tf_idf, &sketch, Jaccard, Some("exact matcher")),
            (&tf_idf, &bands, Jaccard, Some("exact matcher")),
            (&learned, &Matcher::Exact, Jaccard, None),
            (&learned, &Matcher::Exact, Dice, Some("use measure")),
            (&learned, &bits, Cosine, None),
            (&learned, &bits, ExtendedJaccard, None),
            (&learned, &bits, Jaccard, Some("use a sketch, bands")),
            (&learned, &sketch, Jaccard, None),
            (&learned, &sketch, Cosine, Some("use bits")),
            (&learned, &bands, Jaccard, None),
            (&learned, &bands, ExtendedJaccard, Some("use bits")),
            (&learned, &stated, ExtendedJaccard, None),
            (&learned, &fingerprint, Jaccard, Some("bits, a sketch")),
        ] {
            let settings = Settings { matcher: Some(matcher.clone()), measure, ..settings.clone() };
            let said = settings.check_collection().err().map(|error| error.to_string());
            let right = match (&said, part) {
                (Some(said), Some(part)) => said.contains(part),
                (None, None) => true,
                _ => false,
            };
            assert!(right, "{matcher:?} {measure:?}: {said:?}");
        }
    }
}
