use super::*;

fn texts(folder: &Path, ids: &[&str]) -> Vec<Option<String>> {
    let mut shelf = TextFiles::open_to_read(folder).unwrap();
    ids.iter()
        .map(|id| shelf.get(id).unwrap().map(|text| String::from_utf8(text).unwrap()))
        .collect()
}

fn put(shelf: &mut TextFiles, bucket: i64, seq: Seq, id: &str, text: &str) {
    shelf.put(&[NewText { bucket, seq, id, text: text.as_bytes() }]).unwrap();
}

#[test]
fn texts_survive_and_later_ones_replace_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut shelf = TextFiles::open(folder.path()).unwrap();
    put(&mut shelf, 1, 1, "a", "first");
    put(&mut shelf, 2, 2, "b", "other");
    // A late document is in an earlier bucket.
    put(&mut shelf, 0, 3, "a", "second");
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(folder.path(), &["a", "b", "c"]), [some("second"), some("other"), None]);
    shelf.keep_buckets(&[0, 1]);
    assert_eq!(texts(folder.path(), &["a", "b"]), [some("second"), None]);
    assert_eq!(shelf.lacking(&["a", "b"]).unwrap(), ["b"]);
}

#[test]
fn what_was_erased_is_gone_from_the_disk_after_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let mut shelf = TextFiles::open(folder.path()).unwrap();
    put(&mut shelf, 1, 1, "secret", "incompressible: 8fj2 0xk1");
    put(&mut shelf, 1, 2, "kept", "stays");
    shelf.erase(&["secret", "secret", "absent"]).unwrap();
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
    let mut shelf = TextFiles::open(folder.path()).unwrap();
    for (seq, id) in ["a", "b", "c"].into_iter().enumerate() {
        put(&mut shelf, 1, seq as u64 + 1, id, id);
    }
    drop(shelf);
    let whole = fs::read(&path).unwrap();
    let all = ["a", "b", "c"];
    for cut in 1..20 {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        let mut shelf = TextFiles::open(folder.path()).unwrap();
        assert_eq!(shelf.lacking(&all).unwrap(), ["c"], "{cut}");
        put(&mut shelf, 1, 3, "c", "again");
        assert_eq!(shelf.get("c").unwrap().as_deref(), Some(&b"again"[..]));
    }
    let mut damaged = whole;
    damaged[AROUND + 3] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let mut shelf = TextFiles::open(folder.path()).unwrap();
    assert_eq!(shelf.lacking(&all).unwrap(), ["a"]);
}
