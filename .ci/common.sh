# shellcheck shell=bash
# To be sourced by .ci/run and its parts: strict mode, the repository's top as the working folder, a linker, shared
# functions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/install.sh
export CI_START=${CI_START:-$(date +%s)} # parts go on counting from the start of .ci/run
# shellcheck disable=SC2034 # for the parts that source this file
flipside=${CARGO_TARGET_DIR:-target}/release/flipside

step() { printf '\n== %s (%ss)\n' "$*" $(($(date +%s) - CI_START)); }

# need_component COMMAND NAME: installs the component of the Rust toolchain that provides a command of cargo.
need_component() {
    cargo "$1" --version >/dev/null 2>&1 || rustup component add "$2"
}

# without_lto: for what is built again to test an interface. Optimization across crates takes a quarter of such a build, and the
# part `release` tests what it makes.
without_lto() { export CARGO_PROFILE_RELEASE_LTO=off; }

# Linking needs a C compiler, and so does a crate of the tests.
if ! command -v cc >/dev/null; then
    step "C compiler"
    install_packages gcc libc6-dev
fi
