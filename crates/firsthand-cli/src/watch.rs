//! `firsthand watch`: files that other programs put into a folder, judged as they come.
//!
//! The folder is listed once, then the system tells what changes; now and then everything is looked at
//! again, in case something was not told. A file is done when its answers are out, and that is noted
//! in the store.

mod folder_watcher;
mod seen;
mod settling;
mod taking;

use crate::args::WatchArgs;
use crate::console::Console;
use crate::store::open;
use crate::stream::arriving::LineSigner;
use crate::stream::session::StreamSession;
use crate::stream::tally::Tally;
use crate::stream::{exit_code, finish, tell};
use anyhow::{Context, Result, bail};
use firsthand::online::Answer;
use folder_watcher::{FolderWatcher, News};
use seen::{Seen, Version};
use settling::Settling;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use taking::{below, take};

/// Files that are read together and noted together.
const TOGETHER: usize = 64;

/// How often the whole folder is looked at when the system tells of changes, and when it should but
/// cannot.
const TOLD: Duration = Duration::from_secs(60);
const UNTOLD: Duration = Duration::from_secs(2);

/// Looking at the whole folder may take this part of the time.
const SHARE: u32 = 20;

/// Names of files that are still being written, by their ends.
const UNFINISHED: [&str; 5] = [".tmp", ".part", ".partial", ".crdownload", ".filepart"];

pub(crate) fn run(args: &WatchArgs) -> Result<ExitCode> {
    let console = Arc::new(Console::new(&args.run));
    if !args.inbox.is_dir() {
        bail!("{}: there is no such folder to watch", args.inbox.display());
    }
    let mut out = Out::open(args)?;
    let mut ready = open::open(&args.store.address, &args.settings, &args.online, true, &console)?;
    // A store that lies in the folder is no input.
    ready.reading.except = Path::new(&args.store.address).canonicalize().ok();
    let line_signer =
        LineSigner { detector: ready.detector.clone(), reading: ready.reading.clone() };
    let judge = StreamSession::new(ready, true, &console);
    // Told before anything is listed, so that nothing falls in between.
    let inbox = clean(&args.inbox);
    let folder_watcher = FolderWatcher::new(
        &inbox,
        line_signer.reading.follow,
        args.poll.is_some() || args.once,
        &console,
    );
    let mut watch = Watch::new(args, inbox, line_signer, judge, Arc::clone(&console))?;
    let started = Instant::now();
    watch.look_everywhere();
    if !args.once {
        console.say(&format!("Watching {}; Ctrl-C ends it.", args.inbox.display()));
    }
    loop {
        let stopped = watch.take_due(&mut out)?;
        let idle = watch.settling.next(args.settle, Instant::now());
        if stopped || (args.once && idle.is_none()) {
            break;
        }
        let between = args.poll.unwrap_or(if folder_watcher.is_told() { TOLD } else { UNTOLD });
        let between = between.max(watch.cost * SHARE);
        let until_look = between.saturating_sub(watch.looked.elapsed());
        let wait = idle.map_or(until_look, |idle| idle.min(until_look));
        if watch.hear(folder_watcher.wait(wait)) {
            break;
        }
        if watch.looked.elapsed() >= between {
            watch.look_everywhere();
        }
    }
    finish(&console, &watch.tally, started, &mut watch.judge, true);
    Ok(exit_code(&args.answers, &watch.tally))
}

struct Watch<'a> {
    args: &'a WatchArgs,
    inbox: PathBuf,
    line_signer: LineSigner,
    judge: StreamSession,
    console: Arc<Console>,
    seen: Seen,
    /// Files that were tried in this run and are not noted in the store.
    tried: HashMap<String, Version>,
    settling: Settling,
    tally: Tally,
    /// When the whole folder was looked at, and how long that took.
    looked: Instant,
    cost: Duration,
}

impl<'a> Watch<'a> {
    fn new(
        args: &'a WatchArgs,
        inbox: PathBuf,
        line_signer: LineSigner,
        mut judge: StreamSession,
        console: Arc<Console>,
    ) -> Result<Self> {
        let seen = Seen::load(&mut **judge.store(), or_here(&inbox))?;
        let (tried, settling, tally) = (HashMap::new(), Settling::default(), Tally::default());
        let (looked, cost) = (Instant::now(), Duration::ZERO);
        Ok(Self {
            args,
            inbox,
            line_signer,
            judge,
            console,
            seen,
            tried,
            settling,
            tally,
            looked,
            cost,
        })
    }

    /// Meets every file of the folder.
    fn look_everywhere(&mut self) {
        let started = Instant::now();
        self.look(&self.inbox.clone(), false);
        self.looked = Instant::now();
        self.cost = started.elapsed();
    }

    fn look(&mut self, folder: &Path, whole: bool) {
        let reading = &self.line_signer.reading;
        let (mut files, unread) = firsthand_input::list(folder, reading);
        if folder != self.inbox {
            files.retain(|path| firsthand_input::is_listed(&self.inbox, path, reading));
        }
        for path in files {
            self.meet(path, whole);
        }
        for error in unread.iter().filter(|error| !error.is_skip()) {
            self.console.warn(&format!("not read: {error}"));
        }
    }

    /// Takes in news; true if it is time to stop.
    fn hear(&mut self, news: Vec<News>) -> bool {
        for news in news {
            match news {
                News::Changed(path) => self.meet_or_look(path, false),
                News::Written(path) => {
                    self.meet_or_look(path.clone(), false);
                    self.settling.write(&path, true);
                }
                News::Closed(path) => {
                    self.meet_or_look(path.clone(), false);
                    self.settling.write(&path, false);
                }
                News::Renamed(path) => self.meet_or_look(path, true),
                News::Lost => self.look_everywhere(),
                News::Stop => return true,
            }
        }
        false
    }

    fn meet_or_look(&mut self, path: PathBuf, whole: bool) {
        match std::fs::symlink_metadata(&path) {
            // A folder may be there before it is watched, and have files already.
            Ok(metadata) if metadata.is_dir() => self.look(&path, whole),
            Ok(_) if firsthand_input::is_listed(&self.inbox, &path, &self.line_signer.reading) => {
                self.meet(path, whole);
            }
            _ => {}
        }
    }

    fn meet(&mut self, path: PathBuf, whole: bool) {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        let unfinished = name.is_some_and(|name| UNFINISHED.iter().any(|end| name.ends_with(end)));
        let Ok(metadata) = path.metadata() else { return };
        let version = Version::new(&metadata);
        // An empty file has not been written yet.
        if unfinished || version.size == 0 || self.is_done(&path, version) {
            return;
        }
        let age =
            metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        let whole = whole || age.is_some_and(|age| age > self.args.settle);
        self.settling.meet(path, version, whole, Instant::now());
    }

    fn is_done(&self, path: &Path, version: Version) -> bool {
        let name = self.name(path);
        self.seen.has(&name, version) || self.tried.get(&name) == Some(&version)
    }

    fn name(&self, path: &Path) -> String {
        below(&self.inbox, &path.to_string_lossy())
    }

    /// Reads what has settled; true if it is time to stop.
    fn take_due(&mut self, out: &mut Out) -> Result<bool> {
        let now = Instant::now();
        let mut due = Vec::new();
        for (path, version) in self.settling.due(self.args.settle, now) {
            match path.metadata().map(|metadata| Version::new(&metadata)) {
                Ok(current) if current != version => {
                    self.settling.meet(path, current, false, now);
                }
                _ => due.push((path, version)),
            }
        }
        for some in due.chunks(TOGETHER) {
            let files: Vec<PathBuf> = some.iter().map(|(path, _)| path.clone()).collect();
            let Self { judge, tally, line_signer, console, inbox, .. } = self;
            let taken = take(inbox, &files, line_signer, judge, console, |answers| {
                answers.iter().for_each(|answer| tally.add(answer));
                out.tell(&answers)
            })?;
            if taken.stopped {
                return Ok(true);
            }
            out.keep()?;
            let mut done = Vec::new();
            for (path, version) in some {
                let name = self.name(path);
                let same = path.metadata().is_ok_and(|now| Version::new(&now) == *version);
                match same && !taken.unread.contains(&name) {
                    true => done.push((name, *version)),
                    false => {
                        self.tried.insert(name, *version);
                    }
                }
            }
            let judge = &mut self.judge;
            self.seen.note(&done, |changes| judge.keep(changes))?;
            if crate::stop::is_asked() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The folder as paths below it start; nothing for the working folder.
fn clean(folder: &Path) -> PathBuf {
    folder.components().filter(|part| *part != Component::CurDir).collect()
}

fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Where verdicts go.
enum Out {
    Stdout(BufWriter<io::Stdout>),
    File(PathBuf, BufWriter<File>),
}

impl Out {
    fn open(args: &WatchArgs) -> Result<Self> {
        let Some(path) = &args.out else {
            return Ok(Self::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())));
        };
        let shown = path.display();
        let parent = path.parent().map(or_here).and_then(|folder| folder.canonicalize().ok());
        let inbox = args.inbox.canonicalize()?;
        if parent.is_some_and(|folder| folder.starts_with(inbox)) {
            bail!("{shown} lies in the folder that is watched: choose another place with --out");
        }
        let file = File::options().append(true).create(true).open(path);
        let file = file.with_context(|| format!("cannot append to {shown}"))?;
        Ok(Self::File(path.clone(), BufWriter::new(file)))
    }

    fn tell(&mut self, answers: &[Answer]) -> Result<()> {
        match self {
            Self::Stdout(out) => tell(out, answers).context("cannot write to standard output"),
            Self::File(path, out) => {
                tell(out, answers).with_context(|| format!("cannot append to {}", path.display()))
            }
        }
    }

    /// Answers are on disk before their files are noted as done.
    fn keep(&mut self) -> Result<()> {
        match self {
            Self::Stdout(out) => out.flush().context("cannot write to standard output"),
            Self::File(path, out) => out
                .get_ref()
                .sync_data()
                .with_context(|| format!("cannot append to {}", path.display())),
        }
    }
}
