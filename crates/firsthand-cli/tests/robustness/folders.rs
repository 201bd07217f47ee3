//! Folders that lead in circles, files that are none, and names that are no text.

use super::outcome::Outcome;
use super::stage::GOOD;
use super::{AFTER, BEFORE, Case, Stage};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn links_in_circles() {
    let stage = Stage::with("m/1.txt", BEFORE);
    symlink("..", stage.path("m/circle")).unwrap();
    symlink("self", stage.path("m/self")).unwrap();
    symlink("/etc/passwd", stage.path("m/away.txt")).unwrap();
    let says = ["m/circle: a symbolic link", "m/self", "m/away.txt", "Skipped 3"];
    let name = "links to the folder above, to itself and to another file";
    let case = Case { name, done: "skipped", says: &says, exit: 0, ..Case::default() };
    Case { read: (1, 0), ..case }.check(&stage);
}

#[test]
fn links_in_circles_that_are_followed() {
    let stage = Stage::with("m/1.txt", BEFORE);
    symlink("..", stage.path("m/circle")).unwrap();
    symlink("self", stage.path("m/self")).unwrap();
    let says = ["m/circle: already read", "m/self"];
    let name = "the same with `--follow`";
    let done = "each folder is read once; dangling links are reported";
    let args = ["--follow"];
    Case { name, done, says: &says, read: (1, 0), args: &args, ..Case::default() }.check(&stage);
}

#[test]
fn pipes_and_devices() {
    let stage = Stage::with("m/1.txt", BEFORE);
    assert!(Command::new("mkfifo").arg(stage.path("m/2.txt")).status().unwrap().success());
    symlink("/dev/zero", stage.path("m/3.txt")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(stage.path("m/4.txt")).unwrap();
    let says = ["m/3.txt: a device", "m/2.txt: a named pipe", "m/4.txt: a socket"];
    let name = "a pipe, a socket and a link to `/dev/zero`, with `--follow`";
    let args = ["--follow"];
    let case = Case { name, done: "skipped", says: &says, exit: 0, args: &args, ..Case::default() };
    Case { read: (1, 0), ..case }.check(&stage);
}

#[test]
fn a_device_that_is_named() {
    let stage = Stage::new();
    let says = ["/dev/zero: a device, not a file or folder; pipe it into `-` instead"];
    let name = "`/dev/zero` as an input";
    let case = Case { name, done: "refused", says: &says, ..Case::default() };
    Case { args: &["/dev/zero"], ..case }.check(&stage);
}

#[test]
fn a_file_that_may_not_be_read() {
    let stage = Stage::with("m.txt", BEFORE);
    allow(&stage.path("m.txt"), 0);
    let says = ["m.txt: cannot be read: Permission denied"];
    let name = "a file without read permission";
    let case = Case { name, done: "reported", says: &says, ..Case::default() };
    if fs::File::open(stage.path("m.txt")).is_err() {
        case.check(&stage);
        return;
    }
    // The administrator may read everything: someone else has to run it, from where he may.
    let copy = tempfile::tempdir().unwrap();
    let binary = copy.path().join("firsthand");
    fs::copy(env!("CARGO_BIN_EXE_firsthand"), &binary).unwrap();
    for folder in [copy.path(), stage.root(), &stage.root().join("tmp")] {
        allow(folder, 0o777);
    }
    let nobody = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary);
        command
    };
    let can_run = nobody().arg("--version").stdout(Stdio::null()).status();
    if can_run.is_ok_and(|status| status.success()) {
        case.passes(&stage, Outcome::by(nobody(), &stage, case.args, None));
    } else {
        eprintln!("everything may be read here, and nobody else can run it: not tried");
    }
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn names_that_are_no_text() {
    let stage = Stage::new();
    for name in [b"m\xff\xfe.txt".as_slice(), b"m\x1b[31m\n.txt"] {
        let path = stage.path("a.txt").with_file_name(OsStr::from_bytes(name));
        fs::write(path, if name.contains(&0x1b) { AFTER } else { BEFORE }).unwrap();
    }
    let name = "names with bytes that are not UTF-8, and with control characters";
    let case = Case { name, done: "read; shown with `\\xFF`", exit: 0, ..Case::default() };
    let outcome = Case { read: (1, 1), ..case }.check(&stage);
    let members = outcome.cluster("before").unwrap();
    assert!(members.iter().any(|member| member["id"] == "in/m\\xFF\\xFE.txt"), "{members:?}");
    assert!(!outcome.messages.contains('\x1b'), "control characters reach the terminal");
}

#[test]
fn a_deep_folder() {
    let stage = Stage::new();
    stage.write(&format!("{}1.txt", "m/".repeat(1_000)), BEFORE);
    let name = "a folder 1,000 levels deep";
    Case { name, done: "read", exit: 0, read: (1, 0), ..Case::default() }.check(&stage);
}

#[test]
fn a_folder_deeper_than_paths_can_be() {
    // Longer than the system takes at once, so the way down is made step by step.
    let stage = Stage::with("m/1.txt", BEFORE);
    let script = "cd in/m && for i in $(seq 3000); do mkdir d && cd -P d || exit 1; done";
    let made = Command::new("sh").args(["-c", script]).current_dir(stage.root()).status();
    assert!(made.unwrap().success());
    let says = ["File name too long"];
    let name = "a folder 3,000 levels deep, beyond the longest path the system allows";
    let done = "read as far as paths go, the rest is reported";
    Case { name, done, says: &says, read: (1, 0), ..Case::default() }.check(&stage);
}

#[test]
fn a_file_that_claims_to_be_huge() {
    let stage = Stage::with("m.txt", "");
    fs::File::create(stage.path("m.txt")).unwrap().set_len(1 << 40).unwrap();
    let says = ["m.txt: larger than the limit of 64 MiB", "--max-file"];
    let name = "a sparse text file of 1 TB";
    Case { name, done: "refused without reading it", says: &says, ..Case::default() }.check(&stage);
}

#[test]
fn rubbish_under_any_name() {
    let stage = Stage::new();
    let mut state = 1u32;
    let mut rubbish = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes: Vec<u8> = (0..100_000).map(|_| rubbish()).collect();
    let names = ["json", "jsonl.gz", "warc", "warc.gz", "mbox", "csv.zst", "parquet", "zip", "tar"];
    for name in names {
        stage.write(&format!("m.{name}"), &bytes);
    }
    let says = ["m.jsonl.gz", "m.warc.gz", "m.csv.zst", "m.parquet", "m.zip", "m.tar"];
    let name = "100 KB of random bytes under nine names";
    // Some of it may pass for text.
    let others = stage.rehearse(&[]).documents() - GOOD;
    Case { name, done: "reported", says: &says, others, ..Case::default() }.check(&stage);
}
