//! What the copies of input files are called.
//!
//! The copy of one named file, or of standard input, has a name of its own with the extensions of
//! the input: `kept.jsonl.zst`. Copies of several files, of a folder or of the members of an archive
//! go to a folder, under the paths that the files have below the deepest folder that holds all inputs.

use firsthand_input::{Compression, Kind};
use std::path::{Component, Path, PathBuf};

/// Where copies go.
#[derive(Debug)]
pub(super) struct ShardNames {
    /// The deepest folder that holds all inputs; none if there is one input that is not a folder.
    base: Option<PathBuf>,
}

/// The name of a copy.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ShardName {
    /// The only one: these extensions are appended to the name of the set.
    Only(String),
    /// One of several, by its path in the folder of the set.
    Within(PathBuf),
}

impl ShardNames {
    pub(super) fn new(inputs: &[PathBuf]) -> Self {
        let is_stdin = |input: &PathBuf| input.as_os_str() == "-";
        if let [input] = inputs
            && (is_stdin(input) || !input.is_dir())
        {
            return Self { base: None };
        }
        let named = inputs.iter().filter(|input| !is_stdin(input));
        let folders = named.map(|input| match absolute(input) {
            path if input.is_dir() => path,
            path => path.parent().map(Path::to_path_buf).unwrap_or_default(),
        });
        Self { base: Some(folders.reduce(|a, b| in_common(&a, &b)).unwrap_or_default()) }
    }

    /// Whether there is one input that is not a folder.
    pub(super) fn is_one(&self) -> bool {
        self.base.is_none()
    }

    /// The name of the copy of a file, or of a member of an archive; standard input has no path.
    pub(super) fn of(
        &self,
        path: Option<&Path>,
        member: Option<&str>,
        (kind, layers): (Kind, &[Compression]),
    ) -> ShardName {
        let own = match (&self.base, path) {
            (None, _) => PathBuf::new(),
            (Some(base), Some(path)) => {
                let path = absolute(path);
                path.strip_prefix(base).map(Path::to_path_buf).unwrap_or(path)
            }
            (Some(_), None) => PathBuf::from(format!("stdin{}", extensions(kind, layers))),
        };
        let own = match member {
            Some(member) => own.join(within(Path::new(member))),
            None if self.base.is_none() => return ShardName::Only(extensions(kind, layers)),
            None => own,
        };
        // Web archives of the old format are written in the new one.
        let name = own.file_name().map(|name| name.to_string_lossy().into_owned());
        let renamed = name.as_deref().and_then(|name| {
            let (stem, rest) = name.rsplit_once(".arc").filter(|_| kind == Kind::Warc)?;
            (rest.is_empty() || rest.starts_with('.')).then(|| format!("{stem}.warc{rest}"))
        });
        let named = renamed.map_or_else(|| own.clone(), |renamed| own.with_file_name(renamed));
        ShardName::Within(within(&named))
    }
}

/// The extensions of a file of this kind.
pub(super) fn extensions(kind: Kind, layers: &[Compression]) -> String {
    let layers: String = layers.iter().rev().map(|layer| layer.extension()).collect();
    format!(".{}{layers}", kind.name())
}

/// Only the plain names of a path, so that it leads nowhere else.
fn within(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// A path from the root, without `.` and `..`.
fn absolute(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

fn in_common(a: &Path, b: &Path) -> PathBuf {
    let same = a.components().zip(b.components()).take_while(|(a, b)| a == b);
    same.map(|(part, _)| part).collect()
}

/// Another name for a file whose own is taken, as by one that differs in case only.
pub(super) fn numbered(name: &Path, number: usize) -> PathBuf {
    let file = name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match file.split_once('.') {
        Some((stem, rest)) => name.with_file_name(format!("{stem}-{number}.{rest}")),
        None => name.with_file_name(format!("{file}-{number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(inputs: &[&str], files: &[&str]) -> Vec<String> {
        let inputs: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
        let names = ShardNames::new(&inputs);
        let name = |file: &&str| match names.of(Some(Path::new(file)), None, (Kind::Jsonl, &[])) {
            ShardName::Only(extensions) => format!("only{extensions}"),
            ShardName::Within(path) => path.to_string_lossy().into_owned(),
        };
        files.iter().map(name).collect()
    }

    #[test]
    fn names_are_relative_to_the_folder_of_all_inputs() {
        assert_eq!(names(&["/x/a.jsonl"], &["/x/a.jsonl"]), ["only.jsonl"]);
        let two = ["/x/a.jsonl", "/x/b.jsonl"];
        assert_eq!(names(&two, &two), ["a.jsonl", "b.jsonl"]);
        let apart = ["/x/2024/a.jsonl", "/x/2025/a.jsonl"];
        assert_eq!(names(&apart, &apart), ["2024/a.jsonl", "2025/a.jsonl"]);
        let far = ["/x/a.jsonl", "/y/z/a.jsonl"];
        assert_eq!(names(&far, &far), ["x/a.jsonl", "y/z/a.jsonl"]);
        let up = ["q/../a.jsonl", "./b.jsonl"];
        assert_eq!(names(&up, &up), ["a.jsonl", "b.jsonl"]);
        // `src` is a folder of this crate.
        assert_eq!(names(&["src"], &["src/a/b.jsonl"]), ["a/b.jsonl"]);
    }

    #[test]
    fn members_and_streams_stay_within() {
        let one = ShardNames::new(&[PathBuf::from("x.zip")]);
        let member = |member| one.of(Some(Path::new("x.zip")), Some(member), (Kind::Csv, &[]));
        assert_eq!(member("a/b.csv"), ShardName::Within("a/b.csv".into()));
        assert_eq!(member("/../a/./../b.csv"), ShardName::Within("a/b.csv".into()));
        let zst = [Compression::Zstd, Compression::Gzip];
        let several = ShardNames::new(&[PathBuf::from("-"), PathBuf::from("/x/a.arc.gz")]);
        let stdin = several.of(None, None, (Kind::Jsonl, &zst));
        assert_eq!(stdin, ShardName::Within("stdin.jsonl.gz.zst".into()));
        let old = several.of(Some(Path::new("/x/a.arc.gz")), None, (Kind::Warc, &[]));
        assert_eq!(old, ShardName::Within("a.warc.gz".into()));
        assert_eq!(numbered(Path::new("a/b.csv.gz"), 2), Path::new("a/b-2.csv.gz"));
    }
}
