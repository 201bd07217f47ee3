//! Decisions of a file that a store takes over: each once, though the file is given again and again.

use crate::decisions::Decision;
use std::collections::HashMap;

/// Which decisions of a file are new to a store.
#[derive(Debug)]
pub(super) struct Import<'a> {
    known: &'a [Option<Decision>],
    /// The first line of the store that no line of the file was found to be.
    from: usize,
    /// The line in the store of each line of the file.
    places: HashMap<usize, usize>,
    /// How many were new.
    pub(super) new: usize,
}

impl<'a> Import<'a> {
    pub(super) fn new(known: &'a [Option<Decision>]) -> Self {
        Self { known, from: 0, places: HashMap::new(), new: 0 }
    }

    /// The decision as the store takes it down; `None` if it has done so before.
    pub(super) fn next(&mut self, number: usize, decision: &Decision) -> Option<Decision> {
        let of = decision.of.map(|of| self.places.get(&of).copied().unwrap_or(0));
        let decision = Decision { of, ..decision.clone() };
        let rest = self.known.get(self.from..).unwrap_or_default();
        match rest.iter().position(|line| line.as_ref() == Some(&decision)) {
            Some(at) => {
                self.from += at + 1;
                self.places.insert(number, self.from);
                None
            }
            None => Some(decision),
        }
    }

    /// Notes that the store took a decision down.
    pub(super) fn took(&mut self, number: usize, line: usize) {
        self.places.insert(number, line);
        self.new += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::{Action, Named};

    #[test]
    fn each_decision_is_taken_down_once_and_undone_where_it_is() {
        let skip = |id: &str| {
            let named = vec![Named { id: id.to_owned(), text: None }];
            Decision::new(Action::Skip, named, String::new())
        };
        let undo = |of| Decision {
            of: Some(of),
            ..Decision::new(Action::Undo, Vec::new(), String::new())
        };
        // The store has something else first, and what it has of the file.
        let known = [Some(skip("other")), Some(skip("a"))];
        let mut import = Import::new(&known);
        assert_eq!(import.next(1, &skip("a")), None);
        assert_eq!(import.next(2, &skip("a")), Some(skip("a")));
        import.took(2, 3);
        assert_eq!(import.next(4, &undo(1)), Some(undo(2)));
        assert_eq!(import.next(5, &undo(2)), Some(undo(3)));
        assert_eq!(import.new, 1);
    }
}
