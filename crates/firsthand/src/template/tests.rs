//! Tests of learning from sites.

use super::*;
use crate::same_site::PageHead;
use proptest::prelude::*;

/// A letter is a line of ten words of the text; in brackets, of the rest, and `[!` of what is named.
fn lines(letters: &str) -> Vec<PageLine> {
    let mut part = LinePart::Text;
    let mut lines = Vec::new();
    for letter in letters.bytes() {
        match letter {
            b'[' => part = LinePart::Rest,
            b'!' => part = LinePart::Named,
            b']' => part = LinePart::Text,
            _ => lines.push(PageLine { hash: u64::from(letter), words: 10, part }),
        }
    }
    lines
}

fn signed(page: PageLines) -> SignedPage {
    SignedPage { page: Some(Box::new(page)), ..SignedPage::default() }
}

/// Pages written as `headline words@name|blocks`; a letter is a block of ten words.
fn furniture(pages: &[&str]) -> String {
    let pages: Vec<SignedPage> = pages
        .iter()
        .map(|page| {
            let (title, letters) = page.split_once('|').unwrap_or(("", page));
            let (title, name) = title.split_once('@').unwrap_or((title, ""));
            let words = title.bytes().map(u64::from).collect();
            let name = name.bytes().next().map_or(0, u64::from);
            let headline = Headline { words, name, ..Headline::default() };
            PageLines {
                site: "site".into(),
                headline,
                head: PageHead::new(0, &[], true),
                lines: lines(letters),
            }
        })
        .map(signed)
        .collect();
    let templates = Templates::learn(&pages);
    let mut found: Vec<u8> = templates
        .sites
        .get("site")
        .into_iter()
        .flat_map(|site| &site.furniture)
        .map(|&hash| hash as u8)
        .collect();
    found.sort_unstable();
    String::from_utf8(found).unwrap()
}

#[test]
fn versions_of_a_page_tell_one_story() {
    let others =
        ["q|Nijk", "r|Nlmn", "s|Nopq", "t|Nrst", "u|Nuvw", "v|Nxyz", "w|N456", "x|N789", "y|N0AB"];
    let with = |versions: [&'static str; 3]| furniture(&[&versions[..], &others[..]].concat());
    // Three headlines seldom belong to one story, unless the addresses say so.
    assert_eq!(with(["a|Nabcdefgh1", "b|Nabcdefgh2", "c|Nabcdefgh3"]), "Nabcdefgh");
    assert_eq!(with(["a@x|Nabcdefgh1", "b@x|Nabcdefgh2", "c@x|Nabcdefgh3"]), "N");
    // A name that many pages of the site have tells what kind of page it is.
    let named: Vec<String> = others.iter().map(|page| page.replace('|', "@x|")).collect();
    let named = named.iter().map(String::as_str);
    let all: Vec<&str> =
        ["a@x|Nabcdefgh1", "b@x|Nabcdefgh2", "c@x|Nabcdefgh3"].into_iter().chain(named).collect();
    assert_eq!(furniture(&all), "Nabcdefgh");
}

#[test]
fn furniture_is_what_different_stories_share() {
    for (pages, expected) in [
        (&["NFabcd"][..], ""),
        (&["NFabcd", "NFefgh"], "FN"),
        // One story, published twice with different adverts.
        (&["NFabcd", "NGabcd"], ""),
        (&["NFabcd", "NFabcd"], ""),
        // The same among other pages: the furniture goes, the story stays.
        (&["NFabcd", "NFabce", "NFghij", "NFklmn"], "FN"),
        // Furniture longer than the stories: six pages reveal it, and a story among them that was
        // published twice stays.
        (&["NFGHab", "NFGHcd", "NFGHef", "NFGHgh", "NFGHij", "NFGHkl", "NFGHab", "NFGHa"], "FGHN"),
        (&["NFGabcd", "NFGefgh", "NFGijkl"], "FGN"),
        // A passage quoted in another story.
        (&["abcdefgh", "aijklmno"], "a"),
    ] {
        assert_eq!(furniture(pages), expected, "{pages:?}");
    }
}

#[test]
fn headlines_help_to_tell_stories_apart() {
    for (pages, expected) in [
        // Three headlines, and more than half of each page is furniture.
        (&["123S|NFGHab", "456S|NFGHcd", "789S|NFGHef"][..], "FGHN"),
        (&["123S|NFGHab", "124S|NFGHcd", "125S|NFGHef"], ""),
        (&["NFGHab", "NFGHcd", "NFGHef"], ""),
        // Two headlines; a story that is published again under another one stays.
        (&["123S|NFGHab", "456S|NFGHcd"], "FGHN"),
        (&["123S|Nabcd", "456S|Nabce"], ""),
    ] {
        assert_eq!(furniture(pages), expected, "{pages:?}");
    }
}

#[test]
fn other_sites_do_not_count() {
    let page = |site: &str, hashes: [u64; 3]| {
        signed(PageLines {
            site: site.into(),
            headline: Headline::default(),
            head: PageHead::new(0, &[], true),
            lines: hashes.map(|hash| PageLine { hash, words: 10, part: LinePart::Text }).to_vec(),
        })
    };
    let templates = Templates::learn(&[page("one", [1, 2, 3]), page("two", [1, 4, 5])]);
    assert_eq!(templates.size(), (0, 0));
    let parts = [("one", [1, 2, 3], [1, 4, 5]), ("two", [7, 2, 3], [7, 4, 5])]
        .map(|(site, a, b)| [page(site, a), page(site, b)]);
    let mut merged = Templates::learn(&parts[0]);
    merged.merge(Templates::learn(&parts[1]));
    assert_eq!(merged, Templates::learn(parts.iter().flatten()));
    assert!(merged.contains("one", 1) && !merged.contains("one", 7));
}

/// The lines by which the first page of a site is compared; a page is written as in [`furniture`].
fn compared(pages: &[&str]) -> String {
    let views: Vec<(Headline, Vec<PageLine>)> = pages
        .iter()
        .map(|page| {
            let (title, letters) = page.split_once('|').unwrap_or(("", page));
            let words = title.bytes().map(u64::from).collect();
            (Headline { words, ..Headline::default() }, lines(letters))
        })
        .collect();
    let views: Vec<PageView<'_>> =
        views.iter().map(|(headline, lines)| PageView { headline, lines }).collect();
    let lines = views[0].lines;
    let fates = match SiteTemplate::learn(&views) {
        Some(site) => site.fates(lines, |line| site.is_furniture(line)),
        None => untouched(lines),
    };
    let compared = lines.iter().zip(fates).filter(|(_, fate)| fate.is_compared());
    compared.map(|(line, _)| char::from(line.hash as u8)).collect()
}

#[test]
fn what_only_a_page_shows_is_its_text() {
    for (pages, expected) in [
        // The story was dropped, and a form sentence was kept: N, as on every page.
        (&["N[abcdefg]", "N[hijklmn]", "N[opqrstu]"][..], "abcdefg"),
        // So was part of a menu, M.
        (&["N[Mabcdefg]", "N[Mhijklmn]"], "abcdefg"),
        // What is named as comments or as the foot of the page is not its text.
        (&["Nabc[!defghijklm]", "Nnop[!qrstuvwxyz]"], "abc"),
        // Without another page nothing is known.
        (&["N[abcdefg]"], "N"),
        // Too little to judge by.
        (&["Nabc[def]", "Nhij[klm]"], "abc"),
        // The text is there, and the rest is links to other pages.
        (&["abcdef[ghijklmnopqr]", "stuvwx[yz]"], "abcdef"),
        // Most of it is there.
        (&["abcd[efg]", "hijk[lmn]"], "abcd"),
        // Two versions of one page, with the same headline.
        (&["12|N[abcdefg]", "12|N[abcdefgh]", "34|N[opqrstu]"], "abcdefg"),
        // A story that was published twice, with other links: the story is rare, so it stays.
        (&["abcde[fghijkl]", "abcde[mnopqrs]", "tuvwx[yz]"], "abcde"),
    ] {
        assert_eq!(compared(pages), expected, "{pages:?}");
    }
}

#[test]
fn a_line_occurs_wherever_it_is_visible() {
    // N was kept on one page and dropped on the others.
    assert_eq!(compared(&["Nabcdefg", "[N]hijklmn", "[N]opqrstu"]), "abcdefg");
}

#[test]
fn an_excerpt_is_not_furniture() {
    let page = |title: &str, line: Option<u8>, letters: &str| {
        let words = title.bytes().map(u64::from).collect();
        let headline = Headline { words, line: line.map(u64::from), ..Headline::default() };
        signed(PageLines {
            site: "site".into(),
            headline,
            head: PageHead::new(0, &[], true),
            lines: lines(letters),
        })
    };
    // Post 1 begins with `a` below its headline `A`. The list of posts quotes both.
    let post = |title: &str, headline: u8, letters: &str| page(title, Some(headline), letters);
    let posts = [post("12", b'A', "NAabcde"), post("34", b'F', "NFfghij")];
    let list = page("56", None, "NAaFfKk");
    let templates = Templates::learn([&posts[0], &posts[1], &list]);
    assert!(!templates.contains("site", u64::from(b'a')));
    assert!(templates.contains("site", u64::from(b'N')));
    // Without the headline above it, it recurs like anything else.
    let list = page("56", None, "NaKfk");
    let templates = Templates::learn([&posts[0], &posts[1], &list]);
    assert!(templates.contains("site", u64::from(b'a')));
}

#[test]
fn forms_are_features_of_many_headlines() {
    let detector = crate::Detector::new(crate::Settings::default()).unwrap();
    let document = |n: usize, headline: usize| crate::Document {
        host: Some("site".to_owned()),
        title: Some(format!(
            "{} members",
            ["ant", "bee", "cow", "dog", "elk", "fox", "gnu", "hen"][headline]
        )),
        ..crate::Document::new(
            n.to_string(),
            format!("This is the complete list of members for class number w{n} of the module"),
        )
    };
    let forms = |headlines: usize| {
        let pages: Vec<SignedPage> =
            (0..8).map(|n| detector.sign_page(&document(n, n % headlines))).collect();
        let templates = Templates::learn(&pages);
        assert_eq!(templates.size(), (0, 0), "no line is the same");
        detector.apply(&templates, &pages[0]).len()
    };
    // Shingles with the number of the class are left.
    assert_eq!((forms(8), forms(7)), (3, 12));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        sites in prop::collection::hash_map(".{0,9}", prop::collection::hash_set(any::<u64>(), 0..9), 0..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let site = |hashes: HashSet<u64>| SiteTemplate {
            furniture: hashes.iter().copied().collect(),
            on_many: hashes.iter().map(|hash| hash / 2).collect(),
            forms: hashes.into_iter().filter(|hash| hash % 2 == 0).collect(),
            ..SiteTemplate::default()
        };
        let sites = sites.into_iter().map(|(name, hashes)| (name, site(hashes)));
        let templates = Templates { sites: sites.collect() };
        let bytes = templates.to_bytes();
        prop_assert_eq!(Templates::from_bytes(&bytes), Ok(templates));
        prop_assert!(Templates::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
    }
}

#[test]
fn the_encoding_is_fixed() {
    // Files written before must stay readable, so these bytes never change.
    let furniture: Hashes = [2, 1].into_iter().collect();
    let sites = [("b", furniture), ("a", Hashes::default())];
    let sites = sites.map(|(name, furniture)| {
        (name.to_owned(), SiteTemplate { furniture, ..SiteTemplate::default() })
    });
    let bytes = Templates { sites: sites.into_iter().collect() }.to_bytes();
    let lines = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    let expected = [&[3, 2, 1, b'a', 0, 0, 0, 0, 0, 0, 1, b'b', 2][..], &lines, &[0; 5]];
    assert_eq!(bytes, expected.concat());
}
