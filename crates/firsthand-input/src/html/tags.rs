//! Element names that matter for text, and their behaviour.

/// An element name; unlisted ones are `Other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub(super) enum Tag {
    A, Address, Article, Aside, Audio, Base, Blockquote, Body, Br, Button, Caption, Center, Dd, Details,
    Dialog, Dir, Div, Dl, Dt, Fieldset, Figcaption, Figure, Footer, Form, H1, H2, H3, H4, H5, H6,
    Head, Header, Hgroup, Hr, Html, Iframe, Li, Link, Main, Math, Menu, Meta, Nav,
    Noembed, Noframes, Noscript, Ol, P, Plaintext, Pre, Script, Section, Select,
    Span, Style, Summary, Svg, Table, Tbody, Td, Template, Textarea, Tfoot, Th, Thead, Time, Title,
    Tr, Ul, Video, Xmp, Custom, Other,
}

/// The number of tags.
pub(super) const TAGS: usize = Tag::Other as usize + 1;

use Tag::*;

/// Names in the order of the enum, for look-up in both directions.
#[rustfmt::skip]
const NAMES: [(&str, Tag); TAGS - 2] = [
    ("a", A), ("address", Address), ("article", Article), ("aside", Aside), ("audio", Audio), ("base", Base),
    ("blockquote", Blockquote), ("body", Body), ("br", Br), ("button", Button),
    ("caption", Caption), ("center", Center), ("dd", Dd), ("details", Details),
    ("dialog", Dialog), ("dir", Dir), ("div", Div), ("dl", Dl), ("dt", Dt),
    ("fieldset", Fieldset), ("figcaption", Figcaption), ("figure", Figure), ("footer", Footer),
    ("form", Form), ("h1", H1), ("h2", H2), ("h3", H3), ("h4", H4), ("h5", H5), ("h6", H6),
    ("head", Head), ("header", Header), ("hgroup", Hgroup), ("hr", Hr), ("html", Html),
    ("iframe", Iframe), ("li", Li), ("link", Link), ("main", Main),
    ("math", Math), ("menu", Menu), ("meta", Meta), ("nav", Nav),
    ("noembed", Noembed), ("noframes", Noframes), ("noscript", Noscript),
    ("ol", Ol), ("p", P), ("plaintext", Plaintext), ("pre", Pre),
    ("script", Script), ("section", Section), ("select", Select), ("span", Span),
    ("style", Style), ("summary", Summary), ("svg", Svg), ("table", Table), ("tbody", Tbody),
    ("td", Td), ("template", Template), ("textarea", Textarea), ("tfoot", Tfoot), ("th", Th),
    ("thead", Thead), ("time", Time), ("title", Title), ("tr", Tr), ("ul", Ul), ("video", Video),
    ("xmp", Xmp),
];

/// Elements whose content is not markup.
#[rustfmt::skip]
const RAW: u128 = set(&[
    Script, Style, Title, Textarea, Iframe, Noembed, Noframes, Noscript, Xmp, Plaintext,
]);

/// Elements that stay open across inline end tags.
#[rustfmt::skip]
const SPECIAL: u128 = set(&[
    Address, Article, Aside, Blockquote, Body, Button, Caption, Center, Dd, Details, Dialog, Dir,
    Div, Dl, Dt, Fieldset, Figcaption, Figure, Footer, Form, H1, H2, H3, H4, H5, H6, Header, Hgroup,
    Li, Main, Menu, Nav, Ol, P, Pre, Section, Select, Summary, Table, Tbody, Td, Template, Tfoot,
    Th, Thead, Tr, Ul,
]);

/// A set of tags, one bit each.
const fn set(tags: &[Tag]) -> u128 {
    let (mut set, mut at) = (0, 0);
    while at < tags.len() {
        set |= 1 << tags[at] as u32;
        at += 1;
    }
    set
}

impl Tag {
    /// The tag of a name in any case.
    pub(super) fn from_name(name: &[u8]) -> Self {
        // Most are written in lower case.
        if let Some(tag) = Self::from_common_name(name) {
            return tag;
        }
        let mut lower = [0u8; 12];
        let Some(lower) = lower.get_mut(..name.len()) else {
            return if name.contains(&b'-') { Custom } else { Other };
        };
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        let lower = &*lower;
        Self::from_common_name(lower).unwrap_or_else(|| {
            match NAMES.binary_search_by(|(known, _)| known.as_bytes().cmp(lower)) {
                Ok(i) => NAMES[i].1,
                Err(_) if lower.contains(&b'-') => Custom,
                Err(_) => Other,
            }
        })
    }

    /// The same for the most common names, in lower case.
    fn from_common_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"a" => A,
            b"div" => Div,
            b"span" => Span,
            b"p" => P,
            b"li" => Li,
            b"td" => Td,
            b"tr" => Tr,
            b"br" => Br,
            b"img" | b"b" | b"i" | b"em" | b"strong" | b"font" | b"input" => Other,
            _ => return None,
        })
    }

    /// The name in lower case; empty for unlisted tags.
    pub(super) fn name(self) -> &'static str {
        NAMES.get(self as usize).map_or("", |(name, _)| name)
    }

    /// The name to show; text outside all elements is in the body.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Html => "body",
            Custom => "custom",
            _ => self.name(),
        }
    }

    /// Elements whose content is not markup.
    pub(super) fn is_raw(self) -> bool {
        RAW >> self as u32 & 1 == 1
    }

    /// Elements that start a new block of text before and after.
    pub(super) fn breaks(self) -> bool {
        self.is_special() && !matches!(self, Button | Select | Template | Td | Th)
    }

    /// Elements that stay open across inline end tags, each a node of the outline.
    pub(super) fn is_special(self) -> bool {
        SPECIAL >> self as u32 & 1 == 1
    }

    /// Elements that are kept on the stack of open elements.
    pub(super) fn is_tracked(self) -> bool {
        self.is_special() || matches!(self, Span | Custom | Svg | Math | Audio | Video)
    }

    /// End tags do not reach out of these.
    pub(super) fn is_barrier(self) -> bool {
        matches!(self, Table | Td | Th | Caption | Template | Button)
    }

    /// Items of lists and cells of tables.
    pub(super) fn is_item(self) -> bool {
        matches!(self, Li | Dt | Dd | Td | Th)
    }

    /// Headings.
    pub(super) fn is_heading(self) -> bool {
        matches!(self, H1 | H2 | H3 | H4 | H5 | H6)
    }

    /// The level of a heading; 1 is the highest.
    pub(super) fn heading_level(self) -> Option<u8> {
        self.is_heading().then(|| self as u8 - H1 as u8 + 1)
    }

    /// Start tags that end an open paragraph.
    pub(super) fn ends_paragraph(self) -> bool {
        self.breaks() && !matches!(self, Tbody | Tfoot | Thead | Tr | Caption | Body)
    }

    /// Elements whose text is not displayed.
    pub(super) fn is_silent(self) -> bool {
        matches!(self, Svg | Math | Template | Select | Audio | Video | Button)
    }
}
