//! `firsthand check`: the verdicts of a stream, and nothing stored.

use crate::args::CheckArgs;
use crate::stream::{Job, judge_lines};
use anyhow::Result;
use std::process::ExitCode;

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    judge_lines(&Job {
        inputs: &args.inputs,
        address: &args.store.address,
        answers: &args.answers,
        online: &args.online,
        settings: &args.settings,
        run: &args.run,
        keep: false,
    })
}
