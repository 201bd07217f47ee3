//! Time: a document that takes too long is given up, the next is read.

use super::{AFTER, Case, Stage, page};

#[test]
fn no_time_at_all() {
    let stage = Stage::with("m.html", page(AFTER));
    let says = ["m.html: took longer than the limit of 0 s and was abandoned", "--max-seconds"];
    let name = "a page, with `--max-seconds 0`";
    let done = "abandoned; files that need no parsing are read";
    let args = ["--max-seconds", "0"];
    Case { name, done, says: &says, args: &args, ..Case::default() }.check(&stage);
}
