//! Actions of people: what they asked for becomes a decision about documents by their ids and texts.

use super::Review;
use super::error::ReviewError;
use super::view::{ClusterView, GroupView, MemberView};
use crate::decisions::{Action, Active, Decision, Grade, Named};
use firsthand_input::calendar::rfc3339;
use serde::Deserialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a person asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What to do.
    pub action: Action,
    /// The cluster.
    #[serde(default)]
    pub cluster: Option<u32>,
    /// The chosen members; without any, the whole cluster.
    #[serde(default)]
    pub documents: Vec<String>,
    /// The cluster to merge with, by its number or the id of one of its documents.
    #[serde(default)]
    pub with: Option<String>,
    /// Tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// A note.
    #[serde(default)]
    pub note: Option<String>,
    /// How the original is to be chosen, where no document is named.
    #[serde(default)]
    pub rule: Option<Rule>,
    /// The answer of a label.
    #[serde(default)]
    pub grade: Option<Grade>,
    /// Who asks.
    #[serde(default)]
    pub person: Option<String>,
}

/// How an original is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// The earliest.
    Earliest,
    /// The longest.
    Longest,
    /// The earliest of a source.
    Source(String),
}

impl Review {
    /// Does what a person asks for; the number of the line that it became. It is on disk when this
    /// returns.
    ///
    /// # Errors
    ///
    /// If it makes no sense or cannot be written.
    pub fn act(&self, request: Request) -> Result<usize, ReviewError> {
        let person = request.person.clone().filter(|person| !person.trim().is_empty());
        let decision = match request.action {
            Action::Undo | Action::Redo => {
                return Err(ReviewError::Senseless("undo and redo are asked for by themselves"));
            }
            Action::Label => self.label(&request)?,
            _ => {
                let number = request.cluster.ok_or(ReviewError::Senseless("name a cluster"))?;
                self.decision(&request, &self.view(number)?)?
            }
        };
        self.append(Decision { person, time: now(), ..decision })
    }

    /// Undoes the last decision that holds, or that of a line; the number of the line that was undone.
    ///
    /// # Errors
    ///
    /// If there is nothing to undo or it cannot be written.
    pub fn undo(&self, of: Option<usize>, person: Option<String>) -> Result<usize, ReviewError> {
        let of = self.with_lines(|lines| {
            let active = Active::new(lines);
            match of {
                None => Ok(active.last()?),
                Some(of) if active.lines().iter().any(|(line, _)| *line == of) => Ok(of),
                Some(of) => Err(ReviewError::Meanwhile(of)),
            }
        })?;
        let undo = Decision::new(Action::Undo, Vec::new(), now());
        self.append(Decision { of: Some(of), person: named(person), ..undo })?;
        Ok(of)
    }

    /// Redoes what was undone last; the number of the line that holds again.
    ///
    /// # Errors
    ///
    /// If there is nothing to redo or it cannot be written.
    pub fn redo(&self, person: Option<String>) -> Result<usize, ReviewError> {
        let of = self.with_lines(|lines| Active::new(lines).last_undone())?;
        let redo = Decision::new(Action::Redo, Vec::new(), now());
        self.append(Decision { of: Some(of), person: named(person), ..redo })?;
        Ok(of)
    }

    fn label(&self, request: &Request) -> Result<Decision, ReviewError> {
        let pairs = self.label_pairs();
        let pair = pairs.iter().find(|pair| {
            request.documents.len() == 2
                && pair.a.id == request.documents[0]
                && pair.b.id == request.documents[1]
        });
        let pair = pair.ok_or(ReviewError::Senseless("this pair is not among those to label"))?;
        let documents = vec![pair.a.named(), pair.b.named()];
        let label = Decision::new(Action::Label, documents, String::new());
        Ok(Decision { grade: request.grade, score: Some(pair.score), ..label })
    }

    fn decision(&self, request: &Request, view: &ClusterView) -> Result<Decision, ReviewError> {
        let chosen = chosen(request, view)?;
        let main = view.groups.first().ok_or(ReviewError::NoDocument)?;
        let group = match chosen.first() {
            Some(first) => view.group_of(&first.record.id).ok_or(ReviewError::NoDocument)?,
            None => main,
        };
        let is_chosen =
            |member: &&MemberView| chosen.iter().any(|chosen| chosen.record.id == member.record.id);
        let all = || view.groups.iter().flat_map(|group| &group.members);
        let new = |documents| Decision::new(request.action, documents, String::new());
        let lacks = |what| Err(ReviewError::Senseless(what));
        Ok(match request.action {
            Action::Tag | Action::Untag => {
                let documents = if chosen.is_empty() { names(all()) } else { names(chosen) };
                Decision { tags: request.tags.clone(), ..new(documents) }
            }
            Action::Note => {
                let documents = match chosen.is_empty() {
                    true => names(main.original()),
                    false => names(chosen),
                };
                Decision { note: request.note.clone(), ..new(documents) }
            }
            Action::Skip => new(names(main.original())),
            Action::Keep => {
                let kept = match (&request.rule, chosen.as_slice()) {
                    (Some(rule), _) => self.by_rule(rule, group)?,
                    (None, [one]) => *one,
                    (None, _) => return lacks("choose the one document to keep"),
                };
                let rest = group.members.iter().filter(|one| one.record.id != kept.record.id);
                Decision { others: names(rest), ..new(names([kept])) }
            }
            Action::Split => {
                let rest: Vec<&MemberView> =
                    group.members.iter().filter(|member| !is_chosen(member)).collect();
                let out: Vec<&MemberView> = group.members.iter().filter(is_chosen).collect();
                if out.is_empty() || rest.is_empty() {
                    return lacks("choose the members to split out, but not all of them");
                }
                Decision { others: names(rest), ..new(names(out)) }
            }
            Action::NotACopy => {
                let original = group.original().ok_or(ReviewError::NoDocument)?;
                let copies = group.members.iter().skip(1).filter(is_chosen);
                let copies = names(copies);
                if copies.is_empty() {
                    return lacks("choose the members that are no copies of the original");
                }
                Decision { others: names([original]), ..new(copies) }
            }
            Action::IsACopy => {
                let copies: Vec<&MemberView> = chosen
                    .into_iter()
                    .filter(|one| Some(&one.record.id) != main.original().map(|o| &o.record.id))
                    .collect();
                if copies.is_empty() {
                    return lacks("choose the documents that are copies of the original");
                }
                let others = main
                    .members
                    .iter()
                    .filter(|member| !copies.iter().any(|copy| copy.record.id == member.record.id));
                Decision { others: names(others), ..new(names(copies)) }
            }
            Action::Merge => {
                let other = self.other(request, view)?;
                let others = other.groups.first().ok_or(ReviewError::NoDocument)?;
                Decision { others: names(&others.members), ..new(names(&main.members)) }
            }
            Action::Label | Action::Undo | Action::Redo => {
                return lacks("this is no action on a cluster");
            }
        })
    }

    /// The cluster to merge with.
    fn other(&self, request: &Request, view: &ClusterView) -> Result<ClusterView, ReviewError> {
        const WHICH: &str =
            "name the cluster to merge with: its number, or the id of a document in it";
        let with = request.with.as_deref().map(str::trim).filter(|with| !with.is_empty());
        let with = with.ok_or(ReviewError::Senseless(WHICH))?;
        let index = self.index();
        let number = with.parse().ok().filter(|number| index.row(*number).is_some());
        let number = number.or_else(|| index.cluster_of(with));
        let number = number.ok_or(ReviewError::Senseless(WHICH))?;
        if number == view.number {
            return Err(ReviewError::Senseless("a cluster cannot be merged with itself"));
        }
        self.view(number)
    }

    fn by_rule<'a>(
        &self,
        rule: &Rule,
        group: &'a GroupView,
    ) -> Result<&'a MemberView, ReviewError> {
        let members = group.members.iter();
        let time = |one: &&MemberView| one.record.milliseconds().unwrap_or(i64::MAX);
        let found = match rule {
            Rule::Earliest => members.min_by_key(time),
            Rule::Source(source) => {
                members.filter(|one| one.record.source.as_ref() == Some(source)).min_by_key(time)
            }
            Rule::Longest => {
                let lengths = members.map(|one| {
                    let length = self.length(&one.record);
                    (std::cmp::Reverse(length), one)
                });
                lengths.min_by_key(|(length, _)| *length).map(|(_, one)| one)
            }
        };
        found.ok_or(ReviewError::Senseless("no member is of this source"))
    }
}

/// The chosen members.
fn chosen<'a>(
    request: &Request,
    view: &'a ClusterView,
) -> Result<Vec<&'a MemberView>, ReviewError> {
    let all: std::collections::HashMap<&str, &MemberView> = view
        .groups
        .iter()
        .flat_map(|group| &group.members)
        .map(|member| (&*member.record.id, member))
        .collect();
    let find = |id: &String| all.get(&**id).copied().ok_or(ReviewError::NoDocument);
    request.documents.iter().map(find).collect()
}

fn names<'a>(members: impl IntoIterator<Item = &'a MemberView>) -> Vec<Named> {
    members.into_iter().map(|member| member.record.named()).collect()
}

fn named(person: Option<String>) -> Option<String> {
    person.filter(|person| !person.trim().is_empty()).map(|person| {
        person.char_indices().nth(100).map_or(person.clone(), |(end, _)| person[..end].to_owned())
    })
}

fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    rfc3339(since.map_or(0, |since| since.as_secs() as i64 * 1000))
}
