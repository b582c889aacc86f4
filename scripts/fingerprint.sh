# shellcheck shell=bash
# To be sourced by scripts that build the program for other systems.

# fingerprint NAME COMMAND...: the nodes that a bench prints must be the number that tests/fingerprint.rs pins under this name.
fingerprint() {
    local pinned nodes
    pinned=$(sed -n "s/^const $1: u64 = \([0-9_]*\);.*/\1/p" "$root/tests/fingerprint.rs" | tr -d _)
    nodes=$("${@:2}" | tr -d '\r' | awk '$1 == "nodes" { print $2 }')
    printf '%s: %s nodes, pinned %s\n' "${*:2}" "$nodes" "$pinned"
    [ "$nodes" = "$pinned" ]
}

# fingerprints PROGRAM...: those of all games and evaluations that have one.
fingerprints() {
    fingerprint NODES "$@" bench
    fingerprint NETWORK_NODES "$@" bench --evaluation network
    fingerprint MINICHESS_NODES "$@" bench --game minichess
    fingerprint GOMOKU_NODES "$@" bench --game gomoku
}
root=$PWD
