//! The name of a page, by its address.
//!
//! The last part of an address names the page: `/docs/15/bloom.html` and `/docs/17/bloom.html` are versions of one
//! page, and so are `/en/the-project` and `/fr/the-project`, although their headlines differ. Names that pages of
//! every kind have say nothing.

use xxhash_rust::xxh3::xxh3_64;

/// A name has at least this many letters.
const LETTERS: usize = 4;

/// The most letters of an ending such as `.html`.
const ENDING: usize = 5;

/// Names that are given to a page for where it stands, not for what it says.
const PLACES: [&str; 8] = ["index", "default", "home", "main", "start", "view", "page", "article"];

/// A hash of the name of a page, without the ending of a file, and with what is asked for; 0 if the address does not
/// name it.
pub(crate) fn page_name(url: &str) -> u64 {
    let url = url.trim().split('#').next().unwrap_or_default();
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let path = path.split_once("//").map_or(path, |(_, rest)| rest);
    let Some((_, path)) = path.split_once('/') else { return 0 };
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_ending = |end: &str| {
        (1..=ENDING).contains(&end.len()) && end.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let name = match name.rsplit_once('.') {
        Some((name, end)) if is_ending(end) => name,
        _ => name,
    };
    let name = name.to_lowercase();
    let letters = name.chars().filter(|letter| letter.is_alphabetic()).count();
    if letters < LETTERS || PLACES.contains(&name.as_str()) {
        return 0;
    }
    xxh3_64(format!("{name}?{query}").as_bytes()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_page_have_one_name() {
        for (a, b) in [
            (
                "http://site.example/docs/15/bloom.html",
                "https://www.site.example/docs/17/bloom.html#top",
            ),
            ("http://site.example/en/the-project/", "http://site.example/fr/the-project"),
            ("http://site.example/core/fn.forget.html", "http://site.example/std/fn.forget.html"),
            ("site.example/a/story.php?id=7", "http://m.site.example/b/Story.php?id=7"),
            ("http://site.example/天気予報", "http://site.example/b/天気予報"),
        ] {
            assert_eq!(page_name(a), page_name(b), "{a} and {b}");
            assert_ne!(page_name(a), 0, "{a}");
        }
    }

    #[test]
    fn other_pages_have_other_names() {
        for (a, b) in [
            ("http://site.example/fn.forget.html", "http://site.example/fn.replace.html"),
            ("http://site.example/story.php?id=7", "http://site.example/story.php?id=8"),
            ("http://site.example/v1.2.min", "http://site.example/v1.3.min"),
        ] {
            assert!(page_name(a) == 0 || page_name(a) != page_name(b), "{a} and {b}");
        }
    }

    #[test]
    fn some_addresses_do_not_name_a_page() {
        for url in [
            "",
            "http://site.example",
            "http://site.example/",
            "http://site.example/de/index.html",
            "http://site.example/news/page/2",
            "http://site.example/2026/11/17/",
            "http://site.example/a.html?",
        ] {
            assert_eq!(page_name(url), 0, "{url}");
        }
    }
}
