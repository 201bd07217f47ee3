//! What a store in a folder withstands: damage, a full disk, a second opener, other settings.

use super::story::{
    entry, hits, insert,
    law::{Splitmix, Step, random, same},
    probe, round, text,
};
use firsthand::online::{Changes, Memory, Store, StoreError};
use firsthand_store::{
    Embedded, Fact, Faults, ManagedStore, OnOtherSettings, StoredSettings, Tuning,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

const SMALL: Tuning = Tuning {
    postings: 30,
    total: 60,
    fan: 2,
    main: 400,
    faults: Faults { crash: None, fail_after: None },
};

fn open_with(path: &Path, settings: &str, tuning: Tuning) -> Result<Embedded, StoreError> {
    let settings = StoredSettings::kept(settings);
    Embedded::open_tuned(path, Some(&settings), OnOtherSettings::Refuse, tuning)
}

fn open(path: &Path) -> Result<Embedded, StoreError> {
    open_with(path, "{}", SMALL)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
    }
}

/// A store that random steps have been done to, and the same in memory.
fn lived(path: &Path, seed: u64) -> Memory {
    let mut memory = Memory::new();
    let mut store = open(path).unwrap();
    for step in random(seed, 25) {
        if let Step::Round(changes) = step {
            round(&mut memory, changes.clone());
            round(&mut store, changes);
        }
    }
    memory
}

#[test]
fn flipped_bits_never_give_a_wrong_answer() {
    let (mut refused, mut unharmed) = (0, 0);
    for seed in 0..2 {
        let root = tempfile::tempdir().unwrap();
        let whole = root.path().join("whole");
        let mut memory = lived(&whole, seed);
        let mut rng = Splitmix(seed);
        for number in 0..50 {
            let path = root.path().join(number.to_string());
            copy(&whole, &path);
            // Small files hold as much as large ones do.
            let files: Vec<PathBuf> = files(&path)
                .into_iter()
                .filter(|file| fs::metadata(file).unwrap().len() > 0)
                .collect();
            let file = &files[rng.below(files.len() as u64) as usize];
            let mut bytes = fs::read(file).unwrap();
            let bit = rng.below(bytes.len() as u64 * 8) as usize;
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(file, &bytes).unwrap();
            match answers(&path) {
                Ok(()) => {
                    same(&mut memory, &mut open(&path).unwrap(), number);
                    unharmed += 1;
                }
                Err(StoreError::Damaged(text)) => {
                    assert!(text.contains(&*path.to_string_lossy()), "{text}");
                    refused += 1;
                }
                Err(StoreError::Unfit(text)) => {
                    assert!(file.ends_with("store.json"), "{text}");
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
            fs::remove_dir_all(&path).unwrap();
        }
    }
    assert!(refused > 10 && unharmed > 10, "{refused} refused, {unharmed} unharmed");
}

/// Reads all of a store, as far as it lets itself be read.
fn answers(path: &Path) -> Result<(), StoreError> {
    let mut store = open(path)?;
    store.begin()?;
    let every: Vec<u64> = (0..3).chain((0..40).map(|n| n << 58 | 7)).collect();
    store.find(&[probe(&every)])?;
    store.scan(0, usize::MAX)?;
    Ok(())
}

#[test]
fn verify_finds_what_opening_does_not() {
    let root = tempfile::tempdir().unwrap();
    let whole = root.path().join("whole");
    let mut store = open(&whole).unwrap();
    // A replaced payload is dead: nothing reads it again, except a check of everything.
    insert(&mut store, (1..=20).map(|seq| entry(seq, 0, 0, &[seq, 100, 200])).collect());
    round(&mut store, Changes { replace: vec![(3, b"new".to_vec())], ..Changes::default() });
    insert(&mut store, (21..=60).map(|seq| entry(seq, 0, 0, &[seq, 100, 200])).collect());
    assert!(store.verify().unwrap().problems.is_empty());
    drop(store);
    let log = files(&whole).into_iter().find(|file| file.extension().is_some_and(|e| e == "log"));
    let log = log.unwrap();
    let mut bytes = fs::read(&log).unwrap();
    let at = bytes.windows(10).position(|window| window == b"document 3").unwrap();
    bytes[at] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let mut store = open(&whole).unwrap();
    assert_eq!(text(&mut store, 3).as_deref(), Some("new"));
    let verified = store.verify().unwrap();
    assert_eq!(verified.problems.len(), 1, "{:?}", verified.problems);
    assert!(verified.problems[0].contains("is damaged at byte"));
}

#[test]
fn a_damaged_run_is_made_again() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("store");
    let mut memory = Memory::new();
    let mut store = open(&path).unwrap();
    for first in (1..200).step_by(10) {
        let entries: Vec<_> = (first..first + 10)
            .map(|seq| entry(seq, 0, 0, &[seq % 3, (seq % 40) << 58 | 7]))
            .collect();
        insert(&mut memory, entries.clone());
        insert(&mut store, entries);
    }
    assert!(store.verify().unwrap().problems.is_empty());
    let runs =
        || files(&path).into_iter().filter(|file| file.extension().is_some_and(|e| e == "run"));
    assert!(runs().count() > 0);
    // While it is open: noticed when it is read. The first page holds keys.
    for run in runs() {
        let mut bytes = fs::read(&run).unwrap();
        bytes[5] ^= 1;
        fs::write(&run, &bytes).unwrap();
    }
    same(&mut memory, &mut store, 0);
    let facts = store.info().unwrap();
    assert!(facts.iter().any(|(label, _)| label == "damaged runs rebuilt"), "{facts:?}");
    for run in runs() {
        let mut bytes = fs::read(&run).unwrap();
        bytes[5] ^= 1;
        fs::write(&run, &bytes).unwrap();
    }
    assert!(!store.verify().unwrap().problems.is_empty());
    assert!(store.verify().unwrap().problems.is_empty());
    drop(store);
    // While it is closed; and gone altogether.
    let all: Vec<PathBuf> = runs().collect();
    fs::write(&all[0], b"").unwrap();
    all[1..].iter().for_each(|run| fs::remove_file(run).unwrap());
    let mut store = open(&path).unwrap();
    same(&mut memory, &mut store, 1);
    assert!(store.verify().unwrap().problems.is_empty());
}

#[test]
fn files_that_are_cut_short_or_missing_are_noticed() {
    let root = tempfile::tempdir().unwrap();
    let whole = root.path().join("whole");
    let mut memory = lived(&whole, 77);
    for (number, file) in files(&whole).iter().enumerate() {
        for how in ["cut", "gone", "zeros"] {
            let path = root.path().join(format!("{number} {how}"));
            copy(&whole, &path);
            let file = path.join(file.strip_prefix(&whole).unwrap());
            let length = fs::metadata(&file).unwrap().len();
            match how {
                "cut" => {
                    fs::write(&file, &fs::read(&file).unwrap()[..length as usize / 2]).unwrap()
                }
                "gone" => fs::remove_file(&file).unwrap(),
                _ => fs::write(&file, vec![0; length as usize]).unwrap(),
            }
            match open(&path) {
                Ok(mut store) => {
                    let name = file.file_name().unwrap().to_string_lossy().into_owned();
                    assert!(
                        name == "lock"
                            || name == "journal"
                            || [".run", ".tmp"].iter().any(|kind| name.ends_with(kind)),
                        "{name} {how}"
                    );
                    same(&mut memory, &mut store, number);
                }
                Err(StoreError::Damaged(_)) => {}
                Err(error) => panic!("{}: {error}", file.display()),
            }
        }
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    for fail_after in (0..120).step_by(3) {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("store");
        let mut memory = Memory::new();
        let faults = Faults { fail_after: Some(fail_after), ..Faults::default() };
        let tuning = Tuning { faults, ..SMALL };
        if let Ok(mut store) = open_with(&path, "{}", tuning) {
            for step in random(fail_after, 12) {
                let Step::Round(changes) = step else { continue };
                if store.begin().is_err() {
                    break;
                }
                match store.commit(changes.clone()) {
                    Ok(()) => round(&mut memory, changes),
                    Err(error) => {
                        assert!(matches!(error, StoreError::Failed(_)), "{error}");
                        assert!(error.to_string().contains("free some space"), "{error}");
                        // From now on it does nothing, until it is opened again.
                        assert!(matches!(store.begin(), Err(StoreError::Failed(_))));
                        assert!(matches!(
                            store.commit(Changes::default()),
                            Err(StoreError::Failed(_))
                        ));
                        break;
                    }
                }
            }
        }
        // There is room again.
        same(&mut memory, &mut open(&path).unwrap(), fail_after as usize);
    }
}

#[test]
fn a_second_opener_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path()).unwrap();
    let error = open(root.path()).unwrap_err();
    assert!(matches!(error, StoreError::InUse(_)));
    assert!(error.to_string().contains(&*root.path().to_string_lossy()), "{error}");
    drop(store);
    open(root.path()).unwrap();
}

#[test]
fn other_settings_are_refused_or_begin_a_new_generation() {
    let root = tempfile::tempdir().unwrap();
    let mut store = open_with(root.path(), r#"{"threshold":0.8}"#, SMALL).unwrap();
    insert(&mut store, vec![entry(1, 0, 0, &[1])]);
    drop(store);
    let error = open_with(root.path(), r#"{"threshold":0.9}"#, SMALL).unwrap_err();
    assert!(matches!(error, StoreError::Unfit(_)));
    assert!(error.to_string().contains("threshold: 0.8 in the store, 0.9 asked for"), "{error}");

    let settings = StoredSettings::kept(r#"{"threshold":0.9}"#);
    let again = |other| Embedded::open(root.path(), Some(&settings), other);
    let mut store = again(OnOtherSettings::NewGeneration).unwrap();
    assert_eq!(store.begin().unwrap().next, 1);
    insert(&mut store, vec![entry(1, 0, 0, &[2])]);
    drop(store);
    let mut store = again(OnOtherSettings::NewGeneration).unwrap();
    assert_eq!(hits(&mut store, probe(&[1, 2])), [(1, 1)]);
    let former = "former generations on disk";
    assert!(store.info().unwrap().iter().any(|(label, _)| label == former));
    let (before, after) = store.compact().unwrap();
    assert!(after < before);
    assert!(!store.info().unwrap().iter().any(|(label, _)| label == former));
    drop(store);
    // Without settings, it has its own.
    let mut store = Embedded::open(root.path(), None, OnOtherSettings::Refuse).unwrap();
    assert_eq!(store.settings().unwrap(), settings);
}

#[test]
fn folders_that_are_no_store_are_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let none = root.path().join("none");
    let error = Embedded::open(&none, None, OnOtherSettings::Refuse).unwrap_err();
    assert!(error.to_string().contains("there is no store in"), "{error}");
    assert!(!none.exists());
    fs::write(root.path().join("letter.txt"), "Dear all").unwrap();
    let error = open(root.path()).unwrap_err();
    assert!(matches!(error, StoreError::Unfit(_)));
    assert!(error.to_string().contains("letter.txt"), "{error}");
    assert_eq!(files(root.path()).len(), 1);
    let file = root.path().join("letter.txt");
    assert!(matches!(open(&file), Err(StoreError::Failed(_) | StoreError::Unfit(_))));
}

#[test]
fn other_layouts_and_broken_descriptions_are_refused() {
    let root = tempfile::tempdir().unwrap();
    drop(open(root.path()).unwrap());
    let description = root.path().join("store.json");
    let text = fs::read_to_string(&description).unwrap();
    for (from, to, fits) in [
        ("\"layout\": ", "\"layout\": 99", false),
        ("\"generation\": 1", "\"generation\": 2", true),
        ("{", "", true),
    ] {
        fs::write(&description, text.replacen(from, to, 1)).unwrap();
        let error = open(root.path()).unwrap_err();
        assert_eq!(matches!(error, StoreError::Damaged(_)), fits, "{error}");
        let words = if fits { "store.json" } else { "a later version of firsthand" };
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// The description of a store of layout 1, as that version wrote it.
const LAYOUT_1: &str = include_str!("layouts/1/store.json");

#[test]
fn a_store_of_an_older_layout_is_refused_and_left_as_it_is() {
    let root = tempfile::tempdir().unwrap();
    let description = root.path().join("store.json");
    fs::write(&description, LAYOUT_1).unwrap();
    let settings = StoredSettings::kept("{}");
    for other in [OnOtherSettings::Refuse, OnOtherSettings::NewGeneration] {
        for settings in [None, Some(&settings)] {
            let error = Embedded::open(root.path(), settings, other).unwrap_err();
            assert!(matches!(error, StoreError::Unfit(_)), "{error}");
            let error = error.to_string();
            let folder = root.path().display().to_string();
            for words in [
                &*folder,
                "layout 1",
                "an earlier version of firsthand wrote",
                "use the version that wrote it",
                "a new store in another folder",
            ] {
                assert!(error.contains(words), "{words:?} in {error}");
            }
        }
    }
    assert_eq!(fs::read_to_string(&description).unwrap(), LAYOUT_1);
}

#[test]
fn with_one_thread_the_store_starts_none_and_gives_the_same_answers() {
    let root = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut memory = lived(root.path(), 31);
        let mut store = open(root.path()).unwrap();
        same(&mut memory, &mut store, 0);
        let runs = |(label, value): &(String, Fact)| label == "runs" && *value != Fact::Count(0);
        assert!(store.info().unwrap().iter().any(runs));
        store.compact().unwrap();
        same(&mut memory, &mut store, 0);
        assert_eq!(store.verify().unwrap().problems, Vec::<String>::new());
    });
}

#[test]
fn copies_are_made_where_there_is_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (path, to) = (root.path().join("store"), root.path().join("copy"));
    let mut memory = lived(&path, 5);
    let mut store = open(&path).unwrap();
    store.backup(&to).unwrap();
    let error = store.backup(&to).unwrap_err();
    assert!(error.to_string().contains("is not empty"), "{error}");
    // The copy is independent of the original.
    let mut copy = open(&to).unwrap();
    same(&mut memory, &mut copy, 0);
    let next = copy.begin().unwrap().next;
    insert(&mut copy, vec![entry(next, 0, 0, &[1])]);
    same(&mut memory, &mut store, 1);
}

#[test]
fn a_file_is_no_store_and_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "notes").unwrap();
    for path in [file.clone(), file.join("below")] {
        for settings in [Some(&StoredSettings::kept("{}")), None] {
            let error = Embedded::open(&path, settings, OnOtherSettings::Refuse).unwrap_err();
            assert!(matches!(error, StoreError::Unfit(_)), "{error}");
            assert!(error.to_string().contains("notes.txt is a file"), "{error}");
        }
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"notes");
}
