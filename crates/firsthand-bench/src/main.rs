//! Collections and benchmarks for measuring firsthand.

fn main() {}
