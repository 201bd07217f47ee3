//! Documents of results read again by their places.

use firsthand::settings::Reading;
use firsthand_jobs::descriptions::DocumentPlace;
use firsthand_jobs::texts::{Texts, Wanted};
use std::fs;
use std::path::PathBuf;

/// A file of three lines, the second of which is blank, and where each starts.
const LINES: [&str; 3] =
    ["\u{feff}{\"id\":\"a\",\"text\":\"The ferry\"}", "", "{\"id\":\"b\",\"text\":\"sails\"}\r"];

fn text(texts: &mut Texts, id: &str, place: &DocumentPlace) -> Option<String> {
    let found = texts.get(Wanted { id, place: Some(place) }, &|_| true);
    found.ok().map(|found| found.document.text.clone())
}

#[test]
fn a_line_is_read_by_where_it_starts_and_else_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("news.jsonl");
    fs::write(&path, LINES.join("\n")).unwrap();
    let mut texts = Texts::new(Reading::default(), vec![PathBuf::new()]);
    let starts = [0, LINES[0].len() as u64 + 2];
    let place = |number, byte| {
        let path = path.to_str().unwrap().to_owned();
        DocumentPlace { path, number: Some(number), byte }
    };
    for byte in [Some(starts[0]), None] {
        assert_eq!(text(&mut texts, "a", &place(1, byte)).as_deref(), Some("The ferry"));
    }
    for byte in [Some(starts[1]), None, Some(3), Some(starts[1] - 1), Some(1 << 40)] {
        assert_eq!(text(&mut texts, "b", &place(3, byte)).as_deref(), Some("sails"), "{byte:?}");
    }
    // What is kept costs nothing, nor does a line whose start is known.
    let unread = Texts::new(Reading::default(), vec![PathBuf::new()]);
    let costs = |texts: &Texts, byte| {
        let place = place(3, byte);
        texts.cost(Wanted { id: "b", place: Some(&place) }).map(|(_, bytes)| bytes)
    };
    assert_eq!(costs(&texts, None), None);
    assert_eq!(costs(&unread, Some(starts[1])), None);
    assert_eq!(costs(&unread, None), Some(LINES.join("\n").len() as u64));
}
