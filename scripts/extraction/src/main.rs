//! Measures our extractor and public crates on the same pages, in one run.
//!
//! `extraction PAGES` starts itself once for each candidate, as `extraction PAGES NAME FROM`, so
//! that a stack overflow, which cannot be caught, costs a candidate one page and not the run. The
//! child prints a line for each page; where it dies, a new one goes on after that page.

mod candidates;
mod pages;
mod score;

use std::io::{BufRead, BufReader};
use std::panic::catch_unwind;
use std::process::{Command, Stdio, exit};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, io, thread};

use cpu_time::{ProcessTime, ThreadTime};

use candidates::{CANDIDATES, Extractor};
use pages::Page;
use score::{Score, mean, score};

/// A page that takes more CPU time counts as failed.
const LONGEST: Duration = Duration::from_secs(30);

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [path] => compare(path),
        [path, name, from] => {
            let found = CANDIDATES.iter().find(|candidate| candidate.0 == name);
            let extractor = found.ok_or_else(|| format!("there is no candidate '{name}'"))?.1;
            extract_all(&pages::read(path)?, from.parse()?, extractor);
            Ok(())
        }
        _ => Err("give one file of pages".into()),
    }
}

/// The child: a line of CPU seconds, success and score for each page from one on.
fn extract_all(pages: &[Page], from: usize, extractor: Extractor) {
    static DONE: AtomicUsize = AtomicUsize::new(0);
    thread::spawn(|| {
        let (mut before, mut since) = (0, ProcessTime::now());
        while since.elapsed() < LONGEST {
            thread::sleep(Duration::from_secs(1));
            let done = DONE.load(Ordering::Relaxed);
            if done != before {
                (before, since) = (done, ProcessTime::now());
            }
        }
        exit(1);
    });
    // What a candidate says when it panics is no part of the table.
    std::panic::set_hook(Box::new(|_| {}));
    for page in &pages[from..] {
        let start = ThreadTime::now();
        let text = catch_unwind(|| extractor(&page.html)).ok().flatten();
        let seconds = start.elapsed().as_secs_f64();
        let Score { precision, recall, f1 } = score(text.as_deref().unwrap_or(""), &page.gold);
        println!("{seconds} {} {precision} {recall} {f1}", u8::from(text.is_some()));
        DONE.fetch_add(1, Ordering::Relaxed);
    }
    exit(0);
}

/// What one candidate did.
struct Outcome {
    name: &'static str,
    scores: Vec<Score>,
    failed: usize,
    seconds: f64,
}

fn compare(path: &str) -> Result<(), Failure> {
    let pages = pages::read(path).map_err(|error| format!("{path}: {error}"))?;
    if pages.is_empty() {
        return Err(format!("{path}: no line has both 'html' and 'gold'").into());
    }
    let mut outcomes = Vec::new();
    for (name, _) in CANDIDATES {
        eprintln!("{name}");
        outcomes.push(run(path, name, &pages)?);
    }
    print(&pages, &outcomes);
    Ok(())
}

/// Runs a candidate over all pages, starting it anew after each one that it dies of.
fn run(path: &str, name: &'static str, pages: &[Page]) -> io::Result<Outcome> {
    let mut outcome = Outcome { name, scores: Vec::new(), failed: 0, seconds: 0.0 };
    while outcome.scores.len() < pages.len() {
        let from = outcome.scores.len().to_string();
        let mut child = Command::new(env::current_exe()?)
            .args([path, name, &from])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let line = line?;
            let figures: Vec<f64> = line.split(' ').flat_map(str::parse).collect();
            let [seconds, succeeded, precision, recall, f1] = figures[..] else { break };
            outcome.seconds += seconds;
            outcome.failed += usize::from(succeeded == 0.0);
            outcome.scores.push(Score { precision, recall, f1 });
        }
        let ended = child.wait()?;
        if let Some(page) = pages.get(outcome.scores.len()).filter(|_| !ended.success()) {
            outcome.failed += 1;
            outcome.scores.push(score("", &page.gold));
        }
    }
    Ok(outcome)
}

fn print(pages: &[Page], outcomes: &[Outcome]) {
    let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    println!("{} pages, {:.1} MB\n", pages.len(), bytes as f64 / 1e6);
    println!("| extractor | F1 | precision | recall | pages per CPU second | failed pages |");
    println!("|---|---|---|---|---|---|");
    for outcome in outcomes {
        let Score { precision, recall, f1 } = mean(&outcome.scores);
        let speed = pages.len() as f64 / outcome.seconds.max(1e-9);
        let (name, failed) = (outcome.name, outcome.failed);
        println!("| {name} | {f1:.3} | {precision:.3} | {recall:.3} | {speed:.0} | {failed} |");
    }
    println!("\n{}", score::DEFINITION);

    let mut groups: Vec<&str> = pages.iter().flat_map(|page| page.group.as_deref()).collect();
    groups.sort_unstable();
    groups.dedup();
    if !(2..=8).contains(&groups.len()) {
        return;
    }
    println!("\nF1 by source:\n");
    println!("| extractor | {} |", groups.join(" | "));
    println!("|---|{}", "---|".repeat(groups.len()));
    for outcome in outcomes {
        let cells = groups.iter().map(|group| {
            let of_group = pages.iter().zip(&outcome.scores);
            let of_group = of_group.filter(|(page, _)| page.group.as_deref() == Some(group));
            let scores: Vec<Score> = of_group.map(|(_, score)| *score).collect();
            format!("{:.3} ({})", mean(&scores).f1, scores.len())
        });
        println!("| {} | {} |", outcome.name, cells.collect::<Vec<_>>().join(" | "));
    }
}
