//! Results for a person to read; this may change from version to version.

use super::Material;
use crate::{clock::date, findings::Findings, numbers, visible::visible};
use std::io::{self, Write};

/// A heading for each cluster, then its documents, the most similar first.
pub(crate) fn clusters(out: &mut impl Write, findings: &Findings, colour: bool) -> io::Result<()> {
    let (bold, dim, plain) = if colour { ("\x1b[1m", "\x1b[2m", "\x1b[0m") } else { ("", "", "") };
    for (number, cluster) in findings.clusters.iter().enumerate() {
        let size = numbers::counted(cluster.members.len() as u64, "document");
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{bold}Cluster {}: {size}{plain}", number + 1)?;
        let time = |at: usize| findings.document(at).time;
        let dated = cluster.members.iter().any(|member| time(member.document).is_some());
        for member in &cluster.members {
            let place = match (member.document == cluster.original, member.exact) {
                (true, _) => "original".to_owned(),
                (_, true) => "exact".to_owned(),
                _ => numbers::score(member.score),
            };
            let day = match (dated, time(member.document)) {
                (false, _) => String::new(),
                (true, day) => format!("{dim}{:<10}{plain}  ", day.map(date).unwrap_or_default()),
            };
            let id = visible(&findings.document(member.document).id);
            write!(out, "  {place:<8}  {day}{id}")?;
            if let Some(via) = member.via {
                write!(out, "  {dim}(to {}){plain}", visible(&findings.document(via).id))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Score and both ids, with tabs between them.
pub(crate) fn pairs(out: &mut impl Write, findings: &Findings) -> io::Result<()> {
    for (a, b, found) in findings.listed() {
        let score = if found.exact { "exact".to_owned() } else { numbers::score(found.score) };
        writeln!(out, "{score}\t{}\t{}", visible(&a.id), visible(&b.id))?;
    }
    Ok(())
}

/// Id, original and reason of each dropped document, with tabs between them.
pub(crate) fn dropped(out: &mut impl Write, from: &Material<'_>) -> io::Result<()> {
    let findings = from.findings;
    for (at, document) in findings.new_documents().iter().enumerate() {
        if let Some(fate) = findings.fate(findings.first() + at) {
            let (id, original) = (visible(&document.id), visible(&fate.original.id));
            writeln!(out, "{id}\t{original}\t{}", visible(&fate.reason(from.threshold)))?;
        }
    }
    Ok(())
}

/// A terminal that shows control characters instead of obeying them.
pub(crate) struct Screen<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, line: Vec::new() }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if let Some(line) = self.line.strip_suffix(b"\n") {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                writeln!(self.out, "{}", visible(&String::from_utf8_lossy(line)))?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        write!(self.out, "{}", visible(&String::from_utf8_lossy(&std::mem::take(&mut self.line))))?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_shows_control_characters() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out);
        screen.write_all("a\u{9b}".as_bytes()).unwrap();
        screen.write_all(b"31m\r\nb\x1b]0;title\x07\n").unwrap();
        screen.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\\u{9b}31m\nb\\u{1b}]0;title\\u{7}\n");
    }
}
