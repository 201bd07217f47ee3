//! Pictures as SVG: scales with round ticks, axes, lines, dots and bars.
//!
//! Colours are CSS classes, so that one style sheet serves light and dark themes, pages and files.

mod chart;
mod labels;
mod scale;

pub(crate) use chart::{Anchor, Axis, Chart, Shape, Size};
pub(crate) use labels::spread;
pub(crate) use scale::Scale;

/// The style sheet of charts, for every page and file that holds one.
pub(crate) const STYLE: &str = include_str!("plot/plot.css");

/// Number of hues, which also differ for colour-blind readers.
const HUES: usize = 8;

/// Dash patterns, solid first; the next is used when all hues are used up.
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

/// The style of the line with this number.
pub(crate) fn series(number: usize) -> String {
    let dash = DASHES[number / HUES % DASHES.len()];
    format!(".m{number}{{--hue:var(--hue{});--dash:{dash}}}", number % HUES)
}

/// A picture as a file of its own.
pub(crate) fn file(svg: &str) -> String {
    let style = format!("<style>{STYLE}svg{{background:var(--paper)}}</style>");
    match svg.find('>') {
        Some(end) => format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}{style}{}\n",
            &svg[..=end],
            &svg[end + 1..]
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_lines_differ_in_hue_or_dash() {
        let looks: std::collections::HashSet<_> = (0..16)
            .map(|number| series(number).split_once('{').map(|(_, look)| look.to_owned()))
            .collect();
        assert_eq!(looks.len(), 16);
    }
}
