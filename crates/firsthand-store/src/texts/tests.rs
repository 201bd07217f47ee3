use super::*;

fn texts(folder: &Path, ids: &[&str]) -> Vec<Option<String>> {
    let mut shelf = TextShelf::open_to_read(folder).unwrap().unwrap();
    ids.iter()
        .map(|id| shelf.get(id).unwrap().map(|text| String::from_utf8(text).unwrap()))
        .collect()
}

#[test]
fn texts_survive_and_later_ones_replace_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut shelf = TextShelf::open(folder.path()).unwrap();
    shelf.put(1, 1, "a", b"first").unwrap();
    shelf.put(2, 2, "b", b"other").unwrap();
    // A late document is in an earlier bucket.
    shelf.put(0, 3, "a", b"second").unwrap();
    shelf.sync().unwrap();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(folder.path(), &["a", "b", "c"]), [some("second"), some("other"), None]);
    shelf.keep_buckets(&[0, 1]);
    assert_eq!(texts(folder.path(), &["a", "b"]), [some("second"), None]);
    assert_eq!((shelf.len(), shelf.has("a"), shelf.has("b")), (1, true, false));
}

#[test]
fn what_was_erased_is_gone_from_the_disk_after_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let mut shelf = TextShelf::open(folder.path()).unwrap();
    shelf.put(1, 1, "secret", b"incompressible: 8fj2 0xk1").unwrap();
    shelf.put(1, 2, "kept", b"stays").unwrap();
    assert!(shelf.erase("secret").unwrap() && !shelf.erase("secret").unwrap());
    assert_eq!(texts(folder.path(), &["secret", "kept"])[0], None);
    shelf.compact().unwrap();
    let bytes = fs::read(file_of(folder.path(), 1)).unwrap();
    assert!(!bytes.windows(6).any(|part| part == b"secret" || part == b"0xk1\0\0"));
    assert_eq!(shelf.get("kept").unwrap().as_deref(), Some(&b"stays"[..]));
    assert_eq!(texts(folder.path(), &["secret", "kept"]), [None, Some("stays".to_owned())]);
}

#[test]
fn a_write_that_was_cut_short_is_cut_off_and_damage_loses_one_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = file_of(folder.path(), 1);
    let mut shelf = TextShelf::open(folder.path()).unwrap();
    for (seq, id) in ["a", "b", "c"].into_iter().enumerate() {
        shelf.put(1, seq as u64 + 1, id, id.as_bytes()).unwrap();
    }
    drop(shelf);
    let whole = fs::read(&path).unwrap();
    for cut in 1..20 {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        let mut shelf = TextShelf::open(folder.path()).unwrap();
        assert_eq!((shelf.len(), shelf.has("c")), (2, false), "{cut}");
        shelf.put(1, 3, "c", b"again").unwrap();
        assert_eq!(shelf.get("c").unwrap().as_deref(), Some(&b"again"[..]));
    }
    let mut damaged = whole;
    damaged[AROUND + 3] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let shelf = TextShelf::open(folder.path()).unwrap();
    assert_eq!((shelf.has("a"), shelf.has("b"), shelf.has("c")), (false, true, true));
}
