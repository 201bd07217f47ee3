//! Copies differ from their originals by what their kind says, and are found.

use std::collections::HashSet;

use firsthand::Settings;

use super::page::{inside, text_runs, title, words_of_markup};
use super::{CopyKind, InputPage, PageCopy, Sites, copy, measure, originals, read, site, write};
use crate::collection::{self, Shape};

fn pages() -> Vec<InputPage> {
    let mut lines = Vec::new();
    collection::write(Shape::Web, 600, 5, &mut lines).expect("memory does not fail");
    read(lines.as_slice()).expect("pages")
}

fn copies(sites: &Sites<'_>, kind: CopyKind) -> Vec<PageCopy> {
    copy::make(sites, kind, &originals::pick(sites, kind, 40, 7), 7)
}

/// All visible words of a page.
fn visible(html: &str) -> Vec<String> {
    text_runs(html).into_iter().flat_map(|run| words_of_markup(&html[run])).collect()
}

/// The words of a page that another does not have, counted as often as they occur more often.
fn more(one: &str, other: &str) -> usize {
    let mut rest = visible(other);
    let mut is_more = |word: &String| match rest.iter().position(|known| known == word) {
        Some(at) => {
            rest.swap_remove(at);
            false
        }
        None => true,
    };
    visible(one).iter().filter(|word| is_more(word)).count()
}

#[test]
fn a_site_that_publishes_a_story_twice_is_caught() {
    let pages = pages();
    let sites = Sites::new(&pages);
    let settings = Settings::profile("archive").expect("a profile");
    for (kind, least) in CopyKind::ALL.map(|(_, kind)| kind).into_iter().zip([0.97, 0.9, 0.97, 0.8])
    {
        let copies = copies(&sites, kind);
        let mut lines = Vec::new();
        write(&pages, &copies, &mut lines).expect("memory does not fail");
        let figures = measure(&settings, kind, &sites, &copies, &lines).expect("figures");
        assert_eq!(figures.copies, 40);
        assert!(figures.share >= least, "{figures:?}");
    }
}

#[test]
fn a_copy_is_a_page_of_the_same_site_with_the_changes_of_its_kind() {
    let pages = pages();
    let sites = Sites::new(&pages);
    for (_, kind) in CopyKind::ALL {
        for copy in copies(&sites, kind) {
            let original = &pages[copy.original];
            let (before, after) = (&original.html, &copy.html);
            assert_eq!(site::host(&copy.url), site::host(&original.url));
            assert_ne!(copy.url, original.url);
            let (new, gone) = (more(after, before), more(before, after));
            let all = visible(before).len();
            match kind {
                CopyKind::Edits => assert!(new + gone >= 2 && new + gone <= 8 + all / 12),
                CopyKind::Headline => {
                    assert_ne!(title(after), title(before));
                    let heading = |html: &str| inside(html, "h1", 0).map(|at| html[at].to_owned());
                    assert_ne!(heading(after), heading(before));
                }
                CopyKind::Links => {
                    let links = after.matches("<li><a href=\"/copies/").count();
                    assert!((8..=30).contains(&links), "{links}");
                    assert!((40..=130 + all / 12).contains(&new), "{new} of {all}");
                }
                CopyKind::Lines => assert!(gone <= all / 8 * 2 + 2, "{gone} of {all}"),
            }
        }
    }
}

#[test]
fn the_seed_decides_everything() {
    let pages = pages();
    let sites = Sites::new(&pages);
    for (_, kind) in CopyKind::ALL {
        let html = |seed: u64| -> Vec<String> {
            let originals = originals::pick(&sites, kind, 10, seed);
            copy::make(&sites, kind, &originals, seed).into_iter().map(|copy| copy.html).collect()
        };
        assert_eq!(html(1), html(1));
        assert_ne!(html(1), html(2));
    }
}

#[test]
fn copies_are_spread_over_sites() {
    let pages = pages();
    let sites = Sites::new(&pages);
    let picked = originals::pick(&sites, CopyKind::Edits, 40, 7);
    let hosts: HashSet<&str> = picked.iter().map(|&at| site::host(&pages[at].url)).collect();
    let large = sites.hosts.values().filter(|pages| pages.len() >= 20).count();
    assert!(hosts.len() >= large, "{} of {large}", hosts.len());
    let distinct: HashSet<usize> = picked.iter().copied().collect();
    assert_eq!(distinct.len(), picked.len());
}

#[test]
fn only_what_can_be_seen_is_text() {
    let html = "<html><head><title>no</title></head><body>one<!-- no --><script>no</script>\
                <p class='no'>two &amp; three</p><STYLE>no</STYLE> four";
    assert_eq!(visible(html), ["one", "two", "three", "four"]);
}

#[test]
fn the_story_is_what_the_main_text_says() {
    let line = |id: usize, text: &str, gold: Option<&str>| {
        let html = format!("<body><p>One menu of the whole site</p><p>{text}</p></body>");
        let url = format!("http://a.example/{id}");
        serde_json::json!({ "id": id.to_string(), "url": url, "html": html, "gold": gold })
            .to_string()
    };
    let text = |id: usize| (0..120).map(|at| format!("w{id}x{at}")).collect::<Vec<_>>().join(" ");
    let gold = text(1);
    let lines = [line(1, &text(1), Some(&gold)), line(2, &text(2), None), line(3, &text(3), None)];
    let pages = read(lines.join("\n").as_bytes()).expect("pages");
    let sites = Sites::new(&pages);
    for (at, page) in pages.iter().enumerate() {
        let story: Vec<&str> =
            sites.stories[at].iter().map(|run| &page.html[run.clone()]).collect();
        assert_eq!(story, [text(at + 1)]);
    }
}
