//! Single settings, which say less than a settings file has to: kinds follow from parameters.

use super::{LayersError, Purpose, overlay};
use firsthand::Settings;
use firsthand::settings::{Matcher, Scheme};
use toml::{Table, Value};

/// A window without an end, in milliseconds.
pub const ENDLESS: i64 = i64::MAX;

/// The parameters of spot signatures.
const SPOT: [&str; 4] = ["distance", "chain", "antecedents", "language"];

/// What a stream has apart from collections, beside the matcher.
const STREAM: [&str; 3] = ["grouping", "original", "numbers"];

/// The settings with single ones replaced.
pub(super) fn apply(
    mut single: Table,
    settings: Settings,
    purpose: Purpose,
) -> Result<Settings, LayersError> {
    if single.is_empty() {
        return Ok(settings);
    }
    if settings.model.is_some() {
        refuse_features(&single)?;
    }
    if let Some(Value::Table(scheme)) = single.get_mut("scheme") {
        complete_scheme(scheme, &settings.scheme)?;
    }
    let given_matcher = single.remove("matcher");
    if let Some(Value::Table(reading)) = single.get_mut("reading") {
        complete_reading(reading);
    }
    if purpose == Purpose::Stream {
        let stream = single.entry("stream").or_insert_with(|| Value::Table(Table::new()));
        let mut moved = stream.as_table().cloned().unwrap_or_default();
        moved.extend(STREAM.iter().filter_map(|key| single.remove_entry(*key)));
        single.insert("stream".to_owned(), Value::Table(moved));
    }
    let mut changed = overlay(&settings, single, 2).map_err(unusable)?;
    changed.model = settings.model;
    let window = &mut changed.stream.window;
    window.milliseconds = window.milliseconds.filter(|time| *time != ENDLESS);
    if let Some(Value::Table(given)) = given_matcher {
        let matcher = Some(matcher(given, &changed, purpose)?);
        match purpose {
            Purpose::Collection => changed.matcher = matcher,
            Purpose::Stream => changed.stream.matcher = matcher,
        }
    }
    Ok(changed)
}

fn unusable(error: impl std::error::Error + Send + Sync + 'static) -> LayersError {
    LayersError::Single(Box::new(error))
}

/// Fails if features are asked for that a model does not have.
fn refuse_features(single: &Table) -> Result<(), LayersError> {
    let scheme = single.get("scheme").and_then(Value::as_table);
    let parameters = ["n", "q"].into_iter().chain(SPOT);
    let mut given = parameters.filter(|key| scheme.is_some_and(|scheme| scheme.contains_key(*key)));
    match given.next().or_else(|| single.contains_key("multiset").then_some("multiset")) {
        Some(setting) => Err(LayersError::NotWithModel { setting }),
        None => Ok(()),
    }
}

/// Adds the kind of scheme that has these parameters.
fn complete_scheme(given: &mut Table, current: &Scheme) -> Result<(), LayersError> {
    let spot = SPOT.iter().any(|key| given.contains_key(*key));
    let kind = match (given.contains_key("n"), given.contains_key("q"), spot) {
        (true, false, false) if matches!(current, Scheme::Prose { .. }) => "prose",
        (true, false, false) => "words",
        (false, true, false) => "chars",
        (false, false, true) => "spot",
        (false, false, false) => return Ok(()),
        _ => return Err(LayersError::TwoSchemes),
    };
    given.entry("kind").or_insert_with(|| kind.into());
    Ok(())
}

/// A field is known by one name then, and quotes of mail are cut away or not as is said.
fn complete_reading(given: &mut Table) {
    if let Some(Value::Table(fields)) = given.get_mut("fields") {
        for (_, names) in fields.iter_mut().filter(|(_, names)| names.is_str()) {
            *names = Value::Array(vec![names.clone()]);
        }
    }
    if given.contains_key("mail") {
        given.insert("keep-quotes".to_owned(), false.into());
    }
}

/// The matcher of this kind, or the present one, with these parameters.
fn matcher(
    mut given: Table,
    settings: &Settings,
    purpose: Purpose,
) -> Result<Matcher, LayersError> {
    let mut matcher = match purpose {
        Purpose::Collection => settings.collection_matcher().clone(),
        Purpose::Stream => settings.on_stream().matcher.unwrap_or_default(),
    };
    if let Some(Value::String(name)) = given.remove("kind")
        && name != matcher.name()
    {
        matcher = match (name.as_str(), purpose) {
            ("bands", Purpose::Stream) => Matcher::of_stream(),
            (name, _) => Matcher::named(name, settings.model.is_some())?,
        };
    }
    let taken: &[&str] = match matcher {
        Matcher::Bands(_) => &["bands", "rows", "recall", "hashes"],
        Matcher::Sketch { .. } => &["hashes", "group"],
        Matcher::Fingerprint { .. } => &["lexicons"],
        Matcher::Bits { .. } => &["bits"],
        Matcher::Exact | Matcher::Collisions(_) => &[],
    };
    // Each with the matcher that it is a parameter of.
    let owners = [
        ("bands", "bands"),
        ("rows", "bands"),
        ("recall", "bands"),
        ("hashes", if purpose == Purpose::Stream { "bands" } else { "sketch" }),
        ("group", "sketch"),
        ("lexicons", "fingerprint"),
        ("bits", "bits"),
    ];
    let is_refused = |key: &str| given.contains_key(key) && !taken.contains(&key);
    if let Some((setting, belongs_to)) = owners.into_iter().find(|(key, _)| is_refused(key)) {
        return Err(LayersError::NotWithMatcher { setting, matcher: matcher.name(), belongs_to });
    }
    let mut table = Table::try_from(&matcher).map_err(unusable)?;
    if matches!(matcher, Matcher::Bands(_)) && !given.is_empty() {
        table.remove("bands");
        table.remove("rows");
    }
    table.extend(given);
    table.try_into().map_err(unusable)
}
