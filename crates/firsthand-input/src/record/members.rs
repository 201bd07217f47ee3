//! Fields inside of other fields: a name such as `meta.body` leads to the member `body` of `meta`.
//!
//! A field whose own name has the dot comes first.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{FieldRecord, Scalar, Slot, TextValue, UnexpectedType, slot_of};
use firsthand::settings::Fields;

/// Whether a name such as `meta.body` leads through the key `meta`.
pub(super) fn leads_below(name: &str, key: &str) -> bool {
    name.as_bytes().get(key.len()) == Some(&b'.') && name.starts_with(key)
}

/// Reads a value that names with dots lead through: its members are fields by their paths.
pub(super) struct Members<'r, 'f, 'de> {
    pub(super) fields: &'f Fields,
    pub(super) path: &'r str,
    /// The field that the value itself is.
    pub(super) known: Option<(Slot, usize)>,
    /// The number of values around it.
    pub(super) depth: usize,
    pub(super) record: &'r mut FieldRecord<'de>,
}

impl<'de> Members<'_, '_, 'de> {
    fn found(self, value: TextValue<'de>) {
        let Some((slot, rank)) = self.known else { return };
        if value.kind != "string" {
            self.record.strange.push(UnexpectedType { slot, rank, kind: value.kind });
        }
        // The exact name comes before a path.
        let is_better =
            self.depth == 0 || self.record.get(slot).rank().is_none_or(|best| rank < best);
        if let Some(text) = value.text.filter(|_| is_better) {
            self.record.offer(slot, rank, text);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Members<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        match slot_of(self.fields, |name| leads_below(name, self.path)).is_some() {
            true => json.deserialize_any(self),
            false => Scalar.deserialize(json).map(|value| self.found(value)),
        }
    }
}

impl<'de> Visitor<'de> for Members<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { fields, path, depth, record, known } = self;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let path = format!("{path}.{key}");
            let known = slot_of(fields, |name| name == path);
            let depth = depth + 1;
            map.next_value_seed(Members { fields, path: &path, known, depth, record })?;
        }
        let value = TextValue::new("an object", None);
        Members { fields, path, known, depth, record }.found(value);
        Ok(())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        Scalar.visit_borrowed_str(text).map(|value| self.found(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        Scalar.visit_str(text).map(|value| self.found(value))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        Scalar.visit_i64(number).map(|value| self.found(value))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        Scalar.visit_u64(number).map(|value| self.found(value))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        Scalar.visit_f64(number).map(|value| self.found(value))
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<(), E> {
        Scalar.visit_bool(truth).map(|value| self.found(value))
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Scalar.visit_unit().map(|value| self.found(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        Scalar.visit_seq(list).map(|value| self.found(value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::made;
    use super::*;

    fn found(record: &str, names: &[&str]) -> Option<String> {
        let text = names.iter().map(|name| (*name).to_owned()).collect();
        let fields = Fields { text, ..Fields::default() };
        made(record, &fields, |mut record| Ok(record.take(Slot::Text).map(Cow::into_owned)))
            .unwrap()
    }

    #[test]
    fn names_with_dots_lead_to_members() {
        let cases = [
            (r#"{"meta":{"body":"x"}}"#, &["meta.body"][..], Some("x")),
            (r#"{"meta":{"n":[{}],"body":"\u0041","z":{}},"other":1}"#, &["meta.body"], Some("A")),
            (r#"{"a":{"b":{"c":7}}}"#, &["a.b.c"], Some("7")),
            // A field whose own name has the dot comes first, wherever it stands.
            (r#"{"meta.body":"x","meta":{"body":"y"}}"#, &["meta.body"], Some("x")),
            (r#"{"meta":{"body":"y"},"meta.body":"x"}"#, &["meta.body"], Some("x")),
            (r#"{"a":{"b.c":"x"}}"#, &["a.b.c"], Some("x")),
            (r#"{"a.b":{"c":"x"}}"#, &["a.b.c"], Some("x")),
            // The first name counts, be it a path or not.
            (r#"{"text":"y","meta":{"body":"x"}}"#, &["meta.body", "text"], Some("x")),
            (r#"{"meta":{"body":"x"},"text":"y"}"#, &["text", "meta.body"], Some("y")),
            // The beginning of a path may be a field of its own, and of another type.
            (r#"{"source":{"body":"x"}}"#, &["source.body"], Some("x")),
            (r#"{"meta":"text","text":"y"}"#, &["meta.body", "text"], Some("y")),
            (r#"{"meta":[{"body":"x"}]}"#, &["meta.body"], None),
            (r#"{"meta":{"body":null}}"#, &["meta.body"], None),
            (r#"{"meta":null}"#, &["meta.body"], None),
            (r#"{"body":"x"}"#, &["meta.body"], None),
        ];
        for (record, names, expected) in cases {
            assert_eq!(found(record, names).as_deref(), expected, "{record} {names:?}");
        }
    }
}
