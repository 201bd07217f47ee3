//! Promises of every shape: one seed gives one collection, and the labels are true.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Shape, write};

fn written(shape: Shape, documents: usize, seed: u64) -> String {
    let mut out = Vec::new();
    write(shape, documents, seed, &mut out).expect("memory does not fail");
    String::from_utf8(out).expect("ASCII")
}

fn parsed(shape: Shape, documents: usize) -> Vec<Value> {
    let all = written(shape, documents, 7);
    all.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn body(document: &Value) -> &str {
    document["text"].as_str().or(document["html"].as_str()).expect("a text or a page")
}

/// Three consecutive words, without the frame of the site.
fn shingles(document: &Value) -> HashSet<String> {
    let mut text = body(document);
    if let Some((_, rest)) = text.split_once("<article>") {
        text = rest.split_once("</article>").expect("an end").0;
    }
    let mut plain = String::new();
    let mut tag = false;
    for character in text.chars() {
        match character {
            '<' => tag = true,
            '>' => (tag, plain) = (false, plain + " "),
            _ if tag => {}
            '.' => plain.push(' '),
            _ => plain.extend(character.to_lowercase()),
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.windows(3).map(|three| three.join(" ")).collect()
}

#[test]
fn a_seed_gives_one_collection_whatever_the_threads() {
    for (_, shape) in Shape::ALL {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let one = pool(1).expect("a thread").install(|| written(shape, 600, 3));
        let three = pool(3).expect("threads").install(|| written(shape, 600, 3));
        assert_eq!(one, three);
        assert_ne!(one, written(shape, 600, 4));
    }
}

#[test]
fn every_line_is_a_document_of_its_own() {
    for (name, shape) in Shape::ALL {
        let documents = parsed(shape, 500);
        let ids: HashSet<&str> =
            documents.iter().map(|document| document["id"].as_str().expect("an id")).collect();
        assert_eq!(ids.len(), 500, "{name}");
        assert!(documents.iter().all(|document| body(document).len() > 100), "{name}");
    }
}

#[test]
fn the_bytes_of_the_published_benchmark_stay() {
    let hash =
        written(Shape::Plain, 300, 7).bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
    assert_eq!(hash, PLAIN);
}

/// The FNV-1a hash of the first documents when the benchmark was published.
const PLAIN: u64 = 11_634_536_372_988_049_856;

#[test]
fn copies_overlap_as_much_as_their_edits_leave() {
    let documents = parsed(Shape::Mixed, 3000);
    let by_id: HashMap<&str, &Value> =
        documents.iter().map(|d| (d["id"].as_str().expect("an id"), d)).collect();
    let (mut exact, mut edited, mut versions) = (0, 0, 0);
    for document in &documents {
        let Some(of) = document["of"].as_str() else { continue };
        // The last group may be cut short, but only at its end.
        let source = by_id[of];
        assert_eq!(document["cluster"], source["cluster"]);
        assert!(document["cluster"].is_string());
        assert!(document["time"].as_str() > source["time"].as_str());
        let edits = document["edits"].as_array().expect("edits");
        let (a, b) = (shingles(source), shingles(document));
        let lost: f64 = edits
            .iter()
            .map(|edit| {
                let share = edit["share"].as_f64().expect("a share");
                match edit["kind"].as_str().expect("a kind") {
                    "words" => 3.0 * share,
                    "cut" => share,
                    _ => 0.0,
                }
            })
            .sum();
        let kept = a.intersection(&b).count() as f64 / a.len() as f64;
        // Some shingles span the positions where sentences were cut, moved or inserted.
        let seams = 16.0 / a.len() as f64;
        assert!(kept >= 1.0 - lost - seams, "{document} keeps {kept} of {source}");
        exact += usize::from(edits.is_empty());
        edited += usize::from(!edits.is_empty() && document["kind"] == "copy");
        versions += usize::from(document["kind"] == "version");
    }
    assert!(exact > 50 && edited > 100 && versions > 200, "{exact} {edited} {versions}");
}

#[test]
fn pages_of_a_template_share_sentences_but_no_label() {
    let documents = parsed(Shape::Templates, 1000);
    let mut pages: HashMap<&str, Vec<&Value>> = HashMap::new();
    for document in documents.iter().filter(|document| document["kind"] == "template") {
        assert!(document["cluster"].is_null());
        pages.entry(document["template"].as_str().expect("a template")).or_default().push(document);
    }
    let (mut pairs, mut alike) = (0, 0.0);
    for pages in pages.values() {
        for pair in pages.windows(2) {
            assert_ne!(body(pair[0]), body(pair[1]));
            let (a, b) = (shingles(pair[0]), shingles(pair[1]));
            alike += a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
            pairs += 1;
        }
    }
    let mean = alike / f64::from(pairs);
    assert!(pairs > 200 && (0.2..0.7).contains(&mean), "{pairs} pairs, {mean} alike");
}

#[test]
fn chains_drift_away_from_their_beginning() {
    let documents = parsed(Shape::Chains, 1500);
    let mut chains: HashMap<&str, Vec<&Value>> = HashMap::new();
    for document in documents.iter().filter(|document| document["cluster"].is_string()) {
        chains.entry(document["cluster"].as_str().expect("a label")).or_default().push(document);
    }
    let jaccard = |a: &Value, b: &Value| {
        let (a, b) = (shingles(a), shingles(b));
        a.intersection(&b).count() as f64 / a.union(&b).count() as f64
    };
    let (mut near, mut far, mut long) = (0.0, 0.0, 0.0);
    for chain in chains.values_mut().filter(|chain| chain.len() >= 8) {
        chain.sort_by_key(|document| document["time"].as_str());
        near += jaccard(chain[0], chain[1]);
        far += jaccard(chain[0], chain[chain.len() - 1]);
        long += 1.0;
    }
    assert!(long > 20.0 && near / long > 0.7, "{long} chains, {}", near / long);
    assert!(far < 0.7 * near, "{far} against {near}");
}
