//! The build facts in `flipside --version`: the commit and the target.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Digits of a commit that are enough to find it.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FLIPSIDE_COMMIT");
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=FLIPSIDE_TARGET={target}");
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    if let Some(commit) = commit(Path::new(&root)) {
        println!("cargo::rustc-env=FLIPSIDE_BUILD_COMMIT={}", commit.get(..DIGITS).unwrap_or(&commit));
    }
}

/// The commit from the environment, or from the package of crates.io, or from the repository; a tarball may have none.
/// Only release builds ask the repository, so that a commit does not recompile development builds.
fn commit(root: &Path) -> Option<String> {
    let given = env::var("FLIPSIDE_COMMIT").ok();
    let commit = given.or_else(|| packaged(root)).or_else(|| checked_out(root))?;
    (commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(commit)
}

/// The commit that `cargo package` notes in the package.
fn packaged(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_string)
}

/// The commit of this folder, if it is the top of a repository and not only inside one.
fn checked_out(root: &Path) -> Option<String> {
    if env::var("PROFILE").ok()? != "release" || !root.join(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_string())
    };
    // Files that change with a commit or a checkout.
    for path in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--path-format=absolute", "--git-path", path])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}
