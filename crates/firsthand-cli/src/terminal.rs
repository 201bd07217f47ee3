//! A job as the person at the terminal sees it: progress, problems as they are met, and notices.

use crate::args::RunArgs;
use crate::console::Console;
use crate::numbers;
use crate::progress::Progress;
use crate::session::Session;
use crate::visible::visible;
use crate::words;
use firsthand::settings::{Window, duration};
use firsthand_input::calendar::rfc3339;
use firsthand_input::{Item, Limits, Place, ReadError, Reason};
use firsthand_jobs::{Cancel, Notice, Observer, Phase, Unread};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The most inputs that are named on stderr because they could not be read, unless all are asked for.
const TOLD: usize = 20;

/// The most of them that are named with the same reason.
const TOLD_ALIKE: usize = 3;

/// What was said of inputs that could not be read.
#[derive(Debug, Default)]
struct Told {
    lines: usize,
    alike: Vec<Alike>,
}

/// Inputs that could not be read for the same reason.
#[derive(Debug)]
struct Alike {
    reason: String,
    /// Where the first is.
    first: Place,
    told: usize,
    untold: usize,
}

impl Told {
    /// Whether this one is to be named.
    fn tells(&mut self, error: &ReadError) -> bool {
        let reason = error.reason.to_string();
        let is_room = self.lines < TOLD;
        let is_told = match self.alike.iter_mut().find(|alike| alike.reason == reason) {
            Some(alike) if alike.told < TOLD_ALIKE && is_room => {
                alike.told += 1;
                true
            }
            Some(alike) => {
                alike.untold += 1;
                false
            }
            None if is_room => {
                let first = error.place.clone();
                self.alike.push(Alike { reason, first, told: 1, untold: 0 });
                true
            }
            None => false,
        };
        self.lines += usize::from(is_told);
        is_told
    }
}

/// Shows a job on stderr.
pub(crate) struct Terminal {
    pub(crate) console: Arc<Console>,
    cancel: Cancel,
    progress: OnceLock<Progress>,
    /// The inputs that could not be read so far.
    unreadable: Mutex<Told>,
    /// Whether a document was read.
    has_read: AtomicBool,
    /// Whether all of them are listed in a report.
    has_report: bool,
}

impl Terminal {
    pub(crate) fn new(args: &RunArgs, session: &Session) -> Self {
        Self {
            console: Arc::new(Console::new(args)),
            cancel: session.cancel.clone(),
            progress: OnceLock::new(),
            unreadable: Mutex::default(),
            has_read: AtomicBool::new(false),
            has_report: false,
        }
    }

    /// The same for a job that writes a report of everything it could not read.
    pub(crate) fn with_report(self) -> Self {
        Self { has_report: true, ..self }
    }

    /// The same without a line of progress, which would come between answers on the terminal.
    pub(crate) fn without_progress(self) -> Self {
        Self { progress: OnceLock::from(Progress::hidden()), ..self }
    }

    /// Takes the line of progress away: from here on the terminal belongs to results and summary.
    pub(crate) fn end_progress(&mut self) {
        self.progress.take();
    }

    /// The same with messages as lines of a log.
    #[cfg_attr(not(feature = "serve"), allow(dead_code))]
    pub(crate) fn with_log(self, args: &RunArgs, log: fn(&str)) -> Self {
        Self { console: Arc::new(Console::new(args).with_log(log)), ..self }
    }

    fn unreadable(&self) -> MutexGuard<'_, Told> {
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn progress(&self) -> &Progress {
        self.progress.get_or_init(|| Progress::new(&self.console))
    }
}

impl Observer for Terminal {
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn wording(&self) -> fn(&ReadError) -> String {
        words::of_read
    }

    fn phase(&self, phase: Phase<'_>) {
        let progress = self.progress();
        match phase {
            Phase::Reading { bytes } => {
                // What did not fit into memory is read again.
                *self.unreadable() = Told::default();
                progress.reading(bytes);
            }
            Phase::Preparing => progress.phase("preparing"),
            Phase::Matching => progress.phase("matching"),
            Phase::Step(name) => progress.phase(name),
            Phase::Writing => progress.phase("writing"),
            Phase::Measuring { method, number, of } => {
                progress.say(format!("measuring {} ({number} of {of})", visible(method)));
            }
            Phase::Other(name) => progress.phase(name),
        }
    }

    fn bytes(&self, read: u64) {
        self.progress().set_bytes(read);
    }

    fn documents(&self, more: u64) {
        self.has_read.store(true, Ordering::Relaxed);
        self.progress().add(more as usize);
    }

    fn matched(&self, share: f64) {
        if let Some(line) = self.progress().matched(share) {
            let advice = match line.starts_with("matching") {
                true => "; --stop-after TIME would go on with the pairs found by then",
                false => "",
            };
            self.console.say(&format!("{line}{advice}"));
        }
    }

    fn problem(&self, error: &ReadError) {
        let (is_told, what) = match error.is_skip() {
            true => (false, "skipped"),
            false => (self.unreadable().tells(error), "not read"),
        };
        if is_told || self.console.verbose() {
            self.console.warn(&visible(&format!("{what}: {}", words::of_read(error))));
        }
    }

    fn remark(&self, item: &Item, limits: &Limits) {
        if self.console.verbose() {
            for note in item.remarks.notes(limits) {
                let sentence = words::of_note(&note);
                self.console.warn(&visible(&format!("note: {}: {sentence}", item.place)));
            }
        }
    }

    fn read(&self, unread: &Unread) {
        let has_read = self.has_read.load(Ordering::Relaxed);
        if !has_read && unread.unreadable.list.values().any(is_start_of_stdin) {
            self.console.warn(
                "note: standard input is read as JSON lines unless its start shows another kind; \
                 --kind csv reads a table, and --kind text one text",
            );
        }
        if self.console.verbose() {
            return;
        }
        let told = std::mem::take(&mut *self.unreadable());
        let untold = unread.unreadable.count.saturating_sub(told.lines);
        // Without a document there will be no report.
        let is_reported = self.has_report && has_read;
        let place = if is_reported { "see report.json" } else { "--verbose lists them" };
        for Alike { first, untold, .. } in told.alike.iter().filter(|alike| alike.untold > 0) {
            let more = numbers::grouped(*untold as u64);
            let text = format!("not read: and {more} more for the same reason as {first}, {place}");
            self.console.warn(&visible(&text));
        }
        let others = untold.saturating_sub(told.alike.iter().map(|alike| alike.untold).sum());
        if others > 0 {
            let others = numbers::grouped(others as u64);
            self.console.warn(&format!("not read: and {others} more, {place}"));
        }
    }

    fn notice(&self, notice: Notice<'_>) {
        match notice {
            Notice::StandardInput if std::io::stdin().is_terminal() => {
                self.console.say("reading JSON lines from the terminal; Ctrl-D ends the input");
            }
            Notice::NoField { key, names } => {
                let fields = if names.len() == 1 { "the field" } else { "any of the fields" };
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                self.console.warn(&visible(&format!(
                    "note: no record has {fields} {} ({})",
                    names.join(", "),
                    words::of_setting(&format!("reading.fields.{key}"))
                )));
            }
            Notice::TooLargeToCopy { records } => self.console.warn(&format!(
                "not copied: {} beyond the limit of --max-file, which holds no document; a higher \
                 limit copies everything",
                numbers::counted(records, "record")
            )),
            Notice::PairsNotListed { pairs, limit } => {
                // A search that finds too many to list does not go on to count them.
                let most = numbers::grouped(limit);
                let there_are = match pairs > limit {
                    true => format!("{} and at most {most}", numbers::counted(pairs, "pair")),
                    false => format!("more than {most} pairs, and fewer"),
                };
                self.console.say(&format!(
                    "there are {there_are} are listed: each near-duplicate is listed with its \
                     original only; --pairs star asks for that, and --pairs all with --max-pairs for \
                     more"
                ));
            }
            Notice::LongSearch { texts, pairs, took, is_cut, is_limited } => {
                let found = pairs.map_or(String::new(), |pairs| {
                    format!(", with about {}", numbers::counted(rounded(pairs), "pair"))
                });
                let took = numbers::duration(took.max(Duration::from_secs(1)));
                let took = match is_cut {
                    true => format!("{took} until there are too many pairs to list, then longer"),
                    false => took,
                };
                let stop = match is_limited {
                    true => "",
                    false => ", and --stop-after TIME goes on with what was found by then; Ctrl-C writes nothing",
                };
                self.console.say(&format!(
                    "The search for pairs will be long: {} are compared{found}. That may take {took}. A higher \
                     --threshold has less to compare{stop}.",
                    numbers::counted(texts, "text")
                ));
            }
            Notice::Unmatchable { id, is_empty } if self.console.verbose() => {
                let what = match is_empty {
                    true => "is empty and cannot match anything",
                    false => "is too short for more than exact copies",
                };
                self.console.warn(&visible(&format!("note: {id}: {what}")));
            }
            Notice::PathsEscaped { paths } => self.console.warn(&format!(
                "listed with \\n in the place of a line end: {}; --null lists paths as they are, each \
                 followed by a zero byte",
                numbers::counted(paths, "path")
            )),
            Notice::NotMeasured { error, .. } => {
                let causes = std::iter::successors(Some(error), |error| error.source());
                self.console.warn(&visible(&format!("not measured: {}", words::shown(causes))));
            }
            Notice::Labels { note } => self.console.say(&visible(&format!("note: {note}"))),
            Notice::PairsNotCounted { method, pairs } => self.console.say(&visible(&format!(
                "note: {method}: {} of texts with very many copies are not counted",
                numbers::counted(pairs, "pair")
            ))),
            Notice::FloorRaised { from, to } => self.console.warn(&format!(
                "too many pairs score {from} or more: the lowest score is raised to {to}"
            )),
            Notice::NewStore { profile } => self.console.say(&format!(
                "A new store, with the settings of the profile {profile}; --profile chooses another."
            )),
            Notice::Window { from, to, complete_since, outside } => {
                let span = |window: Window| window.milliseconds.map_or("endless".to_owned(), duration);
                let mut text = format!("The window is {}; it was {}.", span(to), span(from));
                if let Some(first) = complete_since {
                    let full = to.milliseconds.map_or(String::new(), |span| {
                        format!(", so it holds in full from {} on", rfc3339(first.saturating_add(span)))
                    });
                    text.pop();
                    text += &format!(": documents before {} were forgotten{full}.", rfc3339(first));
                }
                if outside > 0 {
                    let outside = numbers::counted_with(outside, "document", ("is", "are"));
                    text += &format!(" {outside} outside of it and no longer compared.");
                }
                self.console.say(&text);
            }
            Notice::ClockJump { from, to, by } => self.console.warn(&clock_jump(from, to, by)),
            Notice::Watching { folder } => {
                let folder = folder.display().to_string();
                self.console.say(&format!("Watching {}; Ctrl-C ends it.", visible(&folder)));
            }
            Notice::EmptyFile { path } => self.console.warn(&visible(&format!(
                "{} is empty, so there is nothing to answer; it is read once something is written to it",
                path.display()
            ))),
            Notice::NotNotified { folder, error } => self.console.warn(&visible(&format!(
                "{}: the system does not notify us of new files here ({error}); the folder is \
                 listed every few seconds instead",
                folder.display()
            ))),
            Notice::StoreRetry { error, wait } => self
                .console
                .warn(&visible(&format!("the store failed: {error}; trying again in {wait:?}"))),
            Notice::BeyondMemory { memory, scratch } => self.console.say(&visible(&format!(
                "The inputs do not fit into {} of memory: the rest goes to {}.",
                numbers::bytes(memory),
                scratch.display()
            ))),
            Notice::Resumed { documents, inputs } => {
                self.progress().not_read(documents);
                let documents = numbers::counted_with(documents, "document", ("was", "were"));
                let inputs = match inputs {
                    0 => String::new(),
                    1 => ", and 1 input to its end".to_owned(),
                    many => format!(", and {} inputs to their ends", numbers::grouped(many)),
                };
                self.console.say(&format!(
                    "Going on where an earlier run ended: {documents} read already{inputs}."
                ));
            }
            Notice::NotResumed { because } => self.console.warn(&visible(&format!(
                "what an earlier run left is not used, since {because}: starting anew"
            ))),
            Notice::StepDone { name, took, memory, written, held } if self.console.verbose() => {
                let memory = memory.map_or(String::new(), |memory| {
                    format!(", {} of memory", numbers::bytes(memory))
                });
                self.console.say(&format!(
                    "{name}: {}{memory}, {} written to disk, {} there",
                    numbers::duration(took),
                    numbers::bytes(written),
                    numbers::bytes(held)
                ));
            }
            _ => {}
        }
    }
}

/// Whether the first line of standard input is no JSON, so that all of it may be something else.
fn is_start_of_stdin(error: &ReadError) -> bool {
    error.place.path == "stdin"
        && error.place.at.is_some_and(|at| at.number == 1)
        && matches!(error.reason, Reason::BadJson(_))
}

/// The first two digits of an estimate, which is no better than that.
fn rounded(number: u64) -> u64 {
    let unit = 10u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    number / unit * unit
}

/// That the time of a stream has jumped ahead, with which document, and what that means for the window.
fn clock_jump(from: Option<i64>, to: i64, by: Option<i64>) -> String {
    let to = rfc3339(to);
    let how = match by {
        Some(by) => format!("with a document dated {}", rfc3339(by)),
        None => "in an earlier run".to_owned(),
    };
    let (start, stays) = match from.map(rfc3339) {
        Some(from) => (format!(" from {from}"), format!("the window stays at {from}")),
        None => (String::new(), "the window stays where it is".to_owned()),
    };
    format!(
        "{how}, the time of the stream (the median of its latest documents) has jumped{start} to {to}; \
         {stays}, and nothing is forgotten, until further documents have moved on from {to}"
    )
}
