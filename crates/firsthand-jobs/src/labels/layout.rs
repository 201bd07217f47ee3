//! Where the documents and the graded pairs are: one file, a folder with both, or one folder per
//! cluster.

use crate::error::{JobError, LabelError};
use crate::inputs::Inputs;
use crate::reading::{StandardInput, StandardInputCopy, names_standard_input};
use firsthand_input::holds_results;
use std::path::{Component, Path, PathBuf};

/// The name of the documents in a folder that also holds graded pairs.
const DOCUMENTS: [&str; 4] = ["docs.jsonl", "docs.jsonl.zst", "docs.jsonl.gz", "docs.jsonl.bz2"];

/// The name of graded pairs beside documents.
const PAIRS: &str = "pairs.tsv";

/// The files of labelled documents.
#[derive(Debug)]
pub struct Layout {
    /// The inputs as the caller named them.
    pub named: Vec<String>,
    /// The files and folders that are read as documents.
    pub inputs: Vec<PathBuf>,
    /// The table that is read instead, if there is one.
    table: Option<Inputs>,
    /// The file of graded pairs, if there is one.
    pub graded: Option<GradedFile>,
    /// The copy of standard input, which is read again for other settings.
    stdin: Option<StandardInputCopy>,
}

/// A file of graded pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether the caller named it; otherwise it was found beside the documents.
    pub named: bool,
}

impl Layout {
    /// Finds the documents and the graded pairs. `stdin` is copied if `-` is among the inputs.
    ///
    /// # Errors
    /// If several files of graded pairs lie beside the inputs, or standard input cannot be copied.
    pub fn find(
        inputs: &[PathBuf],
        graded: Option<&Path>,
        stdin: Option<StandardInput<'_>>,
    ) -> Result<Self, JobError> {
        let mut found = Vec::new();
        let mut beside = Vec::new();
        for input in inputs {
            let is_folder = input.is_dir();
            let documents =
                DOCUMENTS.iter().map(|name| input.join(name)).find(|path| path.is_file());
            let folder = if is_folder { Some(input.as_path()) } else { input.parent() };
            beside.extend(folder.map(|folder| folder.join(PAIRS)).filter(|path| path.is_file()));
            found.push(documents.filter(|_| is_folder).unwrap_or_else(|| input.clone()));
        }
        beside.dedup();
        let graded = match (graded, beside.as_slice()) {
            (Some(path), _) => Some(GradedFile { path: path.to_path_buf(), named: true }),
            (None, []) => None,
            (None, [path]) => Some(GradedFile { path: path.clone(), named: false }),
            (None, [one, other, ..]) => {
                let (one, other) = (one.clone(), other.clone());
                return Err(LabelError::TwoGradedFiles { one, other }.into());
            }
        };
        let named = inputs.iter().map(|input| input.display().to_string()).collect();
        let stdin = match names_standard_input(inputs)? {
            true => stdin.map(StandardInput::copy).transpose()?,
            false => None,
        };
        Ok(Self { named, inputs: found, table: None, graded, stdin })
    }

    /// Documents and the graded pairs of a caller that may have them in memory.
    ///
    /// # Errors
    /// If several files of graded pairs lie beside the inputs.
    pub fn of(inputs: Inputs, graded: Option<&Path>) -> Result<Self, JobError> {
        let layout = Self::find(inputs.paths(), graded, None)?;
        let table = Some(inputs).filter(|inputs| matches!(inputs, Inputs::Table(_)));
        Ok(Self { table, ..layout })
    }

    /// What is read as documents.
    pub(super) fn documents(&self) -> Inputs {
        self.table.clone().unwrap_or_else(|| Inputs::Paths(self.inputs.clone()))
    }

    /// The copy of standard input, if it is among the inputs.
    pub(super) fn stdin(&self) -> Option<PathBuf> {
        self.stdin.as_ref().map(|copy| copy.path().to_path_buf())
    }

    /// Whether a file that is read with the documents is the one of graded pairs.
    pub(super) fn is_graded_file(&self, path: &str) -> bool {
        let Some(graded) = &self.graded else { return false };
        let path = Path::new(path);
        let real = |path: &Path| path.canonicalize().ok();
        path.file_name() == graded.path.file_name()
            && real(path).is_some_and(|path| Some(path) == real(&graded.path))
    }

    /// The folder directly below an input that a document lies in, if there is one: its cluster
    /// where no document has a label of its own.
    pub(super) fn folder_of(&self, path: &str) -> Option<String> {
        self.inputs.iter().find_map(|input| {
            let below = Path::new(path).strip_prefix(clean(input)).ok()?;
            let mut parts = below.components();
            let folder = parts.next()?;
            parts.next()?;
            Some(clean(input).join(folder).to_string_lossy().into_owned())
        })
    }

    /// The folders directly below the inputs that documents are looked for in, sorted.
    pub(super) fn folders(&self) -> Vec<String> {
        let entries = self.inputs.iter().filter_map(|input| input.read_dir().ok()).flatten();
        let is_hidden = |path: &Path| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        };
        let is_read = |path: &PathBuf| path.is_dir() && !is_hidden(path) && !holds_results(path);
        let folders = entries.flatten().map(|entry| entry.path()).filter(is_read);
        let mut folders: Vec<String> =
            folders.map(|path| clean(&path).to_string_lossy().into_owned()).collect();
        folders.sort_unstable();
        folders
    }
}

/// A path without a leading `./`, as in ids.
fn clean(path: &Path) -> PathBuf {
    path.components().skip_while(|part| *part == Component::CurDir).collect()
}
