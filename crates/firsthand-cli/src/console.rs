//! Everything for the person at the terminal: messages and one line of progress, on stderr.

use crate::args::RunArgs;
use crate::fitted::{cut, fitted, stderr_width};
use crate::screen::Screen;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

/// Standard error, shared by all threads. What cannot be written there is let go: the results
/// matter more than the talk about them.
#[derive(Debug)]
pub(crate) struct Console {
    quiet: bool,
    verbose: bool,
    live: bool,
    /// Whether a line of progress stands on the terminal.
    shown: Mutex<bool>,
    /// Where messages go instead, if they are lines of a log.
    log: Option<fn(&str)>,
}

impl Console {
    pub(crate) fn new(args: &RunArgs) -> Self {
        let live = !args.quiet && io::stderr().is_terminal();
        let (quiet, verbose) = (args.quiet, args.verbose);
        Self { quiet, verbose, live, shown: Mutex::new(false), log: None }
    }

    /// The same with messages as lines of a log.
    pub(crate) fn with_log(self, log: fn(&str)) -> Self {
        Self { log: Some(log), live: false, ..self }
    }

    /// Whether progress can be shown: on a terminal, and unless it is unwanted.
    pub(crate) fn live(&self) -> bool {
        self.live
    }

    /// Whether everything should be listed.
    pub(crate) fn verbose(&self) -> bool {
        self.verbose
    }

    /// A message that is not an error; silent with `--quiet`.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    /// A message that is always shown.
    pub(crate) fn warn(&self, text: &str) {
        if let Some(log) = self.log {
            return log(text);
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let clear = if std::mem::take(&mut *shown) { CLEAR } else { "" };
        let _ = writeln!(io::stderr(), "{clear}{}", fitted(text, stderr_width()));
    }

    /// Replaces the line of progress; an empty one takes it away.
    pub(crate) fn show(&self, line: &str) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if self.live && (*shown || !line.is_empty()) {
            *shown = !line.is_empty();
            let mut stderr = io::stderr();
            let line = cut(line, stderr_width());
            let _ = write!(stderr, "{CLEAR}{line}").and_then(|()| stderr.flush());
        }
    }
}

/// Writes a message to standard error, as wide as the terminal.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{}", fitted(text, stderr_width()));
}

/// To the start of the line, and wipe it.
pub(crate) const CLEAR: &str = "\r\x1b[2K";

/// Whether a stream that is a terminal or not should be coloured.
pub(crate) fn colour(terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The columns of the terminal to use, up to a limit: very long lines are hard to read.
pub(crate) fn width(most: usize) -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0).clamp(40, most))
}

/// Standard output, whose errors say so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(|error| named(&error))
    }
}

fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

/// Standard output for much text; on a terminal, text `as_is` would move the cursor and is made safe.
pub(crate) fn stdout(as_is: bool) -> Box<dyn Write + Send> {
    match as_is && io::stdout().is_terminal() {
        true => Box::new(Screen::new(BufWriter::new(Stdout))),
        false => Box::new(BufWriter::with_capacity(1 << 16, Stdout)),
    }
}
