//! Labelled documents with true copies, look-alikes, and two that try to take the page over.

use serde_json::json;

/// What must stay text.
pub(super) const HOSTILE: &str = "<script>document.title='taken'</script>\
    <img id=\"planted\" src=\"https://example.com/x.png\" onerror=\"document.title='taken'\">'\"</title>";

const WORDS: [&str; 24] = [
    "harbour", "ferry", "council", "bridge", "storm", "market", "school", "garden", "railway",
    "teacher", "museum", "river", "island", "winter", "captain", "bakery", "forest", "lantern",
    "quarry", "festival", "orchard", "library", "village", "engine",
];

/// Sentences that no other story has.
fn story(number: usize) -> Vec<String> {
    (0..8)
        .map(|line| {
            let word = |at: usize| WORDS[(number * 7 + line * 5 + at * (number + 3)) % WORDS.len()];
            format!(
                "In the year {number} the {} was told about the {} and the {} of the {}, which is \
                 what the {} of number {} has said.",
                word(1),
                word(2),
                word(3),
                word(4),
                word(5),
                number * 8 + line
            )
        })
        .collect()
}

/// JSON lines with `cluster`.
pub(super) fn labelled() -> String {
    let mut lines = Vec::new();
    let mut add = |id: String, text: String, cluster: Option<String>| {
        lines.push(json!({ "id": id, "text": text, "cluster": cluster }).to_string());
    };
    for number in 0..30 {
        let lines = story(number);
        let cluster = (number < 20).then(|| format!("story {number}"));
        add(format!("story-{number}"), lines.join("\n"), cluster.clone());
        if number < 20 {
            // Ever less is left of the copies.
            let kept = 8 - number % 7;
            let copy = format!("{}\nRead more of {number} on page four.", lines[..kept].join("\n"));
            add(format!("copy-{number}"), copy, cluster.clone());
        }
        if number < 5 {
            add(format!("again-{number}"), lines.join("\n"), cluster);
        }
    }
    // A pair that nobody can find, and two that look like copies but are labelled otherwise.
    let strange = |number: usize| format!("{HOSTILE} {}", story(100 + number).join(" "));
    add(format!("1{HOSTILE}"), strange(1), Some("hostile".to_owned()));
    add(format!("2{HOSTILE}"), strange(2), Some("hostile".to_owned()));
    add("form-1".to_owned(), story(200).join("\n"), None);
    add("form-2".to_owned(), format!("{}\nSigned: another", story(200).join("\n")), None);
    lines.join("\n") + "\n"
}
