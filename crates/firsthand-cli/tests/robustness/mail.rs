//! Messages that are deep, full of parts, or broken.

use super::{AFTER, BEFORE, Case, Stage};

/// A mailbox with a message between two good ones.
fn mailbox(hostile: &str) -> Stage {
    let from = "From a@b.example Tue Mar  5 06:30:00 2024\n";
    let good = |text: &str| {
        format!("{from}From: a@b.example\nDate: Tue, 5 Mar 2024 06:30:00 +0100\n\n{text}\n\n")
    };
    let hostile = format!("{from}From: c@d.example\nMIME-Version: 1.0\n{hostile}\n\n");
    Stage::with("m.mbox", good(BEFORE) + &hostile + &good(AFTER))
}

/// The message is read somehow, the others too.
fn read<'a>(name: &'a str, says: &'a [&'a str]) -> Case<'a> {
    Case { name, says, exit: 0, read: (1, 1), others: 1, ..Case::default() }
}

#[test]
fn no_blank_line_before_a_message() {
    let from = "From a@b.example Tue Mar  5 06:30:00 2024\n";
    let message = |text: &str| {
        format!("{from}From: a@b.example\nDate: Tue, 5 Mar 2024 06:30:00 +0100\n\n{text}\n")
    };
    let stage = Stage::with("m.mbox", message(BEFORE) + &message(AFTER));
    let name = "a mailbox without blank lines between its messages";
    Case { name, done: "read", exit: 0, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn deep_parts() {
    let deep: String = (0..10_000)
        .map(|level| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"))
        .collect();
    let says = ["m.mbox, message 2", "nested deeper than the limit of 64", "--max-mime-depth"];
    let done = "read; deeper parts are not examined";
    let stage = mailbox(&(deep + "Content-Type: text/plain\n\nDeep words.\n"));
    Case { done, ..read("MIME parts 10,000 deep, in a mailbox", &says) }.check(&stage);
}

#[test]
fn messages_in_messages() {
    let deep = "Content-Type: message/rfc822\n\nFrom: e@f.example\n".repeat(10_000);
    let says = ["m.mbox, message 2", "nested deeper than the limit of 64", "--max-mime-depth"];
    let done = "read; deeper parts are not examined";
    let stage = mailbox(&(deep + "\nDeep words.\n"));
    Case { done, ..read("messages in messages, 10,000 deep", &says) }.check(&stage);
}

#[test]
fn many_parts() {
    let parts = "--b\n\nx\n".repeat(1_000_000);
    let says = ["m.mbox, message 2", "beyond the limit of 1000", "--max-mime-parts"];
    let done = "read; the first 1,000 are examined";
    let stage = mailbox(&format!("Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"));
    Case { done, ..read("a message of a million parts", &says) }.check(&stage);
}

#[test]
fn a_large_message() {
    let stage = mailbox(&format!("\n{}", "Endless lines of text.\n".repeat(4_500_000)));
    let says = ["m.mbox, message 2", "larger than the limit of 64 MiB", "--max-file"];
    let done = "the message is refused";
    let case = read("a message of 100 MB, in a mailbox", &says);
    Case { done, exit: 3, others: 0, ..case }.check(&stage);
}

#[test]
fn broken_base64() {
    let broken = "Content-Transfer-Encoding: base64\n\nVGhl!!!!IGZl\0cn=kgaXMg==bGF0ZS4\n%%%\n";
    let done = "what can be decoded is read";
    Case { done, ..read("a message in broken base64", &[]) }.check(&mailbox(broken));
}

#[test]
fn header_floods() {
    let flood = format!("Subject: {}\n", "=?utf-8?B?".repeat(200_000));
    let folded = format!("X-Folded: a\n{}", " b\n".repeat(500_000));
    let stage = mailbox(&(flood + &folded + "\nFew words.\n"));
    let done = "read";
    Case { done, ..read("headers of 2 MB and 500,000 folds", &[]) }.check(&stage);
}

#[test]
fn quotes_in_quotes() {
    let quotes = format!("\n{} deep words\n", ">".repeat(1_000_000));
    let done = "read";
    Case { done, ..read("a quote a million deep", &[]) }.check(&mailbox(&quotes));
}
