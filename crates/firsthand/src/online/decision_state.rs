//! The decisions of people about documents of a store: read as far as they are new, appended, obeyed.

use super::{
    decision_log::{self, DecisionHead},
    record::DocumentRecord,
    round::Round,
    rules::Rules,
    stand::{latest, stand},
    standing::Standing,
    store::{Seq, Store, StoreError},
    upkeep::Upkeep,
};
use crate::{
    decisions::{Action, Active, Decision, DecisionError, NotThere, shown_hash},
    settings::{Grouping, Settings},
};

/// What is known of the decisions in a store.
#[derive(Clone, Debug, Default)]
pub(super) struct DecisionState {
    head: DecisionHead,
    lines: Vec<Option<Decision>>,
    pub(super) rules: Rules,
    pub(super) standing: Standing,
    /// The buckets that were there when it was found where documents stand.
    buckets: Vec<i64>,
    /// Whether all of it is to be read again.
    is_stale: bool,
}

/// Why a decision was not taken down.
///
/// ```
/// use firsthand::decisions::{Action, Decision, Named};
/// use firsthand::{Settings, online::{DecideError, Memory, Upkeep}};
///
/// let mut upkeep = Upkeep::new(&Settings::profile("feed")?, Memory::new())?;
/// let named = Named { id: "absent".to_owned(), text: None };
/// let skip = Decision::new(Action::Skip, vec![named], String::new());
/// let refused = upkeep.decide(vec![skip])?.remove(0);
/// assert!(matches!(refused, Err(DecideError::Unknown(id)) if id == "absent"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecideError {
    /// It makes no sense.
    #[error(transparent)]
    Refused(#[from] DecisionError),
    /// There is nothing to undo or redo.
    #[error(transparent)]
    NotThere(#[from] NotThere),
    /// It is about a line that does not hold, or that is not undone.
    #[error("line {0} is no decision that this can be done with")]
    Line(usize),
    /// It is about a document that is not in the store.
    #[error("a document that it names is not in the store")]
    Unknown(String),
}

impl DecisionState {
    /// Reads what is new.
    pub(super) fn follow<S: Store>(
        &mut self,
        round: &mut Round<'_, S>,
        settings: &Settings,
    ) -> Result<(), StoreError> {
        let head = DecisionHead::load(round)?;
        if head.lines == 0 {
            *self = Self::default();
            return Ok(());
        }
        let is_forgotten = |bucket: &i64| {
            round.head.buckets.binary_search_by_key(bucket, |bucket| bucket.number).is_err()
        };
        let is_same = !self.is_stale && head == self.head;
        if is_same && !self.buckets.iter().any(is_forgotten) {
            return Ok(());
        }
        // A change may have taken a document out of lines that are known.
        let known = match !self.is_stale && head.changes == self.head.changes {
            true => self.lines.len().min(head.lines),
            false => 0,
        };
        self.lines.truncate(known);
        self.lines.extend(decision_log::read(round, known, head.lines)?);
        self.rules = Rules::new(&self.lines);
        self.head = head;
        self.is_stale = false;
        self.find_standing(round, settings)
    }

    fn find_standing<S: Store>(
        &mut self,
        round: &mut Round<'_, S>,
        settings: &Settings,
    ) -> Result<(), StoreError> {
        self.standing = stand(round, &self.rules, settings)?;
        self.buckets = match self.standing.affected.is_empty() {
            true => Vec::new(),
            false => round.head.buckets.iter().map(|bucket| bucket.number).collect(),
        };
        Ok(())
    }

    /// What must be done after the round has taken in a document.
    pub(super) fn after<S: Store>(
        &mut self,
        round: &mut Round<'_, S>,
        settings: &Settings,
        id: &str,
    ) -> Result<(), StoreError> {
        if self.rules.is_empty() {
            return Ok(());
        }
        let touched = round.take_touched();
        let is_affected = |seq: &Seq| self.standing.affected.contains(seq);
        // What joins a cluster that decisions are about may lead others elsewhere.
        let has_joined = |record: &DocumentRecord| {
            let links = [&record.said.original, &record.said.via].into_iter().flatten();
            links.map(|link| link.seq).chain(record.forward).any(|seq| is_affected(&seq))
        };
        let joined = latest(round, std::iter::once(id))?;
        // A component may grow by documents that none of these links name.
        if settings.grouping == Some(Grouping::Component)
            || self.rules.is_about(id)
            || touched.iter().any(is_affected)
            || joined.values().any(|(_, record)| has_joined(record))
        {
            self.find_standing(round, settings)?;
            self.head.changes += 1;
            self.head.save(round);
        }
        Ok(())
    }

    /// What is known may be wrong: a round was given up.
    pub(super) fn doubt(&mut self) {
        self.is_stale = true;
    }

    /// Takes documents out of all decisions; for each whether one was about it.
    pub(super) fn erase<S: Store>(
        &mut self,
        round: &mut Round<'_, S>,
        ids: &[&str],
    ) -> Result<Vec<bool>, StoreError> {
        let mut found = vec![false; ids.len()];
        let mut lines = std::mem::take(&mut self.lines);
        for (number, line) in (1..).zip(&mut lines) {
            let Some(decision) = line else { continue };
            let named = decision.documents.iter().chain(&decision.others);
            let mut is_named = false;
            for at in named.filter_map(|one| ids.iter().position(|id| *id == one.id)) {
                (found[at], is_named) = (true, true);
            }
            if is_named {
                let is_left = |id: &str| !ids.contains(&id);
                decision.documents.retain(|one| is_left(&one.id));
                decision.others.retain(|one| is_left(&one.id));
                if decision.check().is_err() {
                    *line = None;
                }
                decision_log::write(round, number, line.as_ref())?;
            }
        }
        self.lines = lines;
        if found.contains(&true) || !self.rules.is_empty() {
            self.rules = Rules::new(&self.lines);
            self.head.changes += 1;
            self.head.save(round);
            self.doubt();
        }
        Ok(found)
    }

    fn append<S: Store>(
        &mut self,
        round: &mut Round<'_, S>,
        mut decision: Decision,
        must_exist: bool,
    ) -> Result<Result<usize, DecideError>, StoreError> {
        if let Err(error) = self.resolve(&mut decision) {
            return Ok(Err(error));
        }
        if let Err(error) = decision.check() {
            return Ok(Err(error.into()));
        }
        if must_exist {
            let named = decision.documents.iter().chain(&decision.others);
            let ids: Vec<String> = named.map(|one| one.id.clone()).collect();
            let known = latest(round, ids.iter().map(String::as_str))?;
            if let Some(id) = ids.iter().find(|id| !known.contains_key(id.as_str())) {
                return Ok(Err(DecideError::Unknown(id.clone())));
            }
            // The text that was decided about is the one that is there.
            for one in decision.documents.iter_mut().chain(&mut decision.others) {
                let text = known.get(&*one.id).map(|(_, record)| shown_hash(record.content));
                one.text = one.text.take().or(text);
            }
        }
        self.lines.push(Some(decision));
        let line = self.lines.len();
        decision_log::write(round, line, self.lines[line - 1].as_ref())?;
        self.head.lines = line;
        Ok(Ok(line))
    }

    /// Fills in which line is undone or redone, and fails if that cannot be.
    fn resolve(&self, decision: &mut Decision) -> Result<(), DecideError> {
        let active = Active::new(&self.lines);
        let (can, last): (bool, _) = match (decision.action, decision.of) {
            (Action::Undo, of) => {
                let holds = |of| active.lines().iter().any(|(line, _)| *line == of);
                (of.is_none_or(holds), of.map_or_else(|| active.last(), Ok)?)
            }
            (Action::Redo, of) => {
                let is_undone = |of: usize| {
                    let is_there = of > 0 && self.lines.get(of - 1).is_some_and(Option::is_some);
                    is_there && !active.lines().iter().any(|(line, _)| *line == of)
                };
                (of.is_none_or(is_undone), of.map_or_else(|| active.last_undone(), Ok)?)
            }
            _ => return Ok(()),
        };
        decision.of = Some(last);
        if can { Ok(()) } else { Err(DecideError::Line(last)) }
    }
}

impl<S: Store> Upkeep<S> {
    /// Takes down decisions about documents of the store, and obeys them from now on; for each the number
    /// of its line, counted from 1. They are durable when this returns. Texts that are not named are those
    /// that the documents have now.
    ///
    /// ```
    /// use firsthand::decisions::{Action, Decision, Named};
    /// use firsthand::{Document, Settings, online::{Memory, Online, StreamDetector}};
    ///
    /// let detector = StreamDetector::new(Settings::profile("feed")?)?;
    /// let mut online = Online::new(detector.clone(), Memory::new());
    /// let sign = |id: &str| detector.sign(&Document::new(id, "The same text"), 0);
    /// online.add(&[sign("a"), sign("b")])?;
    /// let named = |id: &str| vec![Named { id: id.to_owned(), text: None }];
    /// let parted = Decision::new(Action::NotACopy, named("b"), "2026-11-17T10:00:00Z".to_owned());
    /// online.upkeep().decide(vec![Decision { others: named("a"), ..parted }])?;
    /// assert!(online.upkeep().clusters(2)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the store fails. None of the decisions is taken down then.
    pub fn decide(
        &mut self,
        decisions: Vec<Decision>,
    ) -> Result<Vec<Result<usize, DecideError>>, StoreError> {
        self.append_decisions(decisions, true)
    }

    /// The same for decisions from elsewhere: they may be about documents that are yet to come, and name
    /// their texts or hold for any text.
    ///
    /// # Errors
    ///
    /// If the store fails. None of the decisions is taken down then.
    pub fn import_decisions(
        &mut self,
        decisions: Vec<Decision>,
    ) -> Result<Vec<Result<usize, DecideError>>, StoreError> {
        self.append_decisions(decisions, false)
    }

    fn append_decisions(
        &mut self,
        new: Vec<Decision>,
        must_exist: bool,
    ) -> Result<Vec<Result<usize, DecideError>>, StoreError> {
        let Self { settings, store, pages, decisions, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let result = (|| {
            decisions.follow(&mut round, settings)?;
            let mut taken = Vec::with_capacity(new.len());
            for decision in new {
                taken.push(decisions.append(&mut round, decision, must_exist)?);
            }
            if taken.iter().any(Result::is_ok) {
                decisions.rules = Rules::new(&decisions.lines);
                decisions.find_standing(&mut round, settings)?;
                decisions.head.save(&mut round);
            }
            Ok(taken)
        })();
        let result = match result {
            Ok(taken) => round.commit().map(|()| taken),
            Err(error) => {
                round.abandon();
                Err(error)
            }
        };
        result.inspect_err(|_| decisions.doubt())
    }

    /// A number that is another one once somebody has decided something, in this process or another one
    /// that shares the store. Asking for it waits for nobody's round.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn decisions_revision(&mut self) -> Result<u64, StoreError> {
        decision_log::revision(&mut self.store)
    }

    /// All decisions, by the number of their line less one; `None` for one of which nothing is left.
    ///
    /// # Errors
    ///
    /// If the store fails, or one of them is damaged.
    pub fn decisions(&mut self) -> Result<&[Option<Decision>], StoreError> {
        let Self { settings, store, pages, decisions, .. } = self;
        let mut round = Round::begin(store, pages)?;
        let result = decisions.follow(&mut round, settings);
        round.abandon();
        match result {
            Ok(()) => Ok(&decisions.lines),
            Err(error) => {
                decisions.doubt();
                Err(error)
            }
        }
    }
}
