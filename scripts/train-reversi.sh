#!/usr/bin/env bash
# Makes weights for the learned evaluation of Reversi from the rules alone.
#
# usage: scripts/train-reversi.sh DIRECTORY
#
# May be interrupted anywhere and started again: every step is resumed. The numbers below are close to those behind the
# weights in this repository (docs/experiments/reversi.md); environment variables override them for a smaller or larger
# run.
set -euo pipefail

directory=${1:?usage: train-reversi.sh DIRECTORY}
flipside=$(realpath "${FLIPSIDE:-target/release/flipside}")
by_hand=$(realpath "$(dirname "$0")/by-hand.toml")
threads=${THREADS:-$(nproc)}
first_games=${FIRST_GAMES:-85000}   # by the hand-set weights
second_games=${SECOND_GAMES:-56000} # by the first weights
last_games=${LAST_GAMES:-115000}    # by the weights of the second generation
depth=${DEPTH:-4}                   # plies of the first self-play
label_depth=${LABEL_DEPTH:-6}       # plies of the searches that relabel the first games, and of the last self-play
exact=${EXACT:-14}                  # empty squares from which every value is exact
positions=${POSITIONS:-600}         # positions that ProbCut's sigmas are measured on
measured=${MEASURED:-8}             # plies of the deepest search measured
solved=${SOLVED:-16}                # empty squares of the largest endgame measured
mkdir -p "$directory"

# Runs a step unless its result exists; a result appears only when it is complete.
step() {
    local result=$1
    shift
    [ -e "$result" ] || "$flipside" train "$@" --out "$result"
}

# Plays games until the file holds enough; an interrupted file is resumed.
play() {
    local file=$1
    shift
    "$flipside" train selfplay --out "$file" --threads "$threads" --depth "$depth" --exact "$exact" "$@"
}

cd "$directory"
play 0.games --games "$first_games" --seed 1 --evaluation weighted --weights "$by_hand"
step 0.bin fit --games 0.games --epochs 40

play 1.games --games "$second_games" --seed 2 --weights 0.bin
step 1-raw.bin fit --games 1.games --endings 0.games --lambda 0.3 --epochs 40
step 1.bin probcut --games 1.games --weights 1-raw.bin --positions "$positions" --depth "$measured" --empties "$solved"

# Relabelling: the same games, with values by searches with the better weights.
"$flipside" train label --games 0.games --out 0-again.games --weights 1.bin \
    --depth "$label_depth" --exact "$exact" --threads "$threads"
step 2-raw.bin fit --games 0-again.games 1.games --lambda 0 --epochs 40
step 2.bin probcut --games 1.games --weights 2-raw.bin --positions "$positions" --depth "$measured" --empties "$solved"

# New games, deeper.
depth=$label_depth
play 3.games --games "$last_games" --seed 3 --weights 2.bin
step 3-raw.bin fit --games 3.games --endings 0.games 1.games --lambda 0 --epochs 40
step 3.bin probcut --games 3.games --weights 3-raw.bin --positions "$positions" --depth "$measured" --empties "$solved"
