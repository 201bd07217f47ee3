//! What the address of a page says: the query of the list, which goes along from page to page.

use firsthand_input::calendar::rfc3339;
use firsthand_jobs::review::{Query, Sort, State};
use std::fmt::Write;

/// The query of the list, and how it is written in an address.
#[derive(Clone, Debug, Default)]
pub(super) struct ListQuery {
    pub(super) query: Query,
}

const DAY: i64 = 86_400_000;

impl ListQuery {
    /// Reads the fields of an address; what is empty or makes no sense is left out.
    pub(super) fn new(fields: &[(String, String)]) -> Self {
        let field = |name: &str| {
            let found = fields.iter().rev().find(|(known, _)| known == name);
            found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
        };
        let text = |name: &str| field(name).unwrap_or_default().to_owned();
        let time = |name: &str| field(name).and_then(firsthand_input::parse_time);
        let query = Query {
            sort: match field("sort") {
                Some("newest") => Sort::Newest,
                Some("least-certain") => Sort::LeastCertain,
                Some("sources") => Sort::Sources,
                _ => Sort::Size,
            },
            text: text("text"),
            source: text("source"),
            tag: text("tag"),
            state: match field("state") {
                Some("open") => Some(State::Open),
                Some("reviewed") => Some(State::Reviewed),
                Some("skipped") => Some(State::Skipped),
                _ => None,
            },
            min_size: field("min_size").and_then(|value| value.parse().ok()),
            max_size: field("max_size").and_then(|value| value.parse().ok()),
            max_score: field("max_score").and_then(|value| value.parse().ok()),
            from: time("from"),
            // The day that is named is part of it.
            to: time("to").map(|to| to + DAY),
            after: field("after").and_then(|value| value.parse().ok()),
            limit: field("limit").and_then(|value| value.parse().ok()),
        };
        Self { query }
    }

    pub(super) fn state(&self) -> &'static str {
        match self.query.state {
            Some(State::Open) => "open",
            Some(State::Reviewed) => "reviewed",
            Some(State::Skipped) => "skipped",
            None => "",
        }
    }

    pub(super) fn day(&self, time: Option<i64>) -> String {
        time.map(|time| super::shown::day(&rfc3339(time)).to_owned()).unwrap_or_default()
    }

    pub(super) fn day_before(&self, time: Option<i64>) -> String {
        self.day(time.map(|time| time - DAY))
    }

    /// The fields but the page, ready to stand after `?` or `&`.
    pub(super) fn fields(&self) -> String {
        let asked = &self.query;
        let sort = match asked.sort {
            Sort::Size => "",
            Sort::Newest => "newest",
            Sort::LeastCertain => "least-certain",
            Sort::Sources => "sources",
        };
        let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
        let fields = [
            ("sort", sort.to_owned()),
            ("text", asked.text.clone()),
            ("source", asked.source.clone()),
            ("tag", asked.tag.clone()),
            ("state", self.state().to_owned()),
            ("min_size", number(asked.min_size)),
            ("max_size", number(asked.max_size)),
            ("max_score", asked.max_score.map(|most| most.to_string()).unwrap_or_default()),
            ("from", self.day(asked.from)),
            ("to", self.day_before(asked.to)),
        ];
        let given = fields.iter().filter(|(_, value)| !value.is_empty());
        let given = given.map(|(name, value)| format!("{name}={}", encoded(value)));
        given.collect::<Vec<_>>().join("&")
    }

    pub(super) fn first_page(&self) -> String {
        format!("/?{}", self.fields())
    }

    pub(super) fn page_after(&self, number: u32) -> String {
        format!("/?{}&after={number}", self.fields())
    }

    pub(super) fn cluster(&self, number: u32) -> String {
        format!("/clusters/{number}?{}", self.fields())
    }

    /// A part of a cluster: which member is shown, and how.
    pub(super) fn part(&self, number: u32, member: &str, show: &str) -> String {
        format!("/clusters/{number}?{}&m={}&show={show}", self.fields(), encoded(member))
    }
}

/// A value as it stands in an address.
pub(super) fn encoded(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                text.push(byte as char);
            }
            other => drop(write!(text, "%{other:02X}")),
        }
    }
    text
}
