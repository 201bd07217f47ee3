//! A headless browser, as it is found on the machine.

use std::path::Path;
use std::process::Command;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A page after its scripts have run.
pub(super) struct Opened {
    pub(super) dom: String,
    /// What the browser wrote to its console.
    pub(super) complaints: Vec<String>,
}

/// Opens a page from a file, in a window of this size.
pub(super) fn open(folder: &Path, page: &str, (width, height): (u32, u32)) -> Opened {
    let file = folder.join("opened.html");
    std::fs::write(&file, page).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let url = format!("file://{}", file.display());
    let mut command = Command::new(find());
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        "--dump-dom",
    ]);
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    command.arg(format!("--window-size={width},{height}")).arg(url);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the browser failed: {said}");
    let complaints = said.lines().filter(|line| line.contains("CONSOLE"));
    Opened {
        complaints: complaints.map(str::to_owned).collect(),
        dom: String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}

/// The first browser in PATH.
fn find() -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = NAMES.iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    });
    found.unwrap_or_else(|| {
        panic!("there is no browser in PATH ({}): scripts/test installs one", NAMES.join(", "))
    })
}
