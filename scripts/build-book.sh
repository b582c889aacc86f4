#!/usr/bin/env bash
# Builds the embedded opening book or continues it: may be interrupted or killed at any time and started again.
# usage: scripts/build-book.sh [--threads N] [other options of `flipside book build`]
# The working files are in FLIPSIDE_BOOK_WORK (default: target/book); at the end and after an interruption the result so
# far is put into the source. An empty folder continues from the embedded book; FLIPSIDE_BOOK_NEW=1 starts from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${FLIPSIDE_BOOK_WORK:-target/book}
embedded=crates/core/src/games/reversi/book/embedded.book
mkdir -p "$work"
# A copy of the program, so that the source can change while it runs.
cargo build --release
cp target/release/flipside "$work/flipside"
if [ ! -e "$work/opening.book" ] && [ ! -s "$work/opening.book.journal" ] && [ -z "${FLIPSIDE_BOOK_NEW:-}" ]; then
    cp "$embedded" "$work/opening.book"
fi
build() { "$work/flipside" book build --book "$work/opening.book" --positions 20000 --hash 256 "$@"; }
status=0
# The second step searches the positions that the first left at the quick depth; afterwards others may be near best
# play.
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
