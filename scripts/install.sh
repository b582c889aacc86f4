# shellcheck shell=bash
# To be sourced by scripts that need programs of Debian's packages.

# alone COMMAND...: runs one command at a time on this machine, because neither apt-get nor rustup can run twice at
# once.
alone() {
    local lock=()
    command -v flock >/dev/null && lock=(flock --timeout 600 "${TMPDIR:-/tmp}/flipside-install.lock")
    "${lock[@]}" "$@"
}

# install_packages PACKAGE...: runs apt-get as root or with passwordless sudo. Fails if it cannot, or after some
# minutes.
install_packages() {
    local as_root=(env)
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    local apt=(alone timeout 300 "${as_root[@]}" apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=30)
    "${apt[@]}" update && "${apt[@]}" install -y "$@"
}

# have_target TARGET: succeeds if Rust's library for the target is installed or rustup can install it.
have_target() {
    [ -d "$(rustc --print target-libdir --target "$1")" ] || alone timeout 300 rustup target add "$1"
}

# unavailable WHAT: a requirement cannot be installed, which is not a failure of the program (EX_UNAVAILABLE of
# sysexits.h).
unavailable() {
    printf 'left out: %s cannot be had here\n' "$1"
    exit 69
}
