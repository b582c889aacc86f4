//! The file of endgame tables: where the engine looks for it.
#![cfg(all(target_os = "linux", feature = "cli"))]

use std::os::unix::fs::MetadataExt;
use std::process::Command;

/// The cache directory of the current user according to the system's list of users.
fn home() -> Option<String> {
    let user = std::fs::metadata("/proc/self").ok()?.uid().to_string();
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let fields = |line: &str| line.split(':').map(str::to_string).collect::<Vec<_>>();
    users.lines().map(fields).find(|fields| fields.get(2) == Some(&user))?.get(5).cloned()
}

/// The output of a probe, which names a file that does not exist.
fn probe(variables: &[(&str, &str)]) -> String {
    let position = "9 W ..k../...../...../...../...../R...K";
    let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
    let output = command.args(["tables", "--probe", position]).env_clear().envs(variables.iter().copied()).output();
    String::from_utf8_lossy(&output.expect("flipside runs").stderr).to_string()
}

#[test]
fn the_cache_directory_needs_no_variable() {
    let file = "flipside/minichess.tables";
    assert!(probe(&[("XDG_CACHE_HOME", "/nonexistent")]).contains(&format!("/nonexistent/{file}")));
    assert!(probe(&[("HOME", "/nonexistent")]).contains(&format!("/nonexistent/.cache/{file}")));
    assert!(probe(&[("FLIPSIDE_TABLES", "/nonexistent/own")]).contains("/nonexistent/own"));
    if let Some(home) = home() {
        let said = probe(&[]);
        let exists = std::path::Path::new(&format!("{home}/.cache/{file}")).exists();
        assert!(exists || said.contains(&format!("{home}/.cache/{file}")), "{said}");
    }
}
