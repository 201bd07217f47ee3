//! A round: documents to the store, answers back. What failed is tried again where that can help.

use super::arriving::Prepared;
use crate::console::Console;
use crate::store::open::{self, Ready};
use crate::visible::visible;
use anyhow::{Context, Result};
use firsthand::online::{Answer, Arrival, Holdings, Online, StoreError};
use firsthand_store::Opened;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait before a shared store is asked again.
const WAITS: [u64; 6] = [100, 300, 1_000, 3_000, 5_000, 10_000];

/// What judges documents.
pub(crate) struct Judge {
    online: Online<Box<dyn Opened>>,
    /// Whether the store is a server, which may come back.
    shared: bool,
    /// Whether documents are kept.
    keep: bool,
    console: Arc<Console>,
}

impl Judge {
    pub(crate) fn new(ready: Ready, keep: bool, console: &Arc<Console>) -> Self {
        let Ready { store, detector, address, .. } = ready;
        let shared = open::is_shared(&address);
        let online = Online::new(detector, store);
        Self { online, shared, keep, console: Arc::clone(console) }
    }

    /// Answers all that was prepared, in order. When it returns, what was kept is durable.
    pub(crate) fn judge(&mut self, round: Vec<Prepared>) -> Result<Vec<Answer>> {
        let (mut arrivals, mut places) = (Vec::new(), Vec::with_capacity(round.len()));
        for prepared in round {
            match prepared {
                Ok(arrival) => {
                    arrivals.push(arrival);
                    places.push(None);
                }
                Err(answer) => places.push(Some(*answer)),
            }
        }
        let answers = match arrivals.is_empty() {
            true => Vec::new(),
            false => self.persist(&arrivals)?,
        };
        let mut answers = answers.into_iter();
        Ok(places.into_iter().filter_map(|place| place.or_else(|| answers.next())).collect())
    }

    /// What the store holds.
    pub(crate) fn holdings(&mut self) -> Result<Holdings> {
        self.online.holdings().context("cannot read the store")
    }

    /// The store itself.
    pub(crate) fn store(&mut self) -> &mut Box<dyn Opened> {
        self.online.store_mut()
    }

    fn persist(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>> {
        let mut waits = WAITS.iter();
        loop {
            let answered = match self.keep {
                true => self.online.add(arrivals),
                false => self.online.check(arrivals),
            };
            let error = match answered {
                Ok(answers) => return Ok(answers),
                Err(error) => error,
            };
            // A round is repeatable: what of it was stored is answered as repeated. The store makes a
            // new connection by itself.
            let wait = match &error {
                StoreError::Failed(_) if self.shared => waits.next(),
                _ => None,
            };
            let Some(wait) = wait.filter(|_| !crate::stop::is_asked()) else {
                return Err(error).context("nothing more is stored or answered");
            };
            let wait = Duration::from_millis(*wait);
            let words = format!("the store failed: {error}; trying again in {wait:?}");
            self.console.warn(&visible(&words));
            std::thread::sleep(wait);
        }
    }
}
