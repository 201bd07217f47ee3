//! Lists of clusters: in one of a few orders, filtered, a page at a time after a cluster.

use super::index::{ClusterRow, Index};
use super::standing::{Standing, State};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// The most members first.
    #[default]
    Size,
    /// The latest member first.
    Newest,
    /// The lowest similarity first.
    LeastCertain,
    /// The most sources first.
    Sources,
}

/// The orders, each a list of rows, and where each row is in it.
#[derive(Debug, Default)]
pub(super) struct Orders([(Vec<u32>, Vec<u32>); 4]);

impl Orders {
    pub(super) fn new(rows: &[ClusterRow]) -> Self {
        let order = |key: &dyn Fn(&ClusterRow) -> (i64, i64)| {
            let mut order: Vec<u32> = (0..rows.len() as u32).collect();
            order.sort_by_cached_key(|at| (key(&rows[*at as usize]), *at));
            let mut places = vec![0; order.len()];
            for (place, at) in order.iter().enumerate() {
                places[*at as usize] = place as u32;
            }
            (order, places)
        };
        let size = |row: &ClusterRow| (-i64::from(row.size), 0);
        let newest = |row: &ClusterRow| {
            let Reverse(last) = Reverse(row.span.map_or(i64::MIN + 1, |(_, last)| last));
            (last.saturating_neg(), 0)
        };
        let certain = |row: &ClusterRow| ((row.lowest * 1e12) as i64, -i64::from(row.size));
        let sources = |row: &ClusterRow| (-i64::from(row.sources), -i64::from(row.size));
        Self([order(&size), order(&newest), order(&certain), order(&sources)])
    }

    fn of(&self, sort: Sort) -> &(Vec<u32>, Vec<u32>) {
        match sort {
            Sort::Size => &self.0[0],
            Sort::Newest => &self.0[1],
            Sort::LeastCertain => &self.0[2],
            Sort::Sources => &self.0[3],
        }
    }
}

/// Which clusters are listed, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Query {
    /// The order.
    pub sort: Sort,
    /// Words that a title, id, URL or source has to contain.
    pub text: String,
    /// A source that a member has to have.
    pub source: String,
    /// A tag that a member has to have.
    pub tag: String,
    /// The review state.
    pub state: Option<State>,
    /// The least number of members.
    pub min_size: Option<u32>,
    /// The most members.
    pub max_size: Option<u32>,
    /// The highest lowest score.
    pub max_score: Option<f64>,
    /// The time that a member has to be at or after, in milliseconds since 1970.
    pub from: Option<i64>,
    /// The time that a member has to be before.
    pub to: Option<i64>,
    /// The number of the cluster that the page comes after.
    pub after: Option<u32>,
    /// The most clusters of a page.
    pub limit: Option<usize>,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The clusters.
    pub rows: Vec<ClusterRow>,
    /// The number of clusters that match.
    pub total: usize,
    /// How many of them come before this page.
    pub before: usize,
    /// The cluster that the next page comes after, if there is one.
    pub next: Option<u32>,
}

/// The clusters of a page, unless a query says otherwise.
const PAGE: usize = 50;
/// The most that it may say.
const MOST: usize = 500;

impl Index {
    pub(super) fn list(&self, query: &Query, standing: &Standing) -> Listing {
        let (order, places) = self.orders.of(query.sort);
        let after = query.after.and_then(|number| self.position(number));
        let start = after.map_or(0, |at| places[at] as usize + 1);
        let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
        let filter = Filter::new(query, standing);
        let (mut rows, mut total, mut before, mut next) = (Vec::new(), 0, 0, None);
        for (place, at) in order.iter().enumerate() {
            let row = &self.rows[*at as usize];
            if !filter.takes(*at, row) {
                continue;
            }
            total += 1;
            if place < start {
                before += 1;
            } else if rows.len() < limit {
                rows.push(row.clone());
            } else if next.is_none() {
                next = rows.last().map(|row: &ClusterRow| row.number);
            }
        }
        Listing { rows, total, before, next }
    }

    pub(super) fn beside(
        &self,
        query: &Query,
        standing: &Standing,
        number: u32,
    ) -> (Option<u32>, Option<u32>) {
        let Some(at) = self.position(number) else { return (None, None) };
        let (order, places) = self.orders.of(query.sort);
        let place = places[at] as usize;
        let filter = Filter::new(query, standing);
        let takes = |at: &&u32| filter.takes(**at, &self.rows[**at as usize]);
        let number = |at: &u32| self.rows[*at as usize].number;
        let before = order[..place].iter().rev().find(takes).map(number);
        (before, order[place + 1..].iter().find(takes).map(number))
    }

    pub(super) fn position(&self, number: u32) -> Option<usize> {
        let at = self.rows.partition_point(|row| row.number < number);
        (self.rows.get(at)?.number == number).then_some(at)
    }
}

/// A query made ready for many rows.
struct Filter<'a> {
    query: &'a Query,
    standing: &'a Standing,
    words: Vec<String>,
}

impl<'a> Filter<'a> {
    fn new(query: &'a Query, standing: &'a Standing) -> Self {
        let words = query.text.to_lowercase().split_whitespace().map(str::to_owned).collect();
        Self { query, standing, words }
    }

    fn takes(&self, at: u32, row: &ClusterRow) -> bool {
        let Query { source, tag, state, min_size, max_size, max_score, from, to, .. } = self.query;
        min_size.is_none_or(|least| row.size >= least)
            && max_size.is_none_or(|most| row.size <= most)
            && max_score.is_none_or(|most| row.lowest <= most)
            && from.is_none_or(|from| row.span.is_some_and(|(_, last)| last >= from))
            && to.is_none_or(|to| row.span.is_some_and(|(first, _)| first < to))
            && (source.is_empty() || row.source_names.iter().any(|name| name == source))
            && state.is_none_or(|state| self.standing.state(at) == state)
            && (tag.is_empty() || self.standing.has_tag(at, tag))
            && self.words.iter().all(|word| row.searched.contains(word))
    }
}
