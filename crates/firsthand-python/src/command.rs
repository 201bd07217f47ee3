//! The command `firsthand`, as the console script of the package runs it.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command line: the name of the program and its arguments. `again` starts the same program
/// once more. Returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>, again: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = firsthand_cli::main(args, again);
        // Nobody else does that at the end of a process that Rust did not start.
        let _ = std::io::stdout().flush();
        code.into()
    })
}
