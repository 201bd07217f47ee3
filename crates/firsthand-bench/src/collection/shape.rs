//! The shapes of collections: which kinds of groups, how large, and how long the texts are.

use std::fmt;
use std::str::FromStr;

use super::plan::GroupKind;

/// The kind of collection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// Bare words; originals and edited copies.
    Plain,
    /// The same with a third of the words, about a kilobyte each.
    Short,
    /// Pages in the frames of their sites, as HTML; originals and copies on other sites.
    Web,
    /// Stories that drift: each version edits the previous one.
    Chains,
    /// Pages of templates, with the same sentences but other values.
    Templates,
    /// All of these, half of the sites as HTML and half as text.
    Mixed,
    /// As many documents and spot signatures as the SpotSigs paper had in the TREC collection
    /// WT10g, most of them without copies.
    Wt10g,
    /// A news stream: texts of news length in the frames of their sites, one in seven a copy.
    News,
}

/// How pages are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Markup {
    /// `html` for every page.
    Html,
    /// `html` for the pages of every second site, `text` without the frame for the others.
    Half,
    /// `text`, with the frame's lines around the story.
    Lines,
}

/// The parameters of a shape.
#[derive(Clone, Debug)]
pub(crate) struct ShapeParameters {
    /// The share of documents in groups of each kind; they add up to 1.
    pub(crate) shares: [(GroupKind, f64); 4],
    /// The largest group of copies or of pages of a template.
    pub(crate) largest: usize,
    /// The median number of words of a story, and the spread of its logarithm.
    pub(crate) words: (f64, f64),
    /// The longest story, in words.
    pub(crate) longest: f64,
    pub(crate) markup: Markup,
}

impl Shape {
    /// All shapes with their names.
    pub(crate) const ALL: [(&'static str, Self); 8] = [
        ("plain", Self::Plain),
        ("short", Self::Short),
        ("web", Self::Web),
        ("chains", Self::Chains),
        ("templates", Self::Templates),
        ("mixed", Self::Mixed),
        ("wt10g", Self::Wt10g),
        ("news", Self::News),
    ];

    /// The default number of documents.
    pub(crate) fn documents(self) -> usize {
        match self {
            Self::Wt10g => 1_171_960,
            _ => 20_000,
        }
    }

    /// Its parameters; `None` for `plain` and `short`, which have their own generator.
    pub(crate) fn mix(self) -> Option<ShapeParameters> {
        let shares = |alone, copies, chains, templates| {
            [
                (GroupKind::Alone, alone),
                (GroupKind::Copies, copies),
                (GroupKind::Chain, chains),
                (GroupKind::Template, templates),
            ]
        };
        let base = ShapeParameters {
            shares: shares(0.45, 0.2, 0.15, 0.2),
            largest: 40,
            words: (220.0, 0.65),
            longest: 3000.0,
            markup: Markup::Half,
        };
        match self {
            Self::Plain | Self::Short => None,
            Self::Web => Some(ShapeParameters {
                shares: shares(0.55, 0.45, 0.0, 0.0),
                markup: Markup::Html,
                ..base
            }),
            Self::News => Some(ShapeParameters {
                shares: shares(0.76, 0.2, 0.04, 0.0),
                words: (380.0, 0.5),
                markup: Markup::Lines,
                ..base
            }),
            Self::Chains => Some(ShapeParameters { shares: shares(0.4, 0.0, 0.6, 0.0), ..base }),
            Self::Templates => Some(ShapeParameters { shares: shares(0.4, 0.1, 0.0, 0.5), ..base }),
            Self::Mixed => Some(base),
            // Web pages are shorter and more skewed than news; this median gives the paper's 21.4
            // spot signatures per document.
            Self::Wt10g => Some(ShapeParameters {
                shares: shares(0.8, 0.12, 0.02, 0.06),
                largest: 500,
                words: (77.4, 0.95),
                longest: 5000.0,
                markup: Markup::Lines,
            }),
        }
    }
}

/// A name that no shape has.
#[derive(Debug)]
pub(crate) struct NoShape;

impl fmt::Display for NoShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Shape::ALL.iter().map(|(name, _)| *name).collect();
        write!(f, "there is no such shape; use one of {}", names.join(", "))
    }
}

impl std::error::Error for NoShape {}

impl FromStr for Shape {
    type Err = NoShape;

    fn from_str(name: &str) -> Result<Self, NoShape> {
        let named = Self::ALL.iter().find(|(known, _)| *known == name);
        named.map(|(_, shape)| *shape).ok_or(NoShape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_shares_add_up_to_1() {
        for (name, shape) in Shape::ALL {
            assert_eq!(name.parse::<Shape>().expect("a shape"), shape);
            if let Some(mix) = shape.mix() {
                let sum: f64 = mix.shares.iter().map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{name}: {sum}");
            }
        }
        assert!("wt20".parse::<Shape>().expect_err("unknown").to_string().contains("wt10g"));
    }
}
