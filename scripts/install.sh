# shellcheck shell=bash
# To be sourced by scripts that need programs of Debian's packages.

# alone COMMAND...: one at a time on this machine, since neither apt-get nor rustup can run twice at once.
alone() {
    local lock=()
    command -v flock >/dev/null && lock=(flock --timeout 600 "${TMPDIR:-/tmp}/flipside-install.lock")
    "${lock[@]}" "$@"
}

# install_packages PACKAGE...: by apt-get, as root or by sudo without a password. Fails where that cannot be, or not within some minutes.
install_packages() {
    local as_root=(env)
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    local apt=(alone timeout 300 "${as_root[@]}" apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=30)
    "${apt[@]}" update && "${apt[@]}" install -y "$@"
}

# have_target TARGET: Rust's library for it is there, or rustup brings it.
have_target() {
    [ -d "$(rustc --print target-libdir --target "$1")" ] || alone timeout 300 rustup target add "$1"
}

# unavailable WHAT: what is needed cannot be had here, which is no failure of the program (EX_UNAVAILABLE of sysexits.h).
unavailable() {
    printf 'left out: %s cannot be had here\n' "$1"
    exit 69
}
