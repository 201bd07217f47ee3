//! The ground truth from labels as people write them, and what was made of the labels in words.

use super::documents::LabelledDocuments;
use super::graded::{self, Grade, GradedPairs};
use super::layout::Layout;
use super::summary::LabelSummary;
use crate::error::LabelError;
use crate::numbers::{counted, grouped};
use firsthand::evaluate::{Label, Truth};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The ground truth, and a summary of the labels it follows from.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Which pairs are near-duplicates.
    pub truth: Truth,
    /// What was labelled, and how the labels are read.
    pub summary: LabelSummary,
    /// Inputs that could not be read.
    pub unreadable: usize,
}

/// The most ids named in a message.
const NAMED: usize = 3;

/// Works out the ground truth about the documents.
pub(super) fn label(layout: &Layout, documents: &LabelledDocuments) -> Result<Labels, LabelError> {
    if documents.documents.is_empty() {
        let inputs = layout.inputs.iter().map(|input| input.display().to_string()).collect();
        return Err(LabelError::NoDocuments { inputs });
    }
    let graded = match &layout.graded {
        Some(graded) => graded::read(&graded.path)?,
        None => GradedPairs::default(),
    };
    let named = layout.graded.as_ref().is_some_and(|graded| graded.named);
    // Whoever names pairs to grade does not mean folders or fields.
    if named && graded.pairs.is_empty() && graded.ungraded > 0 {
        return Err(LabelError::NotGraded { pairs: graded.ungraded });
    }
    let decided = graded.pairs.iter().any(|pair| pair.grade != Grade::Neither);
    let folders: Vec<Option<String>> =
        documents.paths.iter().map(|path| layout.folder_of(path)).collect();
    let fields = || documents.documents.iter().map(|document| document.cluster.as_deref());
    // Graded pairs that the caller names take precedence over folders.
    let (clusters, same): (Option<Vec<_>>, _) = if fields().any(|cluster| cluster.is_some()) {
        (Some(fields().collect()), "the same cluster")
    } else if !(named && decided) && folders.iter().any(Option::is_some) {
        (Some(folders.iter().map(Option::as_deref).collect()), "the same folder")
    } else if decided {
        (None, "")
    } else if graded.ungraded > 0 {
        return Err(LabelError::NotGraded { pairs: graded.ungraded });
    } else {
        return Err(LabelError::NoLabels);
    };
    let file = graded.file.clone();
    let mut notes = Vec::new();
    let pairs = known_pairs(documents, graded, &mut notes)?;
    let unreadable = documents.unread.unreadable.count;
    let Some(clusters) = clusters else {
        let (truth, rule) = by_pairs(documents, &pairs, file)?;
        let mut summary = LabelSummary::new(&truth, layout.named.clone(), rule, notes);
        // Documents that graded pairs connect are not a cluster.
        (summary.clusters, summary.cluster_sizes) = (0, Vec::new());
        let ignored = pairs.iter().filter(|pair| pair.2 == Grade::Neither);
        summary.ignored_pairs = ignored.count() as u64;
        return Ok(Labels { truth, summary, unreadable });
    };
    if same == "the same folder" {
        notes.extend(empty_folders(layout, &folders));
        notes.extend(folders_like_sites(&folders));
    }
    let (truth, rule) = by_clusters(documents, &clusters, &pairs, (same, &file), &mut notes)?;
    let summary = LabelSummary::new(&truth, layout.named.clone(), rule, notes);
    Ok(Labels { truth, summary, unreadable })
}

/// The graded pairs of which both documents are in the collection, by position.
fn known_pairs(
    documents: &LabelledDocuments,
    graded: GradedPairs,
    notes: &mut Vec<String>,
) -> Result<Vec<(usize, usize, Grade)>, LabelError> {
    let GradedPairs { file, pairs, ungraded } = graded;
    let ids = documents.documents.iter().map(|document| document.id.as_str());
    let places: HashMap<&str, usize> = ids.zip(0..).collect();
    let repeated: HashSet<&str> = documents.repeated_ids.iter().map(String::as_str).collect();
    let (mut known, mut unknown, mut ambiguous) = (Vec::new(), Vec::new(), Vec::new());
    let all = pairs.len();
    for pair in pairs {
        ambiguous.extend(
            [&pair.a, &pair.b].into_iter().filter(|id| repeated.contains(id.as_str())).cloned(),
        );
        match (places.get(pair.a.as_str()), places.get(pair.b.as_str())) {
            (Some(&a), Some(&b)) => known.push((a, b, pair.grade)),
            (None, _) => unknown.push(pair.a),
            _ => unknown.push(pair.b),
        }
    }
    if !unknown.is_empty() {
        let lost = counted(unknown.len() as u64, "pair");
        let unknown = first_ids(unknown);
        if known.is_empty() {
            let example = documents.documents.first().map(|document| document.id.clone());
            let example = example.unwrap_or_default();
            return Err(LabelError::UnknownIds { pairs: all, file, unknown, example });
        }
        notes.push(format!("{lost} of {file} left out: not in the collection are {unknown}"));
    }
    if !ambiguous.is_empty() {
        notes.push(format!(
            "{file} names ids that several documents have; the first document with the id is used: \
             {} (the others are called ID#2, ID#3, ...)",
            first_ids(ambiguous)
        ));
    }
    if ungraded > 0 {
        notes.push(format!("{} of {file} without a grade", counted(ungraded as u64, "pair")));
    }
    Ok(known)
}

/// The first few of some ids.
fn first_ids(mut ids: Vec<String>) -> String {
    ids.sort_unstable();
    ids.dedup();
    let more = match ids.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    let first: Vec<String> = ids.iter().take(NAMED).map(|id| format!("{id:?}")).collect();
    first.join(", ") + &more
}

fn by_clusters(
    documents: &LabelledDocuments,
    clusters: &[Option<&str>],
    pairs: &[(usize, usize, Grade)],
    (same, file): (&'static str, &str),
    notes: &mut Vec<String>,
) -> Result<(Truth, String), LabelError> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let labels: Vec<Label> = clusters
        .iter()
        .zip(&documents.documents)
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
    let single = numbers.len() - truth.clusters_first();
    if truth.positives() == 0 {
        let documents = truth.counted();
        return Err(LabelError::NoPositivePairs { same, clusters: single, documents });
    }
    if truth.negatives() == 0 {
        return Err(LabelError::NoNegativePairs { same, documents: truth.counted() });
    }
    if single > 0 {
        let (have, it) = if single == 1 { ("has", "it is a") } else { ("have", "these are") };
        let s = if single == 1 { "" } else { "s" };
        notes.push(format!(
            "{} {have} one document only: {it} duplicate{s} of nothing",
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
            notes.push(format!("{pairs} of {file} graded as {graded}: the clusters decide"));
        }
    }
    let mut rule = format!("two documents with {same} are a positive pair");
    if truth.ignored() > 0 {
        let ignored = counted(truth.ignored(), "pair");
        rule += &format!("; {ignored} graded as neither in {file} are ignored");
    }
    rule += "; all others are negative";
    let out = documents.documents.len() - truth.counted();
    if out > 0 {
        let are = if out == 1 { "is" } else { "are" };
        let documents = counted(out as u64, "document");
        rule += &format!("; {documents} {are} not labelled and not scored");
    }
    Ok((truth, rule))
}

fn by_pairs(
    documents: &LabelledDocuments,
    pairs: &[(usize, usize, Grade)],
    file: String,
) -> Result<(Truth, String), LabelError> {
    let decided = pairs.iter().filter(|pair| pair.2 != Grade::Neither);
    let decided = decided.map(|&(a, b, grade)| (a, b, grade == Grade::Same));
    let truth = Truth::pairs(documents.documents.len(), decided);
    let (positive, negative) = (truth.positives(), truth.negatives());
    if positive == 0 || negative == 0 {
        let missing = if positive == 0 { "near-duplicates (y)" } else { "different (n)" };
        return Err(LabelError::OneGradeOnly { file, missing, graded: positive + negative });
    }
    let neither = match pairs.iter().filter(|pair| pair.2 == Grade::Neither).count() {
        0 => String::new(),
        some => format!(", not the {} that are neither", grouped(some as u64)),
    };
    let rule = format!(
        "only the pairs graded in {file} count, {} positive and {} negative ones{neither}; nothing \
         is known about any other pair, so the figures hold for pairs like these",
        grouped(positive),
        grouped(negative)
    );
    Ok((truth, rule))
}

/// Warns of folders whose names look like hosts: those of a mirror rather than clusters.
fn folders_like_sites(folders: &[Option<String>]) -> Option<String> {
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
        "each folder is taken for a cluster, but the names look like those of sites; if they are \
         sites, use labels of another kind (a field `cluster`, or graded pairs)"
            .to_owned()
    })
}

/// Warns of folders without a document.
fn empty_folders(layout: &Layout, folders: &[Option<String>]) -> Option<String> {
    let full: HashSet<&str> = folders.iter().flatten().map(String::as_str).collect();
    let empty: Vec<String> =
        layout.folders().into_iter().filter(|folder| !full.contains(folder.as_str())).collect();
    let count = counted(empty.len() as u64, "folder");
    (!empty.is_empty()).then(|| format!("{count} without a document: {}", first_ids(empty)))
}
