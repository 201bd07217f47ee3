//! The inputs in their order: which of them became documents, and which could not be read.

use crate::problems::Unread;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Counts the documents of each batch.
#[derive(Debug, Default)]
pub(crate) struct InputOrder {
    documents: Mutex<BTreeMap<usize, usize>>,
}

/// Counts the documents of one batch, and notes their number in the end.
pub(crate) struct BatchCount<'a> {
    order: &'a InputOrder,
    batch: usize,
    documents: usize,
}

/// What became of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFate {
    /// It is the document with this number among those that were read.
    Document(usize),
    /// It gave no document; the position is that of its error in the list of what was not read.
    Unread(crate::problems::Position),
}

impl InputOrder {
    /// Begins a batch.
    pub(crate) fn batch(&self, batch: usize) -> BatchCount<'_> {
        BatchCount { order: self, batch, documents: 0 }
    }

    /// What became of each input, in order. Documents and errors alternate as they did in the batches.
    pub(crate) fn fates(&self, unread: &Unread) -> Vec<InputFate> {
        let mut batches = self.documents.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let unread = unread.positions.iter().map(|(position, _)| *position);
        let mut unread = unread.filter(|(side, ..)| *side == 1).peekable();
        let everywhere: Vec<usize> = unread.clone().map(|(_, batch, _)| batch).collect();
        for batch in everywhere {
            batches.entry(batch).or_default();
        }
        let (mut fates, mut document) = (Vec::new(), 0);
        for (batch, mut documents) in batches {
            let mut number = 0;
            loop {
                if unread.peek().is_some_and(|(_, at, error)| (*at, *error) == (batch, number)) {
                    fates.extend(unread.next().map(InputFate::Unread));
                } else if documents > 0 {
                    fates.push(InputFate::Document(document));
                    (document, documents) = (document + 1, documents - 1);
                } else {
                    break;
                }
                number += 1;
            }
        }
        fates
    }
}

impl BatchCount<'_> {
    /// One more document.
    pub(crate) fn add(&mut self) {
        self.documents += 1;
    }

    /// All documents of the batch at once.
    pub(crate) fn add_all(mut self, documents: usize) {
        self.documents = documents;
    }
}

impl Drop for BatchCount<'_> {
    fn drop(&mut self) {
        let mut documents = self.order.documents.lock().unwrap_or_else(PoisonError::into_inner);
        documents.insert(self.batch, self.documents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_errors_alternate_as_they_were_read() {
        let order = InputOrder::default();
        for (batch, documents) in [(1, 1), (0, 2)] {
            let mut count = order.batch(batch);
            (0..documents).for_each(|_| count.add());
        }
        let at = |batch, number| ((1, batch, number), false);
        let positions = vec![((0, 0, 0), false), at(0, 1), at(1, 0), at(1, 2), at(2, 0)];
        let unread = Unread { positions, ..Unread::default() };
        use InputFate::{Document, Unread as Error};
        let expected = [
            Document(0),
            Error((1, 0, 1)),
            Document(1),
            Error((1, 1, 0)),
            Document(2),
            Error((1, 1, 2)),
            Error((1, 2, 0)),
        ];
        assert_eq!(order.fates(&unread), expected);
    }
}
