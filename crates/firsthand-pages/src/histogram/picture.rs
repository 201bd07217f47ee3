//! The histogram as SVG.

use crate::plot::{self, Anchor, Axis, Chart, Scale, Size};
use firsthand_jobs::numbers::{counted, grouped};
use firsthand_jobs::sample::{BINS, ScoreHistogram};

const SIZE: Size =
    Size { width: 860.0, height: 420.0, left: 64.0, right: 20.0, top: 76.0, bottom: 46.0 };

/// The histogram as an SVG file.
pub fn svg(histogram: &ScoreHistogram) -> String {
    let most = histogram.counts.iter().copied().max().unwrap_or(0);
    let low = histogram.first as f64 / BINS as f64;
    let (scale, scores) = (Scale::counts(most), Scale::linear(low, 1.0));
    let ticks = scale.ticks(7).into_iter().filter(|tick| *tick <= scale.high());
    let y = Axis {
        name: "pairs of different texts, log scale",
        scale,
        ticks: ticks.map(|tick| (tick, grouped(tick as u64))).collect(),
    };
    let x = Axis {
        name: "score",
        scale: scores,
        ticks: scores.ticks(9).into_iter().map(|tick| (tick, format!("{tick:.1}"))).collect(),
    };
    let finding = match &histogram.valley {
        Ok(valley) => format!("suggested threshold {}", valley.suggested),
        Err(why) => format!("no threshold can be suggested: {why}"),
    };
    let label = format!("Scores of {}; {finding}", counted(histogram.pairs(), "pair"));
    let mut chart = Chart::new("scores", &label, SIZE, &x, &y);
    if let Ok(valley) = &histogram.valley {
        let (from, to) = (valley.scores.start, valley.scores.end);
        let title =
            format!("the valley from {from:.2} to {to:.2}: {}", counted(valley.pairs, "pair"));
        chart.bar("zone", (from, to), None, &title);
    }
    for (number, count) in histogram.counts.iter().enumerate() {
        let score = |bin: usize| (histogram.first + bin) as f64 / BINS as f64;
        let (from, to) = (score(number), score(number + 1));
        if *count > 0 {
            let title = format!("{from:.2} to {to:.2}: {}", counted(*count, "pair"));
            chart.bar("bar", (from + 0.0008, to - 0.0008), Some(*count as f64), &title);
        }
    }
    // At different heights, so that the labels never overlap.
    let now = format!("threshold now {}", histogram.threshold);
    rule(&mut chart, ("now", "name"), histogram.threshold.value(), 48.0, &now);
    if let Ok(valley) = &histogram.valley {
        let text = format!("valley: suggested threshold {}", valley.suggested);
        rule(&mut chart, ("mark", "marked"), valley.suggested.value(), 30.0, &text);
    } else {
        chart.words("marked", (SIZE.left, 30.0), Anchor::Start, "no clear valley");
    }
    plot::file(&chart.finish())
}

/// A vertical line with a label at its top.
fn rule(chart: &mut Chart, (line, words): (&str, &str), score: f64, top: f64, text: &str) {
    let at = chart.x(score);
    chart.stroke(line, (at, top + 5.0), (at, SIZE.height - SIZE.bottom));
    let (anchor, place) = match at < SIZE.width * 0.65 {
        true => (Anchor::Start, at - 2.0),
        false => (Anchor::End, at + 2.0),
    };
    chart.words(words, (place, top), anchor, text);
}
