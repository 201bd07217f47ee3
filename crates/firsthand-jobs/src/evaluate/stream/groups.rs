//! Verdicts by kind of page and by site.

use super::report::{StreamGroup, StreamGroups};
use crate::evaluate::evidence::PageGroups;
use firsthand::evaluate::PageKind;
use firsthand::evaluate::online::{Run, Tally, VerdictOutcome, figures};

/// The most sites in a report.
const LISTED: usize = 100;

/// The outcomes of all orders together, group by group.
pub(super) fn groups(runs: &[Run], pages: &PageGroups) -> StreamGroups {
    let by_kind = tallies(runs, PageKind::ALL.len(), |at| pages.kind(at).map(|kind| kind as usize));
    let by_kind = PageKind::ALL.into_iter().zip(by_kind).filter(|(_, tally)| is_counted(tally));
    let by_site = tallies(runs, pages.names().len(), |at| pages.site(at));
    let by_site = pages.names().iter().cloned().zip(by_site);
    let is_wrong = |tally: &Tally| tally.suppressed + tally.wrong_links + tally.missed > 0;
    let mut by_site: Vec<StreamGroup<String>> = by_site
        .filter(|(_, tally)| is_wrong(tally))
        .map(|(name, tally)| group(name, tally))
        .collect();
    by_site.sort_by(|a, b| {
        let lost = b.counts.suppressed.cmp(&a.counts.suppressed);
        lost.then(a.figures.f1.total_cmp(&b.figures.f1)).then_with(|| a.name.cmp(&b.name))
    });
    by_site.truncate(LISTED);
    StreamGroups { by_kind: by_kind.map(|(kind, tally)| group(kind, tally)).collect(), by_site }
}

fn tallies(runs: &[Run], groups: usize, group: impl Fn(usize) -> Option<usize>) -> Vec<Tally> {
    let mut outcomes: Vec<Vec<(VerdictOutcome, u64)>> = vec![Vec::new(); groups];
    for (at, outcome) in runs.iter().flat_map(|run| run.outcomes.iter().enumerate()) {
        if let (Some(group), Some(outcome)) = (group(at), outcome) {
            outcomes[group].push((*outcome, 1));
        }
    }
    outcomes.into_iter().map(Tally::new).collect()
}

fn is_counted(tally: &Tally) -> bool {
    *tally != Tally::default()
}

fn group<N>(name: N, counts: Tally) -> StreamGroup<N> {
    StreamGroup { name, figures: figures(&counts), counts }
}
