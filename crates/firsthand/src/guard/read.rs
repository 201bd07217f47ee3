//! Text to figures: what the guard keeps.

use super::{
    Figure, FigureKind, Figures, GAP, MANY, MASK, amount, codes, dates,
    furniture::LineContext,
    pieces::{Gap, PieceClass},
    value::{Decimal, Value},
    view::PieceView,
    words::{Beside, hint},
};

/// Words kept on either side of a figure.
const REACH: usize = 12;
/// Figures kept of a text, at most.
const MOST_FIGURES: usize = 1000;
/// The longest noun, in bytes, that is kept with what it counts.
const LONGEST_NOUN: usize = 24;
/// The most bytes kept of a figure as written.
const LONGEST_WRITTEN: usize = 64;

/// A figure found in the text.
pub(super) struct FoundFigure {
    pub(super) value: Value,
    pub(super) kind: FigureKind,
    pub(super) unit: u8,
    /// Its pieces, without the noun.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Reads a text.
pub(super) fn read(text: &str) -> Figures {
    let view = PieceView::new(text);
    let mut lines = LineContext::new(&view);
    let mut words: Vec<u16> = Vec::with_capacity(view.pieces.len());
    let mut figures: Vec<Figure> = Vec::new();
    // Where the current sentence starts among the words.
    let mut start = 0;
    let mut at = 0;
    while let Some(piece) = view.pieces.get(at) {
        if opens(&view, at) && start < words.len() {
            close(&mut figures, start, words.len());
            start = words.len();
        }
        match number(&view, at) {
            Some(Number::Code(end)) => {
                words.push(MASK);
                at = end.max(at + 1);
            }
            Some(Number::Figure(found)) => {
                let end = found.end.max(at + 1);
                if figures.len() < MOST_FIGURES && !lines.furniture(&found) {
                    figures.push(keep(&view, &found, words.len(), start));
                }
                words.push(MASK);
                at = end;
            }
            None => {
                match piece.class {
                    PieceClass::Word => words.push(short(piece.hash)),
                    PieceClass::Number => words.push(MASK),
                    PieceClass::Mark(_) => {}
                }
                at += 1;
            }
        }
    }
    close(&mut figures, start, words.len());
    near(&words, figures)
}

/// A number that starts at a piece.
enum Number {
    /// An identifier or a time of day; it ends here.
    Code(usize),
    Figure(FoundFigure),
}

fn number(view: &PieceView, at: usize) -> Option<Number> {
    let figure = |value, kind, unit, end| {
        Some(Number::Figure(FoundFigure { value, kind, unit, start: at, end }))
    };
    match view.pieces.get(at)?.class {
        PieceClass::Number => {}
        PieceClass::Mark(mark) if amount::sign(mark).is_none() => return None,
        PieceClass::Word if !view.may_open(at) => return None,
        PieceClass::Mark(_) | PieceClass::Word => {
            if view.word(at).is_some()
                && let Some((day, end)) = dates::read(view, at)
            {
                return figure(Value::Day(day), FigureKind::Date, 0, end);
            }
            let amount = amount::read(view, at)?;
            return figure(
                Value::Amount(amount.value, false),
                amount.kind,
                amount.unit,
                amount.end,
            );
        }
    }
    if let Some((day, end)) = dates::read(view, at) {
        return figure(Value::Day(day), FigureKind::Date, 0, end);
    }
    if let Some(end) = codes::clock(view, at) {
        return Some(Number::Code(end));
    }
    if let Some((low, high, kind, unit, end)) = pair(view, at) {
        return figure(Value::Pair(low, high), kind, unit, end);
    }
    if let Some(end) = codes::code(view, at) {
        return Some(Number::Code(end));
    }
    if let Some((day, end)) = dates::year(view, at) {
        return figure(Value::Day(day), FigureKind::Date, 0, end);
    }
    let amount = amount::read(view, at)?;
    // A sign that touches the number and nothing else.
    let below = at > 0
        && matches!(view.mark(at - 1), Some('-' | '\u{2212}' | '–'))
        && view.glued(at)
        && !view.glued(at - 1);
    Some(Number::Figure(FoundFigure {
        value: Value::Amount(amount.value, below),
        kind: amount.kind,
        unit: amount.unit,
        start: at - usize::from(below),
        end: amount.end,
    }))
}

/// Two numbers that belong together: `3-1`, `3:1`, `5–7 people`, `2014/15`.
fn pair(view: &PieceView, at: usize) -> Option<(u32, u32, FigureKind, u8, usize)> {
    let (low, low_digits) = view.plain(at)?;
    let (high, high_digits) = view.plain(at + 2)?;
    let mark = view.mark(at + 1)?;
    let glued = view.glued(at + 1) && view.glued(at + 2);
    let spaced =
        !view.glued(at + 1) && !view.glued(at + 2) && view.flows(at + 1) && view.flows(at + 2);
    let end = at + 3;
    // Longer chains are identifiers.
    if view.glued(end)
        && view.is_number(end + 1)
        && view.glued(end + 1)
        && view.mark(end) == Some(mark)
    {
        return None;
    }
    let dash = view.is_dash(at + 1);
    if low_digits == 4 && matches!(high_digits, 2 | 4) && glued && (dash || mark == '/') {
        let years =
            (1500..2100).contains(&low) && (high_digits == 2 || (1500..2100).contains(&high));
        return years.then_some((low, high, FigureKind::Date, 0, end));
    }
    if low_digits > 3 || high_digits > 3 || !(glued || spaced) {
        return None;
    }
    if spaced && !(dash && low_digits <= 2 && high_digits <= 2) {
        return None;
    }
    if !dash && mark != ':' && mark != '/' {
        return None;
    }
    let (scaled, scale_end) = amount::scaled(view, Decimal::whole(high.into()), end);
    if let Some((unit, unit_end, _)) = amount::unit_after(view, scale_end) {
        let kind = match unit {
            amount::PERCENT => FigureKind::Percent,
            2..amount::EM => FigureKind::Price,
            30.. => FigureKind::Measure,
            _ => FigureKind::Count,
        };
        let _ = scaled;
        return Some((low, high, kind, unit, unit_end));
    }
    let noun = view.flows(end) && view.is_noun(end) && !view.hints(end, hint::GAME);
    let range = low < high && noun && mark != ':';
    let kind = if mark == '/' || range { FigureKind::Count } else { FigureKind::Score };
    Some((low, high, kind, 0, scale_end))
}

/// What is kept of a figure at this position among the words.
fn keep(view: &PieceView, found: &FoundFigure, at: usize, start_of_sentence: usize) -> Figure {
    let last = &view.pieces[found.end - 1];
    let mut end = last.end;
    let noun = view.flows(found.end)
        && view.is_noun(found.end)
        && view.numeral(found.end).is_none()
        && !matches!(view.beside(found.end), Some(Beside::Clock));
    if noun
        && matches!(found.kind, FigureKind::Count)
        && let Some(piece) = view.pieces.get(found.end)
        && (piece.end - piece.start) as usize <= LONGEST_NOUN
    {
        end = piece.end;
    }
    let start = view.pieces[found.start].start as usize;
    let written = &view.text[start..end as usize];
    let mut written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    written.truncate(written.floor_char_boundary(LONGEST_WRITTEN));
    Figure {
        at: at as u32,
        value: found.value,
        kind: found.kind,
        unit: found.unit,
        noun,
        lead: few(at - start_of_sentence),
        trail: 0,
        written,
    }
}

/// Whether a sentence or a line ends before a piece.
fn opens(view: &PieceView, at: usize) -> bool {
    let Some(last) = at.checked_sub(1) else { return true };
    let stop = matches!(view.mark(last), Some('.' | '!' | '?'));
    view.gap(at) == Gap::Line || (stop && (!view.glued(at) || view.mark(at).is_some()))
}

/// Records how far each figure of the sentence `start..end` is from its end.
fn close(figures: &mut [Figure], start: usize, end: usize) {
    for figure in figures.iter_mut().rev().take_while(|figure| figure.at as usize >= start) {
        figure.trail = few(end - figure.at as usize - 1);
    }
}

fn few(words: usize) -> u8 {
    u8::try_from(words).map_or(MANY, |words| words.min(MANY))
}

/// A 16-bit hash; the smallest values are reserved.
pub(super) fn short(hash: u64) -> u16 {
    (hash as u16).max(MASK + 1)
}

/// Leaves out the words that are not near any figure.
fn near(words: &[u16], mut figures: Vec<Figure>) -> Figures {
    let mut kept: Vec<u16> = Vec::new();
    // Words up to here are kept.
    let mut done = 0;
    for figure in &mut figures {
        let at = figure.at as usize;
        let from = at.saturating_sub(REACH).max(done);
        if from > done {
            kept.push(GAP);
        }
        let to = (at + 1 + REACH).min(words.len());
        let behind = kept.len() + (at - from.min(at));
        if at >= from {
            figure.at = behind as u32;
        } else {
            // It lies in what is already kept.
            figure.at = (kept.len() - (done - at)) as u32;
        }
        if to > from {
            kept.extend_from_slice(&words[from..to]);
        }
        done = done.max(to);
    }
    if done < words.len() && !figures.is_empty() {
        kept.push(GAP);
    }
    Figures { words: kept, figures }
}
