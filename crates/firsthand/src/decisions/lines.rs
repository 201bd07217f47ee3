//! A file of decisions: one JSON object a line, appended and never rewritten.

use super::line::{Decision, DecisionError};

/// Why a file of decisions cannot be read. Lines are counted from 1.
///
/// ```
/// use firsthand::decisions::{LinesError, read_lines};
///
/// let error = read_lines(b"{\"action\":\"burn\"}\n").unwrap_err();
/// assert!(matches!(error, LinesError::NoDecision { line: 1, .. }));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// A line is no decision.
    #[error("line {line} is no decision: {}", plain(.error))]
    NoDecision {
        /// Which.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
    /// A line is a decision that makes no sense.
    #[error("line {line}: {reason}")]
    Senseless {
        /// Which.
        line: usize,
        /// Why.
        reason: DecisionError,
    },
}

/// Why a line was not understood, without the place in it, which is counted as if it were a file.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match error.is_data() {
        true => text.split(" at line ").next().unwrap_or_default().to_owned(),
        false => "not valid JSON".to_owned(),
    }
}

/// All decisions of a file, by the number of their line less one. `None` stands for a line that was cut off
/// by a crash, and for one of which nothing is left.
///
/// ```
/// use firsthand::decisions::{Action, read_lines};
///
/// let file = b"{\"action\":\"skip\",\"documents\":[{\"id\":\"a\"}],\"time\":\"\"}\n\n{\"action\":\"ta";
/// let lines = read_lines(file)?;
/// assert_eq!(lines[0].as_ref().map(|line| line.action), Some(Action::Skip));
/// assert_eq!(lines[1..], [None, None]);
/// # Ok::<(), firsthand::decisions::LinesError>(())
/// ```
///
/// # Errors
///
/// If a line is no decision, or one that makes no sense.
pub fn read_lines(bytes: &[u8]) -> Result<Vec<Option<Decision>>, LinesError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = (1..).zip(text.split(|byte| *byte == b'\n'));
    lines.map(|(number, line)| read_line(number, line.trim_ascii())).collect()
}

fn read_line(number: usize, line: &[u8]) -> Result<Option<Decision>, LinesError> {
    if line.is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice::<Decision>(line) {
        Ok(decision) => {
            let checked = decision.check();
            checked.map_err(|reason| LinesError::Senseless { line: number, reason })?;
            Ok(Some(decision))
        }
        // What a crash cut off was never acknowledged. The next line begins after it.
        Err(error) if error.is_eof() => Ok(None),
        Err(error) => Err(LinesError::NoDecision { line: number, error }),
    }
}
