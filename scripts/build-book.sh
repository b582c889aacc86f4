#!/usr/bin/env bash
# Builds the embedded opening book, or goes on with it: may be interrupted and killed at any time and started again.
# usage: scripts/build-book.sh [--threads N] [other options of `flipside book build`]
# The work lies in FLIPSIDE_BOOK_WORK (default: target/book); what is done so far is put into the source at the end and after
# an interruption. From an empty folder the work goes on from the embedded book itself; FLIPSIDE_BOOK_NEW=1 begins from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${FLIPSIDE_BOOK_WORK:-target/book}
embedded=crates/core/src/games/reversi/book/embedded.book
mkdir -p "$work"
# A program of its own, so that the source can change while it runs.
cargo build --release
cp target/release/flipside "$work/flipside"
if [ ! -e "$work/opening.book" ] && [ ! -s "$work/opening.book.journal" ] && [ -z "${FLIPSIDE_BOOK_NEW:-}" ]; then
    cp "$embedded" "$work/opening.book"
fi
build() { "$work/flipside" book build --book "$work/opening.book" --positions 20000 --hash 256 "$@"; }
status=0
# The second step searches what the first left at the quick depth; what is near best play then may be other positions.
for _ in 1 2 3; do
    {
        build --error 8 --ply-penalty 0.15 --quick-depth 16 --depth 24 --selectivity 95 --within 4 \
            --best 2000 --best-depth 28 "$@" &&
            build --depth 20 --selectivity 95 --within 64 --best 0 "$@"
    } || status=$?
    [ "$status" = 0 ] || break
done
if [ "$status" = 0 ] || [ "$status" = 130 ]; then
    cp "$work/opening.book" "$embedded"
fi
exit "$status"
