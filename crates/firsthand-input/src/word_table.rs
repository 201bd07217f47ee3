//! Tables of words in text files.

use std::collections::HashMap;
use std::str::FromStr;

/// The words of a table with one on each line.
pub(crate) fn words(table: &'static str) -> Vec<&'static str> {
    table.lines().collect()
}

/// The number of each word of a table, whose lines are a number and the words that have it.
pub(crate) fn numbers<N: FromStr + Copy>(table: &'static str) -> HashMap<&'static str, N> {
    let of_line = |line: &'static str| {
        let mut words = line.split_whitespace();
        let number = words.next().and_then(|number| number.parse().ok());
        number.into_iter().flat_map(move |number| words.clone().map(move |word| (word, number)))
    };
    table.lines().flat_map(of_line).collect()
}
