//! Which figures are a page's own: dates of publication, counts of comments, numbers of pages.

use super::{
    Kind,
    pieces::Gap,
    read::Found,
    value::Value,
    view::View,
    words::{hint, unit},
};
use std::ops::Range;

/// The line that is being read, with what it tells about its figures.
pub(super) struct Lines<'a, 'b> {
    view: &'b View<'a>,
    start: usize,
    end: usize,
    words: usize,
    /// Whether it is a sentence, or long enough to be a part of one.
    prose: bool,
    clock: bool,
}

/// So many pieces before a figure are looked at.
const NEAR: usize = 24;
/// Lines of so many words are taken for prose.
const PROSE: usize = 10;

impl<'a, 'b> Lines<'a, 'b> {
    pub(super) fn new(view: &'b View<'a>) -> Self {
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

    /// Whether a figure is a page's own.
    pub(super) fn furniture(&mut self, found: &Found) -> bool {
        self.go_to(found.start);
        if self.copyright(found) {
            return true;
        }
        match found.kind {
            Kind::Date => self.stamp(found),
            Kind::Score => false,
            _ => self.counter(found),
        }
    }

    /// The pieces of the line before a figure, the nearest ones.
    fn before(&self, found: &Found) -> Range<usize> {
        self.start.max(found.start.saturating_sub(NEAR))..found.start
    }

    /// The year of a notice: `© 2014`, `Copyright (c) 2002`.
    fn copyright(&self, found: &Found) -> bool {
        let view = self.view;
        let notice = |at: usize| {
            matches!(view.mark(at), Some('©' | '®'))
                || view.str(at).eq_ignore_ascii_case("copyright")
        };
        let other = |at: usize| view.word(at).is_some() && view.str(at).len() > 1;
        let mut before = (self.start..found.start).rev().take(4);
        before.find(|&at| notice(at) || other(at)).is_some_and(notice)
    }

    /// The date of a page.
    fn stamp(&self, found: &Found) -> bool {
        let view = self.view;
        let before = self.before(found);
        let full = matches!(found.value, Value::Day(day) if day.day != 0);
        let stamped = |at: usize| view.hints(at, hint::STAMP);
        if !self.prose {
            let others = self.words.saturating_sub(found.end - found.start);
            return (full && (self.clock || others <= 3)) || before.clone().any(stamped);
        }
        // "Published: 12 March 2014" where lines have been lost.
        let capital = |at: usize| view.pieces[at].capital;
        let named = before
            .clone()
            .rev()
            .take(3)
            .any(|at| stamped(at) && capital(at) && view.str(at).len() > 5);
        full && named
    }

    /// A count of a page.
    fn counter(&self, found: &Found) -> bool {
        let view = self.view;
        let before = self.before(found);
        let near = |bits: u16, words: usize| {
            let mut words_before =
                before.clone().rev().filter(|&at| view.word(at).is_some()).take(words);
            words_before.any(|at| view.hints(at, bits))
        };
        let behind = |bits: u16| view.flows(found.end) && view.hints(found.end, bits);
        match found.unit {
            unit::SECOND
            | unit::MINUTE
            | unit::HOUR
            | unit::DAY
            | unit::WEEK
            | unit::MONTH
            | unit::YEAR => {
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
            _ => {}
        }
        if self.prose {
            // Where lines have been lost: "Facebook 1,204 shares".
            let free = before.is_empty()
                || view.word(found.start - 1).is_none_or(|piece| piece.capital)
                    && !matches!(view.mark(found.start - 1), Some('.' | '!' | '?' | '"' | '“'));
            return found.kind == Kind::Count && behind(hint::CROWD) && free && !before.is_empty();
        }
        let colon = before.clone().rev().take(2).any(|at| view.mark(at) == Some(':'));
        near(hint::FRAME | hint::CROWD, 2)
            || behind(hint::CROWD | hint::FRAME)
            || (self.words <= 3 && before.clone().any(|at| view.hints(at, hint::FRAME)))
            || (self.words <= 2 && !colon && self.view.pieces.len() > 40)
    }
}
