//! Commands for the user to copy.

use firsthand_jobs::visible::shell_word;

/// The command that explains two documents, with the flags that it needs, each after a space. An id that looks
/// like a flag comes after all flags.
///
/// ```
/// use firsthand_pages::explain_command;
///
/// assert_eq!(explain_command("a", "b c", " --in x"), "firsthand explain a 'b c' --in x");
/// assert_eq!(explain_command("-a", "b", " --in x"), "firsthand explain --in x -- '-a' b");
/// ```
pub fn explain_command(a: &str, b: &str, flags: &str) -> String {
    let ids = [a, b].map(shell_word);
    match [a, b].iter().any(|id| id.starts_with('-')) {
        true => format!("firsthand explain{flags} -- {} {}", ids[0], ids[1]),
        false => format!("firsthand explain {} {}{flags}", ids[0], ids[1]),
    }
}
