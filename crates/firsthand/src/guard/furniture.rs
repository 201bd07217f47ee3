//! Figures that belong to the page, not the text: publication dates, comment counts, page numbers.

use super::{
    FigureKind,
    pieces::Gap,
    read::FoundFigure,
    value::Value,
    view::PieceView,
    words::{hint, unit},
};
use std::ops::Range;

/// The line being read, with what it says about its figures.
pub(super) struct LineContext<'a, 'b> {
    view: &'b PieceView<'a>,
    start: usize,
    end: usize,
    words: usize,
    /// Whether it is a sentence, or long enough to be part of one.
    prose: bool,
    clock: bool,
}

/// Pieces before a figure that are examined.
const NEAR: usize = 24;
/// Words from which a line is taken for prose.
const PROSE: usize = 10;

impl<'a, 'b> LineContext<'a, 'b> {
    pub(super) fn new(view: &'b PieceView<'a>) -> Self {
        Self { view, start: 0, end: 0, words: 0, prose: false, clock: false }
    }

    /// Moves on to the line of a piece.
    fn go_to(&mut self, at: usize) {
        let view = self.view;
        if at < self.end {
            return;
        }
        self.start = at;
        while self.start > self.end && view.gap(self.start) != Gap::Line {
            self.start -= 1;
        }
        self.end = at + 1;
        while self.end < view.pieces.len() && view.gap(self.end) != Gap::Line {
            self.end += 1;
        }
        let line = self.start..self.end;
        self.words = line.clone().filter(|&at| view.word(at).is_some()).count();
        let closing =
            |at: usize| matches!(view.mark(at), Some('"' | '”' | '“' | '»' | ')' | '\'' | '’'));
        let last = line.clone().rev().find(|&at| !closing(at));
        let stops = last.is_some_and(|at| matches!(view.mark(at), Some('.' | '!' | '?')));
        self.prose = self.words >= PROSE || (stops && self.words >= 3);
        self.clock =
            line.clone().any(|at| view.is_number(at) && super::codes::clock(view, at).is_some());
    }

    /// Whether a figure is page furniture.
    pub(super) fn furniture(&mut self, found: &FoundFigure) -> bool {
        self.go_to(found.start);
        if self.copyright(found) {
            return true;
        }
        match found.kind {
            FigureKind::Date => self.stamp(found),
            FigureKind::Score => false,
            _ => self.counter(found),
        }
    }

    /// The nearest pieces of the line before a figure.
    fn before(&self, found: &FoundFigure) -> Range<usize> {
        self.start.max(found.start.saturating_sub(NEAR))..found.start
    }

    /// The year of a copyright notice: `© 2014`, `Copyright (c) 2002`.
    fn copyright(&self, found: &FoundFigure) -> bool {
        let view = self.view;
        let notice = |at: usize| {
            matches!(view.mark(at), Some('©' | '®'))
                || view.str(at).eq_ignore_ascii_case("copyright")
        };
        let other = |at: usize| view.word(at).is_some() && view.str(at).len() > 1;
        let mut before = (self.start..found.start).rev().take(4);
        before.find(|&at| notice(at) || other(at)).is_some_and(notice)
    }

    /// The publication date of a page.
    fn stamp(&self, found: &FoundFigure) -> bool {
        let view = self.view;
        let before = self.before(found);
        let full = matches!(found.value, Value::Day(day) if day.day != 0);
        let weekday = matches!(found.value, Value::Day(day) if day.is_weekday());
        let stamped = |at: usize| view.hints(at, hint::STAMP);
        if !self.prose {
            let others = self.words.saturating_sub(found.end - found.start);
            // A headline may name a day of the week, but next to a number it is part of a date.
            let dated = weekday && (self.start..self.end).any(|at| view.is_number(at));
            return ((full || weekday) && (self.clock || others <= 3))
                || dated
                || before.clone().any(stamped);
        }
        // "Published: 12 March 2014", where line breaks have been lost.
        let capital = |at: usize| view.pieces[at].capital;
        let named = before
            .clone()
            .rev()
            .take(3)
            .any(|at| stamped(at) && capital(at) && view.str(at).len() > 5);
        (full || weekday) && named
    }

    /// A counter of a page, such as shares or comments.
    fn counter(&self, found: &FoundFigure) -> bool {
        let view = self.view;
        let before = self.before(found);
        let near = |bits: u16, words: usize| {
            let mut words_before =
                before.clone().rev().filter(|&at| view.word(at).is_some()).take(words);
            words_before.any(|at| view.hints(at, bits))
        };
        let behind = |bits: u16| view.flows(found.end) && view.hints(found.end, bits);
        if (unit::SECOND..=unit::YEAR).contains(&found.unit) {
            let ago = behind(hint::AGO) || near(hint::AGO, 1);
            if ago && (found.unit <= unit::HOUR || !self.prose) {
                return true;
            }
            let read = behind(hint::CROWD | hint::FRAME)
                || (view.hints(found.end, hint::OF) && view.hints(found.end + 1, hint::FRAME));
            if read && found.unit == unit::MINUTE {
                return true;
            }
        }
        if self.prose {
            // Where line breaks have been lost: "Facebook 1,204 shares".
            let free = found.start.checked_sub(1).is_some_and(|at| {
                view.word(at).is_some_and(|piece| piece.capital)
                    || view.is_number(at)
                    || matches!(view.mark(at), Some('|' | '•' | '·' | '/'))
            });
            return found.kind == FigureKind::Count
                && behind(hint::CROWD)
                && free
                && !before.is_empty();
        }
        let colon = before.clone().rev().take(2).any(|at| view.mark(at) == Some(':'));
        near(hint::FRAME | hint::CROWD, 2)
            || behind(hint::CROWD | hint::FRAME)
            || (self.words <= 3 && before.clone().any(|at| view.hints(at, hint::FRAME)))
            || (self.words <= 2 && !colon && self.view.pieces.len() > 40)
    }
}
