//! `flipside --version`: the facts about the program that belong in a bug report.

use super::config;
use flipside_core::games::minichess::evaluation::network::Network;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::search::level::BestLevel;
use flipside_support::hash::checksum;

/// The name and version, then one line each: commit of the build, its target, the processor level in use, the checksums
/// of the embedded weights, and the file of defaults.
pub fn text() -> String {
    let commit = option_env!("FLIPSIDE_BUILD_COMMIT").unwrap_or("unknown");
    let target = option_env!("FLIPSIDE_TARGET").unwrap_or("unknown");
    let level = BestLevel::detect().name();
    let reversi = ReversiEvaluation::open("default", None).map_or("damaged".to_string(), |weights| weights.identity());
    let network = checksum(Network::FILE);
    let config = match config::default_path() {
        Some(path) if path.exists() => path.display().to_string(),
        Some(path) => format!("none ({})", path.display()),
        None => "none".to_string(),
    };
    format!(
        "flipside {}\ncommit: {commit}\ntarget: {target}\nprocessor level: {level}\nweights: reversi {reversi}, minichess \
         network {network:016x}\nconfig: {config}\n",
        env!("CARGO_PKG_VERSION")
    )
}
