//! A group as a stack: the text of the original once, with all variants at their places, so that each
//! distinct text is read once.

use super::Review;
use super::error::ReviewError;
use super::view::{GroupView, MemberView};
use firsthand::Document;
use firsthand::explain::{Passage, Piece, explain};
use std::collections::HashMap;
use std::sync::Arc;

/// The most distinct texts of a stack.
const TEXTS: usize = 50;

/// A group as a stack.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The passages of the original, and what was added between them.
    pub blocks: Vec<StackBlock>,
    /// The number of distinct texts that were read.
    pub texts: usize,
    /// The number of distinct texts that were not read because there are too many.
    pub left_out: usize,
    /// Members that cannot be read again, and why.
    pub gone: Vec<(String, String)>,
}

/// A passage of the original, or a place between two of them.
#[derive(Clone, Debug, Default)]
pub struct StackBlock {
    /// The passage; none if it is a place where others add something.
    pub text: Option<String>,
    /// What others have there instead.
    pub variants: Vec<Variant>,
}

/// What some texts have at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The pieces, compared with the passage of the original; nothing if they leave it out.
    pub pieces: Vec<Piece>,
    /// The members that have it, by id.
    pub members: Vec<String>,
}

impl Review {
    /// A group as a stack.
    ///
    /// # Errors
    ///
    /// If its original is gone.
    pub fn stack(&self, group: &GroupView) -> Result<Stack, ReviewError> {
        let original = group.original().ok_or(ReviewError::NoDocument)?;
        let base = self.text(&original.record)?.document;
        let mut stack = Stack { texts: 1, ..Stack::default() };
        let mut distinct: Vec<(Arc<Document>, Vec<String>)> = Vec::new();
        for (members, first) in texts_of(group) {
            if distinct.len() + 1 >= TEXTS {
                stack.left_out += 1;
                continue;
            }
            match self.text(&first.record) {
                Ok(text) => distinct.push((text.document, members)),
                Err(error) => stack.gone.push((first.record.id.clone(), error.to_string())),
            }
        }
        stack.texts += distinct.len();
        let own;
        let collection = match self.material.whole() {
            Some(whole) => whole,
            None => {
                let others = distinct.iter().map(|(document, _)| Document::clone(document));
                own = self.signed([Document::clone(&base)].into_iter().chain(others).collect())?;
                &own
            }
        };
        let mut variants: Vec<(Vec<Passage>, Vec<String>)> = Vec::new();
        for (document, members) in distinct {
            let explained = explain(collection, &base, &document);
            let explained = explained.map_err(|error| ReviewError::Explain(error.to_string()))?;
            variants.push((explained.passages, members));
        }
        stack.blocks = match variants.is_empty() {
            true => base.text.lines().map(plain).collect(),
            false => blocks(&variants),
        };
        Ok(stack)
    }
}

fn plain(line: &str) -> StackBlock {
    StackBlock { text: Some(line.to_owned()), variants: Vec::new() }
}

/// The distinct texts of a group beside that of its original: the members that have each, and the first
/// of them.
fn texts_of(group: &GroupView) -> Vec<(Vec<String>, &MemberView)> {
    let mut texts: Vec<(Vec<String>, &MemberView)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for member in group.members.iter().skip(1).filter(|one| !(one.exact && one.via.is_none())) {
        let key = member.record.text.as_deref().unwrap_or(&member.record.id);
        let at = *known.entry(key).or_insert(texts.len());
        match texts.get_mut(at) {
            Some((members, _)) => members.push(member.record.id.clone()),
            None => texts.push((vec![member.record.id.clone()], member)),
        }
    }
    // The texts that most members have come first.
    texts.sort_by_key(|(members, _)| std::cmp::Reverse(members.len()));
    texts
}

/// The passages of the original in order, with what each other text has at their places.
fn blocks(variants: &[(Vec<Passage>, Vec<String>)]) -> Vec<StackBlock> {
    let of_original = |passage: &Passage| match passage {
        Passage::Same { text } | Passage::OnlyA { text } => Some(text.clone()),
        Passage::Changed { pieces } => Some(written(pieces)),
        Passage::OnlyB { .. } => None,
    };
    let base: Vec<String> = variants[0].0.iter().filter_map(of_original).collect();
    // Between any two passages, before the first and after the last something may be added.
    let mut passages: Vec<StackBlock> = base.iter().map(|text| plain(text)).collect();
    let mut added: Vec<StackBlock> = vec![StackBlock::default(); base.len() + 1];
    for (others, members) in variants {
        let mut at = 0;
        for passage in others {
            match passage {
                Passage::Same { .. } => at += 1,
                Passage::Changed { pieces } => {
                    add(passages.get_mut(at), pieces.clone(), members);
                    at += 1;
                }
                Passage::OnlyA { .. } => {
                    add(passages.get_mut(at), Vec::new(), members);
                    at += 1;
                }
                Passage::OnlyB { text } => {
                    add(added.get_mut(at), vec![Piece::B(text.clone())], members);
                }
            }
        }
    }
    let mut all = Vec::new();
    let mut passages = passages.into_iter();
    for between in added {
        if !between.variants.is_empty() {
            all.push(between);
        }
        all.extend(passages.next());
    }
    all
}

fn add(block: Option<&mut StackBlock>, pieces: Vec<Piece>, members: &[String]) {
    let Some(block) = block else { return };
    match block.variants.iter_mut().find(|variant| variant.pieces == pieces) {
        Some(variant) => variant.members.extend_from_slice(members),
        None => block.variants.push(Variant { pieces, members: members.to_vec() }),
    }
}

/// A changed passage as the original has it.
fn written(pieces: &[Piece]) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Same(text) | Piece::A(text) => Some(text.clone()),
        Piece::B(_) => None,
    };
    pieces.iter().filter_map(part).collect()
}
