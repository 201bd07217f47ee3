//! Documents that compress like prose: sentences of words with uneven frequencies.

use firsthand::Document;

/// A generator with the same output on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// `count` documents of about three thousand characters.
pub(crate) fn documents(count: usize) -> Vec<Document> {
    let syllables = ["ka", "ren", "to", "mil", "sa", "vor", "in", "de", "plu", "ga", "west", "on"];
    let mut dice = Dice(7);
    let common = ["the", "of", "and", "in", "a", "to", "was", "that", "with", "for"];
    let words: Vec<String> = (0..4000)
        .map(|_| (0..=1 + dice.roll(3)).map(|_| syllables[dice.roll(12) as usize]).collect())
        .collect();
    let sentence = |dice: &mut Dice| {
        let mut text = String::new();
        for at in 0..8 + dice.roll(10) {
            if at > 0 {
                text.push(' ');
            }
            if dice.roll(3) == 0 {
                text.push_str(common[dice.roll(10) as usize]);
            } else {
                // Taking the smaller of two rolls makes some words frequent.
                let word = dice.roll(4000).min(dice.roll(4000));
                text.push_str(&words[word as usize]);
            }
        }
        text + "."
    };
    let paragraph = |dice: &mut Dice| {
        let sentences: Vec<String> = (0..5).map(|_| sentence(dice)).collect();
        sentences.join(" ")
    };
    (0..count)
        .map(|number| {
            let paragraphs: Vec<String> = (0..8).map(|_| paragraph(&mut dice)).collect();
            Document {
                title: Some(format!("Story {number}")),
                url: Some(format!("http://site{}.example/{number}.html", number % 50)),
                ..Document::new(format!("story-{number}"), paragraphs.join("\n"))
            }
        })
        .collect()
}
