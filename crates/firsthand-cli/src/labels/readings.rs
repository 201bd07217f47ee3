//! The documents as several settings read them, hardly ever more than two ways; only one of them is
//! in memory at a time.

use super::{layout::Layout, texts::Texts};
use crate::console::Console;
use crate::eval::methods::Asked;
use crate::visible::visible;
use anyhow::{Context, Result, bail};
use firsthand_input::ReadOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) struct Readings<'a> {
    layout: &'a Layout,
    /// Where results go: not part of the documents.
    except: Option<PathBuf>,
    console: &'a Arc<Console>,
    /// The ids of all documents, to which the labels belong.
    ids: Option<Vec<String>>,
    now: Option<(String, Texts)>,
}

/// What settings for reading are told apart by.
fn key(settings: &ReadOptions) -> String {
    format!("{settings:?}")
}

impl<'a> Readings<'a> {
    pub(crate) fn new(
        layout: &'a Layout,
        output: Option<&Path>,
        console: &'a Arc<Console>,
    ) -> Self {
        let except = output.and_then(|output| output.canonicalize().ok());
        Self { layout, except, console, ids: None, now: None }
    }

    pub(crate) fn console(&self) -> &'a Arc<Console> {
        self.console
    }

    /// Does something with every method; those that read alike come one after another. A method
    /// that fails is told and left out.
    pub(crate) fn each<T>(
        &mut self,
        asked: Vec<Asked>,
        mut work: impl FnMut(&Asked, &Texts) -> Result<T>,
    ) -> Result<Vec<(Asked, T)>> {
        let console = self.console;
        let keys: Vec<String> = asked.iter().map(|asked| key(&asked.settings.reading)).collect();
        let first = |number: usize| keys.iter().position(|key| *key == keys[number]);
        let mut order: Vec<(usize, Asked)> = asked.into_iter().enumerate().collect();
        order.sort_by_key(|(number, _)| first(*number));
        let all = order.len();
        let mut results = Vec::new();
        for (done, (number, asked)) in order.into_iter().enumerate() {
            let texts = self.texts(&asked.settings.reading)?;
            console.show(&format!("measuring {} ({} of {all})", asked.name, done + 1));
            match work(&asked, texts) {
                Ok(result) => results.push((number, asked, result)),
                Err(error) => console.warn(&visible(&format!("not measured: {error:#}"))),
            }
        }
        results.sort_by_key(|(number, ..)| *number);
        Ok(results.into_iter().map(|(_, asked, result)| (asked, result)).collect())
    }

    /// The ids of the documents, once they have been read.
    pub(crate) fn into_ids(self) -> Vec<String> {
        self.ids.unwrap_or_default()
    }

    /// The documents as these settings read them.
    pub(crate) fn texts(&mut self, settings: &ReadOptions) -> Result<&Texts> {
        let key = key(settings);
        if self.now.as_ref().is_none_or(|(known, _)| *known != key) {
            // The old ones go before the new ones come.
            self.now = None;
            let settings = ReadOptions { except: self.except.clone(), ..settings.clone() };
            let texts = Texts::read(self.layout, &settings, self.console)?;
            let ids = || texts.documents.iter().map(|document| &document.id);
            match &self.ids {
                None => self.ids = Some(ids().cloned().collect()),
                Some(before) if before.iter().eq(ids()) => {}
                Some(_) => bail!(
                    "the methods do not read the same documents, so that labels fit only some of \
                     them: measure methods with other settings for reading one at a time"
                ),
            }
            self.now = Some((key, texts));
        }
        self.now.as_ref().map(|(_, texts)| texts).context("nothing was read")
    }
}
