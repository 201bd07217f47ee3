//! The frame of every page: navigation, the name of the person, the keys, and where messages appear.

use firsthand_jobs::numbers::grouped;
use firsthand_jobs::review::Review;
use maud::{DOCTYPE, Markup, html};

/// The keys and what they do; every one is a button or a link too.
const KEYS: [(&str, &str); 20] = [
    ("j", "next cluster"),
    ("k", "previous cluster"),
    ("l", "next member"),
    ("h", "previous member"),
    ("n", "next difference"),
    ("p", "previous difference"),
    ("o", "open the cluster; in it, the text of the original"),
    ("t", "tag the chosen members, or all"),
    ("c", "keep this one as the original"),
    ("x", "split out the chosen members"),
    ("d", "not a copy of the original"),
    ("i", "is a copy of the original"),
    ("m", "merge with another cluster"),
    ("s", "skip, and go to the next"),
    ("w", "write a note"),
    ("u", "undo"),
    ("r", "redo"),
    ("/", "search"),
    ("?", "these keys"),
    ("Esc", "leave a field or this list"),
];

/// What a page is about.
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    /// Which part of the navigation is current.
    pub(super) current: &'a str,
    /// What the script works on: `list`, `cluster`, `label` or nothing.
    pub(super) mode: &'a str,
    pub(super) body: Markup,
}

impl Page<'_> {
    pub(super) fn html(self, review: &Review) -> Markup {
        let (reviewed, skipped) = review.with_standing(|standing, _| standing.progress());
        let (all, version) = (review.index().len(), review.version());
        let (can_undo, can_redo) = review.can_undo_redo();
        // In labelling this key says that somebody is unsure.
        let undo_key = (self.mode != "label").then_some("u");
        let link = |href: &str, name: &str| {
            let current = (name == self.current).then_some("page");
            html! { a href=(href) aria-current=[current] { (name) } }
        };
        html! {
            (DOCTYPE)
            html lang="en" {
                (head(self.title, true))
                body data-mode=(self.mode) data-version=(version) {
                    a.skip href="#main" { "Skip to the content" }
                    header {
                        strong.brand { "firsthand" }
                        nav aria-label="Pages" {
                            (link("/", "Clusters")) (link("/label", "Label"))
                            (link("/history", "History")) (link("/export", "Export"))
                        }
                        span.progress {
                            progress value=(reviewed + skipped) max=(all.max(1))
                                aria-label="Clusters reviewed" {}
                            " " (grouped((reviewed + skipped) as u64)) " of " (grouped(all as u64))
                            " reviewed"
                        }
                        span.tools {
                            button type="button" data-do="undo" aria-keyshortcuts=[undo_key]
                                disabled[!can_undo] { "Undo" @if let Some(key) = undo_key { kbd { (key) } } }
                            button type="button" data-do="redo" aria-keyshortcuts="r"
                                disabled[!can_redo] { "Redo" kbd { "r" } }
                            button type="button" data-do="legend" aria-keyshortcuts="?" {
                                "Keys" kbd { "?" }
                            }
                            label.person { "Your name "
                                input #person type="text" autocomplete="name" maxlength="60" size="12";
                            }
                        }
                    }
                    p #status role="status" aria-live="polite" {}
                    main #main tabindex="-1" { (self.body) }
                    dialog #legend aria-label="Keys" {
                        h2 { "Keys" }
                        dl.keys {
                            @for (key, what) in KEYS { div { dt { kbd { (key) } } dd { (what) } } }
                        }
                        p.soft { "Keys do nothing while you type. In labelling: y, n, u for yes, no, unsure." }
                        button type="button" data-do="close" { "Close" }
                    }
                    footer { p { "firsthand " (env!("CARGO_PKG_VERSION")) } }
                }
            }
        }
    }
}

fn head(title: &str, has_script: bool) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width,initial-scale=1";
            meta name="referrer" content="no-referrer";
            meta name="color-scheme" content="light dark";
            title { (title) " – firsthand" }
            link rel="icon" href="/page/icon.svg" type="image/svg+xml";
            link rel="stylesheet" href="/page/page.css";
            @if has_script { script type="module" src="/page/page.js" {} }
        }
    }
}

/// A page that says what went wrong.
pub(super) fn problem(title: &str, detail: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, false))
            body {
                main { h1 { (title) } p { (super::shown::shown(detail)) } p { a href="/" { "All clusters" } } }
            }
        }
    }
}
