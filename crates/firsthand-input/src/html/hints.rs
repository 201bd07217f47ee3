//! Hints at the purpose of an element from names in `class`, `id` and the like.

use super::attributes::Attributes;
use super::tags::Tag;

/// A set of hints, one bit each.
pub(super) type Hints = u32;

pub(super) const NAVIGATION: Hints = 1;
pub(super) const FOOT: Hints = 1 << 1;
pub(super) const SIDE: Hints = 1 << 2;
pub(super) const COMMENT: Hints = 1 << 3;
pub(super) const ADVERT: Hints = 1 << 4;
pub(super) const SOCIAL: Hints = 1 << 5;
pub(super) const RELATED: Hints = 1 << 6;
pub(super) const HEAD: Hints = 1 << 7;
pub(super) const BYLINE: Hints = 1 << 8;
pub(super) const HEADLINE: Hints = 1 << 9;
pub(super) const FORM: Hints = 1 << 10;
pub(super) const OVERLAY: Hints = 1 << 11;
pub(super) const ARTICLE: Hints = 1 << 12;
pub(super) const CONTENT: Hints = 1 << 13;
/// Both of the above on one element: `article-body`, `entry-content`.
pub(super) const BODY: Hints = 1 << 14;
/// Hints at content; all others hint at furniture or at nothing much.
pub(super) const GOOD: Hints = ARTICLE | CONTENT | BODY;

/// Prefixes of words and their hints, grouped by first letter; within a letter the first match
/// wins. A trailing `$` requires the whole word.
#[rustfmt::skip]
const WORDS: [&[(&str, Hints)]; 26] = [
    &[("ad$", ADVERT), ("ads$", ADVERT), ("adv", ADVERT), ("adsense", ADVERT), ("adbox", ADVERT),
      ("adunit", ADVERT), ("adslot", ADVERT), ("article", ARTICLE), ("author", BYLINE),
      ("aside", SIDE), ("also$", RELATED), ("archive", RELATED), ("addthis", SOCIAL),
      ("addtoany", SOCIAL), ("about$", RELATED), ("alsoread", RELATED)],
    &[("breadcrumb", NAVIGATION), ("byline", BYLINE), ("banner", ADVERT), ("bottom", FOOT),
      ("body", CONTENT), ("blog$", ARTICLE), ("bio$", BYLINE), ("brand", HEAD),
      ("bookmark", SOCIAL), ("blurb", RELATED), ("blogroll", RELATED)],
    &[("comment", COMMENT), ("content", CONTENT), ("copyright", FOOT), ("crumb", NAVIGATION),
      ("categor", BYLINE), ("credit", BYLINE), ("cookie", OVERLAY), ("consent", OVERLAY),
      ("colophon", FOOT), ("copy$", CONTENT), ("carousel", RELATED), ("contact", FOOT)],
    &[("date", BYLINE), ("disqus", COMMENT), ("discuss", COMMENT), ("disclaimer", FOOT),
      ("dfp", ADVERT), ("dropdown", NAVIGATION), ("discover", RELATED), ("dock", NAVIGATION)],
    &[("entry", ARTICLE), ("email", SOCIAL), ("excerpt", RELATED), ("external$", RELATED)],
    &[("foot", FOOT), ("follow", SOCIAL), ("facebook", SOCIAL), ("feedback", COMMENT),
      ("form", FORM), ("flash$", ADVERT), ("fb$", SOCIAL), ("further", RELATED)],
    &[("gdpr", OVERLAY), ("guestbook", COMMENT), ("gallery", RELATED), ("gpt$", ADVERT),
      ("global", HEAD)],
    &[("headline", HEADLINE), ("head", HEAD), ("hentry", ARTICLE), ("hidden", OVERLAY),
      ("hide", OVERLAY)],
    &[("info$", BYLINE), ("infobox", SIDE), ("inline$", RELATED)],
    &[("jump", NAVIGATION)],
    &[],
    &[("login", FORM), ("legal", FOOT), ("links", RELATED), ("latest", RELATED), ("logo", HEAD),
      ("language", NAVIGATION), ("linklist", RELATED), ("lightbox", OVERLAY)],
    &[("menu", NAVIGATION), ("main", CONTENT), ("masthead", HEAD), ("meta", BYLINE),
      ("more", RELATED), ("most", RELATED), ("modal", OVERLAY), ("mpu", ADVERT),
      ("message", COMMENT)],
    &[("nav", NAVIGATION), ("newsletter", SOCIAL), ("news$", ARTICLE), ("next", NAVIGATION)],
    &[("outbrain", RELATED), ("overlay", OVERLAY), ("offer", ADVERT)],
    &[("postmeta", BYLINE), ("postinfo", BYLINE), ("posted", BYLINE), ("post", ARTICLE),
      ("pag", NAVIGATION), ("promo", ADVERT), ("print", SOCIAL), ("popular", RELATED),
      ("popup", OVERLAY), ("partner", ADVERT), ("poll", FORM), ("prev", NAVIGATION),
      ("privacy", FOOT), ("profile", BYLINE), ("published", BYLINE), ("paywall", OVERLAY),
      ("permalink", NAVIGATION), ("powered", FOOT)],
    &[("quick", NAVIGATION)],
    &[("related", RELATED), ("recommend", RELATED), ("recent", RELATED), ("rail", SIDE),
      ("respond", COMMENT), ("reply", COMMENT), ("replies", COMMENT), ("register", FORM),
      ("rss$", SOCIAL), ("readmore", RELATED), ("readnext", RELATED), ("rating", BYLINE),
      ("review", COMMENT)],
    &[("side", SIDE), ("share", SOCIAL), ("sharing", SOCIAL), ("social", SOCIAL),
      ("story", ARTICLE), ("sponsor", ADVERT), ("search", FORM), ("subscri", SOCIAL),
      ("signup", FORM), ("similar", RELATED), ("sitemap", FOOT), ("skip", NAVIGATION),
      ("skyscraper", ADVERT), ("shop", ADVERT), ("summary", RELATED), ("suggest", RELATED),
      ("survey", FORM), ("submenu", NAVIGATION), ("see$", RELATED), ("slider", RELATED)],
    &[("title", HEADLINE), ("text", CONTENT), ("txt", CONTENT), ("tags", BYLINE),
      ("tag$", BYLINE), ("time", BYLINE), ("tool", SOCIAL), ("tweet", SOCIAL),
      ("twitter", SOCIAL), ("trend", RELATED), ("teaser", RELATED), ("table", 0), ("tab", NAVIGATION),
      ("topbar", HEAD), ("top$", HEAD), ("taboola", RELATED), ("trackback", COMMENT),
      ("toc$", NAVIGATION), ("thread", COMMENT)],
    &[("utility", NAVIGATION), ("user$", COMMENT)],
    &[("vcard", BYLINE), ("vote", FORM), ("video", RELATED)],
    &[("widget", RELATED), ("weather", SIDE)],
    &[],
    &[],
    &[],
];

/// Suffixes of words that no prefix matches.
const ENDINGS: [(&str, Hints); 10] = [
    ("nav", NAVIGATION),
    ("menu", NAVIGATION),
    ("content", CONTENT),
    ("body", CONTENT),
    ("text", CONTENT),
    ("story", ARTICLE),
    ("article", ARTICLE),
    ("ads", ADVERT),
    ("footer", FOOT),
    ("sidebar", SIDE),
];

/// The number of bytes of a name list that are read.
const LONGEST: usize = 400;

/// The hints of an element's own tag and attributes.
pub(super) fn hints(tag: Tag, attributes: &Attributes<'_>) -> Hints {
    let mut found = match tag {
        Tag::Nav | Tag::Menu => NAVIGATION,
        Tag::Footer => FOOT,
        Tag::Aside => SIDE,
        Tag::Header => HEAD,
        Tag::Form | Tag::Fieldset => FORM,
        Tag::Dialog => OVERLAY,
        Tag::Article => ARTICLE,
        Tag::Main => CONTENT,
        _ => 0,
    };
    found |= names(attributes.class) | names(attributes.id);
    if !attributes.role.is_empty() {
        found |= match attributes.role {
            "navigation" | "menubar" | "menu" => NAVIGATION,
            "contentinfo" => FOOT,
            "complementary" => SIDE,
            "banner" => HEAD,
            "search" => FORM,
            "dialog" | "alert" => OVERLAY,
            "main" => CONTENT,
            "article" => ARTICLE,
            _ => 0,
        };
    }
    if !attributes.itemprop.is_empty() {
        found |= match attributes.itemprop {
            "articleBody" | "text" | "reviewBody" => ARTICLE | CONTENT,
            "headline" => HEADLINE,
            "comment" => COMMENT,
            "author" | "datePublished" | "publisher" => BYLINE,
            _ => 0,
        };
    }
    if found & ARTICLE != 0 && found & CONTENT != 0 {
        found |= BODY;
    }
    found
}

/// The hints of the words in a list of names: `leftNav story_body` has left, nav, story and body.
fn names(list: &str) -> Hints {
    let bytes = list.as_bytes();
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let mut found = 0;
    let mut word = [0u8; 24];
    let mut length = 0;
    let mut lower_before = false;
    for &byte in bytes {
        let letter = byte.is_ascii_alphabetic();
        if !letter || (byte.is_ascii_uppercase() && lower_before) {
            found |= hint(&word[..length]);
            length = 0;
        }
        if letter && length < word.len() {
            word[length] = byte.to_ascii_lowercase();
            length += 1;
        }
        lower_before = byte.is_ascii_lowercase();
    }
    found | hint(&word[..length])
}

fn hint(word: &[u8]) -> Hints {
    let Some(first) = word.first() else { return 0 };
    for (known, hint) in WORDS[usize::from(first - b'a')] {
        let known = known.as_bytes();
        let fits = match known.strip_suffix(b"$") {
            Some(whole) => word == whole,
            None => word.starts_with(known),
        };
        if fits {
            return *hint;
        }
    }
    ENDINGS
        .iter()
        .find(|(ending, _)| word.ends_with(ending.as_bytes()))
        .map_or(0, |(_, hint)| *hint)
}
