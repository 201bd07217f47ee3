//! Whatever is done to a store in a folder, it answers as the store in memory does, with runs made and
//! merged as often as can be.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod story;

use firsthand_store::{Embedded, OnOtherSettings, Settings, Tuning};
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
        let settings = Settings::kept("{}");
        let tuning = Tuning { postings, total, fan, ..Tuning::default() };
        let mut open = || {
            let path = root.path().join("store");
            let other = OnOtherSettings::Refuse;
            let store = Embedded::open_tuned(&path, Some(&settings), other, tuning).unwrap();
            Box::new(store) as Box<dyn firsthand::online::Store>
        };
        story::law::compare(&story::law::random(seed, 40), &mut open, true);
    }
}
