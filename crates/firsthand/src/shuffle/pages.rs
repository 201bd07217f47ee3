//! Pages of sites whose furniture was learned elsewhere.

use crate::{detector::Detector, features::Features, sign::SignedPage, template::Templates};

/// The features of a page without furniture. `sites` are the sites of all documents with its text, if there
/// is more than one, none standing for a document without a site: where a text was published on several, a
/// line is set aside only if it is furniture on all of them. `templates` know all of these.
///
/// ```
/// use firsthand::{Detector, Document, Settings, Templates, shuffle};
///
/// let detector = Detector::new(Settings::default())?;
/// let page = |story: &str| {
///     let text = format!("Home and news and weather\n{story}");
///     detector.sign_page(&Document { host: Some("a.example".to_owned()), ..Document::new("", text) })
/// };
/// let pages = [
///     page("The ferry to the island did not sail because of the storm"),
///     page("A new bridge to the old town will be built in the spring"),
/// ];
/// let templates = Templates::learn(&pages);
/// let alone = shuffle::apply(&detector, &templates, &pages[0], &[]);
/// assert_eq!(alone, detector.apply(&templates, &pages[0]));
/// // Somebody else published all of it.
/// let sites = [Some("a.example"), None];
/// assert!(shuffle::apply(&detector, &templates, &pages[0], &sites).len() > alone.len());
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
pub fn apply(
    detector: &Detector,
    templates: &Templates,
    page: &SignedPage,
    sites: &[Option<&str>],
) -> Features {
    let Some(lines) = page.page().filter(|_| !sites.is_empty()) else {
        return detector.apply(templates, page);
    };
    let on_all = |line: u64| {
        sites.iter().all(|site| site.is_some_and(|site| templates.contains(site, line)))
    };
    let fates = templates.fates_where(lines, on_all);
    detector.apply_fates(templates, page, &fates)
}
