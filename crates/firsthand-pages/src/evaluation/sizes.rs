//! The sizes of the labelled clusters: large ones dominate figures that count pairs.

use super::figures::{SIZE, figure};
use crate::plot::{Anchor, Axis, Chart, Scale};
use firsthand_jobs::evaluate::EvaluationReport;
use firsthand_jobs::numbers;

/// The most bars for which there is room, each with its label.
const MOST: usize = 14;

pub(super) fn draw(report: &EvaluationReport) -> String {
    let bars = bars(&report.labels.cluster_sizes);
    let Some(most) = bars.iter().map(|bar| bar.count).max() else { return String::new() };
    let scale = Scale::linear(0.0, most as f64 * 1.08);
    let whole = |tick: &f64| tick.fract() == 0.0;
    let ticks = scale.ticks(5).into_iter().filter(whole);
    let y = Axis {
        name: "clusters",
        scale,
        ticks: ticks.map(|tick| (tick, numbers::grouped(tick as u64))).collect(),
    };
    let x = Axis {
        name: "documents in the cluster",
        scale: Scale::linear(0.0, bars.len() as f64),
        ticks: bars.iter().enumerate().map(|(at, bar)| (at as f64 + 0.5, bar.name())).collect(),
    };
    let said: Vec<String> = bars.iter().map(Bar::said).collect();
    let label = format!("Sizes of the labelled clusters: {}", said.join("; "));
    let mut chart = Chart::new("sizes", &label, SIZE, &x, &y);
    for (at, (bar, said)) in bars.iter().zip(&said).enumerate() {
        let at = at as f64;
        chart.bar("bar", (at + 0.15, at + 0.85), Some(bar.count as f64), said);
        if bar.count > 0 {
            let place = (chart.x(at + 0.5), chart.y(bar.count as f64) - 5.0);
            chart.words("tick", place, Anchor::Middle, &numbers::grouped(bar.count as u64));
        }
    }
    figure(
        "Cluster sizes",
        "A cluster of n documents holds n (n - 1) / 2 pairs, so a few large ones can decide a \
         figure that counts pairs; B-cubed and ARI count documents.",
        &chart.finish(),
    )
}

/// Clusters of `from` to `to` documents.
#[derive(Debug, PartialEq, Eq)]
struct Bar {
    from: usize,
    to: usize,
    count: usize,
}

impl Bar {
    fn name(&self) -> String {
        if self.from == self.to {
            return numbers::grouped(self.from as u64);
        }
        format!("{}–{}", numbers::grouped(self.from as u64), numbers::grouped(self.to as u64))
    }

    fn said(&self) -> String {
        format!("{} of {} documents", numbers::counted(self.count as u64, "cluster"), self.name())
    }
}

/// A bar for each size, or for ranges of sizes that double.
fn bars(sizes: &[(usize, usize)]) -> Vec<Bar> {
    let (Some(&(least, _)), Some(&(largest, _))) = (sizes.first(), sizes.last()) else {
        return Vec::new();
    };
    let mut bars = Vec::new();
    let mut from = least;
    while from <= largest {
        let single = largest - least < MOST || from < 5;
        let to = if single { from } else { (from - 1).saturating_mul(2) };
        let within = sizes.iter().filter(|(size, _)| (from..=to).contains(size));
        bars.push(Bar { from, to, count: within.map(|(_, count)| count).sum() });
        let Some(next) = to.checked_add(1) else { break };
        from = next;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sizes_have_a_bar_each_and_many_share() {
        let shown = |sizes: &[(usize, usize)]| {
            bars(sizes).iter().map(|bar| (bar.name(), bar.count)).collect::<Vec<_>>()
        };
        let name = |name: &str, count| (name.to_owned(), count);
        assert_eq!(shown(&[(2, 9), (4, 1)]), [name("2", 9), name("3", 0), name("4", 1)]);
        let many = shown(&[(2, 9), (5, 2), (8, 1), (70, 1)]);
        assert_eq!(many[3..5], [name("5–8", 3), name("9–16", 0)]);
        assert_eq!(many.last(), Some(&name("65–128", 1)));
        assert!(shown(&[]).is_empty());
        assert!(bars(&[(2, 1), (usize::MAX, 1)]).len() < 80);
    }
}
