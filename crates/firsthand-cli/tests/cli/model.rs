//! Learned weights: `learn`, `model show`, and `--model` wherever settings are taken.

use super::online::line;
use super::{Run, lines, read, run, run_with, write};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// A letter: a story of thirty words within boilerplate of eighty, some of which a copy has not.
fn letter(story: u64, copy: u64) -> String {
    let mut numbers = Numbers(story * 1000);
    let mut words: Vec<String> = (0..30).map(|_| format!("s{}", numbers.below(5000))).collect();
    let mut own = Numbers(story * 1000 + copy + 1);
    for _ in 0..copy * 2 {
        let place = own.below(30) as usize;
        words[place] = format!("c{}", own.below(5000));
    }
    // Every letter has another half of one boilerplate.
    let boilerplate = (0..80).filter(|_| own.below(2) == 0).map(|word| format!("b{word}"));
    let (head, foot): (Vec<String>, Vec<String>) =
        boilerplate.partition(|word| word.as_str() < "b4");
    format!("{}\n{}\n{}", head.join(" "), words.join(" "), foot.join(" "))
}

fn record(story: u64, copy: u64) -> Value {
    json!({ "id": format!("{story}-{copy}"), "text": letter(story, copy), "cluster": story })
}

/// Fifteen clusters of three, and fifteen letters of their own.
fn labelled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copies = |story: u64| 0..if story < 15 { 3 } else { 1 };
    let all = (0..30).flat_map(|story| copies(story).map(move |copy| record(story, copy)));
    let text: String = all.map(|record| record.to_string() + "\n").collect();
    write(folder.path(), "docs.jsonl", text);
    folder
}

/// As little training as is enough.
const QUICK: [&str; 4] = ["--orders", "2000", "--folds", "2"];

fn learn(folder: &Path, more: &[&str]) -> Run {
    run(folder, &[&["learn", "docs.jsonl"], &QUICK[..], more].concat())
}

/// A folder with documents and a model of them.
fn learned() -> TempDir {
    let folder = labelled();
    learn(folder.path(), &["-o", "my.model", "-q"]).code(0);
    folder
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_model_is_learned_and_told() {
    let folder = labelled();
    let folder = folder.path();
    let told = learn(folder, &["-o", "my.model"]).code(0);
    for part in [
        "Learned from 60 documents in 15 clusters: 45 pairs of near-duplicates",
        "What counts most in the weight of a gram:",
        "On documents held out from training, a part of them 2 times:",
        "TF-IDF   precision",
        "firsthand dedup docs.jsonl --model my.model -o result/",
    ] {
        assert!(told.err.contains(part), "{part:?} is not in {}", told.err);
    }
    assert!(told.out.is_empty());
    let first = read(folder, "my.model");
    assert!(first.starts_with("{\n  \"version\": 3,\n  \"fingerprint\": \""), "{first}");
    // The tables, which are long, come last.
    let place = |key: &str| first.find(key).unwrap();
    assert!(place("\"weights\"") < place("\"documents\": {"));
    // A file is not replaced unasked; the same seed gives the same bytes, on any number of threads.
    learn(folder, &["-o", "my.model"]).code(2).says("--force replaces it");
    learn(folder, &["-o", "again.model", "-q", "--threads", "1"]).code(0);
    assert!(read(folder, "again.model") == first);
    learn(folder, &["-o", "my.model", "--force", "--seed", "2"]).code(0);
    assert!(read(folder, "my.model") != first);
    learn(folder, &["-o", "dry.model", "--dry-run"]).code(0).says("nothing was written");
    assert!(!folder.join("dry.model").exists());
}

#[test]
fn other_grams_measures_and_queries() {
    let folder = labelled();
    let folder = folder.path();
    write(folder, "queries.txt", "s1 s2\ns1\n\n");
    let flags = ["--words", "3", "--measure", "cosine", "--queries", "queries.txt"];
    learn(folder, &[&["-o", "three.model", "-q"], &flags[..]].concat()).code(0);
    let model = parsed(&read(folder, "three.model"));
    assert_eq!((&model["words"], &model["measure"]), (&json!(3), &json!("cosine")));
    assert_eq!(model["titles"], json!({ "documents": 2, "words": { "s1": 2 } }));
    learn(folder, &["-o", "x.model", "--words", "9"]).code(2).says("from 1 to 8");
    learn(folder, &["-o", "x.model", "--measure", "dice"]).code(2).says("extended-jaccard");
    learn(folder, &["-o", "x.model", "--profile", "nobody"]).code(2).says("no profile");
    learn(folder, &["-o", "."]).code(2).says("is a folder");
}

#[test]
fn too_few_labels_are_said() {
    let folder = labelled();
    let folder = folder.path();
    let some = |stories: u64| -> String {
        let all = (0..stories).flat_map(|story| (0..2).map(move |copy| record(story, copy)));
        all.map(|record| record.to_string() + "\n").collect()
    };
    write(folder, "two.jsonl", some(1) + &(record(20, 0).to_string() + "\n"));
    let flags = ["-o", "few.model", "--orders", "500"];
    run(folder, &[&["learn", "two.jsonl"], &flags[..]].concat()).code(2).says("at least 2");
    write(folder, "five.jsonl", some(5));
    let told = run(folder, &[&["learn", "five.jsonl"], &flags[..]].concat()).code(0);
    assert!(told.err.contains("Careful: 10 documents in 5 clusters are few"), "{}", told.err);
    // Without labels there is nothing to learn.
    write(folder, "bare.jsonl", read(folder, "docs.jsonl").replace("\"cluster\"", "\"x\""));
    run(folder, &["learn", "bare.jsonl", "-o", "x.model"]).code(2).says("have no labels");
    write(folder, "none.jsonl", "");
    let told = run(folder, &["learn", "none.jsonl", "-o", "x.model"]).code(2);
    told.says("there is no document in none.jsonl");
    // Pairs that were graded by hand.
    let mut pairs = String::new();
    for story in 0..15 {
        pairs += &format!("{story}-0\t{story}-1\ty\n{story}-0\t{}-0\tn\n", story + 15);
    }
    write(folder, "graded.tsv", pairs);
    let args =
        ["learn", "bare.jsonl", "--pairs", "graded.tsv", "-o", "pairs.model", "--orders=500"];
    run(folder, &args).code(0).says("15 pairs of near-duplicates");
}

/// The example pages lie in a folder per site.
#[test]
fn sites_are_not_clusters_of_copies() {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pages");
    let folder = tempfile::tempdir().unwrap();
    let told = run(folder.path(), &["learn", pages, "-o", "x.model"]).code(2);
    told.says("these are not clusters of copies");
    assert!(!folder.path().join("x.model").exists());
    let told = run(folder.path(), &["tune", pages, "--methods", "shingles"]).code(2);
    assert_eq!(told.says("these are not clusters of copies").out, "");
}

#[test]
fn a_model_is_shown() {
    let folder = learned();
    let folder = folder.path();
    let show = |more: &[&str]| run(folder, &[&["model", "show", "my.model"], more].concat());
    // For people, also where standard output is no terminal.
    let text = show(&[]).code(0).out;
    assert_eq!(show(&["--format", "text"]).code(0).out, text);
    for part in ["profile    archive", "threshold  0.", "held out   precision", "count-idf"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let whole = parsed(&show(&["--format", "json"]).code(0).out);
    let weights: Vec<f64> = whole["features"].as_array().unwrap().iter().map(weight).collect();
    assert!(weights.len() > 20 && weights.is_sorted_by(|a, b| a.abs() >= b.abs()), "{weights:?}");

    // A gram of a document weighs what its features add.
    write(folder, "a.txt", letter(3, 0));
    write(folder, "b.txt", letter(3, 2));
    let one = parsed(&show(&["a.txt", "--top", "200", "--format", "json"]).code(0).out);
    for gram in one["heaviest"].as_array().unwrap() {
        let adds = gram["parts"].as_array().unwrap().iter().map(|part| number(&part["adds"]));
        let (sum, weight) = (adds.sum::<f64>(), weight(gram));
        assert!(weight > 0.0 && (sum - weight).abs() < 0.02, "{gram}");
    }
    assert!(show(&["a.txt", "--format", "text"]).code(0).out.contains("and "));

    // What shared grams add is the score, and it is what dedup says.
    let two = parsed(&show(&["a.txt", "b.txt", "--top", "200", "--format", "json"]).code(0).out);
    let adds = two["shared"].as_array().unwrap().iter().map(|gram| number(&gram["adds"]));
    let score = number(&two["score"]);
    assert!(score > 0.0 && (adds.sum::<f64>() - score).abs() < 1e-9, "{two}");
    let explained =
        run(folder, &["explain", "a.txt", "b.txt", "--model", "my.model", "--format=json"]).code(0);
    let explained = parsed(&explained.out);
    assert_eq!(number(&explained["score"]), score);
    assert!(explained["reason"].as_str().unwrap().contains("of their learned weights"));
    assert_eq!(explained["scores"].as_array().unwrap().len(), 3);
    let text = run(folder, &["explain", "a.txt", "b.txt", "--model", "my.model", "--format=text"]);
    assert!(text.code(0).out.contains("with what each adds to the score"));
    let by_id =
        parsed(&show(&["3-0", "3-2", "--in", "docs.jsonl", "--format", "json"]).code(0).out);
    assert_eq!(number(&by_id["score"]), score);
    let args = ["dedup", "a.txt", "b.txt", "--model", "my.model", "--format=jsonl", "--emit=pairs"];
    let pairs = lines(&run(folder, &[&args[..], &["-t", "0.01"]].concat()).code(0).out);
    assert!((number(&pairs[0]["score"]) - score).abs() < 1e-6, "{pairs:?}");

    show(&["nowhere.txt"]).code(2).says("there is no file");
    show(&["99-0", "--in", "docs.jsonl"]).code(2).says("ids there look like");
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn weight(value: &Value) -> f64 {
    number(&value["weight"])
}

#[test]
fn documents_are_matched_measured_and_tuned_by_a_model() {
    let folder = learned();
    let folder = folder.path();
    let dedup = |more: &[&str]| {
        let args = ["dedup", "docs.jsonl", "--format", "jsonl", "-q"];
        run(folder, &[&args[..], more].concat())
    };
    let clusters = lines(&dedup(&["--model", "my.model"]).code(0).out);
    assert_eq!(clusters.len(), 15, "{clusters:?}");
    let whole = clusters.iter().filter(|cluster| cluster["size"] == 3).count();
    assert!(whole >= 10, "{whole} clusters are whole: {clusters:?}");

    let args = ["eval", "docs.jsonl", "--methods=shingles", "--model", "my.model", "--format=json"];
    let report = parsed(&run(folder, &[&args[..], &["--draws", "20"]].concat()).code(0).out);
    let names: Vec<&Value> =
        report["methods"].as_array().unwrap().iter().map(|m| &m["name"]).collect();
    assert_eq!(names, ["shingles", "my.model"]);
    assert!(report["methods"][1]["cost"]["peak_memory"].as_u64().unwrap() > 0);

    let args =
        ["tune", "docs.jsonl", "--methods=simhash", "--model", "my.model", "-o", "mine.toml"];
    let told = run(folder, &[&args[..], &["--draws", "20"]].concat()).code(0);
    assert!(told.err.contains("Chosen: my.model"), "{}", told.err);
    assert!(told.err.contains("--model my.model --config mine.toml"), "{}", told.err);
    // Settings that go with a model need it, and no other.
    dedup(&["--config", "mine.toml"]).code(2).says("name its file with --model");
    dedup(&["--config", "mine.toml", "--model", "my.model"]).code(0);
    learn(folder, &["-o", "other.model", "--seed", "5", "-q"]).code(0);
    dedup(&["--config", "mine.toml", "--model", "other.model"]).code(2).says("goes with the model");
    let args = ["eval", "docs.jsonl", "--config=mine.toml", "--model=my.model", "--no-memory"];
    let both = run(folder, &[&args[..], &["--draws=20"]].concat()).code(0);
    assert!(both.out.contains("mine.toml") && !both.err.contains("not measured"), "{}", both.err);
    run(folder, &["sample", "docs.jsonl", "--model", "my.model", "--pairs", "5"]).code(0);
}

#[test]
fn flags_over_the_config_file_over_the_model_over_the_profile() {
    let folder = learned();
    let folder = folder.path();
    let show =
        |more: &[&str]| run(folder, &[&["config", "show", "--model", "my.model"], more].concat());
    let model = parsed(&read(folder, "my.model"));
    let threshold = |shown: &Run| {
        let line = shown.out.lines().find(|line| line.starts_with("threshold")).unwrap();
        line.to_owned()
    };
    let plain = show(&[]).code(0);
    assert_eq!(threshold(&plain), format!("threshold = {}", model["threshold"]));
    assert!(plain.out.contains(&format!("model = {}", model["fingerprint"])), "{}", plain.out);
    write(folder, "t.toml", "threshold = \"0.7\"\n");
    assert_eq!(threshold(&show(&["--config", "t.toml"]).code(0)), "threshold = \"0.7\"");
    let typed = show(&["--config", "t.toml", "-t", "0.8"]).code(0);
    assert_eq!(threshold(&typed), "threshold = \"0.8\"");
    // What is shown is what a config file may say.
    write(folder, "whole.toml", &typed.out);
    assert_eq!(show(&["--config", "whole.toml"]).code(0).out, typed.out);
    // Quotes of mail are marked, and cut away only if that is typed.
    let mail = show(&["--profile", "mail"]).code(0).out;
    assert!(mail.contains("fold = true") && mail.contains("mail = true"), "{mail}");
    assert!(mail.contains("keep-quotes = true"), "{mail}");
    for cut in [["--mail", "true"], ["--mail", "false"]] {
        let shown = show(&[&["--profile", "mail"], &cut[..]].concat()).code(0).out;
        let wanted = format!("mail = {}\nkeep-quotes = false", cut[1]);
        assert!(shown.contains(&wanted), "{shown}");
    }

    show(&["--method", "shingles"]).code(2).says("a model is a method of its own");
    write(folder, "method.toml", "method = \"shingles\"\n");
    show(&["--config", "method.toml"]).code(2).says("does not go with --model");
    write(folder, "scheme.toml", "[scheme]\nkind = \"chars\"\nq = 5\n");
    show(&["--config", "scheme.toml"]).code(2).says("sets \"scheme\"");
    for flag in [["--n", "3"], ["--q", "3"], ["--chain", "2"], ["--distance", "2"]] {
        show(&flag).code(2).says("has grams and weights of its own");
    }
    let list = run(folder, &["config", "list"]).code(0).out;
    assert!(list.contains("andd") && list.contains("--model FILE"), "{list}");
    run(folder, &["dedup", "docs.jsonl", "--method", "andd"]).code(2).says("there is no method");
}

#[test]
fn a_store_goes_with_its_model() {
    let folder = learned();
    let folder = folder.path();
    let feed: String = (0..4).map(|copy| line(&format!("x{copy}"), &letter(7, copy % 3))).collect();
    let stream = ["stream", "--store", "seen", "--model", "my.model", "-q"];
    let verdicts = lines(&run_with(folder, &stream, feed.as_bytes()).code(0).out);
    assert_eq!(verdicts[0]["verdict"], "original");
    assert!(verdicts[1..].iter().all(|verdict| verdict["original"] == "x0"), "{verdicts:?}");

    let ask = |more: &[&str]| {
        let args = [&["check", "--store", "seen"], more].concat();
        run_with(folder, &args, line("new", &letter(7, 1)).as_bytes())
    };
    let found = lines(&ask(&["--model", "my.model"]).code(0).out);
    assert_eq!(found[0]["original"], "x0");
    ask(&[]).code(2).says("name its file with --model");
    learn(folder, &["-o", "other.model", "--seed", "5", "-q"]).code(0);
    ask(&["--model", "other.model"]).code(2).says("model: ");
    // What looks after a store needs no model.
    let info = run(folder, &["store", "info", "--settings", "--store", "seen"]).code(0).out;
    assert!(info.contains("model = "), "{info}");
    for args in [&["verify"][..], &["export"], &["expire"], &["delete", "x1"], &["compact"]] {
        run(folder, &[&["store"], args, &["--store", "seen"]].concat()).code(0);
    }
    run(folder, &["store", "backup", "copy", "--store", "seen"]).code(0);
    let args = ["check", "--store", "copy", "--model", "my.model"];
    let found = run_with(folder, &args, line("new", &letter(7, 1)).as_bytes()).code(0);
    assert_eq!(lines(&found.out)[0]["original"], "x0");

    // A store of other settings does not take a model in passing.
    run_with(folder, &["stream", "--store", "plain", "-q"], feed.as_bytes()).code(0);
    let args = ["check", "--store", "plain", "--model", "my.model"];
    run_with(folder, &args, feed.as_bytes()).code(2).says("other settings");
}

#[test]
fn files_that_are_no_models() {
    let folder = learned();
    let folder = folder.path();
    let whole = read(folder, "my.model");
    let refused = |name: &str, content: &str, message: &str| {
        write(folder, name, content);
        for command in [&["dedup", "docs.jsonl", "--model", name][..], &["model", "show", name]] {
            run(folder, command).code(2).says(message).says(name);
        }
    };
    refused("text.model", "to be or not to be", "it is not JSON");
    refused("empty.model", "", "it is not JSON");
    refused("other.model", "{\"version\": 1}", "neither version nor fingerprint");
    refused("list.model", "[1, 2, 3]", "neither version nor fingerprint");
    refused("null.model", "{\"version\": 3, \"fingerprint\": null}", "damaged or changed");
    for other in ["1", "4"] {
        let version = format!("\"version\": {other}");
        let changed = whole.replacen("\"version\": 3", &version, 1);
        let message = format!("is of version {other}, and this firsthand knows version 3");
        refused("other.model", &changed, &message);
    }
    refused("cut.model", &whole[..whole.len() / 2], "is cut off");
    let deep = "[".repeat(100_000);
    refused("deep.model", &deep, "it is not JSON");

    // A digit that was changed, wherever it counts.
    let threshold = parsed(&whole)["threshold"].as_str().unwrap().to_owned();
    let other = if threshold == "0.5" { "0.4" } else { "0.5" };
    let changed = whole.replacen(&format!("\"{threshold}\""), &format!("\"{other}\""), 1);
    refused("threshold.model", &changed, "damaged or changed");
    let weights = whole.find("\"weights\"").unwrap();
    for (from, to) in [('1', '2'), ('3', '4')] {
        let place = weights + whole[weights..].find(from).unwrap();
        let mut bytes = whole.clone().into_bytes();
        bytes[place] = to as u8;
        refused("digit.model", &String::from_utf8(bytes).unwrap(), "damaged or changed");
    }
    let table = whole.rfind("\"b1").unwrap();
    let changed = format!("{}\"q1{}", &whole[..table], &whole[table + 3..]);
    refused("word.model", &changed, "damaged or changed");
    // Numbers beyond reason.
    let absurd = |key: &str, value: Value| {
        let mut model = parsed(&whole);
        *model.pointer_mut(key).unwrap() = value;
        model.to_string()
    };
    refused("heavy.model", &absurd("/weights/idf", json!(1e300)), "the weight of idf is");
    refused("words.model", &absurd("/words", json!(0)), "words = 0");
    refused("huge.model", &absurd("/words", json!(u64::MAX)), "not usable");
    refused("measure.model", &absurd("/measure", json!("dice")), "measure = Dice");
    refused("above.model", &absurd("/threshold", json!("7")), "damaged or changed");

    for command in [&["dedup", "docs.jsonl", "--model"][..], &["model", "show"]] {
        run(folder, &[command, &["nowhere.model"]].concat()).code(2).says("there is no model");
        run(folder, &[command, &["."]].concat()).code(2).says("is a folder");
    }
    // A model where documents are meant.
    run(folder, &["dedup", "my.model"]).code(2).says("is a model, not a document");
    run(folder, &["learn", "my.model", "-o", "x.model"]).code(2).says("is a model");
}
