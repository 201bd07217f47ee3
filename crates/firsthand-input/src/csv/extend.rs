//! Adds cells to rows of a table, which stay as they are otherwise.

use super::TableHeader;
use super::cells;
use super::header::names_start;

impl TableHeader {
    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The first row and anything before it, unchanged.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Whether cells are separated by tabs.
    pub fn tabs(&self) -> bool {
        self.form.delimiter == b'\t'
    }

    /// The line end of the table.
    pub fn line_end(&self) -> &[u8] {
        match self.form.line_end {
            b'\n' if !self.raw.ends_with(b"\r\n") => b"\n",
            b'\n' => b"\r\n",
            _ => b"\r",
        }
    }

    /// A row, or the row of names, with more cells after its last named column, and a line end. A row
    /// that is too short is filled up with empty cells; what it has beyond the named columns follows.
    ///
    /// ```
    /// use firsthand_input::{Raw, ReadOptions, open_bytes};
    ///
    /// let table = b"id;text\n1;\"late; again\"\n2\n";
    /// let batch = open_bytes("a.csv", table, &ReadOptions::default()).next().unwrap();
    /// let rows: Vec<Vec<u8>> = batch.raw().map(|raw| match raw {
    ///     Raw::Row { row, header } => header.with_cells(row, ["yes", "a;b"]),
    ///     _ => unreachable!(),
    /// }).collect();
    /// assert_eq!(rows, [&b"1;\"late; again\";yes;\"a;b\"\n"[..], b"2;;yes;\"a;b\"\n"]);
    /// ```
    pub fn with_cells<'c>(&self, row: &[u8], added: impl IntoIterator<Item = &'c str>) -> Vec<u8> {
        let (form, columns) = (self.form, self.names.len());
        let end = row.strip_suffix(&[form.line_end]).unwrap_or(row);
        let body = end.strip_suffix(b"\r").unwrap_or(end);
        let line_end = match &row[body.len()..] {
            b"" => self.line_end(),
            line_end => line_end,
        };
        // A quote that nothing closes would end at the first quote of what is added.
        let quoted = cells::has_loose_quote(body, form).then(|| {
            let mut row = Vec::new();
            for (at, cell) in cells::of(body, form).enumerate() {
                row.extend((at > 0).then_some(form.delimiter));
                self.push_cell(&mut row, &cell);
            }
            row
        });
        let body = quoted.as_deref().unwrap_or(body);
        let (cells, named) = cells::extent(body, form, columns);
        let (before, beyond) = body.split_at(named);
        let mut extended = before.to_vec();
        extended.resize(extended.len() + columns.saturating_sub(cells), form.delimiter);
        for cell in added {
            extended.push(form.delimiter);
            self.push_cell(&mut extended, cell.as_bytes());
        }
        extended.extend_from_slice(beyond);
        extended.extend_from_slice(line_end);
        extended
    }

    /// The row of names and anything before it, with more names.
    pub fn with_names<'c>(&self, added: impl IntoIterator<Item = &'c str>) -> Vec<u8> {
        let (before, names) = self.raw.split_at(names_start(&self.raw, self.form.line_end));
        [before, &self.with_cells(names, added)].concat()
    }

    fn push_cell(&self, row: &mut Vec<u8>, cell: &[u8]) {
        let tells = |byte: &u8| [self.form.delimiter, b'"', b'\r', b'\n'].contains(byte);
        let is_padded = cell.starts_with(b" ") || cell.ends_with(b" ");
        if !is_padded && !cell.iter().any(tells) {
            row.extend_from_slice(cell);
            return;
        }
        row.push(b'"');
        for &byte in cell {
            row.extend((byte == b'"').then_some(b'"'));
            row.push(byte);
        }
        row.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::Separators;
    use super::*;
    use firsthand::settings::Fields;
    use proptest::prelude::*;

    fn header(columns: usize, delimiter: u8) -> TableHeader {
        let names: Vec<String> = (0..columns).map(|at| format!("c{at}")).collect();
        let raw = names.join(&(delimiter as char).to_string()) + "\r\n";
        let form = Separators { delimiter, line_end: b'\n' };
        TableHeader::new(raw.into_bytes(), form, None, &Fields::default())
    }

    proptest! {
        /// Cells that were there are read as before, those that are added as they were given.
        #[test]
        fn cells_are_added_after_the_named_ones(
            row in "[a,; \"\t]{0,12}",
            added in proptest::collection::vec("[b,; \"\t\r\n]{0,4}", 1..4),
            columns in 1..5_usize,
            delimiter in proptest::sample::select(vec![b',', b';', b'\t']),
        ) {
            let header = header(columns, delimiter);
            let owned = |row: &[u8]| -> Vec<Vec<u8>> {
                cells::of(row, header.form).map(|cell| cell.into_owned()).collect()
            };
            let before = owned(row.as_bytes());
            let extended = header.with_cells(row.as_bytes(), added.iter().map(String::as_str));
            prop_assert!(extended.ends_with(b"\r\n"));
            let after = owned(&extended);
            let cell = |at: usize| before.get(at).cloned().unwrap_or_default();
            let mut expected: Vec<Vec<u8>> = (0..columns).map(cell).collect();
            expected.extend(added.iter().map(|cell| cell.clone().into_bytes()));
            expected.extend(before.iter().skip(columns).cloned());
            prop_assert_eq!(after, expected);
        }
    }
}
