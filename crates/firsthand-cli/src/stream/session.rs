//! A round: documents to the store, answers back. What failed is tried again where that can help.

use super::arriving::Prepared;
use crate::console::Console;
use crate::stop;
use crate::store::open::{self, Ready};
use crate::visible::visible;
use anyhow::{Context, Result};
use firsthand::online::{Answer, Arrival, Changes, Holdings, Online, StoreError};
use firsthand_store::ManagedStore;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait before a shared store is asked again.
const WAITS: [u64; 6] = [100, 300, 1_000, 3_000, 5_000, 10_000];

/// What judges documents.
pub(crate) struct StreamSession {
    online: Online<Box<dyn ManagedStore>>,
    /// Whether the store is a server, which may come back.
    shared: bool,
    /// Whether documents are kept.
    keep: bool,
    console: Arc<Console>,
}

impl StreamSession {
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
    pub(crate) fn store(&mut self) -> &mut Box<dyn ManagedStore> {
        self.online.store_mut()
    }

    /// Keeps something beside the documents, durably.
    pub(crate) fn keep(&mut self, changes: &Changes) -> Result<()> {
        self.patiently(|online| {
            let store = online.store_mut();
            store.begin()?;
            store.commit(changes.clone())
        })
    }

    fn persist(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>> {
        let keep = self.keep;
        // A round is repeatable: what of it was stored is answered as repeated.
        self.patiently(|online| match keep {
            true => online.add(arrivals),
            false => online.check(arrivals),
        })
    }

    /// Asks until there is an answer, where waiting may help. A shared store makes a new connection
    /// by itself.
    fn patiently<T>(
        &mut self,
        mut ask: impl FnMut(&mut Online<Box<dyn ManagedStore>>) -> Result<T, StoreError>,
    ) -> Result<T> {
        let mut waits = WAITS.iter().map(|wait| Duration::from_millis(*wait));
        loop {
            let error = match ask(&mut self.online) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let wait = match &error {
                StoreError::Failed(_) if self.shared && !stop::is_asked() => waits.next(),
                _ => None,
            };
            let Some(wait) = wait else {
                return Err(error).context("nothing more is stored or answered");
            };
            let words = format!("the store failed: {error}; trying again in {wait:?}");
            self.console.warn(&visible(&words));
            std::thread::sleep(wait);
        }
    }
}
