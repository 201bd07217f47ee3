//! The `firsthand` command.

fn main() {}
