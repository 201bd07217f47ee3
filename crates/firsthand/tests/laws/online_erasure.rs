//! Deleting documents from a store, and asking it about the rest.

use super::stream::{arrival, letters, online};
use firsthand::{
    Document, Settings,
    online::{Answer, Memory, Online, Store, StreamDetector, Verdict},
    settings::{Grouping, Numbers, Original},
};

/// The document `id` with letters as words, and a URL and a title that name it.
fn words(id: &str, letters: &str) -> Document {
    let text: Vec<String> = letters.chars().map(String::from).collect();
    Document {
        url: Some(format!("https://site.example/{id}")),
        title: Some(format!("The title of {id}")),
        ..Document::new(id, text.join(" "))
    }
}

struct Stream {
    detector: StreamDetector,
    online: Online<Memory>,
}

impl Stream {
    fn new(settings: &Settings) -> Self {
        let (detector, online) = online(settings);
        Self { detector, online }
    }

    fn add(&mut self, document: &Document) -> Answer {
        self.online.add(&[arrival(&self.detector, document)]).unwrap().remove(0)
    }

    fn promoted(&mut self, id: &str) -> Option<String> {
        self.online.upkeep().delete(id).unwrap().unwrap().promoted
    }

    /// Whether some bytes are anywhere in the records.
    fn holds(&mut self, text: &str) -> bool {
        let stored = self.online.upkeep().store_mut().scan(0, usize::MAX).unwrap();
        let has = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        stored.iter().any(|stored| has(&stored.payload))
    }
}

#[test]
fn nothing_names_a_deleted_document_and_its_copies_get_a_new_original_each_time() {
    for grouping in [Grouping::Star, Grouping::Chain, Grouping::Component] {
        let settings = Settings { grouping: Some(grouping), ..letters(&Settings::default()) };
        let mut stream = Stream::new(&settings);
        for (id, text) in
            [("first", "abcdef"), ("second", "abcdeg"), ("third", "abcdeh"), ("fourth", "abcdei")]
        {
            stream.add(&words(id, text));
        }
        for (gone, next) in [("first", "second"), ("second", "third"), ("third", "fourth")] {
            assert!(stream.holds(gone));
            assert_eq!(stream.promoted(gone).as_deref(), Some(next), "{grouping:?}");
            assert!(!stream.holds(gone), "{gone} {grouping:?}");
            let id = format!("after {next}");
            let answer = stream.add(&words(&id, "abcdef"));
            assert_eq!(answer.original.as_deref(), Some(next));
            assert_eq!(answer.cluster.as_deref(), Some(next));
            assert_eq!(stream.online.upkeep().delete(gone).unwrap(), None);
            // It is asked to forget this one as well, so that only the four are left.
            stream.online.upkeep().delete(&id).unwrap().unwrap();
            assert!(!stream.holds(&id));
        }
        let (left, _) = stream.online.upkeep().export(0, 100).unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(stream.online.upkeep().holdings().unwrap().documents, 1);
        // Another text for the same id: what it said before does not count.
        stream.add(&words("fourth", "stuvwx"));
        assert_eq!(stream.online.upkeep().holdings().unwrap().documents, 1);
        assert_eq!(stream.online.upkeep().expire(Some(i64::MAX)).unwrap().documents, 1);
        assert_eq!(stream.online.upkeep().holdings().unwrap().documents, 0);
        stream.add(&words("fifth", "stuvwx"));
        assert_eq!(stream.online.upkeep().holdings().unwrap().documents, 1);
        let answer = &left[0].answer;
        assert_eq!((answer.id.as_deref(), answer.verdict), (Some("fourth"), Verdict::Original));
        assert_eq!((answer.original.as_deref(), answer.cluster.as_deref()), (None, Some("fourth")));
    }
}

#[test]
fn several_are_deleted_as_one_after_another() {
    let delete = |together: bool| {
        let mut stream = Stream::new(&letters(&Settings::default()));
        for (id, text) in [("a1", "abcdef"), ("a2", "abcdeg"), ("a3", "abcdeh"), ("b1", "uvwxyz")] {
            stream.add(&words(id, text));
        }
        let ids = ["a1", "nobody", "a2", "b1"];
        let upkeep = stream.online.upkeep();
        let deleted = match together {
            true => upkeep.delete_all(&ids).unwrap(),
            false => ids.iter().map(|id| upkeep.delete(id).unwrap()).collect(),
        };
        let (left, _) = upkeep.export(0, 100).unwrap();
        assert!(!["a1", "a2", "b1"].iter().any(|id| stream.holds(id)));
        (deleted, left)
    };
    let (deleted, left) = delete(true);
    let promoted: Vec<_> =
        deleted.iter().map(|d| d.as_ref().map(|d| d.promoted.as_deref())).collect();
    assert_eq!(promoted, [Some(Some("a2")), None, Some(Some("a3")), Some(None)]);
    assert_eq!((deleted, left), delete(false));
}

#[test]
fn an_original_that_was_replaced_can_be_deleted_and_so_can_the_one_that_replaced_it() {
    let by_time = Settings { original: Some(Original::Earliest), ..letters(&Settings::default()) };
    let at = |time: i64, document: Document| Document { time: Some(time), ..document };
    for (gone, left) in [("late", "early"), ("early", "late")] {
        let mut stream = Stream::new(&by_time);
        stream.add(&at(20, words("late", "abcdef")));
        assert_eq!(stream.add(&at(10, words("early", "abcdef"))).replaces.as_deref(), Some("late"));
        stream.add(&at(30, words("copy", "abcdeg")));
        stream.promoted(gone);
        assert!(!stream.holds(gone), "{gone}");
        let answer = stream.add(&at(40, words("next", "abcdef")));
        assert_eq!(answer.original.as_deref(), Some(left), "without {gone}");
        assert_eq!(answer.cluster.as_deref(), Some(left), "without {gone}");
    }
}

#[test]
fn an_original_that_changes_hands_over_a_second_time() {
    let mut stream = Stream::new(&letters(&Settings::default()));
    for (id, text) in [("a", "abcdef"), ("b", "abcdeg"), ("c", "abcdeh")] {
        stream.add(&words(id, text));
    }
    // Both originals become other texts, one after the other.
    stream.add(&words("a", "uvwxyz"));
    assert_eq!(stream.add(&words("d", "abcdef")).original.as_deref(), Some("b"));
    stream.add(&words("b", "mnopqr"));
    assert_eq!(stream.add(&words("e", "abcdef")).original.as_deref(), Some("c"));
}

#[test]
fn updates_of_a_deleted_document_stand_on_their_own() {
    let settings = Settings { numbers: Numbers::Guard, ..Settings::profile("feed").unwrap() };
    let mut stream = Stream::new(&settings);
    let story = |count: &str| {
        format!(
            "The night ferry ran aground on a mud bank shortly before midnight, and {count} of the \
             passengers were hurt. A tug from the harbour will try to free the ship at high tide."
        )
    };
    stream.add(&Document::new("before", story("17")));
    assert_eq!(stream.add(&Document::new("after", story("23"))).verdict, Verdict::Update);
    stream.promoted("before");
    assert!(!stream.holds("before"));
    let found = stream.online.upkeep().get("after").unwrap().unwrap();
    assert_eq!(found.document.answer.cluster.as_deref(), Some("after"));
    assert_eq!(stream.add(&Document::new("last", story("23"))).original.as_deref(), Some("after"));
}

#[test]
fn a_store_can_be_asked_by_id_and_by_url() {
    let mut stream = Stream::new(&letters(&Settings::default()));
    for (id, text) in [("a", "abcdef"), ("b", "abcdeg"), ("c", "abcdeh"), ("d", "uvwxyz")] {
        stream.add(&words(id, text));
    }
    let upkeep = stream.online.upkeep();
    assert_eq!(upkeep.get("nobody").unwrap(), None);
    assert_eq!(upkeep.get_by_url("https://nowhere.example/").unwrap(), None);
    let original = upkeep.get("a").unwrap().unwrap();
    assert_eq!(original.copies, ["b", "c"]);
    assert_eq!(original.document.title.as_deref(), Some("The title of a"));
    let copy = upkeep.get_by_url("https://site.example/b").unwrap().unwrap();
    assert_eq!(copy, upkeep.get("b").unwrap().unwrap());
    assert_eq!(copy.document.answer.original.as_deref(), Some("a"));
    assert_eq!((copy.copies.len(), copy.replaced_by), (0, None));
    // A new generation, and then none at all.
    stream.add(&Document { url: None, ..words("b", "mnopqr") });
    let upkeep = stream.online.upkeep();
    assert_eq!(upkeep.get_by_url("https://site.example/b").unwrap(), None);
    assert_eq!(upkeep.get("b").unwrap().unwrap().document.generation, 1);
    assert_eq!(upkeep.get("a").unwrap().unwrap().copies, ["c"]);
    upkeep.delete("a").unwrap();
    assert_eq!(upkeep.get("a").unwrap(), None);
    assert_eq!(upkeep.get("c").unwrap().unwrap().document.answer.verdict, Verdict::Original);
}

#[test]
fn clusters_have_a_size_a_span_and_an_original() {
    let mut stream = Stream::new(&letters(&Settings::default()));
    let at = |time: i64, id: &str, text: &str| Document { time: Some(time), ..words(id, text) };
    for document in [
        at(10, "a", "abcdef"),
        at(50, "alone", "ghijkl"),
        at(30, "x", "uvwxyz"),
        at(5, "b", "abcdeg"),
        at(40, "y", "uvwxya"),
        at(70, "c", "abcdeh"),
    ] {
        stream.add(&document);
    }
    let clusters = stream.online.upkeep().clusters(2).unwrap();
    let told: Vec<_> = clusters.iter().map(|c| (&*c.original, c.size, c.times)).collect();
    assert_eq!(told, [("a", 3, (5, 70)), ("x", 2, (30, 40))]);
    assert_eq!(clusters[0].url.as_deref(), Some("https://site.example/a"));
    assert_eq!(stream.online.upkeep().clusters(1).unwrap().len(), 3);
    stream.promoted("a");
    let clusters = stream.online.upkeep().clusters(2).unwrap();
    let told: Vec<_> = clusters.iter().map(|c| (&*c.cluster, c.size, c.times)).collect();
    assert_eq!(told, [("x", 2, (30, 40)), ("b", 2, (5, 70))]);
}
