//! Selects the columns that are fields of documents.

use parquet::basic::Type;
use parquet::schema::types::SchemaDescriptor;

use crate::csv::columns::{self, ColumnRole};
use crate::error::Reason;
use crate::record::{self, Slot};
use firsthand::settings::Fields;

use super::cells::Meaning;

/// A column that is a field of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnField {
    /// Its index among the leaf columns.
    pub(super) leaf: usize,
    pub(super) slot: Slot,
    pub(super) rank: usize,
    pub(super) meaning: Meaning,
}

/// The fields among the columns of a table; an error if none is the text.
pub(super) fn fields(
    schema: &SchemaDescriptor,
    names: &Fields,
) -> Result<Vec<ColumnField>, Reason> {
    let roots = schema.root_schema().get_fields();
    let called: Vec<String> = roots.iter().map(|root| root.name().to_owned()).collect();
    let columns = columns::map(called.iter().map(String::as_str), names);
    // A column that is called `meta.body` comes before the member `body` of a column `meta`.
    let mut members = members(schema, names);
    members.retain(|(role, _, _)| !columns.contains(role));
    if !columns::has_text(&columns) && !members.iter().any(|(role, ..)| columns::has_text(&[*role]))
    {
        return Err(columns::no_text(&called, names));
    }
    let mut leaves: Vec<Vec<usize>> = vec![Vec::new(); roots.len()];
    for leaf in 0..schema.num_columns() {
        if let Some(leaves) = leaves.get_mut(schema.get_column_root_idx(leaf)) {
            leaves.push(leaf);
        }
    }
    let mut fields = Vec::new();
    let mut unfit = None;
    let roots = columns.into_iter().zip(leaves).zip(called);
    let roots = roots.map(|((role, leaves), name)| (role, leaves, name));
    for (role, leaves, name) in roots.chain(members) {
        match field(schema, &role, &leaves) {
            Some(field) => fields.push(field),
            None if columns::has_text(&[role]) => unfit = Some(name),
            None => {}
        }
    }
    let is_text = |field: &ColumnField| matches!(field.slot, Slot::Text | Slot::Html);
    match unfit {
        Some(name) if !fields.iter().any(is_text) => Err(Reason::UnfitColumn(name)),
        _ => Ok(fields),
    }
}

/// The members of columns that a name with dots leads to, each with its leaf columns and that name.
fn members(schema: &SchemaDescriptor, names: &Fields) -> Vec<(ColumnRole, Vec<usize>, String)> {
    let mut members: Vec<(ColumnRole, Vec<usize>, String)> = Vec::new();
    for leaf in 0..schema.num_columns() {
        let descriptor = schema.column(leaf);
        let parts = descriptor.path().parts();
        let mut path = parts.first().cloned().unwrap_or_default();
        for part in parts.iter().skip(1) {
            path = format!("{path}.{part}");
            let role = record::slot_of(names, |known| known == path);
            match members.iter_mut().find(|(_, _, name)| *name == path) {
                Some((_, leaves, _)) => leaves.push(leaf),
                None if role.is_some() => members.push((role, vec![leaf], path.clone())),
                None => {}
            }
        }
    }
    members
}

/// A column as a field: a single value or a list of texts.
fn field(schema: &SchemaDescriptor, column: &ColumnRole, leaves: &[usize]) -> Option<ColumnField> {
    let ((slot, rank), &[leaf]) = ((*column)?, leaves) else { return None };
    let descriptor = schema.column(leaf);
    let is_bytes =
        matches!(descriptor.physical_type(), Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
    let fits = match slot {
        Slot::Text | Slot::Html => is_bytes && descriptor.max_rep_level() <= 1,
        _ => descriptor.max_rep_level() == 0,
    };
    let meaning = Meaning::of(&descriptor);
    fits.then_some(ColumnField { leaf, slot, rank, meaning })
}
