//! Columns of results, filled row by row. Ids come back as they came in: numbers or texts.

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, LargeStringBuilder, TimestampMillisecondBuilder,
};
use arrow_array::{ArrayRef, Int64Array, LargeStringArray};
use std::sync::Arc;

/// Ids of documents.
pub(crate) fn ids<'a>(
    ids: impl Iterator<Item = Option<&'a str>> + Clone,
    are_numbers: bool,
) -> ArrayRef {
    if are_numbers && let Some(numbers) = numbers(ids.clone()) {
        return Arc::new(numbers);
    }
    Arc::new(LargeStringArray::from_iter(ids))
}

/// Ids as numbers; none if one of them is no number, or would be written in another way.
fn numbers<'a>(ids: impl Iterator<Item = Option<&'a str>>) -> Option<Int64Array> {
    let number = |id: &str| id.parse::<i64>().ok().filter(|number| number.to_string() == id);
    let numbers = ids.map(|id| id.map_or(Some(None), |id| number(id).map(Some)));
    numbers.collect::<Option<Vec<_>>>().map(Int64Array::from)
}

/// A column of texts.
pub(crate) fn texts<T: AsRef<str>>(values: impl Iterator<Item = Option<T>>) -> ArrayRef {
    let mut column = LargeStringBuilder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of whole numbers.
pub(crate) fn integers(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    let mut column = Int64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of numbers.
pub(crate) fn reals(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    let mut column = Float64Builder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of truths.
pub(crate) fn truths(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    let mut column = BooleanBuilder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish())
}

/// A column of times, in milliseconds since 1970 UTC.
pub(crate) fn times(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    let mut column = TimestampMillisecondBuilder::new();
    values.for_each(|value| column.append_option(value));
    Arc::new(column.finish().with_timezone("UTC"))
}
