//! The matcher alone: a million sets of about 25 features, half of them rare.
//!
//! `cargo bench --bench matcher [-- SETS]` prints time, pairs and cost from 0.4 to 1. It is a plain
//! program and asserts nothing: the machine may be busy.
#![allow(clippy::print_stdout, clippy::expect_used)]

use firsthand::matcher::{Scope, Sets, join};
use firsthand::settings::{Measure, Rule};
use std::time::Instant;

/// Frequent features: a skewed choice from this many.
const VOCABULARY: f64 = 200_000.0;

struct BenchRandom(u64);

impl BenchRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

fn generate(count: usize) -> Sets {
    let mut random = BenchRandom(11);
    let mut sets = Sets::default();
    let mut recent: Vec<Vec<u64>> = Vec::new();
    let mut fresh = 1u64 << 40;
    while sets.len() < count {
        let mut set = Vec::new();
        // One set in five is an edited copy of a recent one.
        if random.below(5) == 0 && !recent.is_empty() {
            set.clone_from(&recent[random.below(recent.len() as u64) as usize]);
            for _ in 0..random.below(6) {
                let at = random.below(set.len() as u64) as usize;
                fresh += 1;
                set[at] = mix(fresh);
            }
        } else {
            for _ in 0..10 + random.below(31) {
                set.push(if random.below(2) == 0 {
                    fresh += 1;
                    mix(fresh)
                } else {
                    // Log-uniform ranks: Zipf's law with exponent one.
                    mix(VOCABULARY.powf(random.unit()) as u64)
                });
            }
        }
        sets.push(set.clone());
        if recent.len() < 1000 {
            recent.push(set);
        } else {
            let at = random.below(1000) as usize;
            recent[at] = set;
        }
    }
    sets
}

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let sets = generate(count.unwrap_or(1_000_000));
    println!(
        "{} sets, {:.1} features each, {} threads",
        sets.len(),
        sets.features() as f64 / sets.len() as f64,
        rayon::current_num_threads()
    );
    println!("threshold  seconds      pairs   candidates     verified      postings");
    for threshold in ["1", "0.95", "0.9", "0.8", "0.7", "0.6", "0.5", "0.4"] {
        let rule =
            Rule { measure: Measure::Jaccard, threshold: threshold.parse().expect("a threshold") };
        let start = Instant::now();
        let matches = join(&sets, rule, Scope::Within).expect("few pairs");
        let cost = matches.cost;
        println!(
            "{threshold:>9} {:>8.2} {:>10} {:>12} {:>12} {:>13}",
            start.elapsed().as_secs_f64(),
            matches.pairs.len(),
            cost.candidates,
            cost.verified,
            cost.postings
        );
    }
}
