//! `firsthand watch`: answers to the files of a folder, on standard output or appended to a file.

use crate::answers;
use crate::args::WatchArgs;
use crate::exit_code::ExitCode;
use crate::session::Session;
use crate::stream::{exit_code, open_store, say_summary};
use crate::terminal::Terminal;
use anyhow::Result;
use firsthand_jobs::InputError;
use firsthand_jobs::watch::{self, WatchJob};

pub(crate) fn run(args: &WatchArgs, session: &Session) -> Result<ExitCode> {
    let terminal = Terminal::new(&args.session.run, session).without_progress();
    let folder = args.inbox.clone();
    if !folder.is_dir() {
        return Err(InputError::NoFolder(folder).into());
    }
    let mut sink = answers::sink(&args.session, Some(&folder), session)?;
    let store = open_store(&args.session, true, &terminal)?;
    let job = WatchJob { store, folder, once: args.once, poll: args.poll, settle: args.settle };
    let summary = watch::run(job, &mut *sink, &terminal)?;
    say_summary(&terminal.console, &summary, true);
    Ok(exit_code(&args.session, &summary.counts, session))
}
