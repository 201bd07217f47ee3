//! Clues to the site of a page: where it says that it belongs, what it links to, what it loads.

use super::attributes::Attributes;
use super::furniture_words::hash;
use super::tags::Tag;

/// The most hosts of a page that are counted.
const MOST_HOSTS: usize = 32;
/// The most files of a page that are told apart.
const MOST_FILES: usize = 256;
/// The fewest links to one host that tell the site.
const FEWEST_LINKS: u32 = 3;
/// The fewest files that tell the site: many pages load one that is called `style.css`.
const FEWEST_FILES: usize = 2;

/// What tells the site of a page that has no address.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SiteClues {
    /// The address that links are relative to, if absolute.
    pub base: Option<String>,
    /// The host that most absolute links name, or else most pictures and style sheets.
    pub linked: Option<String>,
    /// A hash of the names of the style sheets and scripts of the site.
    pub files: Option<u64>,
}

/// Addresses of one kind: absolute ones by their host, and relative ones.
#[derive(Debug, Default)]
struct AddressCounts<'a> {
    /// Hosts of absolute addresses, and how often each is named.
    hosts: Vec<(&'a str, u32)>,
    /// The last host that was named.
    last: usize,
    absolute: u32,
    relative: u32,
}

impl<'a> AddressCounts<'a> {
    fn add(&mut self, host: &'a str) {
        self.absolute += 1;
        let is_known = |known: &(&str, u32)| known.0.eq_ignore_ascii_case(host);
        if !self.hosts.get(self.last).is_some_and(is_known) {
            match self.hosts.iter().position(is_known) {
                Some(at) => self.last = at,
                None if self.hosts.len() < MOST_HOSTS => {
                    self.last = self.hosts.len();
                    self.hosts.push((host, 0));
                }
                None => return,
            }
        }
        self.hosts[self.last].1 += 1;
    }

    /// The host that has most of the absolute addresses, if there are more of these than relative
    /// ones: else they lead elsewhere.
    fn main_host(&self) -> Option<String> {
        let (host, count) = self.hosts.iter().max_by_key(|(_, count)| *count)?;
        let tells = *count >= FEWEST_LINKS && count * 2 > self.absolute && *count > self.relative;
        tells.then(|| host.to_ascii_lowercase())
    }
}

/// Collects clues.
#[derive(Debug, Default)]
pub(super) struct Addresses<'a> {
    base: Option<&'a str>,
    links: AddressCounts<'a>,
    /// Pictures and style sheets; scripts and frames are often from those who sell adverts.
    shown: AddressCounts<'a>,
    files: Vec<u64>,
}

impl<'a> Addresses<'a> {
    /// Examines a start tag.
    pub(super) fn see(&mut self, tag: Tag, attributes: &Attributes<'a>) {
        let address = attributes.href.trim_ascii();
        if address.is_empty() {
            return;
        }
        let counts = match tag {
            Tag::Base => {
                self.base = self.base.or(Some(address));
                return;
            }
            Tag::A => Some(&mut self.links),
            Tag::Script | Tag::Iframe => None,
            _ => Some(&mut self.shown),
        };
        match (host(address), counts) {
            (Some(host), Some(counts)) => counts.add(host),
            (None, counts) if is_relative(address) => {
                counts.into_iter().for_each(|counts| counts.relative += 1);
                let is_style =
                    tag == Tag::Link && attributes.rel.eq_ignore_ascii_case("stylesheet");
                if (is_style || tag == Tag::Script) && self.files.len() < MOST_FILES {
                    self.files.push(hash(file_name(address).as_bytes()));
                }
            }
            _ => {}
        }
    }

    /// The clues.
    pub(super) fn finish(mut self) -> SiteClues {
        let linked = self.links.main_host().or_else(|| self.shown.main_host());
        self.files.sort_unstable();
        self.files.dedup();
        let files = (self.files.len() >= FEWEST_FILES).then(|| {
            let bytes: Vec<u8> = self.files.iter().flat_map(|file| file.to_le_bytes()).collect();
            hash(&bytes)
        });
        let base = self.base.filter(|base| host(base).is_some()).map(str::to_owned);
        SiteClues { base, linked, files }
    }
}

/// The host of an absolute address, with its port.
fn host(address: &str) -> Option<&str> {
    let bytes = address.as_bytes();
    let rest = match bytes {
        [b'/', b'/', ..] => &address[2..],
        [b'h' | b'H', ..] => {
            let begins = |scheme: &str| {
                address.get(..scheme.len()).is_some_and(|at| at.eq_ignore_ascii_case(scheme))
            };
            let scheme = ["https://", "http://"].into_iter().find(|scheme| begins(scheme))?;
            &address[scheme.len()..]
        }
        _ => return None,
    };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|host| !host.is_empty())
}

/// Whether an address is of the same site: it has no scheme, and leads out of the page.
fn is_relative(address: &str) -> bool {
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    !address.is_empty() && !address.starts_with('#') && !address[..end].contains(':')
}

/// The name of a file without what tells its version.
fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}
