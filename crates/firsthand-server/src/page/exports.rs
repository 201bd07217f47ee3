//! What can be taken away: clusters as they stand now, and labels.

use super::layout::Page;
use firsthand_jobs::review::Review;
use maud::{Markup, html};

pub(super) fn page(review: &Review) -> Markup {
    let body = html! {
        h1 { "Export" }
        p { "Clusters as they stand now, a document a row, with decisions, settings and version:" }
        ul {
            li { a href="/export/clusters.csv" download { "CSV" } ", for spreadsheets" }
            li { a href="/export/clusters.jsonl" download { "JSONL" } ", for programs" }
            li { a href="/export/clusters.parquet" download { "Parquet" } ", for programs that read columns" }
            li { a href="/export/labels.tsv" download { "Labels" } ", for " code { "firsthand tune" }
                " and " code { "firsthand learn" } }
        }
        p { "To write what is kept and dropped: " code { "firsthand review RESULTS --apply" }
            ". The next " code { "firsthand dedup INPUT -o RESULTS --force" } " obeys the decisions by itself." }
    };
    Page { title: "Export", current: "Export", mode: "", body }.html(review)
}
