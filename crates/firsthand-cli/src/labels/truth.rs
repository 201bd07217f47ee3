//! From labels as people write them to a truth, and to words about what counts and what does not.

use super::graded::{self, Grade, Graded};
use super::{layout::Layout, texts::Texts};
use crate::eval::report::Labels;
use crate::numbers::{counted, grouped};
use anyhow::{Result, bail};
use firsthand::evaluate::{Label, Truth};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// What is true, and what was made of the labels.
pub(crate) struct Labelled {
    pub(crate) truth: Truth,
    pub(crate) about: Labels,
}

/// Ids that are named in a message.
const NAMED: usize = 3;

/// How the documents are labelled.
enum Labelling {
    /// By a field of their records.
    Field,
    /// By the folder they lie in.
    Folder,
    /// Pair by pair.
    Pairs,
}

/// Works out what is true about the documents.
pub(crate) fn label(layout: &Layout, texts: &Texts) -> Result<Labelled> {
    if texts.documents.is_empty() {
        let named: Vec<String> =
            layout.inputs.iter().map(|input| input.display().to_string()).collect();
        bail!("there is no document in {}: name a collection with labels", named.join(", "));
    }
    let graded = match &layout.pairs {
        Some(pairs) => Some(graded::read(&pairs.path)?),
        None => None,
    };
    let named = layout.pairs.as_ref().is_some_and(|pairs| pairs.named);
    let folders: Vec<Option<String>> =
        texts.paths.iter().map(|path| layout.folder_of(path)).collect();
    let decided = |graded: &Graded| graded.rows.iter().any(|row| row.grade != Grade::Neither);
    let labelling = if texts.documents.iter().any(|document| document.cluster.is_some()) {
        Labelling::Field
    } else {
        match &graded {
            // Somebody who names graded pairs means them, and not the folders.
            Some(graded) if named && decided(graded) => Labelling::Pairs,
            _ if folders.iter().any(Option::is_some) => Labelling::Folder,
            Some(graded) if decided(graded) => Labelling::Pairs,
            Some(graded) if graded.empty > 0 => bail!(
                "no pair is graded yet: write y or n into the column label ({} to go)",
                counted(graded.empty as u64, "pair")
            ),
            _ => bail!(
                "the documents have no labels: give records a field `cluster` (--cluster-field), \
                 put documents into a folder per cluster, or name graded pairs with --pairs"
            ),
        }
    };
    let mut notes = Vec::new();
    let pairs = known_pairs(layout, texts, graded.unwrap_or_default(), &mut notes)?;
    let file = layout.pairs.as_ref().map(|pairs| pairs.path.display().to_string());
    let file = file.unwrap_or_default();
    let labelled = match labelling {
        Labelling::Pairs => by_pairs(texts, &pairs, &file, notes)?,
        Labelling::Field => {
            let clusters = texts.documents.iter().map(|document| document.cluster.as_deref());
            by_clusters(texts, clusters, &pairs, ("the same cluster", &file), notes)?
        }
        Labelling::Folder => {
            notes.extend(empty_folders(layout, &folders));
            notes.extend(like_sites(&folders));
            let clusters = folders.iter().map(Option::as_deref);
            by_clusters(texts, clusters, &pairs, ("the same folder", &file), notes)?
        }
    };
    Ok(labelled)
}

/// The pairs of which both documents are known, by positions.
fn known_pairs(
    layout: &Layout,
    texts: &Texts,
    graded: Graded,
    notes: &mut Vec<String>,
) -> Result<Vec<(usize, usize, Grade)>> {
    let ids = texts.documents.iter().map(|document| document.id.as_str());
    let places: HashMap<&str, usize> = ids.zip(0..).collect();
    let repeated: HashSet<&str> = texts.repeated.iter().map(String::as_str).collect();
    let (mut known, mut unknown, mut unclear) = (Vec::new(), Vec::new(), Vec::new());
    let all = graded.rows.len();
    for row in graded.rows {
        unclear.extend(
            [&row.a, &row.b].into_iter().filter(|id| repeated.contains(id.as_str())).cloned(),
        );
        match (places.get(row.a.as_str()), places.get(row.b.as_str())) {
            (Some(&a), Some(&b)) => known.push((a, b, row.grade)),
            (None, _) => unknown.push(row.a),
            _ => unknown.push(row.b),
        }
    }
    let Some(file) = layout.pairs.as_ref().map(|pairs| pairs.path.display()) else {
        return Ok(known);
    };
    if !unknown.is_empty() {
        let lost = counted(unknown.len() as u64, "pair");
        let first = names(unknown);
        if known.is_empty() {
            let example = texts.documents.first().map_or("", |document| document.id.as_str());
            bail!(
                "none of the {} graded in {file} names two documents of the collection; not there \
                 are {first}; ids there look like {example:?}",
                counted(all as u64, "pair")
            );
        }
        notes.push(format!("{lost} of {file} left out: not in the collection are {first}"));
    }
    if !unclear.is_empty() {
        notes.push(format!(
            "{file} names ids that several documents have, the first of which is taken to be \
             meant: {} (the others are called ID#2, ID#3, ...)",
            names(unclear)
        ));
    }
    if graded.empty > 0 {
        notes.push(format!("{} of {file} without a grade", counted(graded.empty as u64, "pair")));
    }
    Ok(known)
}

/// The first few of some ids.
fn names(mut ids: Vec<String>) -> String {
    ids.sort_unstable();
    ids.dedup();
    let more = match ids.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    let first: Vec<String> = ids.iter().take(NAMED).map(|id| format!("{id:?}")).collect();
    first.join(", ") + &more
}

fn by_clusters<'a>(
    texts: &Texts,
    clusters: impl Iterator<Item = Option<&'a str>>,
    pairs: &[(usize, usize, Grade)],
    (same, file): (&str, &str),
    mut notes: Vec<String>,
) -> Result<Labelled> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let labels: Vec<Label> = clusters
        .zip(&texts.documents)
        .map(|(cluster, document)| match cluster {
            _ if document.unlabelled => Label::Unknown,
            None => Label::Alone,
            Some(cluster) => {
                let next = numbers.len() as u32;
                Label::Cluster(*numbers.entry(cluster).or_insert(next))
            }
        })
        .collect();
    let neither = pairs.iter().filter(|pair| pair.2 == Grade::Neither);
    let truth = Truth::clusters(&labels, neither.map(|&(a, b, _)| (a, b)));
    let clusters = truth.clusters_first();
    let single = numbers.len() - clusters;
    if truth.positives() == 0 {
        bail!(
            "no two documents have {same} ({} with one document each, {} in all): label \
             near-duplicates as such, with two documents or more in a cluster",
            counted(single as u64, "cluster"),
            counted(truth.counted() as u64, "document")
        );
    }
    if truth.negatives() == 0 {
        bail!(
            "all {} have {same}: without documents that differ there is no telling right from \
             wrong; add other clusters, or documents of their own",
            counted(truth.counted() as u64, "document")
        );
    }
    if single > 0 {
        let (have, it) = if single == 1 { ("has", "it is") } else { ("have", "they are") };
        notes.push(format!(
            "{} {have} one document only: {it} like no other",
            counted(single as u64, "cluster")
        ));
    }
    let against = |grade: Grade, label: bool| {
        let all = pairs.iter().filter(|pair| pair.2 == grade);
        all.filter(|pair| truth.label(pair.0, pair.1) == Some(label)).count() as u64
    };
    for (count, graded) in [
        (against(Grade::Same, false), "near-duplicates but in different clusters"),
        (against(Grade::Different, true), "different but in one cluster"),
    ] {
        if count > 0 {
            let pairs = counted(count, "pair");
            notes.push(format!("{pairs} of {file} graded as {graded}: the clusters count"));
        }
    }
    let mut rule = format!("two documents with {same} are a positive pair");
    if truth.ignored() > 0 {
        let ignored = counted(truth.ignored(), "pair");
        rule += &format!("; {ignored} graded as neither in {file} are ignored");
    }
    rule += "; all others are negative";
    let out = texts.documents.len() - truth.counted();
    if out > 0 {
        rule += &format!("; {} not labelled and take no part", are(out));
    }
    Ok(Labelled { about: about(&truth, rule, notes), truth })
}

fn by_pairs(
    texts: &Texts,
    pairs: &[(usize, usize, Grade)],
    file: &str,
    notes: Vec<String>,
) -> Result<Labelled> {
    let decided = pairs.iter().filter(|pair| pair.2 != Grade::Neither);
    let decided = decided.map(|&(a, b, grade)| (a, b, grade == Grade::Same));
    let truth = Truth::pairs(texts.documents.len(), decided);
    let (positive, negative) = (truth.positives(), truth.negatives());
    if positive == 0 || negative == 0 {
        let missing = if positive == 0 { "near-duplicates (y)" } else { "different (n)" };
        bail!(
            "no pair of {file} is graded as {missing}: both kinds are needed to tell right from \
             wrong ({} graded)",
            counted(positive + negative, "pair")
        );
    }
    let rule = format!(
        "only the pairs graded in {file} count, {} positive and {} negative ones; of all others \
         nothing is known, so figures hold for pairs like these",
        grouped(positive),
        grouped(negative)
    );
    let mut about = about(&truth, rule, notes);
    // What pairs connect is no cluster.
    (about.clusters, about.cluster_sizes) = (0, Vec::new());
    about.ignored_pairs = pairs.iter().filter(|pair| pair.2 == Grade::Neither).count() as u64;
    Ok(Labelled { about, truth })
}

fn about(truth: &Truth, rule: String, notes: Vec<String>) -> Labels {
    let clusters = truth.clusters_first();
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for &size in &truth.sizes()[..clusters] {
        *sizes.entry(size as usize).or_default() += 1;
    }
    Labels {
        inputs: Vec::new(),
        documents: truth.documents(),
        counted: truth.counted(),
        clusters,
        positive_pairs: truth.positives(),
        ignored_pairs: truth.ignored(),
        rule,
        cluster_sizes: sizes.into_iter().collect(),
        notes,
    }
}

fn are(documents: usize) -> String {
    let are = if documents == 1 { "is" } else { "are" };
    format!("{} {are}", counted(documents as u64, "document"))
}

/// Folders that are named like hosts: those of a mirror rather than clusters.
fn like_sites(folders: &[Option<String>]) -> Option<String> {
    let last = |path: &String| Path::new(path).file_name()?.to_str().map(str::to_owned);
    let names: HashSet<String> = folders.iter().flatten().filter_map(last).collect();
    let is_host = |name: &&String| {
        let last = name.rsplit_once('.').map_or("", |(_, last)| last);
        last.len() > 1
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
            && last.bytes().all(|b| b.is_ascii_alphabetic())
    };
    let hosts = names.iter().filter(is_host).count();
    (2 * hosts > names.len()).then(|| {
        "each folder is taken for a cluster, but their names look like sites: name labels of \
         another kind (a field `cluster`, or --pairs) if they are"
            .to_owned()
    })
}

/// Folders without a document.
fn empty_folders(layout: &Layout, folders: &[Option<String>]) -> Option<String> {
    let full: HashSet<&str> = folders.iter().flatten().map(String::as_str).collect();
    let empty: Vec<String> =
        layout.folders().into_iter().filter(|folder| !full.contains(folder.as_str())).collect();
    let count = counted(empty.len() as u64, "folder");
    (!empty.is_empty()).then(|| format!("{count} without a document: {}", names(empty)))
}
