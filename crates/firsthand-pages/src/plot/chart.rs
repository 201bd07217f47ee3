//! A chart: a frame with two axes, and the lines, points, bars and words in it.

use super::Scale;
use crate::markup::escape;
use std::fmt::Write;

/// The paper and its margins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// One axis: what it measures, and where it is labelled.
#[derive(Clone, Debug)]
pub(crate) struct Axis<'a> {
    pub(crate) name: &'a str,
    pub(crate) scale: Scale,
    pub(crate) ticks: Vec<(f64, String)>,
}

/// The form of a single point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Dot,
    Ring,
}

/// A chart that is being drawn. Coordinates are values; points with NaN are left out.
pub(crate) struct Chart {
    id: String,
    size: Size,
    x: Scale,
    y: Scale,
    out: String,
    lines: usize,
}

impl Chart {
    /// An empty chart. The id must be unique on the page; `label` describes the chart in a sentence
    /// for screen readers.
    pub(crate) fn new(id: &str, label: &str, size: Size, x: &Axis<'_>, y: &Axis<'_>) -> Self {
        let Size { width, height, .. } = size;
        let mut chart =
            Self { id: id.to_owned(), size, x: x.scale, y: y.scale, out: String::new(), lines: 0 };
        chart.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-label=\"{}\">",
            escape(label)
        ));
        let (left, right) = (size.left, width - size.right);
        let (top, bottom) = (size.top, height - size.bottom);
        chart.add(format_args!(
            "<clipPath id=\"{id}-clip\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>",
            left - 5.0,
            top - 5.0,
            right - left + 10.0,
            bottom - top + 10.0
        ));
        for (value, text) in &y.ticks {
            let at = px(chart.y(*value));
            chart.add(format_args!("<path class=\"grid\" d=\"M{left} {at}H{right}\"/>"));
            chart.words("tick", (left - 7.0, chart.y(*value) + 4.0), Anchor::End, text);
        }
        for (value, text) in &x.ticks {
            let at = chart.x(*value);
            chart.add(format_args!("<path class=\"axis\" d=\"M{} {bottom}v5\"/>", px(at)));
            chart.words("tick", (at, bottom + 18.0), Anchor::Middle, text);
        }
        chart.add(format_args!("<path class=\"axis\" d=\"M{left} {bottom}H{right}\"/>"));
        chart.words("name", ((left + right) / 2.0, height - 6.0), Anchor::Middle, x.name);
        chart.words("name", (2.0, top - 12.0), Anchor::Start, y.name);
        chart
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(text);
    }

    /// The distance of a value from the left.
    pub(crate) fn x(&self, value: f64) -> f64 {
        let room = self.size.width - self.size.left - self.size.right;
        self.size.left + room * self.x.share(value)
    }

    /// The distance of a value from the top.
    pub(crate) fn y(&self, value: f64) -> f64 {
        let room = self.size.height - self.size.top - self.size.bottom;
        self.size.top + room * (1.0 - self.y.share(value))
    }

    /// A group with a class and a tooltip.
    pub(crate) fn group(&mut self, class: &str, title: &str, fill: impl FnOnce(&mut Self)) {
        self.add(format_args!("<g class=\"{class}\">"));
        if !title.is_empty() {
            self.add(format_args!("<title>{}</title>", lines(title)));
        }
        fill(self);
        self.add(format_args!("</g>"));
    }

    /// A line through points, cut off at the frame.
    pub(crate) fn line(&mut self, points: &[(f64, f64)]) {
        let path = self.path(points);
        let (id, number) = (self.id.clone(), self.lines);
        self.lines += 1;
        self.add(format_args!(
            "<defs><path id=\"{id}-{number}\" d=\"{path}\"/></defs><g clip-path=\"url(#{id}-clip)\">\
             <use class=\"hit\" href=\"#{id}-{number}\"/>\
             <use class=\"line\" href=\"#{id}-{number}\"/></g>"
        ));
    }

    /// A line of the background.
    pub(crate) fn level(&mut self, points: &[(f64, f64)]) {
        let (path, id) = (self.path(points), self.id.clone());
        self.add(format_args!(
            "<path class=\"level\" clip-path=\"url(#{id}-clip)\" d=\"{path}\"/>"
        ));
    }

    fn path(&self, points: &[(f64, f64)]) -> String {
        let finite = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        let mut path = String::new();
        for (number, &(x, y)) in finite.enumerate() {
            let command = if number == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{} {}", px(self.x(x)), px(self.y(y)));
        }
        path
    }

    /// A single point with a tooltip.
    pub(crate) fn point(&mut self, shape: Shape, (x, y): (f64, f64), title: &str) {
        if !x.is_finite() || !y.is_finite() {
            return;
        }
        let (class, radius) = match shape {
            Shape::Dot => ("dot", 4.5),
            Shape::Ring => ("ring", 3.5),
        };
        let (x, y) = (px(self.x(x)), px(self.y(y)));
        self.add(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">"));
        self.add(format_args!("<title>{}</title></circle>", lines(title)));
    }

    /// A bar from 0 up, or a band over the whole height where there is no value.
    pub(crate) fn bar(
        &mut self,
        class: &str,
        (from, to): (f64, f64),
        value: Option<f64>,
        title: &str,
    ) {
        let (left, right) = (self.x(from), self.x(to));
        let bottom = self.size.height - self.size.bottom;
        let top = value.map_or(self.size.top, |value| self.y(value));
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">",
            px(left),
            px(top),
            px((right - left).max(0.5)),
            px((bottom - top).max(0.0))
        ));
        self.add(format_args!("<title>{}</title></rect>", lines(title)));
    }

    /// An invisible area with a tooltip.
    pub(crate) fn area(&mut self, (from, to): (f64, f64), title: &str) {
        self.group("area", "", |chart| chart.bar("hit", (from, to), None, title));
    }

    /// A line from one place of the paper to another.
    pub(crate) fn stroke(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        if ![x1, y1, x2, y2].iter().all(|place| place.is_finite()) {
            return;
        }
        self.add(format_args!(
            "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>",
            px(x1),
            px(y1),
            px(x2),
            px(y2)
        ));
    }

    /// Words at a place of the paper.
    pub(crate) fn words(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
            px(x),
            px(y),
            anchor.name(),
            escape(text)
        ));
    }

    /// The place and size of the paper.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }
}

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// The text of a tooltip, which keeps its line breaks.
fn lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}

/// A coordinate, rounded to a tenth of a pixel.
fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let size =
            Size { width: 120.0, height: 110.0, left: 10.0, right: 10.0, top: 5.0, bottom: 5.0 };
        let axis = Axis { name: "<x>", scale: Scale::linear(0.0, 1.0), ticks: Vec::new() };
        Chart::new("c", "a \"chart\"", size, &axis, &axis)
    }

    #[test]
    fn values_become_places() {
        let mut chart = chart();
        chart.line(&[(0.0, 0.0), (f64::NAN, 0.5), (0.5, 1.0)]);
        chart.point(Shape::Dot, (f64::INFINITY, 0.0), "never drawn");
        chart.stroke("never", (f64::NAN, 0.0), (1.0, 1.0));
        let svg = chart.finish();
        assert!(svg.contains("d=\"M10 105L60 5\""), "{svg}");
        assert!(!svg.contains("never") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn words_are_escaped() {
        let mut chart = chart();
        chart.group("g", "</title><script>\nsecond line", |_| {});
        let svg = chart.finish();
        assert!(svg.contains("aria-label=\"a &quot;chart&quot;\""), "{svg}");
        assert!(svg.contains("&lt;x&gt;") && svg.contains("&lt;/title&gt;&lt;script&gt;\nsecond"));
    }
}
