//! What a run will write, as far as it is known before it writes.

use super::Contents;
use super::shard_names::{ShardName, ShardNames};
use crate::findings::PairList;
use crate::reading::Reading;
use firsthand_input::{Compression, Kind};

impl Contents {
    /// The files that a run will write. What is in archives is not known, nor what standard input is.
    pub fn planned(&self, reading: &Reading, page: bool) -> Vec<String> {
        let pairs = self.pairs != PairList::None;
        let plan = [
            (pairs, "pairs.jsonl"),
            (true, "clusters.jsonl"),
            (pairs && self.csv, "pairs.csv"),
            (self.csv, "clusters.csv"),
            (pairs && self.parquet, "pairs.parquet"),
            (self.parquet, "clusters.parquet"),
        ];
        let plan = plan.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| (*name).to_owned());
        let lists: Vec<String> = self.lists_of_dropped().collect();
        let mut plan: Vec<String> = plan.chain(lists.iter().cloned()).collect();
        let sets = [
            (self.kept, "kept"),
            (self.dropped, "dropped"),
            (self.annotate.is_some(), "annotated"),
        ];
        for (_, stem) in sets.into_iter().filter(|(wanted, _)| *wanted) {
            for name in rows(stem, reading) {
                // What is dropped of JSON lines is in the list.
                match lists.contains(&name) {
                    false => plan.push(name),
                    true if name.ends_with(".jsonl") => {}
                    true => plan.push(name.replacen("dropped", "dropped-rows", 1)),
                }
            }
        }
        if page {
            plan.push("report.html".to_owned());
        }
        plan.push("report.json".to_owned());
        plan
    }
}

/// The files of rows of a set.
fn rows(stem: &str, reading: &Reading) -> Vec<String> {
    let names = ShardNames::new(&reading.inputs);
    let name = |(path, kind, compression): (Option<&_>, Kind, Compression)| {
        if kind.is_single() || kind == Kind::Feed {
            return format!("{stem}.txt");
        }
        let layers: &[Compression] = match compression {
            Compression::None => &[],
            _ => &[compression],
        };
        match names.of(path, None, (kind, layers)) {
            _ if path.is_none() && names.is_one() => format!("{stem}.*"),
            ShardName::Only(_) if kind.is_archive() => format!("{stem}/*"),
            ShardName::Only(extensions) => format!("{stem}{extensions}"),
            ShardName::Within(path) => {
                let within = if kind.is_archive() { "/*" } else { "" };
                format!("{stem}/{}{within}", firsthand_input::path_name(&path))
            }
        }
    };
    // A list of files comes once.
    let mut is_listed = false;
    let list = format!("{stem}.txt");
    let is_new = |name: &String| *name != list || !std::mem::replace(&mut is_listed, true);
    reading.batches.listed().map(name).filter(is_new).collect()
}
