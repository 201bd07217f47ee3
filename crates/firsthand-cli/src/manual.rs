//! The manual page.
//!
//! Into a file or a pipe it goes as it is, for `man` to read; on a terminal `man` shows it.

use crate::args::Cli;
use anyhow::{Result, bail};
use clap_mangen::Man;
use std::io::Write;
use std::process::{Command, Stdio};

/// The page of a command, or one page for all of them.
pub(crate) fn page(command: &[String]) -> Result<String> {
    let mut found = Cli::shown(false);
    found.build();
    for name in command {
        found = match found.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                bail!("there is no command {:?}: `firsthand help` lists them", command.join(" "))
            }
        };
    }
    let mut page = Vec::new();
    Man::new(described(&found)).render(&mut page)?;
    for part in found.get_subcommands().filter(|part| part.get_name() != "help") {
        let mut rendered = Vec::new();
        let man = Man::new(described(part));
        man.render_synopsis_section(&mut rendered)?;
        man.render_description_section(&mut rendered)?;
        man.render_options_section(&mut rendered)?;
        let name = part.get_bin_name().unwrap_or(part.get_name()).to_uppercase();
        let text = String::from_utf8_lossy(&rendered).replace("\n.SH ", "\n.SS ");
        let text =
            text.strip_prefix(".SH ").map_or_else(|| text.clone(), |rest| format!(".SS {rest}"));
        page.extend_from_slice(format!(".SH \"{name}\"\n{text}").as_bytes());
    }
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// A command of which every option is described: `Man` leaves out what the short help does not have.
fn described(command: &clap::Command) -> clap::Command {
    command.clone().mut_args(|arg| arg.hide_short_help(false))
}

/// Lets `man` show a page; false if it cannot.
pub(crate) fn show(page: &str) -> bool {
    let started = Command::new("man").args(["-l", "-"]).stdin(Stdio::piped()).spawn();
    let Ok(mut man) = started else { return false };
    // A reader who leaves before the end has seen enough.
    let _ = man.stdin.take().map(|mut input| input.write_all(page.as_bytes()));
    man.wait().is_ok_and(|status| status.success())
}
