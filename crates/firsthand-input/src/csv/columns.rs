//! Maps the columns of a table to the fields of a record.

use crate::error::Reason;
use crate::record::{self, Slot};
use firsthand::settings::Fields;

/// The field of a column, and the rank of its name among the names of that field.
pub(crate) type ColumnRole = Option<(Slot, usize)>;

/// Added to the rank of names that match only case-insensitively.
const OTHER_CASE: usize = 1 << 16;

/// The role of each column.
pub(crate) fn map<'n>(names: impl Iterator<Item = &'n str>, fields: &Fields) -> Vec<ColumnRole> {
    let meaning = |name: &str| {
        let name = name.trim();
        record::slot_of(fields, |known| known == name).or_else(|| {
            let lower = name.to_lowercase();
            let (slot, rank) = record::slot_of(fields, |known| known.to_lowercase() == lower)?;
            Some((slot, rank + OTHER_CASE))
        })
    };
    names.map(meaning).collect()
}

/// Whether there is a column for the text or the page.
pub(crate) fn has_text(columns: &[ColumnRole]) -> bool {
    let is_text = |column: &ColumnRole| matches!(column, Some((Slot::Text | Slot::Html, _)));
    columns.iter().any(is_text)
}

/// The error for a table without a text column.
pub(crate) fn no_text(names: &[String], fields: &Fields) -> Reason {
    let wanted = fields.text.iter().chain(&fields.html).cloned().collect();
    Reason::NoTextColumn { wanted, columns: names.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_as_they_are_before_any_case() {
        let columns = map(["Text", "text", " ID ", "BODY", "x"].into_iter(), &Fields::default());
        assert_eq!(columns[0], Some((Slot::Text, OTHER_CASE)));
        assert_eq!(columns[1], Some((Slot::Text, 0)));
        assert_eq!(columns[2], Some((Slot::Id, OTHER_CASE)));
        assert_eq!(columns[3], Some((Slot::Text, OTHER_CASE + 2)));
        assert_eq!(columns[4], None);
        assert!(has_text(&columns) && !has_text(&columns[4..]));
    }

    #[test]
    fn a_table_without_text_says_what_it_has() {
        let names: Vec<String> = (0..22).map(|n| format!("c{n}")).collect();
        let said = no_text(&names, &Fields::default()).to_string();
        assert!(
            said.contains("called text or content or body or html; there are c0, c1"),
            "{said}"
        );
        assert!(said.ends_with("c19 and 2 more"), "{said}");
    }
}
