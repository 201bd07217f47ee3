//! Kept texts: replaced and erased with their documents, forgotten with their buckets, gone from the disk once
//! the store is compacted. One story for all stores that can keep texts.

use super::server;
use super::told::{Told, file_holds, table_holds};
use firsthand::Document;
use firsthand_store::{NewText, TextShelf, open_to_read};

const HOUR: i64 = 3_600_000;
/// Words that occur nowhere else, too short to be compressed.
const SECRET: &str = "q7#Zk~p0";
const KEPT: &str = "w3@Vu!r8";

fn shelf(told: &mut Told) -> &mut dyn TextShelf {
    told.store().texts(true).unwrap().unwrap()
}

/// Adds a document of this hour; its bucket and its number.
fn add(told: &mut Told, id: &str, hour: i64) -> (i64, u64) {
    let text = format!("Nothing of {id} at {hour} is like anything else of {id} and {hour}");
    told.add(&Document { time: Some(hour * HOUR), ..Document::new(id, text) });
    let next = told.store().begin().unwrap().next;
    told.store().abandon();
    let stored = told.store().scan(next - 1, 1).unwrap().remove(0);
    (stored.bucket, stored.seq)
}

fn put(told: &mut Told, (bucket, seq): (i64, u64), id: &str, text: &str) {
    shelf(told).put(&[NewText { bucket, seq, id, text: text.as_bytes() }]).unwrap();
}

fn get(told: &mut Told, id: &str) -> Option<String> {
    shelf(told).get(id).unwrap().map(|text| String::from_utf8(text).unwrap())
}

/// Tells the story; `holds` says whether a text is anywhere in the store, which is closed.
fn tell(address: &str, holds: &dyn Fn(&str) -> bool) {
    let mut told = Told::new(address);
    assert!(told.store().texts(false).unwrap().is_none(), "nothing is kept unless it is asked for");
    let (a, b) = (add(&mut told, "a", 1), add(&mut told, "b", 2));
    assert_eq!(shelf(&mut told).lacking(&["a", "b"]).unwrap(), ["a", "b"]);
    put(&mut told, a, "a", "first");
    let long = KEPT.repeat(100_000);
    put(&mut told, b, "b", &long);
    told = told.again(address);
    assert_eq!(get(&mut told, "a").as_deref(), Some("first"));
    assert_eq!(get(&mut told, "b"), Some(long));
    assert_eq!(get(&mut told, "c"), None);

    // A later text takes the place of an earlier one, also from another bucket; an earlier one never.
    let later = add(&mut told, "a", 3);
    put(&mut told, later, "a", "second");
    put(&mut told, a, "a", "first");
    told = told.again(address);
    assert_eq!(get(&mut told, "a").as_deref(), Some("second"));
    // The same again, as after a crash, and several at once.
    let (odd, text) = ("an odd id\u{1f409}' \\ \"", SECRET);
    let c = add(&mut told, odd, 3);
    for _ in 0..2 {
        let texts = [
            NewText { bucket: later.0, seq: later.1, id: "a", text: b"third" },
            NewText { bucket: c.0, seq: c.1, id: odd, text: text.as_bytes() },
        ];
        shelf(&mut told).put(&texts).unwrap();
    }
    told = told.again(address);
    assert_eq!(get(&mut told, "a").as_deref(), Some("third"));
    assert_eq!(get(&mut told, odd).as_deref(), Some(SECRET));
    assert_eq!(shelf(&mut told).lacking(&["a", "c", odd]).unwrap(), ["c"]);
    drop(told);
    assert!(holds(SECRET) && holds(KEPT));

    // Whoever only reads sees them, and keeps none.
    let mut reader = open_to_read(address).unwrap();
    assert_eq!(reader.texts(false).unwrap().unwrap().get("a").unwrap(), Some(b"third".to_vec()));
    assert!(reader.texts(true).is_err());
    drop(reader);

    // What is erased is gone for everybody, and from the disk once the store is compacted.
    let mut told = Told::new(address);
    shelf(&mut told).erase(&[odd, "absent"]).unwrap();
    assert_eq!(get(&mut told, odd), None);
    told = told.again(address);
    assert_eq!(get(&mut told, odd), None);
    told.store().compact().unwrap();
    assert_eq!(get(&mut told, "a").as_deref(), Some("third"));
    drop(told);
    assert!(is_gone(address, &|| holds(SECRET)), "an erased text is still there");
    assert!(holds(KEPT));

    // A bucket takes its texts with it.
    let mut told = Told::new(address);
    let d = add(&mut told, "d", 400);
    put(&mut told, d, "d", "of today");
    told.online.upkeep().expire(Some(300 * HOUR)).unwrap();
    assert_eq!(shelf(&mut told).lacking(&["a", "b", "d"]).unwrap(), ["a", "b"]);
    told = told.again(address);
    assert_eq!((get(&mut told, "b"), get(&mut told, "d")), (None, Some("of today".to_owned())));
    told.store().compact().unwrap();
    assert_eq!(told.store().verify().unwrap().problems, [""; 0]);
    drop(told);
    assert!(is_gone(address, &|| holds(KEPT)), "a forgotten text is still there");
}

/// Whether a text is gone once the store is compacted. A server that is shared keeps what was deleted as long as
/// any transaction that began before may see it, such as that of another test: then it is compacted again.
fn is_gone(address: &str, is_there: &dyn Fn() -> bool) -> bool {
    (0..100).any(|_| {
        !is_there() || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            Told::new(address).store().compact().unwrap();
            false
        }
    })
}

#[test]
fn in_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let store = root.path().join("store");
    tell(store.to_str().unwrap(), &|text| file_holds(&store, text));
}

#[test]
fn in_postgresql() {
    let address = server::fresh();
    tell(&address, &|text| table_holds(&address, text));
}

#[test]
fn not_in_memory() {
    assert!(Told::new("memory:").store().texts(true).unwrap().is_none());
}

/// Two processes with one store: what one keeps or erases, the other sees, and a text that is late does not
/// take the place of a newer one.
#[test]
fn a_shelf_is_shared() {
    let address = server::fresh();
    let (mut one, mut other) = (Told::new(&address), Told::new(&address));
    let first = add(&mut one, "a", 1);
    put(&mut one, first, "a", "of one");
    assert_eq!(get(&mut other, "a").as_deref(), Some("of one"));
    let second = add(&mut other, "a", 2);
    put(&mut other, second, "a", "of the other");
    put(&mut one, first, "a", "of one, and late");
    assert_eq!(get(&mut one, "a").as_deref(), Some("of the other"));
    shelf(&mut one).erase(&["a"]).unwrap();
    assert_eq!(get(&mut other, "a"), None);
    let counted = other.store().rounds_of_all().unwrap();
    add(&mut one, "b", 3);
    assert!(other.store().rounds_of_all().unwrap() > counted);
}

/// A damaged text is an error, not another text.
#[test]
fn damage_in_postgresql_is_noticed() {
    let address = server::fresh();
    let mut told = Told::new(&address);
    let place = add(&mut told, "a", 1);
    put(&mut told, place, "a", "as it was");
    let mut client = server::client(&address);
    client.batch_execute("UPDATE texts SET text = set_byte(text, 9, 0)").unwrap();
    assert!(shelf(&mut told).get("a").unwrap_err().to_string().contains("cannot be read"));
}

/// Texts are copied with a folder; for PostgreSQL see the test of its backup.
#[test]
fn a_copy_has_the_texts() {
    let root = tempfile::tempdir().unwrap();
    let mut told = Told::new(root.path().join("store").to_str().unwrap());
    let place = add(&mut told, "a", 1);
    put(&mut told, place, "a", "copied with the rest");
    let copy = root.path().join("copy");
    told.store().backup(&copy).unwrap();
    let mut copied = Told::new(copy.to_str().unwrap());
    assert_eq!(get(&mut copied, "a").as_deref(), Some("copied with the rest"));
}
