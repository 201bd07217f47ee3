//! Whether a message is a reply or a forward, by its subject.

/// The relation of a message to another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answers {
    /// A reply.
    Reply,
    /// A forward.
    Forward,
    /// Neither.
    Nothing,
    /// Unknown, without a subject.
    #[default]
    Unknown,
}

const REPLY: &str = include_str!("subject/reply.txt");
const FORWARD: &str = include_str!("subject/forward.txt");

impl Answers {
    /// By the first prefix of a subject, after the name of a list.
    pub(crate) fn by_subject(subject: Option<&str>) -> Self {
        let Some(subject) = subject else { return Self::Unknown };
        let mut rest = subject.trim_start();
        while let Some(inside) = rest.strip_prefix('[') {
            let Some((_, after)) = inside.split_once(']') else { break };
            rest = after.trim_start();
        }
        let Some((before, _)) = rest.split_once([':', '：']) else { return by_end(subject) };
        // `Re[2]`, `Re^3`, `RE (4)`
        let prefix = before.split(['[', '^', '(', '*']).next().unwrap_or_default();
        let prefix = prefix.trim().to_lowercase();
        let is_in = |list: &str| list.lines().any(|known| known == prefix);
        if is_in(REPLY) {
            Self::Reply
        } else if is_in(FORWARD) {
            Self::Forward
        } else {
            by_end(subject)
        }
    }
}

/// `subject (fwd)`
fn by_end(subject: &str) -> Answers {
    let end = subject.trim_end();
    let start = end.len().saturating_sub("(fwd)".len());
    let forwarded = end.get(start..).is_some_and(|end| end.eq_ignore_ascii_case("(fwd)"));
    if forwarded { Answers::Forward } else { Answers::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        let cases = [
            ("Re: ferry", Answers::Reply),
            ("RE[2]: ferry", Answers::Reply),
            ("[boats] Re: ferry", Answers::Reply),
            ("[a] [b] AW: ferry", Answers::Reply),
            ("Re: Fwd: ferry", Answers::Reply),
            ("Re : ferry", Answers::Reply),
            ("回复：ferry", Answers::Reply),
            ("Fwd: Re: ferry", Answers::Forward),
            ("FW: ferry", Answers::Forward),
            ("WG: Fähre", Answers::Forward),
            ("ferry (fwd)", Answers::Forward),
            ("ferry: late again (Fwd)", Answers::Forward),
            ("ferry", Answers::Nothing),
            ("Reminder: ferry", Answers::Nothing),
            ("[ferry", Answers::Nothing),
            ("é (wd)", Answers::Nothing),
            ("", Answers::Nothing),
        ];
        for (subject, answers) in cases {
            assert_eq!(Answers::by_subject(Some(subject)), answers, "{subject}");
        }
        assert_eq!(Answers::by_subject(None), Answers::Unknown);
    }
}
