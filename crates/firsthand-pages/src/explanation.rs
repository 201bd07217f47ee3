//! Why two documents are near-duplicates or not: both texts side by side for a browser, or the verdict
//! and ever more detail as text.

mod lines;
mod shorten;
mod text;

pub use lines::Look;
pub use text::text;

use crate::markup::{escape, fill};
use crate::sides::{self, BRIEF, FULL};
use firsthand::explain::{ExplainedDocument, Explanation};
use firsthand::guard::Change;
use firsthand::online::{StoredComparison, Verdict};
use firsthand_jobs::numbers::{self, counted};
use firsthand_jobs::visible::visible;

/// A title or an id longer than this is cut.
const NAME: usize = 200;

/// Both texts side by side with their differences marked, as a part of a page. Long texts are
/// shortened.
pub fn html(explanation: &Explanation) -> String {
    let (brief, short) = sides::rows(&explanation.passages, BRIEF);
    let more = match short {
        true => format!(
            "<details><summary>More of both texts</summary>\n<div class=\"rows\">{}</div></details>\n",
            sides::rows(&explanation.passages, FULL).0
        ),
        false => String::new(),
    };
    let values = [
        ("reason", escape(cut(&explanation.reason, 2 * NAME))),
        ("a", side("a", &explanation.a)),
        ("b", side("b", &explanation.b)),
        ("brief", brief),
        ("more", more),
    ];
    fill(include_str!("html/explanation.html"), &values)
}

/// The same with its colours, to stand in a page of somebody else: a notebook.
pub fn notebook(explanation: &Explanation) -> String {
    let style = include_str!("html/notebook.css");
    format!("<div class=\"firsthand-diff\"><style>{style}</style>{}</div>", html(explanation))
}

fn side(letter: &str, side: &ExplainedDocument) -> String {
    let title = side.title.as_deref().unwrap_or_default();
    let told = |passages: &[String], what: &str| match passages.len() {
        0 => String::new(),
        some => format!(", {} {what}", counted(some as u64, "passage")),
    };
    let aside = told(&side.aside, "set aside");
    let rescued = told(&side.rescued, "taken as text because no other page of the site has it");
    format!(
        "<b>{letter}</b> <code dir=\"auto\">{}</code><br><span dir=\"auto\">{}</span> \
         <span class=\"soft\">{}{aside}{rescued}</span>",
        escape(cut(&side.id, NAME)),
        escape(cut(title, NAME)),
        counted(side.words as u64, "word")
    )
}

fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// A comparison with a document of a store, of which there is no text to show.
pub fn stored(compared: &StoredComparison) -> String {
    let StoredComparison { id, verdict, score, shared, sizes, exact, changed, .. } = compared;
    let id = visible(id);
    let verdict = match verdict {
        Verdict::Duplicate if *exact => format!("An exact copy of {id}."),
        Verdict::Duplicate => format!("A duplicate of {id}."),
        Verdict::Update => format!("An update of {id}."),
        Verdict::TooShort => format!("Too short to compare with {id}."),
        _ => format!("Not a near-duplicate of {id}."),
    };
    let (a, b) = sizes;
    let mut text = format!(
        "{verdict} Similarity {}: {shared} shared features, of {a} in the store and {b} in the \
         file.\n",
        numbers::score(*score)
    );
    for Change { before, after, .. } in changed {
        text += &format!("  \"{}\" became \"{}\"\n", visible(before), visible(after));
    }
    if compared.held_to_more {
        text += "They are pages of one site with different headlines, which share a form: on a stream they \
                 have to be much more alike to be copies, or longer.\n";
    }
    text
}
