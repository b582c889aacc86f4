#!/usr/bin/env bash
# Makes a network for Reversi's evaluation `network`, which corrects the built-in linear weights.
#
# usage: scripts/train-network.sh DIRECTORY
#
# May be interrupted anywhere and started again: every step is resumed. The numbers below are those of the network in this
# repository (docs/experiments/reversi.md); set them in the environment for a smaller or larger run.
set -euo pipefail

directory=${1:?usage: train-network.sh DIRECTORY}
flipside=$(realpath "${FLIPSIDE:-target/release/flipside}")
threads=${THREADS:-$(nproc)}
games=${GAMES:-540000}        # by the linear weights
depth=${DEPTH:-8}             # plies of a move's search; a value is the mean of the last two iterations
exact=${EXACT:-16}            # empty squares from which every value is exact
epochs=${EPOCHS:-6}           # passes over the positions, fewer if the validation error no longer falls
positions=${POSITIONS:-6000}  # positions that ProbCut's sigmas are measured on
measured=${MEASURED:-9}       # plies of the deepest search measured
solved=${SOLVED:-17}          # empty squares of the largest endgame measured
mkdir -p "$directory"
cd "$directory"

"$flipside" train selfplay --out linear.games --games "$games" --seed 310 --depth "$depth" --exact "$exact" \
    --threads "$threads" --evaluation linear
[ -e network-raw.bin ] && [ ! -e network-raw.part ] ||
    "$flipside" train network --games linear.games --epochs "$epochs" --out network-raw.bin
[ -e network.bin ] ||
    "$flipside" train probcut --evaluation network --weights network-raw.bin --games linear.games \
        --positions "$positions" --depth "$measured" --empties "$solved" --out network.bin
