//! The number of values on which two sketches must agree so that few pairs at the threshold are
//! missed.
//!
//! For a pair at the threshold, each value agrees with a known probability, so the number of
//! agreeing values is known up to its deviation. Pairs above the threshold agree on more.

/// One pair in a hundred lies this many standard deviations below the expected number.
const DEVIATIONS: f64 = 2.33;

/// The least number of values that must agree, given the chance of each; at least one.
pub(crate) fn least_agreement(chance: f64, values: usize) -> usize {
    let values = values as f64;
    let deviation = (values * chance * (1.0 - chance)).max(0.0).sqrt();
    (values * chance - DEVIATIONS * deviation).floor().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance that fewer than `least` of all values agree.
    fn fewer(least: usize, chance: f64, values: usize) -> f64 {
        let values = values as f64;
        let mut logarithm = values * (1.0 - chance).ln();
        let mut sum = 0.0;
        for agree in 0..least {
            sum += logarithm.exp();
            let agree = agree as f64;
            logarithm += ((values - agree) / (agree + 1.0) * chance / (1.0 - chance)).ln();
        }
        sum
    }

    #[test]
    fn one_pair_of_a_hundred_is_missed() {
        for values in [64usize, 80, 256, 384] {
            for chance in [0.3, 0.5, 0.75, 0.9, 0.97] {
                let least = least_agreement(chance, values);
                let missed = fewer(least, chance, values);
                assert!((0.002..0.013).contains(&missed), "{values} {chance}: {missed}");
            }
        }
    }

    #[test]
    fn equal_sketches_agree_everywhere_and_the_minimum_is_one() {
        assert_eq!(least_agreement(1.0, 384), 384);
        assert_eq!(least_agreement(0.001, 64), 1);
    }
}
