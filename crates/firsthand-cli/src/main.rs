//! The program `firsthand`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let again = std::env::current_exe().map(|path| vec![path.into()]).unwrap_or_default();
    ExitCode::from(u8::from(firsthand_cli::main(std::env::args_os().collect(), again)))
}
