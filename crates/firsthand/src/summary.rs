//! A document of a collection, once it is signed.

/// A document of a collection: what is known of it once it is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its id. Where an id occurs again, `#2`, `#3` and so on are appended.
    pub id: String,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: Option<i64>,
    /// The bytes of its normalised text; none means that it is empty and matches nothing.
    pub length: u32,
    /// How many features it is compared by.
    pub features: u32,
    /// Whether it has too few features, so that only exact copies of it count.
    pub short: bool,
    /// The text it shares with its exact copies.
    pub(crate) text: Option<u32>,
}
