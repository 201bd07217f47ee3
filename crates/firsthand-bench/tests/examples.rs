//! Every public type of the core has an example, and every public function that can fail says when.
//!
//! An example is in the comment of the type, or in that of one of its own methods in the same file.
#![allow(clippy::unwrap_used)]

mod sources;

use std::path::Path;

/// Files whose types need no example: that of models in a build without the feature `learn` has no
/// value that an example could show.
const EXCEPTIONS: [&str; 1] = ["model/absent.rs"];

/// The files of the core by their paths under `src`, without their tests.
fn core() -> Vec<(String, String)> {
    sources::product(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../firsthand/src"))
}

/// The name at the start of a text.
fn name(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The documentation above a line; attributes may stand between the two.
fn documentation<'a>(lines: &[&'a str], item: usize) -> Vec<&'a str> {
    let is_comment = |line: &&&str| line.trim_start().starts_with("///");
    let is_above = |line: &&&str| {
        let line = line.trim();
        !line.is_empty() && line != "}" && !line.ends_with("};") && !line.starts_with("//!")
    };
    let above = lines[..item].iter().rev().take_while(is_above);
    let comment = above.skip_while(|line| !is_comment(line)).take_while(is_comment);
    comment.copied().collect()
}

fn has_example(documentation: &[&str]) -> bool {
    documentation.iter().any(|line| line.trim_start().starts_with("/// ```"))
}

/// Whether a line starts the own methods of a type, or the trait itself.
fn starts_methods(line: &str, of: &str) -> bool {
    let Some(rest) = line.strip_prefix("impl") else {
        return line.strip_prefix("pub trait ").is_some_and(|rest| name(rest) == of);
    };
    // What follows the parameters, if there are any.
    let rest = match rest.strip_prefix('<') {
        Some(generic) => generic.split_once("> ").map_or("", |(_, rest)| rest),
        None => rest.trim_start(),
    };
    name(rest) == of && !line.contains(" for ")
}

/// The public types without an example.
fn without_example(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type ", "pub union "];
    let types = lines.iter().enumerate().filter_map(|(at, line)| {
        let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        Some((at, name(rest)))
    });
    let lacks = |&(at, of): &(usize, &str)| {
        let mut inside = false;
        let methods = lines.iter().enumerate().any(|(at, line)| {
            inside = (inside || starts_methods(line, of)) && *line != "}";
            inside && line.contains("fn ") && has_example(&documentation(&lines, at))
        });
        !methods && !has_example(&documentation(&lines, at))
    };
    types.filter(lacks).map(|(_, of)| of).collect()
}

/// The public functions that can fail, and do not say when.
fn without_errors(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let functions = lines.iter().enumerate().filter_map(|(at, line)| {
        let rest = line.trim_start().strip_prefix("pub ")?;
        let rest = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ")?;
        let body = lines[at..].iter().take_while(|line| !line.trim().is_empty());
        let head: String = body.copied().collect::<Vec<_>>().join(" ");
        let head = head.split(" {").next().unwrap_or_default();
        head.contains("-> Result<").then(|| (at, name(rest)))
    });
    let silent =
        |&(at, _): &(usize, &str)| !documentation(&lines, at).join("\n").contains("# Errors");
    functions.filter(silent).map(|(_, of)| of).collect()
}

#[test]
fn every_public_type_has_an_example() {
    let mut lacking = Vec::new();
    let mut types = 0;
    for (file, text) in core() {
        types += text.matches("\npub struct ").count() + text.matches("\npub enum ").count();
        if !EXCEPTIONS.contains(&&*file) {
            lacking.extend(without_example(&text).iter().map(|of| format!("{file}: {of}")));
        }
    }
    assert!(lacking.is_empty(), "types without an example:\n{}", lacking.join("\n"));
    assert!(types > 100, "only {types} types were found: is the pattern right?");
}

#[test]
fn every_public_function_that_fails_says_when() {
    let mut silent = Vec::new();
    for (file, text) in core() {
        silent.extend(without_errors(&text).iter().map(|of| format!("{file}: {of}")));
    }
    assert!(silent.is_empty(), "functions without `# Errors`:\n{}", silent.join("\n"));
}

#[test]
fn a_missing_example_is_found() {
    let text = "\
/// One.
///
/// ```
/// ```
#[derive(Debug)]
#[error(
    \"several lines\"
)]
pub struct One;

/// Two.
pub struct Two<T>(T);

impl<T: Clone> Two<T> {
    /// ```
    /// ```
    pub fn new() {}
}

/// Three.
pub enum Three {}

impl Three {
    /// Fails.
    pub fn fail(
        self,
    ) -> Result<(), ()> {
    }

    /// Fails as well.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn fail_again(self) -> Result<(), ()> {
    }
}

impl From<Three> for One {
    /// ```
    /// ```
    fn from(three: Three) -> Self {}
}
";
    assert_eq!(without_example(text), ["Three"]);
    assert_eq!(without_errors(text), ["fail"]);
}
