//! What becomes of every visible line of a page, as it is written.

use crate::{
    collection::Collection,
    document::Document,
    lines::{LineFate, LinePart},
    sign::{SignedPage, Signer},
    tokens::{Folding, Tokens},
};

/// A visible line of a page, and what becomes of it among the pages of its site.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::{explain::line_fates, pages::LineFate};
///
/// let page = |id: &str, story: &str| Document {
///     host: Some("site.example".to_owned()),
///     ..Document::new(id, format!("Read the Courier for the price of a cup of tea\n{story}"))
/// };
/// let ferry = page("a", "The ferry to the island did not sail because of the storm");
/// let bridge = page("b", "A new bridge to the old town will be built in the spring");
/// let detector = Detector::new(Settings::default())?;
/// let batches = [vec![ferry.clone(), bridge]].into_iter();
/// let collection = Collection::new(Signed::new(&detector, batches, |batch| batch));
/// let lines = line_fates(&collection, &ferry);
/// assert_eq!((lines[0].fate, lines[1].fate), (LineFate::Furniture, LineFate::Text));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainedLine<'a> {
    /// The line, without white space around it.
    pub text: &'a str,
    /// The part of the page that it is in.
    pub part: LinePart,
    /// What becomes of it.
    pub fate: LineFate,
}

/// What becomes of each line of a document that is not blank, in reading order: the lines of its text,
/// and those that the page shows beside it. The document need not be one of the collection, but its
/// site should be.
pub fn line_fates<'a>(collection: &Collection, document: &'a Document) -> Vec<ExplainedLine<'a>> {
    let signed = Signer::default().sign(document, collection.settings());
    of_signed(collection, document, &signed, &collection.fates(&signed))
}

/// The same for a document that is signed; `fates` are those of its lines with words.
pub(super) fn of_signed<'a>(
    collection: &Collection,
    document: &'a Document,
    signed: &SignedPage,
    fates: &[LineFate],
) -> Vec<ExplainedLine<'a>> {
    let (folding, _) = Folding::of(&document.text, collection.settings().fold);
    let with_words = signed.page().into_iter().flat_map(|page| page.lines()).zip(fates);
    let of = |is_text: bool| {
        let lines = with_words.clone();
        let lines = lines.filter(move |(line, _)| (line.part == LinePart::Text) == is_text);
        lines.map(|(_, fate)| *fate)
    };
    let (mut of_text, mut of_rest) = (of(true), of(false));
    let mut fate = |text: &str, part: LinePart| {
        let has_words = !Tokens::new(&folding.apply(text)).is_empty();
        // Lines without words, and pages of no site, are left as they are.
        match part {
            LinePart::Text if has_words => of_text.next().unwrap_or(LineFate::Text),
            LinePart::Text => LineFate::Text,
            _ if has_words => of_rest.next().unwrap_or(LineFate::Beside),
            _ => LineFate::Beside,
        }
    };
    let mut lines = Vec::new();
    let mut push = |text: &'a str, part| {
        let text = text.trim();
        if !text.is_empty() {
            lines.push(ExplainedLine { text, part, fate: fate(text, part) });
        }
    };
    let mut beside = document.rest.text.split('\n').zip(&document.rest.lines).peekable();
    let part = |named: bool| if named { LinePart::Named } else { LinePart::Rest };
    for (number, text) in (0u32..).zip(document.text.split('\n')) {
        while let Some((text, line)) = beside.next_if(|(_, line)| line.before <= number) {
            push(text, part(line.named));
        }
        push(text, LinePart::Text);
    }
    beside.for_each(|(text, line)| push(text, part(line.named)));
    lines
}
