//! Sites: host names, and the frame of navigation and footer around every page.

use super::language::GeneratedLanguage;
use crate::rng::Rng;

/// The random streams of sites, and of where and when a group starts.
const STREAM: u64 = 5;
const GROUPS: u64 = 6;
/// The mean number of documents per site; a few sites have most of them.
const PAGES: usize = 145;

/// The sites of a collection.
pub(crate) struct Sites {
    number: usize,
    seed: u64,
}

/// What surrounds the stories of a site.
pub(crate) struct SiteFrame {
    pub(crate) host: String,
    pub(crate) navigation: Vec<u32>,
    /// Sentences in the footer; none on many sites.
    pub(crate) footer: Vec<Vec<u32>>,
}

impl Sites {
    pub(crate) fn new(documents: usize, seed: u64) -> Self {
        Self { number: documents / PAGES + 4, seed }
    }

    /// The draws that all documents of a group share.
    pub(crate) fn group(&self, group: u32) -> Rng {
        Rng::new(self.seed, &[GROUPS, group.into()])
    }

    /// Draws a site; the first ones have the most pages.
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        (self.number as f64 * rng.unit().powi(2)) as usize
    }

    /// The frame of a site.
    pub(crate) fn frame(&self, site: usize, language: &GeneratedLanguage) -> SiteFrame {
        let mut rng = Rng::new(self.seed, &[STREAM, site as u64]);
        let mut host = String::from("www.");
        language.spell(language.content(&mut rng), &mut host);
        host.push_str(&format!("{site}.example"));
        let navigation = (0..rng.between(4, 14)).map(|_| language.content(&mut rng)).collect();
        let footer = match rng.chance(0.4) {
            true => {
                (0..rng.between(1, 2)).map(|_| language.sentence(self.seed, &mut rng)).collect()
            }
            false => Vec::new(),
        };
        SiteFrame { host, navigation, footer }
    }
}
