//! One JSON record: keeps only the configured fields and borrows strings where possible.

mod flat;
mod members;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use self::members::{Members, leads_below};
use crate::error::Reason;
use crate::json_words::json_words;
use crate::{depth, surrogates};
use firsthand::settings::{Fields, Limit, Limits, Reading};

/// The fields of a record, all as text, since an id or a time may be a number.
#[derive(Debug, Default)]
pub(crate) struct FieldRecord<'a> {
    values: [FieldValue<'a>; SLOTS],
    /// Fields whose value is not a string, null among them.
    pub(crate) strange: Vec<UnexpectedType>,
}

/// A field whose value is not a string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnexpectedType {
    pub(crate) slot: Slot,
    pub(crate) rank: usize,
    pub(crate) kind: &'static str,
}

impl<'a> FieldRecord<'a> {
    /// The fields that it has, with or without a value.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        let has_value = |slot: &Slot| self.get(*slot).found.is_some();
        let strange = self.strange.iter().map(|strange| strange.slot);
        ALL.into_iter().filter(has_value).chain(strange)
    }

    /// Offers a value found under the field name of this rank.
    pub(crate) fn offer(&mut self, slot: Slot, rank: usize, text: Cow<'a, str>) {
        self.values[slot as usize].offer(rank, text);
    }

    /// The value of a field.
    pub(crate) fn get(&self, slot: Slot) -> &FieldValue<'a> {
        &self.values[slot as usize]
    }

    /// The value of a field, blank or not.
    pub(crate) fn take(&mut self, slot: Slot) -> Option<Cow<'a, str>> {
        self.values[slot as usize].found.take().map(|(_, text)| text)
    }

    /// The trimmed value of a field; `None` if it is blank.
    pub(crate) fn word(&mut self, slot: Slot) -> Option<String> {
        let text = self.take(slot)?;
        let trimmed = text.trim();
        match trimmed.len() {
            0 => None,
            length if length == text.len() => Some(text.into_owned()),
            _ => Some(trimmed.to_owned()),
        }
    }
}

/// The value of a field, with the rank of the name it was found under; the lowest rank wins.
#[derive(Debug, Default)]
pub(crate) struct FieldValue<'a> {
    found: Option<(usize, Cow<'a, str>)>,
}

impl<'a> FieldValue<'a> {
    /// The value, borrowed.
    pub(crate) fn peek(&self) -> Option<&str> {
        self.found.as_ref().map(|(_, text)| &**text)
    }

    /// The rank of the name it was found under.
    pub(crate) fn rank(&self) -> Option<usize> {
        self.found.as_ref().map(|(rank, _)| *rank)
    }

    fn offer(&mut self, rank: usize, text: Cow<'a, str>) {
        if self.found.as_ref().is_none_or(|&(best, _)| rank <= best) {
            self.found = Some((rank, text));
        }
    }
}

/// Parses a record if it is a usual one within the limits.
pub(crate) fn usual<'a>(line: &'a [u8], reading: &Reading) -> Option<FieldRecord<'a>> {
    let Limits { line: longest, json_depth, .. } = reading.limits;
    let is_within = line.len() as u64 <= longest && json_depth > 0;
    // By vectors: checking all text costs as much as finding the strings in it.
    flat::parse(simdutf8::basic::from_utf8(line).ok().filter(|_| is_within)?, &reading.fields)
}

/// Parses a record of any form.
fn parse_any<'a>(line: &'a str, fields: &Fields) -> Result<FieldRecord<'a>, Reason> {
    if let Some(other) = other_than_object(line) {
        return Err(Reason::NotAnObject(other));
    }
    let mut json = serde_json::Deserializer::from_str(line);
    RecordSeed(fields)
        .deserialize(&mut json)
        .and_then(|record| json.end().map(|()| record))
        .map_err(|error| Reason::BadJson(json_words(&error)))
}

/// The names of the fields of an object; none if it is not one.
pub(crate) fn keys(line: &str) -> Option<Vec<String>> {
    struct Keys;
    impl<'de> Visitor<'de> for Keys {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
            let mut keys = Vec::new();
            while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                keys.push(key);
            }
            Ok(keys)
        }
    }
    let keys = |line: &str| serde_json::Deserializer::from_str(line).deserialize_map(Keys).ok();
    keys(line).or_else(|| keys(&surrogates::mend(line)?))
}

/// Parses one record and makes something of it.
pub(crate) fn made<T>(
    line: &str,
    fields: &Fields,
    make: impl FnOnce(FieldRecord<'_>) -> Result<T, Reason>,
) -> Result<T, Reason> {
    match parse_any(line, fields) {
        Ok(record) => make(record),
        Err(reason) => {
            let mended = surrogates::mend(line).ok_or(reason)?;
            let record = parse_any(&mended, fields)?;
            // Different ids would become the same.
            let id = record.get(Slot::Id).peek();
            if id.is_some_and(|id| id.contains(char::REPLACEMENT_CHARACTER)) {
                return Err(Reason::BrokenId);
            }
            make(record)
        }
    }
}

/// Checks the length and depth of a record.
pub(crate) fn within(line: &[u8], limits: &Limits) -> Result<(), Reason> {
    let beyond = |limit| Err(Reason::beyond(limit, limits));
    match line {
        _ if line.len() as u64 > limits.line => beyond(Limit::Line),
        _ if depth::is_deeper(line, limits.json_depth) => beyond(Limit::JsonDepth),
        _ => Ok(()),
    }
}

/// The type of JSON value that starts the line, if it is not an object.
fn other_than_object(line: &str) -> Option<&'static str> {
    match line.trim_start().bytes().next()? {
        b'[' => Some("array"),
        b'"' => Some("string"),
        b'-' | b'0'..=b'9' => Some("number"),
        _ => None,
    }
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Id,
    Text,
    Html,
    Title,
    Url,
    Host,
    Source,
    Time,
    Cluster,
    Labelled,
}

/// The number of fields.
const SLOTS: usize = Slot::Labelled as usize + 1;

const ALL: [Slot; SLOTS] = [
    Slot::Id,
    Slot::Text,
    Slot::Html,
    Slot::Title,
    Slot::Url,
    Slot::Host,
    Slot::Source,
    Slot::Time,
    Slot::Cluster,
    Slot::Labelled,
];

/// The field that a name for which `is` holds belongs to, and the rank of that name.
pub(crate) fn slot_of(fields: &Fields, is: impl Fn(&str) -> bool) -> Option<(Slot, usize)> {
    let named = [
        (Slot::Text, &fields.text),
        (Slot::Html, &fields.html),
        (Slot::Id, &fields.id),
        (Slot::Title, &fields.title),
        (Slot::Url, &fields.url),
        (Slot::Host, &fields.host),
        (Slot::Source, &fields.source),
        (Slot::Time, &fields.time),
        (Slot::Cluster, &fields.cluster),
        (Slot::Labelled, &fields.labelled),
    ];
    let find = |(slot, names): (Slot, &Vec<String>)| {
        names.iter().position(|name| is(name)).map(|rank| (slot, rank))
    };
    named.into_iter().find_map(find)
}

struct RecordSeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for RecordSeed<'_> {
    type Value = FieldRecord<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<FieldRecord<'de>, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_> {
    type Value = FieldRecord<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldRecord<'de>, A::Error> {
        let mut record = FieldRecord::default();
        while let Some(key) = map.next_key_seed(KeySeed(self.0))? {
            let (slot, rank) = match key {
                Key::Field(slot, rank) => (slot, rank),
                Key::Above(path) => {
                    let (fields, known) = (self.0, slot_of(self.0, |name| name == path));
                    let record = &mut record;
                    map.next_value_seed(Members { fields, path: &path, known, depth: 0, record })?;
                    continue;
                }
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let found = map.next_value_seed(Scalar)?;
            if let Some(text) = found.text {
                record.offer(slot, rank, text);
            }
            if found.kind != "string" {
                record.strange.push(UnexpectedType { slot, rank, kind: found.kind });
            }
        }
        Ok(record)
    }
}

/// What the key of a value says.
enum Key {
    /// It is a field, under the name of this rank.
    Field(Slot, usize),
    /// Names with dots lead through it.
    Above(String),
    Other,
}

/// Looks up a key without copying it.
struct KeySeed<'f>(&'f Fields);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        // A name may be both a field and the beginning of a path.
        if slot_of(self.0, |name| leads_below(name, key)).is_some() {
            return Ok(Key::Above(key.to_owned()));
        }
        let known = slot_of(self.0, |name| name == key);
        Ok(known.map_or(Key::Other, |(slot, rank)| Key::Field(slot, rank)))
    }
}

/// Reads a string, number or Boolean as text; anything else counts as absent.
struct Scalar;

/// A value as text, and its JSON type.
struct TextValue<'a> {
    text: Option<Cow<'a, str>>,
    kind: &'static str,
}

impl<'a> TextValue<'a> {
    fn new(kind: &'static str, text: impl Into<Option<Cow<'a, str>>>) -> Self {
        Self { text: text.into(), kind }
    }

    fn number(number: impl ToString) -> Self {
        Self::new("a number", Cow::Owned(number.to_string()))
    }
}

impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = TextValue<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = TextValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or number")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(TextValue::new("string", Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(TextValue::new("string", Cow::Owned(text.to_owned())))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(TextValue::new("string", Cow::Owned(text)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(TextValue::number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(TextValue::number(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(TextValue::number(number))
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Self::Value, E> {
        Ok(TextValue::new("a Boolean", Cow::Owned(truth.to_string())))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(TextValue::new("null", None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(TextValue::new("an array", None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(TextValue::new("an object", None))
    }
}

/// The id in a line that breaks off or is damaged further on, if it comes before the damage.
pub(crate) fn id_before_damage(line: &str, fields: &Fields) -> Option<String> {
    let mut best = None;
    let mut json = serde_json::Deserializer::from_str(line);
    // It fails, of course.
    let _ = json.deserialize_map(IdSeed { fields, best: &mut best });
    best.map(|(_, id)| id)
}

struct IdSeed<'f, 'o> {
    fields: &'f Fields,
    best: &'o mut Option<(usize, String)>,
}

impl<'de> Visitor<'de> for IdSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(known) = map.next_key_seed(KeySeed(self.fields))? {
            let Key::Field(Slot::Id, rank) = known else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if let TextValue { text: Some(id), kind: "string" | "a number" } =
                map.next_value_seed(Scalar)?
                && self.best.as_ref().is_none_or(|(best, _)| rank <= *best)
            {
                *self.best = Some((rank, id.into_owned()));
            }
        }
        Ok(())
    }
}
