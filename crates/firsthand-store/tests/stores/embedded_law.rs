//! Whatever is done to a store in a folder, it answers as the store in memory does, with runs made and
//! merged as often as can be.

use super::story;
use firsthand::online::Store;
use firsthand_store::{Embedded, ManagedStore, OnOtherSettings, StoredSettings, Tuning};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_folder_answers_as_memory_does(
        seed in any::<u64>(),
        postings in 1usize..60,
        total in 1usize..90,
        fan in 2usize..4,
    ) {
        let root = tempfile::tempdir().unwrap();
        let settings = StoredSettings::kept("{}");
        let tuning = Tuning { postings, total, fan, main: 300, ..Tuning::default() };
        let open = |name: &str| {
            let (path, other) = (root.path().join(name), OnOtherSettings::Refuse);
            Embedded::open_tuned(&path, Some(&settings), other, tuning).unwrap()
        };
        let steps = story::law::random(seed, 30);
        let mut memory = story::law::compare(&steps, &mut || Box::new(open("store")), true);

        let mut store = open("store");
        let verified = store.verify().unwrap();
        prop_assert_eq!(&verified.problems, &Vec::<String>::new());
        let documents = memory.scan(0, usize::MAX).unwrap().len() as u64;
        prop_assert_eq!(verified.documents, documents);
        store.backup(&root.path().join("copy")).unwrap();
        let (before, after) = store.compact().unwrap();
        prop_assert!(after <= before.max(1 << 16), "{} {}", before, after);
        story::law::same(&mut memory, &mut store, 1000);
        prop_assert_eq!(store.verify().unwrap(), verified.clone());
        drop(store);
        for name in ["store", "copy"] {
            let mut store = open(name);
            story::law::same(&mut memory, &mut store, 1001);
            prop_assert_eq!(store.verify().unwrap(), verified.clone());
        }
    }
}
