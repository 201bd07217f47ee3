//! The elements found are those of a parser, for any portions and any damage.

use proptest::prelude::*;
use serde_json::Value;

use super::cutter::{JsonCut, JsonCutter};
use firsthand::settings::{Limit, Limits};

/// Everything found when `step` bytes are read at a time.
fn cut(json: &[u8], step: usize, limits: &Limits) -> Vec<(u64, JsonCut)> {
    let mut cutter = JsonCutter::new(limits);
    let mut found = Vec::new();
    for mut bytes in json.chunks(step.max(1)) {
        while let Some(next) = cutter.next(&mut bytes) {
            found.push(next);
        }
    }
    found.extend(cutter.end());
    found
}

/// A summary: elements as text, faults after `!`.
fn short(json: &str) -> Vec<String> {
    let limits = Limits { line: 1000, json_depth: 5, ..Limits::default() };
    let all = cut(json.as_bytes(), usize::MAX, &limits);
    for step in [1, 2, 3, 7] {
        // A message may show less if portions split the fault.
        let same = |(a, b): (&(u64, JsonCut), &(u64, JsonCut))| match (&a.1, &b.1) {
            (JsonCut::Garbage(_), JsonCut::Garbage(_)) => a.0 == b.0,
            _ => a == b,
        };
        let again = cut(json.as_bytes(), step, &limits);
        assert!(all.len() == again.len() && all.iter().zip(&again).all(same), "{again:?}");
    }
    let words = |(number, found)| match found {
        JsonCut::Element(bytes) => format!("{number} {}", String::from_utf8(bytes).unwrap()),
        JsonCut::Beyond(limit) => format!("{number} ! {}", limit.label()),
        JsonCut::Garbage(words) => format!("{number} ! {words}"),
    };
    all.into_iter().map(words).collect()
}

#[test]
fn what_a_file_holds() {
    let no_comma = "! no comma between two elements";
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        (" \n", &[]),
        ("[]", &[]),
        ("[{}]", &["1 {}"]),
        ("\u{FEFF}[{}]", &["1 {}"]),
        ("[{\"a\":[1,{}]} ,\n{\"b\":2}]\n", &["1 {\"a\":[1,{}]}", "2 {\"b\":2}"]),
        ("{\"a\":1}\n{\"b\":2}", &["1 {\"a\":1}", "2 {\"b\":2}"]),
        ("{\"a\":1}{\"b\":2}", &["1 {\"a\":1}", "2 {\"b\":2}"]),
        (
            "[{\"a\":\"}]\\\"\"}, 17, \"x]\", null, [2]]",
            &["1 {\"a\":\"}]\\\"\"}", "2 17", "3 \"x]\"", "4 null", "5 [2]"],
        ),
        ("[1][2]", &["1 1", "2 2"]),
        ("17", &["1 17"]),
        // Commas.
        ("[{},]", &["1 {}"]),
        ("[,{},,{}]", &["1 {}", "2 {}"]),
        ("[{} {} {}]", &["1 {}", &format!("2 {no_comma}"), "2 {}", "3 {}"]),
        // Garbage.
        ("[{}, x, {}]", &["1 {}", "2 ! \"x,\" where an element was expected", "2 {}"]),
        ("[{}}, {}]", &["1 {}", "2 ! \"},\" where an element was expected", "2 {}"]),
        ("hello world", &["1 ! \"hello\" where an element was expected"]),
        ("this is text", &["1 ! \"this\" is not a value"]),
        (
            "callback([{}]);",
            &[
                "1 ! \"callback([{}]);\" where an element was expected",
                "1 {}",
                "2 ! \");\" where an element was expected",
            ],
        ),
        ("{} ] {}", &["1 {}", "2 ! \"]\" where an element was expected", "2 {}"]),
        // A missing quote costs the line, not the file.
        (
            "[{\"a\":\"b},\n{\"c\":1}]",
            &["1 ! a line ends within a string: is a quote missing?", "2 {\"c\":1}"],
        ),
        // Cut off.
        ("[{}", &["1 {}", "2 ! it ends before the array does: was it cut off?"]),
        ("[{},", &["1 {}", "2 ! it ends before the array does: was it cut off?"]),
        ("[{}, {\"a\":", &["1 {}", "2 ! it ends within an element: was it cut off?"]),
        ("{\"a", &["1 ! it ends within an element: was it cut off?"]),
        // Exceeded limits.
        ("[[[[[[1]]]]],{}]", &["1 [[[[[1]]]]]", "2 {}"]),
        ("[[[[[[[1]]]]]],{}]", &["1 ! JSON nested too deep", "2 {}"]),
    ];
    for (json, expected) in cases {
        assert_eq!(short(json), *expected, "{json}");
    }
    let long = format!("[{{}},\"{}\",{{}}]", "x".repeat(2000));
    assert_eq!(short(&long), ["1 {}", "2 ! line too long", "3 {}"]);
}

#[test]
fn any_depth_takes_no_memory() {
    let limits = Limits::default();
    let mut cutter = JsonCutter::new(&limits);
    let feed = |cutter: &mut JsonCutter<'_>, mut bytes: &[u8]| cutter.next(&mut bytes);
    assert_eq!(feed(&mut cutter, b"["), None);
    for bracket in [b'[', b']'] {
        for _ in 0..10_000 {
            let found = feed(&mut cutter, &[bracket; 1000]);
            assert!(matches!(found, None | Some((1, JsonCut::Beyond(Limit::JsonDepth)))));
        }
    }
    assert_eq!(feed(&mut cutter, b",{}"), Some((2, JsonCut::Element(b"{}".to_vec()))));
    assert_eq!(feed(&mut cutter, b"]"), None);
    assert_eq!(cutter.end(), None);
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z{}\\[\\]\",:\\\\\n é🛳]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z\"\\\\{]{0,4}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn elements_are_those_of_a_parser(
        values in prop::collection::vec(value(), 0..8),
        pretty: bool,
        step in 1usize..40,
    ) {
        let json = match pretty {
            true => serde_json::to_string_pretty(&values).unwrap(),
            false => serde_json::to_string(&values).unwrap(),
        };
        let found: Vec<Value> = cut(json.as_bytes(), step, &Limits::default())
            .into_iter()
            .map(|(_, found)| match found {
                JsonCut::Element(bytes) => serde_json::from_slice(&bytes).unwrap(),
                other => panic!("{other:?}"),
            })
            .collect();
        prop_assert_eq!(found, values);
    }

    #[test]
    fn a_cut_off_file_keeps_the_elements_before_the_cut(
        values in prop::collection::vec(value(), 0..6),
    ) {
        let whole: Vec<String> = values.iter().map(Value::to_string).collect();
        let json = format!("[{}]", whole.join(","));
        for end in 0..json.len() {
            let found = cut(&json.as_bytes()[..end], 16, &Limits::default());
            let elements = found.iter().filter(|(_, found)| matches!(found, JsonCut::Element(_)));
            for ((_, found), expected) in elements.zip(&whole) {
                prop_assert_eq!(found, &JsonCut::Element(expected.clone().into_bytes()));
            }
            prop_assert!(end == 0 || matches!(found.last(), Some((_, JsonCut::Garbage(_)))));
        }
    }

    #[test]
    fn any_bytes_do_no_harm(bytes in "[\\[\\]{}\",:a1 \\\\\n]{0,200}", step in 1usize..40) {
        let limits = Limits { line: 20, json_depth: 3, ..Limits::default() };
        let found = cut(bytes.as_bytes(), step, &limits);
        let elements = found.iter().filter_map(|(_, found)| match found {
            JsonCut::Element(bytes) => Some(bytes.len()),
            _ => None,
        });
        prop_assert!(elements.sum::<usize>() <= bytes.len());
    }
}
