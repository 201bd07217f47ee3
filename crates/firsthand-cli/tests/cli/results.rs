//! Folders of results: complete, never mixed, never overwritten by accident.

use super::{FERRY, Run, lines, names, read, run, three_records, write};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn a_run_writes_pairs_clusters_and_a_report() {
    let folder = three_records();
    run(folder.path(), &["dedup", "three.jsonl", "-o", "deep/result"]).code(0).says("deep/result");
    let result = folder.path().join("deep/result");
    assert_eq!(names(&result), ["clusters.jsonl", "pairs.jsonl", "report.html", "report.json"]);
    let pairs = read(&result, "pairs.jsonl");
    assert_eq!(pairs, "{\"a\":\"one\",\"b\":\"two\",\"score\":1.0,\"exact\":true}\n");
    let clusters = lines(&read(&result, "clusters.jsonl"));
    assert_eq!(clusters.len(), 1);
    assert_eq!(clusters[0]["original"], "one");
    assert_eq!(clusters[0]["size"], 2);
    assert_eq!(clusters[0]["members"][0]["id"], "one");
    let report: Value = serde_json::from_str(&read(&result, "report.json")).unwrap();
    assert_eq!(report["counts"]["documents"], 3);
    assert_eq!(report["counts"]["kept"], 2);
    assert_eq!(report["counts"]["exact_copies"], 1);
    assert_eq!(report["settings"]["threshold"], "0.4");
    assert_eq!(report["results"].as_array().unwrap().len(), 4);
    assert!(report["seconds"]["total"].as_f64().unwrap() > 0.0);
    if cfg!(target_os = "linux") {
        assert!(report["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
    }
}

#[test]
fn the_summary_tells_reading_from_the_rest_and_that_nothing_was_deleted() {
    let folder = three_records();
    let run = run(folder.path(), &["dedup", "three.jsonl", "-o", "result"]).code(0);
    let read = run.err.lines().next().unwrap();
    assert!(read.starts_with("Read 3 documents, ") && read.ends_with(" in all."), "{read}");
    assert!(read.contains(" a second); "), "{read}");
    run.says("Dropped: 1 near-duplicate of an original").says("nothing was deleted.");
    assert!(folder.path().join("three.jsonl").exists());
}

#[test]
fn results_are_not_overwritten_without_force() {
    let folder = three_records();
    let first = ["dedup", "three.jsonl", "-o", "result", "--kept", "--dropped", "--format", "csv"];
    run(folder.path(), &first).code(0);
    let result = folder.path().join("result");
    let before = names(&result);
    assert_eq!(before.len(), 9, "{before:?}");
    let again = ["dedup", "three.jsonl", "-o", "result"];
    run(folder.path(), &again).code(2).says("result/pairs.jsonl is there already").says("--force");
    assert_eq!(names(&result), before);
    // What this run does not write must not stay behind from the one before.
    run(folder.path(), &[&again[..], &["--force"]].concat()).code(0);
    assert_eq!(names(&result), ["clusters.jsonl", "pairs.jsonl", "report.html", "report.json"]);
}

#[test]
fn any_result_left_in_the_folder_counts() {
    let folder = three_records();
    write(folder.path(), "result/kept.txt", "mine");
    run(folder.path(), &["dedup", "three.jsonl", "-o", "result"]).code(2).says("result/kept.txt");
}

#[test]
fn a_dry_run_writes_nothing_and_says_what_it_would() {
    let folder = three_records();
    let args = ["dedup", "three.jsonl", "-o", "result", "--kept", "--dry-run"];
    let run = run(folder.path(), &args).code(0);
    assert!(
        run.err.contains("nothing was written") && run.err.contains("kept.jsonl"),
        "{}",
        run.err
    );
    assert_eq!(names(folder.path()), ["three.jsonl"]);
}

#[test]
fn the_folder_of_results_is_never_an_input() {
    let folder = three_records();
    let args = ["dedup", ".", "-o", "result", "--kept"];
    run(folder.path(), &args).code(0).says("Read 3 documents");
    run(folder.path(), &[&args[..], &["--force"]].concat()).code(0).says("Read 3 documents");
    run(folder.path(), &["dedup", ".", "-o", "."]).code(2).says("both an input and the folder");
}

#[test]
fn no_input_is_overwritten_even_by_force() {
    let folder = three_records();
    write(folder.path(), "result/kept.jsonl", super::three());
    let args = ["dedup", "result/kept.jsonl", "-o", "result", "--kept", "--force"];
    run(folder.path(), &args).code(2).says("result/kept.jsonl is an input");
    assert_eq!(read(folder.path(), "result/kept.jsonl"), super::three());
}

#[test]
fn a_folder_that_cannot_be_made_is_named_before_the_work() {
    let folder = three_records();
    write(folder.path(), "file", "");
    let args = ["dedup", "three.jsonl", "-o", "file"];
    run(folder.path(), &args).code(2).says("-o file is a file");
    let args = ["dedup", "three.jsonl", "-o", "file/result"];
    run(folder.path(), &args).code(2).says("file/result");
}

#[test]
fn a_run_that_fails_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    run(folder.path(), &["dedup", "empty", "-o", "result"])
        .code(2)
        .says("nothing to read in empty");
    assert_eq!(names(folder.path()), ["empty"]);
}

/// Texts of which every fifth is an edited copy of the one before; several megabytes.
fn many() -> String {
    let mut state = 7u64;
    let mut text = String::new();
    let mut records = String::new();
    for at in 0..6000 {
        if at % 5 == 0 {
            text += " and that was all";
        } else {
            text.clear();
            for _ in 0..90 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
                text += &format!(" w{}", (state >> 33) % 5000);
            }
        }
        records += &format!("{{\"id\":{at},\"text\":\"{text}\"}}\n");
    }
    records
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "many.jsonl", many());
    let result = |threads: &str| {
        let args = ["dedup", "many.jsonl", "--profile", "corpus", "--kept", "--threads", threads];
        run(folder.path(), &[&args[..], &["-o", threads]].concat()).code(0);
        let files = ["pairs.jsonl", "clusters.jsonl", "kept.jsonl"];
        files.map(|name| read(&folder.path().join(threads), name))
    };
    let one = result("1");
    assert!(one[0].lines().count() >= 1199, "{}", one[0].lines().count());
    assert!(one == result("4"), "one thread and four threads differ");
}

#[test]
fn a_costly_run_says_so_and_how_to_make_it_cheaper() {
    let folder = tempfile::tempdir().unwrap();
    // Few words, so that every text shares some with every other.
    let word = |at: usize, k: usize| (at.wrapping_mul(2_654_435_761) >> k) % 61;
    let text = |at: usize| (0..12).map(move |k| format!("w{}", word(at + 1, k)));
    let record = |at: usize| {
        serde_json::json!({ "text": text(at).collect::<Vec<_>>().join(" ") }).to_string()
    };
    write(folder.path(), "in.jsonl", (0..1500).map(record).collect::<Vec<_>>().join("\n"));
    let args = ["dedup", "in.jsonl", "--method", "shingles", "--n", "1", "--dry-run", "-t"];
    run(folder.path(), &[&args[..], &["0.1"]].concat()).code(0).says("A higher --threshold");
    let cheap = run(folder.path(), &[&args[..], &["0.95"]].concat()).code(0);
    assert!(!cheap.err.contains("costly"), "{}", cheap.err);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_nothing_behind() {
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    // Standard input stays open, so the run waits with its copy of it half written.
    let args = ["dedup", "-", "-o", "result", "--kept"];
    let mut command = super::command(folder.path(), &args);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while names(folder.path()).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(child.try_wait().unwrap().is_none());
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    // `wait` would close standard input, and the run could end by that instead of by the signal.
    let input = child.stdin.take();
    let status = child.wait().unwrap();
    drop(input);
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15), "{status}");
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Records with copies, whose ids begin with a letter.
fn copies(letter: char) -> String {
    let record = |n: usize| format!("{{\"id\":\"{letter}{n}\",\"text\":\"{FERRY} {}\"}}\n", n / 2);
    (0..400).map(record).collect()
}

#[test]
fn leftovers_are_cleared_and_other_files_are_safe() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.jsonl", copies('a'));
    let args = ["dedup", "in.jsonl", "-o", "result", "--force"];
    run(folder.path(), &args).code(0);
    let mut results = names(&folder.path().join("result"));
    assert!(results.contains(&"pairs.jsonl".to_owned()), "{results:?}");
    // As runs leave them that are killed: folders beside and inside, and a file.
    for name in [".firsthand-result-abc123.tmp", "result/.firsthand-result-def456.tmp"] {
        write(&folder.path().join(name), ".lock", "");
        write(&folder.path().join(name), "pairs.jsonl", "half a li");
    }
    write(&folder.path().join("result"), ".firsthand-ghi789.tmp", "");
    run(folder.path(), &args).code(0);
    assert_eq!(names(&folder.path().join("result")), results);
    assert_eq!(names(folder.path()), ["in.jsonl", "result"]);
    write(&folder.path().join("result"), "notes.md", "mine");
    run(folder.path(), &args).code(0);
    results.push("notes.md".to_owned());
    results.sort();
    assert_eq!(names(&folder.path().join("result")), results);
    assert_eq!(read(folder.path(), "result/notes.md"), "mine");
    assert_eq!(names(folder.path()), ["in.jsonl", "result"]);
}

#[test]
fn a_folder_of_files_that_only_has_the_name_of_results_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.jsonl", copies('a'));
    write(&folder.path().join("result/kept"), "letters.txt", "mine");
    write(&folder.path().join("result"), "annotated.csv", "mine, too");
    let run = run(folder.path(), &["dedup", "in.jsonl", "-o", "result", "--force"]).code(2);
    run.says("letters.txt");
    assert_eq!(read(folder.path(), "result/kept/letters.txt"), "mine");
}

/// Whoever has a file of that name did not mean it to go: only what the report lists is replaced.
#[test]
fn a_file_that_only_has_the_name_of_a_result_is_safe() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.jsonl", copies('a'));
    let args = ["dedup", "in.jsonl", "-o", "result", "--force"];
    write(folder.path(), "result/kept.csv", "mine");
    run(folder.path(), &args).code(2).says("kept.csv is not of the earlier results");
    assert_eq!(read(folder.path(), "result/kept.csv"), "mine");
    std::fs::remove_file(folder.path().join("result/kept.csv")).unwrap();
    write(folder.path(), "result/report.json", "{\"text\": \"a report of mine\"}");
    run(folder.path(), &args).code(2).says("report.json is not of the earlier results");
    std::fs::remove_file(folder.path().join("result/report.json")).unwrap();
    run(folder.path(), &args).code(0);
    // Beside results, too.
    write(folder.path(), "result/kept.csv", "mine");
    run(folder.path(), &args).code(2).says("kept.csv is not of the earlier results");
    assert_eq!(read(folder.path(), "result/kept.csv"), "mine");
}

#[test]
#[cfg(target_os = "linux")]
fn a_set_of_results_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    for letter in ['a', 'b'] {
        write(folder.path(), &format!("{letter}.jsonl"), copies(letter));
    }
    let output = ["-o", "result", "--kept", "--dropped", "--format", "csv", "--force"];
    let output = [&output[..], &["--original", "first"]].concat();
    let args = |input: &'static str| [&["dedup", input][..], &output].concat();
    run(folder.path(), &args("a.jsonl")).code(0);
    let complete = names(&folder.path().join("result"));
    for number in 0..40 {
        let input = if number % 2 == 0 { "b.jsonl" } else { "a.jsonl" };
        let mut child = super::command(folder.path(), &args(input)).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(number));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(names(&folder.path().join("result")), complete, "{number}");
        // Every file but the report names the original.
        let names_of = |letter: char, name: &str| {
            let text = read(folder.path(), &format!("result/{name}"));
            text.contains(&format!("{letter}0"))
        };
        let files: Vec<&String> = complete.iter().filter(|name| *name != "report.json").collect();
        let all = |letter: char| files.iter().all(|name| names_of(letter, name));
        assert!(all('a') != all('b'), "{number}");
    }
    run(folder.path(), &args("a.jsonl")).code(0);
    assert_eq!(names(folder.path()), ["a.jsonl", "b.jsonl", "result"]);
}

/// The size of a campaign whose 199,990,000 pairs once ended the run without a result.
const CAMPAIGN: u64 = 20_000;

/// Checks that a run on near-identical texts has found all of them, with each but the first in a pair,
/// in little memory.
fn check_campaign(folder: &Path, args: &[&str]) -> Run {
    let run = run(folder, &[&["dedup", "in.jsonl", "-o", "out", "--force"], args].concat()).code(0);
    let report: Value = serde_json::from_str(&read(folder, "out/report.json")).unwrap();
    let listed = CAMPAIGN - 1;
    let unlisted = CAMPAIGN * (CAMPAIGN - 1) / 2 - listed;
    let pairs = json!({ "found": listed, "listed": listed, "unlisted_in_clusters": unlisted });
    assert_eq!(report["pairs"], pairs, "{args:?}");
    assert_eq!(read(folder, "out/pairs.jsonl").lines().count() as u64, listed);
    let clusters = lines(&read(folder, "out/clusters.jsonl"));
    assert_eq!((clusters.len(), &clusters[0]["size"]), (1, &CAMPAIGN.into()), "{args:?}");
    if cfg!(target_os = "linux") {
        let memory = report["peak_memory_bytes"].as_u64().unwrap();
        assert!(memory < 400 << 20, "{args:?}: {memory} bytes");
    }
    run
}

#[test]
fn a_campaign_is_grouped_without_a_list_of_all_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let record = |n: u64| {
        format!("{{\"id\":\"{n}\",\"text\":\"{FERRY} The number {n} of the day {n}.\"}}\n")
    };
    write(folder.path(), "in.jsonl", (0..CAMPAIGN).map(record).collect::<String>());
    let run = check_campaign(folder.path(), &[])
        .says("there are more than 2,000,000 pairs, and fewer are listed");
    let run =
        run.says("too many pairs to list").says("199,970,001 more pairs of the same clusters");
    assert!(run.err.contains("The largest has 20,000 documents"), "{}", run.err);
}

#[test]
fn a_campaign_is_grouped_under_a_second_check_too() {
    let folder = tempfile::tempdir().unwrap();
    let record = |n: u64| format!("{{\"id\":\"{n}\",\"text\":\"{FERRY} The number {n}.\"}}\n");
    write(folder.path(), "in.jsonl", (0..CAMPAIGN).map(record).collect::<String>());
    write(folder.path(), "check.toml", "[confirm]\nbits = 256\nthreshold = \"0.6\"\n");
    check_campaign(folder.path(), &["--config", "check.toml"]).says("too many pairs to list");
}

#[test]
fn a_search_for_pairs_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let record = |n: u64| json!({ "text": super::copy(n / 2, n as usize % 2 * 3) }).to_string();
    let records: Vec<String> = (0..40).map(record).collect();
    write(folder.path(), "in.jsonl", records.join("\n"));
    let args = ["dedup", "in.jsonl", "-o", "out", "--force", "--stop-after", "0s"];
    // Each kind of search: of sets, by inclusion, of vectors, of bits, of sketches, with a check, by bands.
    let searches: [&[&str]; 7] = [
        &[],
        &["--method", "shingles", "--measure", "containment"],
        &["--method", "cosine", "-t", "0.3"],
        &["--method", "simhash"],
        &["--method", "super-shingles"],
        &["--method", "henzinger"],
        &["--method", "lsh"],
    ];
    for search in searches {
        let run = run(folder.path(), &[&args[..], search].concat());
        assert_eq!(run.code, 3, "{search:?}: {}", run.err);
        run.says("was stopped after").says("some may be missing");
        let report: Value = serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
        let share = report["stopped"]["share"].as_f64().unwrap();
        assert!(share < 1.0, "{search:?}: {share}");
    }
    run(folder.path(), &["dedup", "in.jsonl", "-o", "all", "--stop-after", "1h"]).code(0);
    let report: Value = serde_json::from_str(&read(folder.path(), "all/report.json")).unwrap();
    assert!(report.get("stopped").is_none());
}

#[test]
fn members_of_clusters_have_titles_and_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let about = "\"title\":\"=Ferry\",\"url\":\"https://a.example/1\",\"source\":\"wire\"";
    let records = [
        format!("{{\"id\":\"one\",\"text\":\"{FERRY}\",{about}}}\n"),
        format!("{{\"id\":\"two\",\"text\":\"{FERRY}\"}}\n"),
    ];
    write(folder.path(), "in.jsonl", records.concat());
    run(folder.path(), &["dedup", "in.jsonl", "-o", "out", "--format", "csv"]).code(0);
    let cluster = &lines(&read(folder.path(), "out/clusters.jsonl"))[0];
    let text = firsthand_jobs::decisions::text_hash(FERRY);
    let place = |line: u32, byte: usize| serde_json::json!({ "path": "in.jsonl", "number": line, "byte": byte });
    let members = serde_json::json!([
        {
            "id": "one", "score": 1.0, "exact": null, "title": "=Ferry", "url": "https://a.example/1",
            "source": "wire", "text": text, "place": place(1, 0),
        },
        { "id": "two", "score": 1.0, "exact": true, "text": text, "place": place(2, records[0].len()) },
    ]);
    assert_eq!(cluster["members"], members);
    let csv = read(folder.path(), "out/clusters.csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "cluster,size,id,original,score,exact,via,time,title,url,source,sender");
    assert_eq!(rows[1], "1,2,one,one,1,,,,'=Ferry,https://a.example/1,wire,");
    assert_eq!(rows[2], "1,2,two,one,1,true,,,,,,");
    let printed = run(folder.path(), &["dedup", "in.jsonl", "--format", "jsonl"]).code(0).out;
    assert_eq!(lines(&printed)[0]["members"], members);
}

#[test]
fn a_page_without_a_source_has_its_host_for_it() {
    let folder = tempfile::tempdir().unwrap();
    for host in ["www.harbour-post.example", "www.inland-mail.example"] {
        write(folder.path(), &format!("pages/{host}/ferry.html"), format!("<p>{FERRY}</p>"));
    }
    run(folder.path(), &["dedup", "pages", "-o", "out"]).code(0);
    let cluster = &lines(&read(folder.path(), "out/clusters.jsonl"))[0];
    let sources: Vec<&Value> = (0..2).map(|at| &cluster["members"][at]["source"]).collect();
    assert_eq!(sources, ["www.harbour-post.example", "www.inland-mail.example"]);
    let page = read(folder.path(), "out/report.html");
    assert!(page.contains(">www.harbour-post.example<"), "{page}");
}

#[test]
fn empty_and_short_documents_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let records = [record("none", " "), record("few", "Two words"), record("long", FERRY)];
    write(folder.path(), "in.jsonl", records.concat());
    let run = run(folder.path(), &["dedup", "in.jsonl", "-o", "out", "-v"]).code(0);
    run.says("note: none: is empty").says("note: few: is too short for more than exact copies");
    let report: Value = serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    assert_eq!(report["empty"], serde_json::json!({ "count": 1, "ids": ["none"] }));
    assert_eq!(report["short"], serde_json::json!({ "count": 1, "ids": ["few"] }));
}
