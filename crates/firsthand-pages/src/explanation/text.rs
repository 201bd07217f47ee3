//! An explanation for a person to read: the verdict first, then ever more detail.

use super::lines::{Lines, Look, Style};
use super::shorten;
use crate::wrap::columns;
use Style::{Bold, Dim, Green, Plain, Red};
use firsthand::explain::{ExplainedDocument, Explanation, Outcome, Passage, Phrase, Piece};
use firsthand_jobs::numbers;
use std::collections::HashSet;

/// As many features of each kind are listed, unless all are asked for.
const PHRASES: usize = 15;

/// As many passages that were set aside, or taken as text, are listed of each document.
const LISTED: usize = 6;

/// Of a passage that only one document has, about four lines are shown.
const ONLY: usize = 300;

/// The most columns that an unchanged stretch inside a changed passage may take.
const STRETCH: usize = 100;

/// The explanation for a person to read: the verdict first, then ever more detail. Unless it is
/// `verbose`, long lists and passages are shortened.
pub fn text(explanation: &Explanation, look: Look, verbose: bool) -> String {
    let mut report = Report { lines: Lines::new(look), verbose, shortened: false };
    report.verdict(explanation);
    if explanation.verdict != Outcome::Empty {
        report.scores(explanation);
        report.features(explanation);
    }
    report.of_sites(explanation);
    report.passages(explanation);
    if report.shortened {
        report.lines.blank();
        report.lines.line("", &[(Dim, "Shortened: --verbose shows everything.")]);
    }
    report.lines.into_text()
}

struct Report {
    lines: Lines,
    verbose: bool,
    shortened: bool,
}

impl Report {
    fn verdict(&mut self, explanation: &Explanation) {
        let (style, verdict) = match explanation.verdict {
            Outcome::ExactCopy => (Green, "Exact copies."),
            Outcome::NearDuplicate => (Green, "Near-duplicates."),
            Outcome::Update => (Green, "Update."),
            Outcome::Different => (Red, "Not near-duplicates."),
            Outcome::TooShort => (Red, "Too short to compare."),
            Outcome::NothingButForm => (Red, "No verdict:"),
            Outcome::Empty => (Red, "Nothing to compare."),
        };
        // A reason that stands alone may begin with the verdict.
        let reason = explanation.reason.strip_prefix(verdict).unwrap_or(&explanation.reason);
        self.lines.line("", &[(style, verdict), (Plain, " "), (Plain, reason.trim_start())]);
        for note in &explanation.notes {
            self.lines.line("Note: ", &[(Plain, note)]);
        }
        self.lines.blank();
        self.side("  a  ", &explanation.a, explanation.unit);
        self.side("  b  ", &explanation.b, explanation.unit);
    }

    fn side(&mut self, label: &str, side: &ExplainedDocument, unit: &str) {
        self.lines.whole(label, (Bold, &side.id));
        if let Some(title) = &side.title {
            self.lines.line("     ", &[(Plain, title)]);
        }
        let words = numbers::counted(side.words as u64, "word");
        let features = numbers::counted(side.features as u64, unit.trim_end_matches('s'));
        let mut facts = format!("{words}, {features}");
        if let Some(language) = side.language {
            facts.push_str(&format!(", language {language}"));
        }
        self.lines.line("     ", &[(Dim, &facts)]);
    }

    fn heading(&mut self, text: &str) {
        self.lines.blank();
        self.lines.line("", &[(Bold, text)]);
    }

    fn scores(&mut self, explanation: &Explanation) {
        self.heading("Similarity");
        for score in &explanation.scores {
            let name = serde_json::to_value(score.measure).unwrap_or_default();
            let shown = numbers::score(score.score);
            let label = format!("  {:<16} {shown}  ", name.as_str().unwrap_or_default());
            let mark = match explanation.verdict {
                Outcome::NearDuplicate | Outcome::Update | Outcome::Different => {
                    format!("<- decides; threshold {}", explanation.threshold)
                }
                Outcome::ExactCopy => "<- decides unless the texts are identical".to_owned(),
                _ => "<- decides for longer documents".to_owned(),
            };
            let runs: &[_] = if score.configured { &[(Bold, &*mark)] } else { &[] };
            self.lines.line(&label, runs);
        }
        if let Some(sums) = &explanation.sums {
            self.lines.line("  ", &[(Plain, &sums.formula)]);
        }
    }

    fn features(&mut self, explanation: &Explanation) {
        let Explanation { shared, only_a, only_b, overlap, unit, .. } = explanation;
        let times = |phrases: &[Phrase]| phrases.iter().map(|phrase| phrase.times).sum::<usize>();
        let (more_a, more_b) = (times(only_a), times(only_b));
        let mut unit = (*unit).to_owned();
        unit[..1].make_ascii_uppercase();
        let weights = match explanation.sums {
            Some(_) => "; with what each adds to the score, or with its weight",
            None => "",
        };
        self.heading(&format!(
            "{unit}: {overlap} shared, {more_a} only in a, {more_b} only in b{weights}"
        ));
        self.phrases("  = ", Plain, shared, &HashSet::new());
        let in_both = shared.iter().map(|phrase| &*phrase.text).collect();
        self.phrases("  - ", Red, only_a, &in_both);
        self.phrases("  + ", Green, only_b, &in_both);
    }

    /// A list of features; those that are in both documents are there more often.
    fn phrases(&mut self, label: &str, style: Style, phrases: &[Phrase], in_both: &HashSet<&str>) {
        if phrases.is_empty() {
            return;
        }
        let shown = if self.verbose { phrases.len() } else { PHRASES.min(phrases.len()) };
        let mut texts: Vec<String> = phrases[..shown]
            .iter()
            .map(|Phrase { text, times, weight }| match (times, in_both.contains(&**text)) {
                (1, false) => match weight {
                    // What both have counts as the measure has it; the rest by its own weight.
                    Some(weight) if weight.adds > 0.0 => format!("{text} +{:.3}", weight.adds),
                    Some(weight) => format!("{text} {:.2}", weight.a.max(weight.b)),
                    None => text.clone(),
                },
                (_, false) => format!("{text} ({times} times)"),
                (1, true) => format!("{text} (once more)"),
                (_, true) => format!("{text} ({times} times more)"),
            })
            .collect();
        let rest = phrases.len() - shown;
        if rest > 0 {
            self.shortened = true;
            texts.push(format!("and {rest} more"));
        }
        self.lines.line(label, &[(style, &texts.join(", "))]);
    }

    /// What the site of a document has changed: passages that were set aside, and passages that were not
    /// taken for text before.
    fn of_sites(&mut self, explanation: &Explanation) {
        let Explanation { a, b, .. } = explanation;
        self.listed("Set aside as page furniture", [&a.aside, &b.aside]);
        self.listed(
            "Taken as text, because no other page of the site has it",
            [&a.rescued, &b.rescued],
        );
    }

    fn listed(&mut self, what: &str, [a, b]: [&[String]; 2]) {
        if a.is_empty() && b.is_empty() {
            return;
        }
        self.heading(&format!("{what}: {} in a, {} in b", a.len(), b.len()));
        for (label, passages) in [("  a ", a), ("  b ", b)] {
            let shown = if self.verbose { passages.len() } else { LISTED.min(passages.len()) };
            for text in &passages[..shown] {
                self.passage(label, Dim, text, self.lines.width() - columns(label));
            }
            let rest = passages.len() - shown;
            if rest > 0 {
                self.shortened = true;
                self.lines.line(label, &[(Dim, &format!("and {rest} more"))]);
            }
        }
    }

    fn passages(&mut self, explanation: &Explanation) {
        let passages = &explanation.passages;
        let count = |kind: fn(&Passage) -> bool| passages.iter().filter(|p| kind(p)).count();
        let same = count(|passage| matches!(passage, Passage::Same { .. }));
        let changed = count(|passage| matches!(passage, Passage::Changed { .. }));
        let only_a = count(|passage| matches!(passage, Passage::OnlyA { .. }));
        let only_b = count(|passage| matches!(passage, Passage::OnlyB { .. }));
        self.heading(&format!(
            "Passages: {same} the same (=), {changed} changed (~), {only_a} only in a (-), \
             {only_b} only in b (+)"
        ));
        let line = self.lines.width() - 4;
        // What nothing is compared with need only be recognised.
        let only = if same + changed > 0 { ONLY } else { line };
        for passage in passages {
            match passage {
                Passage::Same { text } => self.passage("  = ", Dim, text, line),
                Passage::OnlyA { text } => self.passage("  - ", Red, text, only),
                Passage::OnlyB { text } => self.passage("  + ", Green, text, only),
                Passage::Changed { pieces } => self.changed(pieces),
            }
        }
    }

    fn passage(&mut self, label: &str, style: Style, text: &str, most: usize) {
        let short = if self.verbose { None } else { shorten::start(text, most) };
        self.shortened |= short.is_some();
        self.lines.line(label, &[(style, short.as_deref().unwrap_or(text))]);
    }

    /// Differences stand in brackets, so that they show without colours too.
    fn changed(&mut self, pieces: &[Piece]) {
        let text = |piece: &Piece| match piece {
            Piece::Same(text) | Piece::A(text) | Piece::B(text) => text.clone(),
        };
        // The last word of a passage has no space after it, but what stands in for it needs one;
        // scripts without spaces need none anywhere.
        let spaced = pieces.iter().any(|piece| text(piece).contains(char::is_whitespace));
        let space = if spaced { " " } else { "" };
        let mut runs = vec![(Plain, String::new())];
        for piece in pieces {
            let mut text = text(piece).trim().to_owned();
            let (style, [open, close]) = match piece {
                Piece::Same(_) => (Plain, ["", ""]),
                Piece::A(_) => (Red, ["[-", "-]"]),
                Piece::B(_) => (Green, ["{+", "+}"]),
            };
            if style == Plain
                && !self.verbose
                && let Some(short) = shorten::ends(&text, STRETCH)
            {
                self.shortened = true;
                text = short;
            }
            runs.push((style, format!("{open}{text}{close}{space}")));
        }
        let runs: Vec<(Style, &str)> = runs.iter().map(|(style, text)| (*style, &**text)).collect();
        self.lines.line("  ~ ", &runs);
    }
}
