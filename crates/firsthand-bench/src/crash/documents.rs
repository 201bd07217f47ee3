//! The documents written: short news in order of time, some of them late, and some copies of
//! earlier ones with a word changed.

use firsthand::Document;

use crate::rng::Rng;

const MINUTE: i64 = 60_000;

/// The document of a number.
pub(super) fn document(seed: u64, index: u64) -> Document {
    let mut rng = Rng::new(seed, &[index]);
    let is_copy = index > 10 && rng.chance(0.4);
    let of = if is_copy { index - rng.between(1, index.min(200) as usize) as u64 } else { index };
    let mut words = words(seed, of);
    if is_copy && rng.chance(0.8) {
        for _ in 0..rng.between(1, 12) {
            let at = rng.below(words.len());
            words[at] = word(&mut rng);
        }
    }
    let late = if rng.chance(0.05) { rng.between(1, 300) as i64 } else { 0 };
    let time = 1_700_000_000_000 + (index as i64 - late) * MINUTE;
    let document = Document::new(format!("d{index}"), words.join(" "));
    Document { time: Some(time), ..document }
}

fn words(seed: u64, index: u64) -> Vec<String> {
    let mut rng = Rng::new(seed, &[index, 1]);
    let length = rng.between(60, 160);
    // A function word every few words, as in real text.
    (0..length)
        .map(|n| {
            if n % 4 == 0 {
                rng.pick(&["the", "of", "and", "in"]).to_owned()
            } else {
                word(&mut rng)
            }
        })
        .collect()
}

fn word(rng: &mut Rng) -> String {
    let syllables = ["ka", "lo", "mi", "ter", "san", "du", "re", "vol", "pe", "nis"];
    (0..rng.between(2, 4)).map(|_| rng.pick(&syllables)).collect()
}
