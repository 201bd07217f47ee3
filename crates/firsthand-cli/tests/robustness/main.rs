//! Hostile and broken inputs, each among good ones: the real binary has to name what is wrong, go
//! on, and need neither much memory nor another's files.
//!
//! Every case makes its input in a folder of its own, runs `firsthand dedup` and adds a row to
//! `robustness.md` in the target folder; `scripts/robustness` makes `docs/robustness.md` of it.

// Helpers of tests may fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bombs;
mod case;
mod charsets;
mod crawls;
mod feeds;
#[cfg(unix)]
mod folders;
mod json;
mod limits;
mod lines;
mod mail;
mod make;
mod members;
mod outcome;
mod pages;
mod stage;
mod table;
mod tables;

use case::Case;
use stage::Stage;

/// A text that stands in a file before something hostile.
const BEFORE: &str = "The night ferry ran aground on a mud bank shortly before midnight, and none \
    of the forty passengers was hurt. A tug from the harbour will try to free the ship in the \
    morning, when the tide is high again.";

/// A text that stands in a file after something hostile.
const AFTER: &str = "The council wants to buy a new ferry that can carry twice as many cars as the \
    old one. The money is to come from a toll on the bridge, which drivers do not like, and from \
    the sale of two warehouses at the quay.";

/// A text in files beside the hostile one.
const BESIDE: &str = "After three dry summers the orchard keepers on the island have dug a pond \
    that holds enough water for six weeks. They share the pump with the school garden, where \
    children grow beans and pumpkins.";

/// A line of JSONL.
fn line(text: &str) -> String {
    serde_json::json!({ "text": text }).to_string() + "\n"
}

/// A page.
fn page(text: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>News</title></head><body><p>{text}</p></body></html>"
    )
}
