//! The source files of a crate, without their tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Every file under `src` by its path there, and its text up to the tests at its end.
pub(crate) fn product(src: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    find(src, &mut files);
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(src).unwrap().to_string_lossy().replace('\\', "/");
        (name, without_tests(&text).to_owned())
    };
    files.into_iter().map(read).collect()
}

/// Tests in a file of their own (`mod tests;`) may be declared anywhere; code follows.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap()
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            find(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            found.push(path);
        }
    }
}
