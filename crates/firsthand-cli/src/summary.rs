//! The end of a run in plain words: what was read, what was found, and what to do next.

pub(crate) mod decisions;

use crate::args::{DedupArgs, SettingArgs};
use crate::numbers::{bytes, counted, counted_with, duration, grouped, reasons, score};
use crate::visible::{shell_word, visible};
use firsthand::Settings;
use firsthand::settings::{Matcher, Numbers};
use firsthand_input::{ReadError, Reason};
use firsthand_jobs::PairList;
use firsthand_jobs::dedup::DedupOutcome;
use firsthand_jobs::problems::UnreadInputs;
use firsthand_jobs::report::{DocumentCounts, SiteToLookAt, Stopped};
use firsthand_jobs::sources::Loss;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most files that are named.
const FILES: usize = 20;

/// The most sites and sources that are named.
const SITES: usize = 3;

/// What the summary is about.
struct RunSummary<'a> {
    args: &'a DedupArgs,
    outcome: &'a DedupOutcome,
}

/// All lines of the summary.
pub(crate) fn summary(args: &DedupArgs, outcome: &DedupOutcome) -> Vec<String> {
    let facts = &RunSummary { args, outcome };
    let mut lines = vec![read(facts)];
    lines.extend(files(facts));
    lines.extend(unread(facts));
    lines.extend(odd(facts));
    lines.extend(approximate(&outcome.settings));
    lines.extend(outcome.stopped.map(stopped));
    lines.extend(found(facts));
    lines.extend(figures(outcome));
    lines.extend(outcome.decisions.iter().flat_map(decisions::lines));
    lines.extend(site_losses(&outcome.site_losses));
    lines.extend(losses(&outcome.losses, &outcome.site_losses));
    lines.extend(cost(facts));
    lines.extend(results(facts));
    lines.extend(next(facts));
    lines
}

fn read(facts: &RunSummary<'_>) -> String {
    let counts = &facts.outcome.counts;
    let all = (counts.documents + counts.reference) as u64;
    let reading = facts.outcome.reading_took;
    let rate = (all as f64 / reading.as_secs_f64().max(1e-6)) as u64;
    let reference = match facts.args.against.is_empty() {
        true => String::new(),
        false => format!(" and {} to match them against", grouped(counts.reference as u64)),
    };
    let (documents, size) = (counted(counts.documents as u64, "document"), bytes(counts.bytes));
    let (reading, took) = (duration(reading), duration(facts.outcome.took));
    // What an earlier run read took this one no time.
    let rate = match facts.outcome.resumed {
        0 => format!(" ({} a second)", counted(rate, "document")),
        _ => String::new(),
    };
    format!("Read {documents}{reference}, {size}, in {reading}{rate}; {took} in all.")
}

/// The files that were read, whether they gave documents or not, where that is not plain.
fn files(facts: &RunSummary<'_>) -> Option<String> {
    let mut kinds: Vec<_> = facts.outcome.kinds.iter().collect();
    kinds.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
    let all: usize = kinds.iter().map(|(_, count)| **count).sum();
    let kinds = kinds.iter().map(|(name, count)| format!("{} {name}", grouped(**count as u64)));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    (all > 1).then(|| format!("Looked into {}: {kinds}.", counted(all as u64, "file")))
}

fn unread(facts: &RunSummary<'_>) -> Vec<String> {
    let unreadable = &facts.outcome.unread.unreadable;
    let is_one = unreadable.count == 1;
    let left_out = if is_one { " It is" } else { " They are" };
    let kinds = [
        ("Could not read", unreadable, format!("{left_out} neither kept nor dropped.")),
        ("Skipped", &facts.outcome.unread.skipped, String::new()),
    ];
    let told = kinds.into_iter().filter(|(_, kind, _)| kind.count > 0);
    let mut lines: Vec<String> = told
        .map(|(what, kind, rest)| {
            let count = grouped(kind.count as u64);
            // That reason says no more than the sentence.
            let why = match kind.by_reason.get("cannot be read") {
                Some(all) if *all == kind.count => String::new(),
                _ => format!(": {}", reasons(&kind.by_reason)),
            };
            format!("{what} {count}{why}.{rest}")
        })
        .collect();
    lines.extend(cut_off(unreadable));
    lines
}

/// Files of which the rest is lost.
fn cut_off(unreadable: &UnreadInputs) -> Option<String> {
    let is_end = |error: &&ReadError| matches!(error.reason, Reason::Damaged { is_end: true, .. });
    let mut ends = unreadable.list.values().filter(is_end);
    let first = visible(&ends.next()?.place.to_string()).into_owned();
    let others = match ends.count() as u64 {
        0 => String::new(),
        1 => " So does 1 more file.".to_owned(),
        more => format!(" So do {more} more files."),
    };
    Some(format!("A file ends in damaged data, and its rest was not read: {first}.{others}"))
}

fn odd(facts: &RunSummary<'_>) -> Vec<String> {
    let DocumentCounts { empty, short, nothing_but_form, renamed_ids, .. } = facts.outcome.counts;
    let DocumentCounts { template_set_aside, template_sites, rescued_pages, .. } =
        facts.outcome.counts;
    let mut lines = Vec::new();
    let remarks = &facts.outcome.unread.odd;
    if remarks.count > 0 {
        let count = counted(remarks.count as u64, "document");
        let replaced = match remarks.replaced_characters {
            0 => String::new(),
            some => format!(" ({} in all)", counted(some, "replaced character")),
        };
        let (labels, list) = (reasons(&remarks.by_remark), "--verbose lists them");
        lines.push(format!("Read {count} with a remark: {labels}{replaced}; {list}."));
    }
    if empty > 0 {
        let count = counted_with(empty as u64, "document", ("is", "are"));
        lines.push(format!("{count} empty and cannot match anything."));
    }
    if short > 0 {
        let count = counted_with(short as u64, "document", ("is", "are"));
        let form = match nothing_but_form {
            0 => String::new(),
            some => format!(
                "; of {} nothing but the form of their site's pages is left",
                grouped(some as u64)
            ),
        };
        lines.push(format!("{count} too short for more than exact copies{form}."));
    }
    if renamed_ids > 0 {
        let ids = counted(renamed_ids as u64, "id");
        lines.push(format!("{ids} occurred before and got a number, such as #2."));
    }
    if template_set_aside > 0 {
        let (passages, sites) =
            (counted(template_set_aside, "passage"), counted(template_sites as u64, "site"));
        lines.push(format!("Set aside {passages} of page furniture on {sites}."));
    }
    if rescued_pages > 0 {
        let pages = counted(rescued_pages, "page");
        lines.push(format!("Completed the text of {pages} by what no other page of the site has."));
    }
    lines
}

/// What a search that is not exact may miss.
fn approximate(config: &Settings) -> Option<String> {
    let Matcher::Bands(bands) = config.collection_matcher() else { return None };
    let banding = bands.banding(config.rule())?;
    let (bands, rows) =
        (counted(banding.bands as u64, "band"), counted(banding.rows as u64, "min-hash"));
    let met = |similarity: f64| score(banding.probability(similarity));
    Some(format!(
        "Searched by {bands} of {rows}: of pairs with a Jaccard similarity of 0.5 \
         they meet {}, of 0.7 {}, of 0.9 {}; the others are missed.",
        met(0.5),
        met(0.7),
        met(0.9)
    ))
}

fn stopped(Stopped { after_seconds, share }: Stopped) -> String {
    let after = duration(Duration::from_secs_f64(after_seconds));
    let share = share * 100.0;
    format!(
        "The search for pairs was stopped after {after}, with {share:.0} % done: some may be missing."
    )
}

fn found(facts: &RunSummary<'_>) -> Vec<String> {
    let counts = &facts.outcome.counts;
    let Some(largest) = facts.outcome.findings.largest() else {
        // What is empty or short is not found by any threshold.
        let matchable =
            (counts.documents + counts.reference).saturating_sub(counts.empty + counts.short);
        let tip = if matchable > 1 { "; a lower --threshold finds looser ones" } else { "" };
        let threshold = facts.outcome.settings.threshold;
        return vec![format!("Found no near-duplicates at threshold {threshold}{tip}.")];
    };
    let (pairs, clusters) =
        (counted(counts.pairs, "pair"), counted(counts.clusters as u64, "cluster"));
    let exact = match counts.exact_copies {
        0 => String::new(),
        count => {
            let documents = counted_with(count as u64, "document", ("has", "have"));
            format!("; {documents} the exact text of another")
        }
    };
    let original = id_of(facts, largest.original);
    let size = counted(largest.size as u64, "document");
    let kept = grouped(counts.kept as u64);
    let dropped = counted(counts.dropped as u64, "near-duplicate");
    let others = if facts.args.against.is_empty() { "an original" } else { "the reference" };
    let mut lines = vec![
        format!("Found {pairs} of near-duplicates in {clusters}{exact}."),
        format!("The largest has {size}; its original is {original}"),
        format!(
            "Kept: {kept} first-hand. Dropped: {dropped} of {others}, left out of what is kept; \
             nothing was deleted."
        ),
    ];
    let listed = facts.outcome.listed_pairs();
    if let Some(unlisted) = facts.outcome.findings.unlisted_pairs() {
        let unlisted = counted(unlisted, "more pair");
        lines.insert(1, format!(
            "There are too many pairs to list: each document was compared with originals, and is \
             listed with its own; {unlisted} of the same clusters are not listed."
        ));
    } else if facts.args.pairs == PairList::Capped && listed < counts.pairs {
        let (listed, which) = match facts.outcome.findings.listing(facts.args.pairs) {
            PairList::Star => (grouped(listed), "each near-duplicate with its original"),
            _ => (grouped(listed), "not all of texts with over 1,000 copies"),
        };
        lines.insert(
            1,
            format!("{listed} of these pairs are listed, {which}; --pairs all lists every one."),
        );
    }
    lines
}

/// Said where settings tell changed figures, which a collection does not.
fn figures(outcome: &DedupOutcome) -> Option<String> {
    let is_guarded = outcome.settings.stream.numbers == Some(Numbers::Guard);
    (is_guarded && outcome.counts.dropped > 0).then(|| {
        "Copies with changed figures were dropped like the others: stream, watch and serve tell \
         them as updates, dedup does not."
            .to_owned()
    })
}

/// The id of a document, to be shown.
fn id_of(facts: &RunSummary<'_>, at: usize) -> String {
    let document = facts.outcome.findings.document(at);
    document.map_or_else(|_| "unknown".to_owned(), |document| visible(&document.id).into_owned())
}

/// Sites of which hardly anything is kept, each with the command that shows why.
fn site_losses(losses: &[SiteToLookAt]) -> Vec<String> {
    let named = losses.iter().take(SITES).map(|loss| {
        let (dropped, all) = (grouped(loss.dropped), counted(loss.documents, "page"));
        let (site, original) = (visible(&loss.site), visible(&loss.original));
        let why = loss.command.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        format!("Look at {site}: one cluster takes {dropped} of its {all}, for {original}{why}")
    });
    let more = losses.len().saturating_sub(SITES) as u64;
    let rest = (more > 0).then(|| {
        let sites = counted_with(more, "more site", ("loses most of its", "lose most of their"));
        format!("{sites} pages to one cluster as well.")
    });
    named.chain(rest).collect()
}

/// Sources that lose much, without the sites of which that was said already.
fn losses(losses: &[Loss], sites: &[SiteToLookAt]) -> Vec<String> {
    let is_untold = |loss: &&Loss| {
        let site = loss.source.strip_prefix("www.").unwrap_or(&loss.source);
        !sites.iter().any(|told| told.site == site)
    };
    let losses: Vec<&Loss> = losses.iter().filter(is_untold).collect();
    let named = losses.iter().take(SITES).map(|loss| {
        let (dropped, all) = (grouped(loss.dropped), counted(loss.documents, "document"));
        format!("Look at {}: it loses {dropped} of its {all}.", visible(&loss.source))
    });
    let more = losses.len().saturating_sub(SITES) as u64;
    let rest =
        (more > 0).then(|| format!("{} more lose over half as well.", counted(more, "source")));
    named.chain(rest).collect()
}

/// Said only where matching had far more to do than there are documents.
fn cost(facts: &RunSummary<'_>) -> Option<String> {
    let cost = &facts.outcome.findings.cost;
    facts.outcome.is_costly().then(|| {
        format!(
            "Matching was costly: {} index entries and {} candidate pairs, since many documents \
             share common features. A higher --threshold or longer features (--n, --chain) make \
             it cheaper.",
            grouped(cost.postings),
            grouped(cost.candidates)
        )
    })
}

fn results(facts: &RunSummary<'_>) -> Option<String> {
    let dry = facts.args.output.dry_run;
    let Some(output) = &facts.args.output.output else {
        return dry.then(|| "Dry run: nothing was printed.".to_owned());
    };
    let (output, files) =
        (visible(&output.to_string_lossy()).into_owned(), named(&facts.outcome.files));
    Some(match dry {
        true => format!("Dry run: nothing was written. In {output} there would be {files}."),
        false => format!("Results are in {output}: {files}."),
    })
}

/// The names of files; of many only the first, and the number of the others.
fn named(files: &[String]) -> String {
    let more = files.len().saturating_sub(FILES);
    let mut named: Vec<String> =
        files.iter().take(FILES).map(|name| visible(name).into_owned()).collect();
    if more > 0 {
        named.push(format!("and {}", counted(more as u64, "more file")));
    }
    named.join(", ")
}

/// A command to go on with.
fn next(facts: &RunSummary<'_>) -> Option<String> {
    let (original, other) = facts.outcome.findings.pair_to_look_at()?;
    let id = |at: usize| Some(facts.outcome.findings.document(at).ok()?.id.clone());
    let command = explain_command(facts.args, &id(original)?, &id(other)?)?;
    Some(format!("Next: {command}"))
}

/// The command that explains two documents; none if they came from standard input.
pub(crate) fn explain_command(args: &DedupArgs, a: &str, b: &str) -> Option<String> {
    // The reference comes first: an id that is on both sides means the original there.
    let inputs = args.against.iter().chain(&args.inputs);
    if inputs.clone().any(|input| input.as_os_str() == "-") {
        return None;
    }
    let path = |input: &PathBuf| shell_word(&input.to_string_lossy()).into_owned();
    let collection: Vec<_> = inputs.map(|input| format!(" --in {}", path(input))).collect();
    let flags = flags(&args.settings);
    Some(firsthand_pages::explain_command(a, b, &(collection.concat() + &flags)))
}

/// The flags that choose the settings, to be typed again.
pub(crate) fn flags(args: &SettingArgs) -> String {
    let shown = |path: &Path| path.display().to_string();
    let files = [
        ("profile", args.profile.clone()),
        ("method", args.method.clone()),
        ("model", args.model.as_deref().map(shown)),
        ("config", args.config.as_deref().map(shown)),
    ];
    let single = [
        "threshold",
        "n",
        "q",
        "template",
        "extract",
        "mail",
        "id-field",
        "text-field",
        "html-field",
        "title-field",
        "url-field",
    ];
    let single = single.map(|name| (name, args.single.get(name)));
    let typed = files.into_iter().chain(single);
    typed.filter_map(|(name, value)| Some(format!(" --{name} {}", shell_word(&value?)))).collect()
}
