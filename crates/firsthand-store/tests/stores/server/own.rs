//! A PostgreSQL server of a test's own. The tests of the command line use this file as well.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A server of the test's own. It ends with the process that started it, however that ends.
pub(crate) struct Server {
    child: Child,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(settings: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("firsthand-pg-").tempdir().unwrap();
        let mut child = script("run", folder.path())
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        assert!(
            address.starts_with("postgres://"),
            "no PostgreSQL server could be started; scripts/test installs one"
        );
        Self { child, folder, address }
    }

    /// Kills the server as a crash of the machine would, and starts it again.
    pub(crate) fn crash(&self) {
        for command in ["kill", "start"] {
            let done = script(command, self.folder.path()).stdout(Stdio::null()).status().unwrap();
            assert!(done.success());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

fn script(command: &str, folder: &Path) -> Command {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres");
    let mut script = Command::new(path);
    script.arg(command).arg(folder);
    script
}
