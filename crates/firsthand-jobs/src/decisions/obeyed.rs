//! Decisions as constraints on a collection, and what stood in their way.

use firsthand::collections::Constraints;
use firsthand::decisions::{Action, Active, Decision, Named};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::io;

/// How decisions were obeyed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Obeyed {
    /// The file that they are from.
    pub file: String,
    /// The number of decisions that hold.
    pub decisions: usize,
    /// The pairs that were kept apart.
    pub parted: usize,
    /// The pairs that were joined.
    pub joined: usize,
    /// The originals that were chosen.
    pub kept: usize,
    /// Documents about which decisions do not hold, and why; the first of them.
    pub not_obeyed: Vec<Obstacle>,
    /// The number of all of them.
    pub not_obeyed_count: usize,
}

/// A document about which a decision does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Obstacle {
    /// Its id.
    pub id: String,
    /// Why.
    pub reason: &'static str,
}

/// The most obstacles that are listed.
const LISTED: usize = 100;

/// Its text is another than the one that was judged.
const CHANGED: &str = "its text has changed since";
/// It is not among the documents.
const GONE: &str = "it is not among the documents";
/// It was to be joined with documents that were parted from it or from what it is joined to.
const REFUSED: &str = "it was joined with documents that others of them are parted from";

/// What decisions say of documents, by position. `position` finds a document by its id, and `text` gives
/// the hash of its text where that is known.
pub(crate) fn constraints(
    lines: &[Option<Decision>],
    position: &HashMap<&str, usize>,
    text: impl Fn(usize) -> io::Result<Option<String>>,
) -> io::Result<(Constraints, Obeyed)> {
    let active = Active::new(lines);
    let mut constraints = Constraints::default();
    let mut obstacles: BTreeMap<&str, &'static str> = BTreeMap::new();
    let mut hashes: HashMap<usize, Option<String>> = HashMap::new();
    let mut find = |named: &Named| -> io::Result<Result<usize, &'static str>> {
        let Some(&at) = position.get(&*named.id) else { return Ok(Err(GONE)) };
        if named.text.is_none() {
            return Ok(Ok(at));
        }
        if let std::collections::hash_map::Entry::Vacant(place) = hashes.entry(at) {
            place.insert(text(at)?);
        }
        let is_same = match &hashes[&at] {
            Some(hash) => Some(hash) == named.text.as_ref(),
            None => true,
        };
        Ok(if is_same { Ok(at) } else { Err(CHANGED) })
    };
    let mut obeyed = Obeyed { decisions: active.lines().len(), ..Obeyed::default() };
    let (parted, joined) = active.pairs();
    for (pairs, is_parted) in [(parted, true), (joined, false)] {
        for (a, b) in pairs {
            match (find(a)?, find(b)?) {
                (Ok(x), Ok(y)) if is_parted => {
                    constraints.part(x, y);
                    obeyed.parted += 1;
                }
                (Ok(x), Ok(y)) => {
                    constraints.join(x, y);
                    obeyed.joined += 1;
                }
                (x, y) => {
                    for (named, found) in [(a, x), (b, y)] {
                        if let Err(reason) = found {
                            obstacles.insert(&named.id, reason);
                        }
                    }
                }
            }
        }
    }
    for kept in active.kept() {
        match find(kept)? {
            Ok(at) => {
                constraints.keep(at);
                obeyed.kept += 1;
            }
            Err(reason) => drop(obstacles.insert(&kept.id, reason)),
        }
    }
    for (_, line) in active.lines().iter().filter(|(_, line)| line.action == Action::Tag) {
        for named in &line.documents {
            if let Err(reason) = find(named)? {
                obstacles.insert(&named.id, reason);
            }
        }
    }
    obeyed.not_obeyed_count = obstacles.len();
    let listed = obstacles.into_iter().take(LISTED);
    obeyed.not_obeyed = listed.map(|(id, reason)| Obstacle { id: id.to_owned(), reason }).collect();
    Ok((constraints, obeyed))
}

impl Obeyed {
    /// Takes note of documents that could not be joined.
    pub(crate) fn refused<'a>(&mut self, ids: impl Iterator<Item = &'a str>) {
        for id in ids {
            self.not_obeyed_count += 1;
            if self.not_obeyed.len() < LISTED {
                self.not_obeyed.push(Obstacle { id: id.to_owned(), reason: REFUSED });
            }
        }
    }

    /// The number of documents whose text has changed since.
    pub fn changed(&self) -> usize {
        self.not_obeyed.iter().filter(|obstacle| obstacle.reason == CHANGED).count()
    }
}
