//! A stream that somebody floods with documents made of parts of a story, in order to hide it.

use super::stream::{arrivals, online};
use firsthand::{
    Document, Settings,
    online::{Answer, Verdict},
    settings::Stream,
};

/// The parts of a story: twenty words each, of a common vocabulary.
fn part(story: u64, part: u64) -> String {
    let word = |at: u64| format!("w{}", mix(story << 32 | part << 16 | at) % 20_000);
    (0..20).map(word).collect::<Vec<_>>().join(" ")
}

fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (number ^ (number >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 7
}

const PARTS: u64 = 15;

fn story() -> Vec<String> {
    (0..PARTS).map(|at| part(1, at)).collect()
}

/// Nine parts of the story and six of its own.
fn decoy(number: u64) -> Document {
    let mut parts = story();
    let mut replaced = 0;
    for at in 0.. {
        let place = (mix(number << 20 | at) % PARTS) as usize;
        if !parts[place].ends_with('.') {
            parts[place] = part(1_000 + number, place as u64) + ".";
            replaced += 1;
        }
        if replaced == 6 {
            break;
        }
    }
    Document::new(format!("decoy {number}"), parts.join(" "))
}

/// The story with this many of its words changed.
fn copy(number: u64, changed: usize) -> Document {
    let text = story().join(" ");
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for at in 0..changed {
        let place = (mix(((77 + number) << 8) | at as u64) % words.len() as u64) as usize;
        words[place] = format!("changed{number}x{at}");
    }
    Document::new(format!("copy {number}"), words.join(" "))
}

fn answers(salt: u64, documents: &[Document]) -> Vec<Answer> {
    let feed = Settings { template: false, ..Settings::profile("corpus").unwrap() };
    let settings = Settings {
        threshold: "0.5".parse().unwrap(),
        scheme: firsthand::settings::Scheme::Words { n: 2 },
        stream: Stream { salt, ..feed.stream.clone() },
        ..feed
    };
    let (detector, mut online) = online(&settings);
    let mut answers = Vec::new();
    for round in arrivals(&detector, documents).chunks(100) {
        answers.extend(online.add(round).unwrap());
    }
    answers
}

#[test]
fn copies_of_a_flooded_story_are_found() {
    let flood: Vec<Document> = (0..600).map(decoy).collect();
    let original = Document::new("story", story().join(" "));
    for salt in [0, 7, 1 << 40] {
        // The story comes before all of the flood, in the midst of it, and when every key is taken.
        for before in [0, 20, 600] {
            let mut documents = flood.clone();
            documents.insert(before, original.clone());
            documents.extend((0..10).map(|number| copy(number, 10)));
            let answers = answers(salt, &documents);
            let decoys = answers.iter().filter(|a| a.id.as_deref().unwrap().starts_with("decoy"));
            let taken = decoys.filter(|a| a.original.as_deref() == Some("story")).count();
            assert_eq!(taken, 0, "decoys are no copies");
            let found = answers[601..].iter();
            let found = found.filter(|answer| answer.verdict == Verdict::Duplicate).count();
            assert_eq!(found, 10, "salt {salt}, story after {before} decoys");
        }
    }
}
