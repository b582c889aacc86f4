#!/bin/sh
# Proves a split position with GNU parallel, here or on other machines (SSH=host1,host2: flipside must be in their PATH):
# rounds of the best tasks, each joined before the next, until nothing is to do.
#
#     flipside split --state proof.state "$POSITION" > /dev/null
#     scripts/cluster/parallel.sh proof.state 16
set -eu
state=$1 jobs=${2:-2} flipside=${FLIPSIDE:-flipside}
while tasks=$("$flipside" join --state "$state" --most "$((2 * jobs))") && [ "${tasks#*\"score\":}" = "$tasks" ]; do
    # Answers come as they are ready; a worker that dies leaves its tasks to the next round.
    printf '%s\n' "$tasks" |
        parallel --pipe -N 1 --jobs "$jobs" ${SSH:+--sshlogin "$SSH"} "$flipside solve --json" |
        "$flipside" join --state "$state" --most 1 - > /dev/null || true
done
printf '%s\n' "$tasks"
