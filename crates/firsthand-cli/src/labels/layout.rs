//! Where the documents are, and where the graded pairs: a file, a folder with both, or a folder per
//! cluster.

use crate::temp_file_guard::TempFileGuard;
use anyhow::{Context, Result, bail};
use firsthand_input::Spool;
use std::path::{Component, Path, PathBuf};

/// What a folder of documents with graded pairs calls the documents.
const DOCUMENTS: [&str; 4] = ["docs.jsonl", "docs.jsonl.zst", "docs.jsonl.gz", "docs.jsonl.bz2"];

/// What graded pairs beside documents are called.
const PAIRS: &str = "pairs.tsv";

/// The files of labelled documents.
#[derive(Debug)]
pub(crate) struct Layout {
    /// What is read as documents.
    pub(crate) inputs: Vec<PathBuf>,
    /// Graded pairs.
    pub(crate) pairs: Option<Pairs>,
    /// The copy of standard input, which is read again for other settings.
    spool: Option<(Spool, TempFileGuard)>,
}

/// A file of graded pairs.
#[derive(Debug)]
pub(crate) struct Pairs {
    pub(crate) path: PathBuf,
    /// Whether the user named it, rather than it being beside the documents.
    pub(crate) named: bool,
}

impl Layout {
    /// Looks at what was named.
    pub(crate) fn find(inputs: &[PathBuf], pairs: Option<&Path>) -> Result<Self> {
        let mut found = Vec::new();
        let mut beside = Vec::new();
        for input in inputs {
            let folder = input.is_dir();
            let documents =
                DOCUMENTS.iter().map(|name| input.join(name)).find(|path| path.is_file());
            let place = if folder { Some(input.as_path()) } else { input.parent() };
            beside.extend(place.map(|place| place.join(PAIRS)).filter(|path| path.is_file()));
            found.push(documents.filter(|_| folder).unwrap_or_else(|| input.clone()));
        }
        beside.dedup();
        let pairs = match (pairs, beside.as_slice()) {
            (Some(path), _) => Some(Pairs { path: path.to_path_buf(), named: true }),
            (None, []) => None,
            (None, [path]) => Some(Pairs { path: path.clone(), named: false }),
            (None, [one, other, ..]) => bail!(
                "{} and {} both grade pairs: name the file that counts with --pairs",
                one.display(),
                other.display()
            ),
        };
        let spool = match inputs.iter().filter(|input| input.as_os_str() == "-").count() {
            0 => None,
            1 => Some(spool()?),
            times => bail!("`-` is named {times} times, but standard input can be read only once"),
        };
        Ok(Self { inputs: found, pairs, spool })
    }

    /// Where standard input was copied to, if it is among the inputs.
    pub(crate) fn stdin(&self) -> Option<PathBuf> {
        self.spool.as_ref().map(|(copy, _)| copy.path().to_path_buf())
    }

    /// Whether a file that was met while reading is the one of graded pairs.
    pub(super) fn is_pairs(&self, path: &str) -> bool {
        let Some(pairs) = &self.pairs else { return false };
        let path = Path::new(path);
        let real = |path: &Path| path.canonicalize().ok();
        path.file_name() == pairs.path.file_name()
            && real(path).is_some_and(|path| Some(path) == real(&pairs.path))
    }

    /// The folder below an input that a document lies in, if it does: its cluster where no
    /// document has a label of its own.
    pub(super) fn folder_of(&self, path: &str) -> Option<String> {
        self.inputs.iter().find_map(|input| {
            let below = Path::new(path).strip_prefix(clean(input)).ok()?;
            let mut parts = below.components();
            let folder = parts.next()?;
            parts.next()?;
            Some(clean(input).join(folder).to_string_lossy().into_owned())
        })
    }

    /// The folders below the inputs, in order.
    pub(super) fn folders(&self) -> Vec<String> {
        let entries = self.inputs.iter().filter_map(|input| input.read_dir().ok()).flatten();
        let folders = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
        let mut folders: Vec<String> =
            folders.map(|path| clean(&path).to_string_lossy().into_owned()).collect();
        folders.sort_unstable();
        folders
    }
}

/// A path as ids have it: without `./` in front.
fn clean(path: &Path) -> PathBuf {
    path.components().skip_while(|part| *part == Component::CurDir).collect()
}

fn spool() -> Result<(Spool, TempFileGuard)> {
    let folder = std::env::temp_dir();
    TempFileGuard::make(|| Spool::empty(&folder), Spool::path)
        .and_then(|made| made.0.fill(std::io::stdin()).map(|()| made))
        .with_context(|| format!("cannot keep a copy of standard input in {}", folder.display()))
}
