//! The orders in which documents arrive: at random with originals first, and by their times.

use super::stories::Stories;
use crate::evaluate::random::Random;

/// All documents in a random order in which the original of each cluster comes before the rest of
/// it; all such orders are equally likely. The same seed and number give the same order.
pub fn originals_first(stories: &Stories, seed: u64, number: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..stories.documents()).collect();
    Random::new(seed, number).shuffle(&mut order);
    // Where each cluster starts; its original goes there, and the members in between move back by
    // one.
    let mut before: Vec<Option<usize>> = vec![None; stories.originals().len()];
    for place in &mut order {
        let Some(cluster) = stories.cluster(*place) else { continue };
        let original = stories.originals()[cluster as usize];
        match &mut before[cluster as usize] {
            // Each position passes its document on to the next member of the cluster.
            Some(held) if *held != original => std::mem::swap(held, place),
            Some(_) => {}
            held @ None => *held = Some(std::mem::replace(place, original)),
        }
    }
    order
}

/// The documents that have a time, earliest first; equal times in the given order.
pub fn by_time(times: &[Option<i64>]) -> Vec<usize> {
    let timed = times.iter().enumerate().filter_map(|(at, time)| Some((at, (*time)?)));
    let mut order: Vec<(usize, i64)> = timed.collect();
    order.sort_by_key(|(_, time)| *time);
    order.into_iter().map(|(at, _)| at).collect()
}
