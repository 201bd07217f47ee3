//! Suppressed originals, and the quality of pairs, by kind of page and by site: a method that is right
//! on nearly all documents may still be wrong on a whole site.

use firsthand::Document;
use firsthand::collections::{Cluster, Pairs};
use firsthand::evaluate::{Counts, Fate, PageKind, Suppressed, Truth, fates, page_kinds};
use serde::Serialize;
use std::collections::HashMap;

/// The most sites in a report, and the most suppressed originals.
const LISTED: usize = 100;

/// The originals that a method loses, and where.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuppressedOriginals {
    /// Among all labelled documents.
    #[serde(flatten)]
    pub all: Suppressed,
    /// By kind of page; kinds without documents are left out.
    pub by_kind: Vec<GroupQuality<PageKind>>,
    /// The sites on which the method is wrong, those that lose most originals first; at most 100.
    pub by_site: Vec<GroupQuality<String>>,
    /// The number of sites, and of those that lose an original.
    pub sites: SiteCounts,
    /// The suppressed originals, in the order of the input; at most 100.
    pub originals: Vec<SuppressedOriginal>,
}

/// How many sites there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SiteCounts {
    /// Sites with labelled documents.
    pub all: usize,
    /// Sites that lose an original.
    pub losing: usize,
}

/// A document of whose story nothing is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuppressedOriginal {
    /// Its id.
    pub id: String,
    /// The id of the document that is kept in its place.
    pub original: String,
    /// Its site, if it has one.
    pub site: Option<String>,
    /// Its kind.
    pub kind: PageKind,
}

/// The quality of a method on some of the documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupQuality<N> {
    /// The kind of page, or the site.
    pub name: N,
    /// The share of stated pairs that are positive. A pair counts where one of its documents is of
    /// the group.
    pub precision: f64,
    /// The share of positive pairs that are stated.
    pub recall: f64,
    /// F1.
    pub f1: f64,
    /// Positive pairs.
    pub positive_pairs: u64,
    /// Suppressed originals.
    #[serde(flatten)]
    pub suppressed: Suppressed,
}

/// The kind and the site of every document.
pub(super) struct PageGroups {
    kinds: Vec<PageKind>,
    /// By number; `None` without a site.
    sites: Vec<Option<u32>>,
    names: Vec<String>,
}

impl PageGroups {
    /// Looks at all documents.
    pub(super) fn new(documents: &[Document]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut names = Vec::new();
        let mut number = |site| {
            *numbers.entry(site).or_insert_with(|| {
                names.push(site.to_owned());
                names.len() as u32 - 1
            })
        };
        let sites = documents.iter().map(|one| one.site().map(&mut number)).collect();
        Self { kinds: page_kinds(documents), sites, names }
    }

    /// The kind of the document at a position.
    pub(super) fn kind(&self, at: usize) -> Option<PageKind> {
        self.kinds.get(at).copied()
    }

    /// The site of the document at a position, by number.
    pub(super) fn site(&self, at: usize) -> Option<usize> {
        self.sites.get(at).copied().flatten().map(|site| site as usize)
    }

    /// The names of the sites.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// What a method loses.
    pub(super) fn suppressed(
        &self,
        truth: &Truth,
        pairs: &Pairs,
        clusters: &[Cluster],
        documents: &[Document],
    ) -> SuppressedOriginals {
        let fates = fates(truth, clusters);
        let kind = |at: usize| self.kind(at).map(|kind| kind as usize);
        let by_kind = qualities(truth, pairs, &fates, PageKind::ALL.len(), kind);
        let by_kind = PageKind::ALL.into_iter().zip(by_kind);
        let by_site = qualities(truth, pairs, &fates, self.names.len(), |at| self.site(at));
        let mut by_site: Vec<GroupQuality<String>> = (self.names.iter().cloned().zip(by_site))
            .filter(|(_, group)| group.suppressed.documents > 0)
            .map(|(name, group)| group.named(name))
            .collect();
        let lost = |group: &GroupQuality<String>| group.suppressed.originals;
        let losing = by_site.iter().filter(|group| lost(group) > 0).count();
        let sites = SiteCounts { all: by_site.len(), losing };
        by_site.retain(|group| lost(group) > 0 || group.f1 < 1.0);
        by_site.sort_by(|a, b| {
            lost(b).cmp(&lost(a)).then(a.f1.total_cmp(&b.f1)).then_with(|| a.name.cmp(&b.name))
        });
        by_site.truncate(LISTED);
        let id = |at: usize| documents[at].id.clone();
        let originals = fates.iter().enumerate().filter_map(|(at, fate)| match *fate {
            Some(Fate::Suppressed { original }) => Some(SuppressedOriginal {
                id: id(at),
                original: id(original),
                site: self.site(at).map(|site| self.names[site].clone()),
                kind: self.kinds[at],
            }),
            _ => None,
        });
        SuppressedOriginals {
            all: Suppressed::new(fates.iter().copied().flatten()),
            by_kind: by_kind
                .filter(|(_, group)| group.suppressed.documents > 0)
                .map(|(kind, group)| group.named(kind))
                .collect(),
            by_site,
            sites,
            originals: originals.take(LISTED).collect(),
        }
    }
}

impl GroupQuality<()> {
    fn named<N>(self, name: N) -> GroupQuality<N> {
        let Self { name: (), precision, recall, f1, positive_pairs, suppressed } = self;
        GroupQuality { name, precision, recall, f1, positive_pairs, suppressed }
    }
}

/// The quality on each of several groups.
fn qualities(
    truth: &Truth,
    pairs: &Pairs,
    fates: &[Option<Fate>],
    groups: usize,
    group: impl Fn(usize) -> Option<usize>,
) -> Vec<GroupQuality<()>> {
    let mut counts = vec![Counts::default(); groups];
    let mut each = |a: usize, b: usize, add: &dyn Fn(&mut Counts)| {
        let (a, b) = (group(a), group(b));
        let other = b.filter(|_| a != b);
        a.into_iter().chain(other).for_each(|group| add(&mut counts[group]));
    };
    for pair in pairs.iter_capped() {
        if let Some(is_positive) = truth.label(pair.a, pair.b) {
            each(pair.a, pair.b, &|counts| {
                counts.stated += 1;
                counts.hits += u64::from(is_positive);
            });
        }
    }
    for (a, b) in truth.positive_pairs() {
        each(a, b, &|counts| counts.positives += 1);
    }
    let mut members: Vec<Vec<Fate>> = vec![Vec::new(); groups];
    for (at, fate) in fates.iter().enumerate() {
        if let (Some(group), Some(fate)) = (group(at), fate) {
            members[group].push(*fate);
        }
    }
    let quality = |(counts, fates): (Counts, Vec<Fate>)| GroupQuality {
        name: (),
        precision: counts.precision(),
        recall: counts.recall(),
        f1: counts.f1(),
        positive_pairs: counts.positives,
        suppressed: Suppressed::new(fates),
    };
    counts.into_iter().zip(members).map(quality).collect()
}
