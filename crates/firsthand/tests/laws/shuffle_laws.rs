//! A collection that is spread over many machines has the pairs and clusters of one that is not.

use firsthand::{
    Detector, Document, Features, Settings, Templates,
    collections::{Collection, Signed, group},
    matcher::Sides,
    pages::SignedPage,
    settings::{Bands, Confirm, Matcher, Measure, Original, Scheme, Threshold},
    shuffle::{
        self, ClassFilter, Entry, Frequent, Meeting, Stars, candidates, meet, meet_part, rank,
    },
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Documents of a few words each, many of them nearly or entirely the same.
fn documents() -> impl Strategy<Value = Vec<Document>> {
    let words = prop::collection::vec(0u8..12, 0..9);
    let document = (words, prop::option::of(0i64..4));
    prop::collection::vec(document, 2..40).prop_map(|documents| {
        let documents = documents.into_iter().enumerate();
        let document = |(at, (words, time)): (usize, (Vec<u8>, _))| {
            let text: Vec<String> = words.iter().map(|word| format!("word{word}")).collect();
            Document { time, ..Document::new(format!("{at:02}"), text.join(" ")) }
        };
        documents.map(document).collect()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let matchers = prop_oneof![
        3 => Just(None),
        1 => Just(Some(Matcher::Bands(Bands { bands: Some(6), rows: Some(2), ..Bands::default() }))),
    ];
    let measures = prop::sample::select(Measure::ALL.to_vec());
    let originals = prop::sample::select(vec![
        Original::Earliest,
        Original::Latest,
        Original::Longest,
        Original::First,
    ]);
    let confirms = prop::option::of(4u64..10);
    (matchers, measures, originals, 5u64..=100, 0usize..4, any::<bool>(), confirms).prop_map(
        |(matcher, measure, original, percent, min_features, multiset, confirm)| Settings {
            scheme: Scheme::Words { n: 1 },
            matcher,
            measure,
            original: Some(original),
            threshold: Threshold::new(percent, 100).unwrap(),
            min_features,
            multiset,
            confirm: confirm
                .map(|tenths| Confirm { bits: 64, threshold: Threshold::new(tenths, 10).unwrap() }),
            ..Settings::default()
        },
    )
}

/// How the work is divided, which must not matter.
#[derive(Clone, Copy, Debug)]
struct Division {
    tasks: usize,
    ranges: u32,
    most: usize,
    sampled: usize,
}

fn divisions() -> impl Strategy<Value = Division> {
    (prop::sample::select(vec![1, 3, 17]), 1u32..6, 1usize..8, 0usize..30)
        .prop_map(|(tasks, ranges, most, sampled)| Division { tasks, ranges, most, sampled })
}

/// The verified pairs of classes, found as an engine would.
fn edges(
    detector: &Detector,
    signed: &[(Features, Sides)],
    division: Division,
) -> BTreeMap<(u128, u128), f64> {
    let settings = detector.settings();
    let sample = signed.iter().take(division.sampled).map(|(features, _)| features.clone());
    let frequent = Frequent::from_bytes(&Frequent::learn(sample).to_bytes());
    // Tasks write what they have, range by range.
    let mut of_ranges: HashMap<u32, Vec<u8>> = HashMap::new();
    for task in 0..division.tasks {
        for (features, sides) in signed.iter().skip(task).step_by(division.tasks) {
            for entry in shuffle::entries(detector, features, *sides, &frequent).unwrap() {
                entry.write(of_ranges.entry(entry.range(division.ranges)).or_default());
            }
        }
    }
    let (mut met, mut parts) = (Vec::<u8>::new(), Vec::new());
    let mut write = |found: Vec<Meeting>| found.iter().for_each(|found| found.write(&mut met));
    for bytes in of_ranges.values() {
        let mut entries: Vec<Entry> = Entry::read_all(bytes).collect();
        let mut cut = |part| parts.push(part);
        meet(&mut entries, settings, division.most, &mut write, &mut cut);
    }
    for part in &parts {
        assert!(part.entries.len() <= 2 * division.most);
        meet_part(part, settings, &mut write);
    }
    let mut meetings: HashMap<u32, Vec<Meeting>> = HashMap::new();
    for met in Meeting::read_all(&met) {
        meetings.entry(met.range(division.ranges)).or_default().push(met);
    }
    let found: Vec<(u64, u64)> =
        meetings.values_mut().flat_map(|met| candidates(met).collect::<Vec<_>>()).collect();
    let mut filter = ClassFilter::for_count(2 * found.len() as u64);
    found.iter().for_each(|&(a, b)| [a, b].into_iter().for_each(|class| filter.add(class)));
    let mut sets: HashMap<u64, (u128, &Features)> = HashMap::new();
    for (features, _) in signed {
        if let Some(class) =
            shuffle::class(detector, features).filter(|&c| filter.contains(c as u64))
        {
            sets.insert(class as u64, (class, features));
        }
    }
    let verified = found.into_iter().filter_map(|(a, b)| {
        let ((a, x), (b, y)) = (sets[&a], sets[&b]);
        let score = shuffle::verify(detector, x, y).unwrap()?;
        Some(((a.min(b), a.max(b)), score))
    });
    verified.collect()
}

type Score = Option<u64>;

/// The similarity of each pair, by bits, whose classes are known.
fn listed(
    classes: &[Option<u128>],
    edges: &BTreeMap<(u128, u128), f64>,
    split: Option<usize>,
) -> BTreeMap<(usize, usize), Score> {
    let mut pairs = BTreeMap::new();
    for b in 0..classes.len() {
        for a in 0..b {
            let (Some(x), Some(y)) = (classes[a], classes[b]) else { continue };
            let score = if x == y { Some(&1.0) } else { edges.get(&(x.min(y), x.max(y))) };
            let is_wanted = split.is_none_or(|split| a < split && split <= b);
            if let Some(score) = score.filter(|_| is_wanted) {
                pairs.insert((a, b), Some(score.to_bits()));
            }
        }
    }
    pairs
}

/// The original of each class, by the rule of stars in one pass.
fn owners(
    settings: &Settings,
    documents: &[Document],
    signed: &[(Features, Sides)],
    classes: &[Option<u128>],
    edges: &BTreeMap<(u128, u128), f64>,
) -> BTreeMap<String, BTreeSet<String>> {
    let place = |at: usize| {
        let (document, (features, _)) = (&documents[at], &signed[at]);
        let order = (at as u64).to_be_bytes();
        let rank = rank(settings, document.time, features.text_length(), &order);
        (rank, document.id.clone())
    };
    let mut heads: HashMap<u128, (Vec<u8>, String)> = HashMap::new();
    for (at, class) in classes.iter().enumerate() {
        if let Some(class) = class {
            let head = heads.entry(*class).or_insert_with(|| place(at));
            *head = head.clone().min(place(at));
        }
    }
    let mut later: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (&(a, b), &score) in edges {
        let (a, b) = if heads[&a] < heads[&b] { (a, b) } else { (b, a) };
        later.entry((&heads[&b], b)).or_default().push((&heads[&a], a, score));
    }
    let mut stars = Stars::default();
    let mut owner: HashMap<u128, u128> = HashMap::new();
    for ((_, class), mut near) in later {
        near.sort_unstable_by_key(|(head, ..)| *head);
        let near = near.into_iter().map(|(_, class, score)| (class, score));
        if let Some((original, _)) = stars.join(class, near) {
            owner.insert(class, original);
        }
    }
    let mut clusters: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (at, class) in classes.iter().enumerate() {
        if let Some(class) = class {
            let original = &heads[owner.get(class).unwrap_or(class)].1;
            clusters.entry(original.clone()).or_default().insert(documents[at].id.clone());
        }
    }
    clusters.retain(|_, members| members.len() > 1);
    clusters
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn pairs_and_stars_are_those_of_one_machine(
        documents in documents(),
        settings in settings(),
        division in divisions(),
        split in prop::option::of(1usize..20),
    ) {
        let detector = Detector::new(settings).unwrap();
        let settings = detector.settings();
        shuffle::check(settings).unwrap();
        let split = split.filter(|split| *split < documents.len());
        let signed: Vec<(Features, Sides)> = documents.iter().enumerate().map(|(at, document)| {
            let side = |is_old| split.is_none_or(|split| (at < split) == is_old);
            (detector.sign(document), Sides { old: side(true), new: side(false) })
        }).collect();
        let classes: Vec<Option<u128>> =
            signed.iter().map(|(features, _)| shuffle::class(&detector, features)).collect();
        let edges = edges(&detector, &signed, division);

        let sign = |part: &[Document]| Signed::new(&detector, [part.to_vec()].into_iter(), |batch| batch);
        let collection = match split {
            Some(split) => Collection::against(sign(&documents[..split]), sign(&documents[split..])).unwrap(),
            None => Collection::new(sign(&documents)),
        };
        let (pairs, _) = collection.matches().unwrap();
        let expected: BTreeMap<(usize, usize), Score> =
            pairs.iter().map(|pair| ((pair.a, pair.b), Some(pair.score.to_bits()))).collect();
        prop_assert_eq!(listed(&classes, &edges, split), expected);

        if split.is_none() {
            let expected: BTreeMap<String, BTreeSet<String>> = group(&collection, &pairs).iter().map(|cluster| {
                let id = |at: usize| documents[at].id.clone();
                let members = cluster.members.iter().map(|member| id(member.document));
                (id(cluster.original), members.collect())
            }).collect();
            let found = owners(settings, &documents, &signed, &classes, &edges);
            prop_assert_eq!(found, expected);
        }
    }

    /// Texts that were published on several sites keep what is furniture on one of them only.
    #[test]
    fn pages_are_those_of_one_machine(
        stories in prop::collection::vec((prop::option::of(0u8..3), 0u8..4, 0u8..3), 2..12),
    ) {
        let detector = Detector::new(Settings { min_features: 1, ..Settings::default() }).unwrap();
        let documents: Vec<Document> = stories.iter().enumerate().map(|(at, (site, story, frame))| {
            let frame = format!("Welcome to the pages of site number {frame} and to its news");
            let story = format!("The story of the {story} ship that was lost at the coast {}", story * 7);
            let host = site.map(|site| format!("site{site}.example"));
            Document { host, ..Document::new(at.to_string(), format!("{frame}\n{story}")) }
        }).collect();
        let pages: Vec<SignedPage> = documents.iter().map(|page| detector.sign_page(page)).collect();
        let site = |page: &SignedPage| page.page().map(|page| page.site().to_owned());
        let text = |at: usize| detector.sign(&documents[at]).fingerprint();
        let mut sites: HashMap<u128, BTreeSet<Option<String>>> = HashMap::new();
        for (at, page) in pages.iter().enumerate() {
            sites.entry(text(at).unwrap()).or_default().insert(site(page));
        }
        let templates = Templates::learn(&pages);
        let batches = [documents.clone()].into_iter();
        let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
        // Of texts that are equal once furniture is set aside, the first lends all its features.
        let mut first: HashMap<u128, Vec<u64>> = HashMap::new();
        for (at, page) in pages.iter().enumerate() {
            let sites = &sites[&text(at).unwrap()];
            let several: Vec<Option<&str>> = sites.iter().map(Option::as_deref).collect();
            let several = if several.len() > 1 { several } else { Vec::new() };
            let features = shuffle::apply(&detector, &templates, page, &several);
            let lent = first.entry(features.fingerprint().unwrap());
            let set = lent.or_insert_with(|| features.hashes().to_vec());
            prop_assert_eq!(&**set, collection.features_of(at));
        }
    }
}
