//! Compiles the faulty engine once for all tests: it is one file without dependencies.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The engine's program; its first argument is the fault.
pub fn engine() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faulty-{}", std::process::id()));
        let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/faulty/engine.rs");
        let status = Command::new(compiler).args(["--edition", "2024", source, "-o"]).arg(&program).status();
        assert!(status.is_ok_and(|status| status.success()), "the faulty engine compiles");
        program
    })
}
