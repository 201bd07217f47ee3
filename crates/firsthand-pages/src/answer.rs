//! The answer of a stream as a line to read.

use firsthand::guard::Change;
use firsthand::online::{Answer, Verdict};
use firsthand_jobs::numbers::score;
use firsthand_jobs::visible::visible;

/// `duplicate  0.931  id  of original`, with colours or without.
pub fn line(answer: &Answer, colour: bool) -> String {
    let (code, verdict) = match answer.verdict {
        Verdict::Original => ("32", "original"),
        Verdict::Duplicate => ("2", "duplicate"),
        Verdict::Update => ("33", "update"),
        Verdict::TooShort => ("2", "too short"),
        Verdict::Error => ("31", "error"),
    };
    let mut line = match colour {
        true => format!("\x1b[{code}m{verdict:<9}\x1b[0m"),
        false => format!("{verdict:<9}"),
    };
    let similarity = match answer.score {
        _ if answer.exact => "exact".to_owned(),
        known => known.map(score).unwrap_or_default(),
    };
    line += &format!("  {similarity:<5}  {}", visible(answer.id.as_deref().unwrap_or("-")));
    let named = [
        ("of", &answer.original),
        ("by way of", &answer.via),
        ("in place of", &answer.replaces),
        ("could not be read:", &answer.error),
    ];
    for (what, name) in named {
        line.extend(name.iter().map(|name| format!("  {what} {}", visible(name))));
    }
    let change = |change: &Change| format!("{} -> {}", change.before, change.after);
    let changes: Vec<String> = answer.changed.iter().map(change).collect();
    if !changes.is_empty() {
        line += &format!("  ({})", visible(&changes.join("; ")));
    }
    if answer.doubtful {
        line += "  (doubtful text)";
    }
    if answer.nothing_but_form {
        line += "  (nothing but the form of its site)";
    }
    if answer.outside_window {
        line += "  (outside the window)";
    }
    if answer.repeated {
        line += "  (seen before)";
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_verdict() {
        let original = Answer::new("a".to_owned(), Verdict::Original);
        assert_eq!(line(&original, false), "original          a");
        let mut copy = Answer::new("b\u{1b}[2J".to_owned(), Verdict::Duplicate);
        (copy.original, copy.score) = (Some("a".to_owned()), Some(0.9319));
        assert_eq!(line(&copy, false), "duplicate  0.931  b\\u{1b}[2J  of a");
        (copy.exact, copy.repeated) = (true, true);
        assert_eq!(line(&copy, false), "duplicate  exact  b\\u{1b}[2J  of a  (seen before)");
        (copy.repeated, copy.doubtful) = (false, true);
        assert_eq!(line(&copy, false), "duplicate  exact  b\\u{1b}[2J  of a  (doubtful text)");
        (copy.doubtful, copy.outside_window) = (false, true);
        assert_eq!(line(&copy, false), "duplicate  exact  b\\u{1b}[2J  of a  (outside the window)");
        let mut form = Answer::new("c".to_owned(), Verdict::TooShort);
        form.nothing_but_form = true;
        let said = "too short         c  (nothing but the form of its site)";
        assert_eq!(line(&form, false), said);
        let mut error = Answer::new(None, Verdict::Error);
        error.error = Some("not valid JSON".to_owned());
        assert_eq!(line(&error, false), "error             -  could not be read: not valid JSON");
        assert_eq!(line(&error, true).find("\x1b[31merror"), Some(0));
    }
}
