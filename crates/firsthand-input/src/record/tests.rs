use super::*;
use proptest::prelude::*;

/// The values of a record, and what is strange in it.
fn found(record: &FieldRecord<'_>) -> String {
    format!("{:?} {:?}", record.values, record.strange)
}

fn strings() -> impl Strategy<Value = String> {
    r#""([a-cé\t ]|\\[nrtbf"/\\ux]|\\u00[e4]9|\\ud83d\\ude00){0,6}""#
}

fn lines() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        4 => strings(),
        2 => "[0-9]{1,3}",
        1 => prop::sample::select(vec!["-1", "1.5", "1e3", "true", "null", "[1]", "{}", "1x"])
            .prop_map(str::to_owned),
    ];
    let name = prop::sample::select(vec!["id", "text", "url", "a", "\\u0069d"]);
    let field = (name, value).prop_map(|(name, value)| format!(r#" "{name}" : {value}"#));
    let end = prop::sample::select(vec!["", " ", "x", ","]);
    (prop::collection::vec(field, 0..4), end)
        .prop_map(|(fields, end)| format!("{{{}}}{end}", fields.join(",")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn usual_records_are_read_as_by_the_general_parser(line in lines()) {
        let fields = Fields::default();
        if let Some(record) = flat::parse(&line, &fields) {
            let general = parse_any(&line, &fields);
            prop_assert!(general.is_ok(), "{} {:?}", line, general.err());
            prop_assert_eq!(found(&record), found(&general.unwrap()));
        }
    }
}

#[test]
fn what_is_usual() {
    let fields = Fields::default();
    let is_usual = |line: &str| flat::parse(line, &fields).is_some();
    assert!(is_usual(r#"{"id": 12, "text": "one, two é", "url": "a"} "#));
    assert!(is_usual("{}") && is_usual(r#" { "id" : "a" }"#));
    for other in [
        "",
        "{",
        "{}x",
        "[]",
        r#"{"id":"a",}"#,
        r#"{"id":"a" "b":"c"}"#,
        r#"{"id":01}"#,
        r#"{"id":1.5}"#,
        r#"{"id":true}"#,
        r#"{"text":"one\ntwo"}"#,
        r#"{"id":"\ud83d\ude00"}"#,
        "{\"id\":\"a\nb\"}",
        r#"{"id":"a"#,
        r#"{"id":"\"#,
        r#"{"id":"\é"}"#,
        r#"{"id":"\u12"}"#,
        r#"{"id":"\u12é"}"#,
    ] {
        assert!(!is_usual(other), "{other}");
    }
}
