//! Recall and precision of pairs or clusters against the true pairs.
//!
//! Recall is the share of true pairs that are reported, or lie in one cluster. Precision of pairs
//! is the share of reported pairs that are true. A cluster may join documents that are
//! near-duplicates not of each other but of a third one, so its pairs count as correct when true
//! pairs connect them.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// The quality of a result.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct ResultScore {
    /// `pairs` or `clusters`.
    kind: &'static str,
    /// True pairs.
    truth: usize,
    /// True pairs among the reported ones.
    found: usize,
    /// Reported pairs; for clusters, all pairs within one.
    stated: usize,
    /// Reported pairs that are correct.
    right: usize,
    recall: f64,
    precision: f64,
}

/// The true pairs and the groups they form.
#[derive(Default)]
pub(crate) struct TruePairs {
    numbers: HashMap<String, u32>,
    pairs: HashSet<(u32, u32)>,
    /// For each document its group: the smallest number reached by true pairs.
    groups: Vec<u32>,
}

#[derive(Deserialize)]
struct ResultLine {
    a: Option<String>,
    b: Option<String>,
    members: Option<Vec<ClusterMember>>,
}

/// A member of a cluster: just its id, or with other fields.
#[derive(Deserialize)]
#[serde(untagged)]
enum ClusterMember {
    Id(String),
    Object { id: String },
}

impl TruePairs {
    /// Reads JSON lines with `a` and `b`.
    pub(crate) fn read(input: impl BufRead) -> Result<Self> {
        let mut truth = Self::default();
        for_each_line(input, |line| match (line.a, line.b) {
            (Some(a), Some(b)) => {
                ensure!(a != b, "{a:?} is paired with itself");
                let pair = (truth.number(a), truth.number(b));
                truth.pairs.insert(ordered(pair.0, pair.1));
                Ok(())
            }
            _ => bail!("a true pair needs the fields a and b"),
        })?;
        truth.connect();
        Ok(truth)
    }

    /// Scores JSON lines with `a` and `b`, or with `members`.
    pub(crate) fn score(&self, input: impl BufRead) -> Result<ResultScore> {
        let mut pairs: HashSet<(String, String)> = HashSet::new();
        let mut clusters: Vec<Vec<String>> = Vec::new();
        for_each_line(input, |line| match (line.a, line.b, line.members) {
            (Some(a), Some(b), None) => {
                pairs.insert(if a < b { (a, b) } else { (b, a) });
                Ok(())
            }
            (None, None, Some(members)) => {
                let id = |member| match member {
                    ClusterMember::Id(id) | ClusterMember::Object { id } => id,
                };
                clusters.push(members.into_iter().map(id).collect());
                Ok(())
            }
            _ => bail!("a line needs the fields a and b, or members"),
        })?;
        ensure!(pairs.is_empty() || clusters.is_empty(), "the file mixes pairs and clusters");
        if clusters.is_empty() {
            Ok(self.score_pairs(&pairs))
        } else {
            self.score_clusters(clusters)
        }
    }

    fn score_pairs(&self, pairs: &HashSet<(String, String)>) -> ResultScore {
        let is_true =
            |pair: &&(String, String)| match (self.numbers.get(&pair.0), self.numbers.get(&pair.1))
            {
                (Some(&a), Some(&b)) => self.pairs.contains(&ordered(a, b)),
                _ => false,
            };
        let found = pairs.iter().filter(is_true).count();
        self.result("pairs", found, pairs.len(), found)
    }

    fn score_clusters(&self, clusters: Vec<Vec<String>>) -> Result<ResultScore> {
        let mut cluster_of = HashMap::new();
        let (mut stated, mut right) = (0, 0);
        for (cluster, members) in clusters.into_iter().enumerate() {
            stated += pairs_among(members.len());
            let mut per_group: HashMap<u32, usize> = HashMap::new();
            for id in members {
                if let Some(&number) = self.numbers.get(&id) {
                    *per_group.entry(self.groups[number as usize]).or_default() += 1;
                }
                if let Some(other) = cluster_of.insert(id.clone(), cluster) {
                    bail!("{id:?} is in cluster {} and in cluster {}", other + 1, cluster + 1);
                }
            }
            right += per_group.into_values().map(pairs_among).sum::<usize>();
        }
        let mut places = vec![None; self.groups.len()];
        for (id, &number) in &self.numbers {
            places[number as usize] = cluster_of.get(id);
        }
        let together = |&&(a, b): &&(u32, u32)| {
            places[a as usize].is_some() && places[a as usize] == places[b as usize]
        };
        let found = self.pairs.iter().filter(together).count();
        Ok(self.result("clusters", found, stated, right))
    }

    fn result(&self, kind: &'static str, found: usize, stated: usize, right: usize) -> ResultScore {
        let truth = self.pairs.len();
        // With nothing to find, recall is 1; with nothing reported, precision is.
        let share = |part, all| if all == 0 { 1.0 } else { part as f64 / all as f64 };
        let (recall, precision) = (share(found, truth), share(right, stated));
        ResultScore { kind, truth, found, stated, right, recall, precision }
    }

    fn number(&mut self, id: String) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(id).or_insert(next)
    }

    /// Joins the documents that true pairs connect.
    fn connect(&mut self) {
        fn root(groups: &mut [u32], mut of: u32) -> u32 {
            while groups[of as usize] != of {
                groups[of as usize] = groups[groups[of as usize] as usize];
                of = groups[of as usize];
            }
            of
        }
        let mut groups: Vec<u32> = (0..self.numbers.len() as u32).collect();
        for &(a, b) in &self.pairs {
            let (a, b) = (root(&mut groups, a), root(&mut groups, b));
            groups[a.max(b) as usize] = a.min(b);
        }
        self.groups = (0..groups.len() as u32).map(|of| root(&mut groups, of)).collect();
    }
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

fn pairs_among(members: usize) -> usize {
    members * members.saturating_sub(1) / 2
}

fn for_each_line(
    input: impl BufRead,
    mut take: impl FnMut(ResultLine) -> Result<()>,
) -> Result<()> {
    for (number, line) in (1..).zip(input.lines()) {
        let context = || format!("cannot use line {number}");
        let line = line.with_context(context)?;
        if !line.trim().is_empty() {
            take(serde_json::from_str(&line).with_context(context)?).with_context(context)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain a-b-c and a pair d-e.
    fn truth() -> TruePairs {
        let lines = "{\"a\":\"a\",\"b\":\"b\",\"score\":0.9}\n{\"a\":\"b\",\"b\":\"c\"}\n{\"a\":\"d\",\"b\":\"e\"}\n";
        TruePairs::read(lines.as_bytes()).expect("three pairs")
    }

    fn score(lines: &str) -> (usize, usize, usize) {
        let score = truth().score(lines.as_bytes()).expect("readable");
        assert_eq!(score.truth, 3);
        (score.found, score.stated, score.right)
    }

    #[test]
    fn pairs_count_once_in_either_order_and_must_be_true() {
        let lines = r#"
            {"a":"b","b":"a","score":0.9}
            {"a":"a","b":"b"}
            {"a":"a","b":"c"}
            {"a":"a","b":"unknown"}
        "#;
        assert_eq!(score(lines), (1, 3, 1));
    }

    #[test]
    fn a_cluster_is_right_where_true_pairs_connect_it() {
        // a-c is not a true pair but connected; x and d are unrelated.
        let lines = r#"
            {"members":["a","b","c","x","d"]}
            {"members":["e"]}
        "#;
        assert_eq!(score(lines), (2, 10, 3));
    }

    #[test]
    fn members_may_carry_other_fields() {
        let lines = r#"{"cluster":1,"members":[{"id":"d","score":1},{"id":"e","score":0.9}]}"#;
        assert_eq!(score(lines), (1, 1, 1));
    }

    #[test]
    fn reporting_nothing_has_recall_0_and_precision_1() {
        let score = truth().score("".as_bytes()).expect("empty");
        assert_eq!((score.recall, score.precision), (0.0, 1.0));
    }

    #[test]
    fn unusable_lines_are_reported() {
        for (lines, part) in [
            ("{\"a\":\"a\"}", "line 1"),
            ("{\"members\":[\"a\"]}\n{\"members\":[\"a\"]}", "\"a\" is in cluster 1"),
            ("{\"members\":[\"a\"]}\n{\"a\":\"a\",\"b\":\"b\"}", "mixes"),
        ] {
            let error = truth().score(lines.as_bytes()).expect_err(lines);
            assert!(format!("{error:#}").contains(part), "{error:#}");
        }
    }
}
