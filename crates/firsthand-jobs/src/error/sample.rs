//! Why there is nothing to sample.

use firsthand::settings::Threshold;

/// Why there is nothing to sample.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// The lowest score is above the threshold.
    #[error(
        "the floor {floor} is above the threshold {threshold}, but a sample has pairs on both sides \
         of the threshold: give a lower `floor` or a higher `threshold`"
    )]
    FloorAboveThreshold {
        /// The lowest score.
        floor: Threshold,
        /// The threshold of the settings.
        threshold: Threshold,
    },
    /// No two documents are similar enough.
    #[error("{}", no_pairs(*.documents, *.floor))]
    NoPairs {
        /// Documents that were read.
        documents: usize,
        /// The lowest score that was looked at.
        floor: Threshold,
    },
    /// A table of graded pairs can hold none of the ids.
    #[error(
        "no pair has ids that a table can hold: ids must not contain control characters, nor start \
         with # or a quotation mark; name another field with `id-field`"
    )]
    UnusableIds,
}

fn no_pairs(documents: usize, floor: Threshold) -> String {
    match documents {
        0 => "there is nothing to sample: no document could be read".to_owned(),
        1 => "there is nothing to sample: one document makes no pair".to_owned(),
        documents => {
            let documents = crate::numbers::grouped(documents as u64);
            format!(
                "no two of {documents} documents score {floor} or more, so there is no pair to look at: \
                 give a lower `floor`"
            )
        }
    }
}
