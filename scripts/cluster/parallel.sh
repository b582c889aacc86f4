#!/bin/sh
# Proves a split position with GNU parallel, here or on other machines (SSH=host1,host2: flipside must be in their
# PATH). Works in rounds of the best tasks, each joined before the next, until none is left.
#
#     flipside split --state proof.state "$POSITION" > /dev/null
#     scripts/cluster/parallel.sh proof.state 16
set -eu
state=$1 jobs=${2:-2} flipside=${FLIPSIDE:-flipside}
before='' idle=0
while tasks=$("$flipside" join --state "$state" --most "$((2 * jobs))") && [ "${tasks#*\"score\":}" = "$tasks" ]; do
    # If workers die, a round may bring no answer; several such rounds in a row are an error.
    if [ "$tasks" = "$before" ]; then idle=$((idle + 1)); else idle=0; fi
    [ "$idle" -lt 3 ] || { echo "open: nobody answers" >&2; exit 1; }
    before=$tasks
    printf '%s\n' "$tasks" |
        parallel --pipe -N 1 --jobs "$jobs" ${SSH:+--sshlogin "$SSH"} "$flipside solve --json" |
        "$flipside" join --state "$state" --most 1 - > /dev/null || true
done
printf '%s\n' "$tasks"
