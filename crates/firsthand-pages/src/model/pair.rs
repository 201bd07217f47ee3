//! The score of a pair: what each shared gram adds to it.

use super::TextAndJson;
use super::words::measure;
use firsthand::explain::{Explanation, Outcome, Phrase, PhraseWeight};
use firsthand_jobs::numbers::{self, counted};
use firsthand_jobs::visible::visible;
use serde_json::{Value, json};

/// The score of a pair, and what its grams add to it; at most `top` grams of each kind.
pub fn pair(explanation: &Explanation, top: usize) -> TextAndJson {
    let Explanation { shared, only_a, only_b, .. } = explanation;
    let mut text = format!("{}\n", visible(&explanation.reason));
    for (label, side) in [("a", &explanation.a), ("b", &explanation.b)] {
        text += &format!("  {label}  {}\n", visible(&side.id));
    }
    let all = shared.len();
    text += &format!(
        "\nShared: {}, which add up to {}\n",
        counted(all as u64, "gram"),
        numbers::score(shared.iter().map(|gram| weighed(gram).adds).sum())
    );
    if all > 0 {
        text += "    adds    in a    in b  gram\n";
    }
    for gram in shared.iter().take(top) {
        let PhraseWeight { a, b, adds } = weighed(gram);
        text += &format!("  {adds:>6.4}  {a:>6.2}  {b:>6.2}  {}\n", visible(&gram.text));
    }
    text += &rest(all, top);
    for (which, grams) in [("a", only_a), ("b", only_b)] {
        text += &format!("\nOnly in {which}: {}\n", counted(grams.len() as u64, "gram"));
        for gram in grams.iter().take(top) {
            let PhraseWeight { a, b, .. } = weighed(gram);
            text += &format!("          {:>6.2}  {}\n", a.max(b), visible(&gram.text));
        }
        text += &rest(grams.len(), top);
    }
    if let Some(sums) = &explanation.sums {
        text += &format!(
            "\n{}\nScore {} by {} of weights; threshold {}: {}.\n",
            sums.formula,
            numbers::score(explanation.score),
            measure(explanation.measure),
            explanation.threshold,
            verdict(explanation.verdict)
        );
    }
    let json = json!({
        "a": explanation.a.id,
        "b": explanation.b.id,
        "verdict": explanation.verdict,
        "reason": explanation.reason,
        "score": explanation.score,
        "measure": explanation.measure,
        "threshold": explanation.threshold,
        "sums": explanation.sums,
        "shared": list(shared, top),
        "only_a": list(only_a, top),
        "only_b": list(only_b, top),
        "grams": { "shared": all, "only_a": only_a.len(), "only_b": only_b.len() },
    });
    TextAndJson { text, json }
}

fn verdict(verdict: Outcome) -> &'static str {
    match verdict {
        Outcome::ExactCopy => "exact copies",
        Outcome::NearDuplicate | Outcome::Update => "near-duplicates",
        Outcome::Different => "not near-duplicates",
        Outcome::TooShort => "too short to compare",
        Outcome::NothingButForm => "no verdict: nothing but the form is shared",
        Outcome::Empty => "nothing to compare",
    }
}

fn weighed(gram: &Phrase) -> PhraseWeight {
    gram.weight.unwrap_or_default()
}

fn rest(all: usize, top: usize) -> String {
    match all.saturating_sub(top) {
        0 => String::new(),
        more => format!("  and {more} more: --top lists more\n"),
    }
}

fn list(grams: &[Phrase], top: usize) -> Vec<Value> {
    let one = |gram: &Phrase| {
        let PhraseWeight { a, b, adds } = weighed(gram);
        json!({ "gram": gram.text, "a": a, "b": b, "adds": adds })
    };
    grams.iter().take(top).map(one).collect()
}
