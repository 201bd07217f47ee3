//! Where the answers of a stream go: a file, or standard output, as JSON or as lines to read.

use crate::args::{AnswerFormat, SessionArgs};
use crate::console::{self, Stdout};
use crate::session::Session;
use anyhow::Result;
use firsthand::online::Answer;
use firsthand_jobs::answers::{AnswerSink, AppendedFile};
use firsthand_pages::answer;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// What receives the answers. A file must not lie in a folder that is `watched`; a hang-up opens it
/// anew, so that logs can be rotated.
pub(crate) fn sink(
    args: &SessionArgs,
    watched: Option<&Path>,
    session: &Session,
) -> Result<Box<dyn AnswerSink>> {
    if let Some(path) = &args.out {
        let file = AppendedFile::open(path, watched)?;
        session.on_hang_up(file.reopening());
        return Ok(Box::new(file));
    }
    let out = BufWriter::with_capacity(1 << 16, Stdout);
    let is_terminal = io::stdout().is_terminal();
    let is_text = args.format.map_or(is_terminal, |format| format == AnswerFormat::Text);
    Ok(match is_text {
        true => Box::new(ReadableLines { out, colour: console::colour(is_terminal) }),
        false => Box::new(out),
    })
}

/// Answers as lines for a person to read.
struct ReadableLines<W: Write> {
    out: W,
    colour: bool,
}

impl<W: Write> AnswerSink for ReadableLines<W> {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        for answer in answers {
            writeln!(self.out, "{}", answer::line(answer, self.colour))?;
        }
        self.out.flush()
    }
}
