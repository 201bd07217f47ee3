//! Every relative link in the documentation leads to a file, and every anchor to a heading.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn links_and_anchors_exist() -> Result<(), Box<dyn Error>> {
    let mut broken = Vec::new();
    let mut checked = 0;
    for page in pages()? {
        for target in links(&fs::read_to_string(&page)?) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = match path {
                "" => page.clone(),
                path => page.with_file_name("").join(path),
            };
            let found = match anchor {
                "" => file.exists(),
                anchor => {
                    fs::read_to_string(&file).is_ok_and(|text| anchors(&text).contains(anchor))
                }
            };
            if !found {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    assert!(checked > 50, "only {checked} links were found: is the pattern right?");
    Ok(())
}

#[test]
fn the_book_has_every_page() -> Result<(), Box<dyn Error>> {
    let docs = root().join("docs");
    let listed = links(&fs::read_to_string(docs.join("SUMMARY.md"))?);
    for page in markdown(&docs)? {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "docs/SUMMARY.md lacks {name}");
    }
    Ok(())
}

#[test]
fn headings_become_anchors() {
    let text =
        "# `[reading]`: how inputs become text\n```\n# no heading\n```\n## A stream\n## A stream\n";
    let expected = ["reading-how-inputs-become-text", "a-stream", "a-stream-1"];
    assert_eq!(anchors(text), expected.map(String::from).into());
    assert_eq!(links("see [a](b.md#c), `[no](link)` and ![d](e.svg)"), ["b.md#c", "e.svg"]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut pages = Vec::new();
    for folder in ["", "docs", "examples"] {
        pages.extend(markdown(&root().join(folder))?);
    }
    Ok(pages)
}

fn markdown(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    Ok(entries.into_iter().map(|entry| entry.path()).filter(is_page).collect())
}

/// The lines outside code fences.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of inline links and images.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text) {
        // Every second piece between backticks is code.
        let words: String = line.split('`').step_by(2).collect();
        for rest in words.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            targets.push(target.to_owned());
        }
    }
    targets
}

/// The anchors of the headings, as GitHub and mdbook make them.
fn anchors(text: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    for heading in prose(text).filter(|line| line.starts_with('#')) {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let keeps = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let plain: String = title.chars().filter(keeps).collect();
        let base = plain.replace(' ', "-");
        let numbered = (1..).map(|number| format!("{base}-{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|a| !anchors.contains(a));
        anchors.extend(free);
    }
    anchors
}
