#!/usr/bin/env bash
# Makes a network for Reversi's evaluation `network`, which corrects the built-in linear weights.
#
# usage: scripts/train-network.sh DIRECTORY
#
# May be interrupted anywhere and started again: every step is resumed. The numbers below made the network in this
# repository (docs/experiments/reversi.md); environment variables override them for a smaller or larger run.
set -euo pipefail

directory=${1:?usage: train-network.sh DIRECTORY}
flipside=$(realpath "${FLIPSIDE:-target/release/flipside}")
threads=${THREADS:-$(nproc)}
games=${GAMES:-540000}        # by the linear weights
more=${MORE:-480000}          # by the first network
endings=${ENDINGS:-170000}    # of which only the last ten moves have values
depth=${DEPTH:-8}             # plies of a move's search; a value is the mean of the last two iterations
exact=${EXACT:-16}            # empty squares from which every value is exact
early=${EARLY:-20000}         # by the fourth network, from openings of one to eight moves
deep=${DEEP:-193000}          # by the same, from the usual openings
latest=${LATEST:-210000}      # by the fifth network, from the usual openings
newest=${NEWEST:-205000}      # by the sixth
other=${OTHER:-50000}         # by the seventh and the ninth to eleventh, each after other ten plies
usual=${USUAL:-60000}         # by each of these, from the usual openings
openings=${OPENINGS:-2958586} # openings of ten plies, valued by the eleventh
whole=${WHOLE:-118000}        # by the eleventh, after other ten plies, to their end
varied=${VARIED:-63000}       # by the eleventh, from the usual openings, to their end
begun=${BEGUN:-260000}        # by the eleventh, after other ten plies, of which thirty moves are played
deeper=${DEEPER:-10}          # plies of their searches, but of those four
deepest=${DEEPEST:-12}        # plies of those four's searches, whose games are exact from 20 empty squares on
epochs=${EPOCHS:-6}           # passes over the positions, fewer if the validation error no longer falls
positions=${POSITIONS:-3800}  # positions that ProbCut's sigmas are measured on
measured=${MEASURED:-9}       # plies of the deepest search measured
solved=${SOLVED:-21}          # empty squares of the largest endgame measured
mkdir -p "$directory"
cd "$directory"

# fit OUT GAMES... WORDS...: with this share of the game's result, or none: lambda=SHARE moves=A..B fit ...
fit() {
    [ -e "$1" ] && [ ! -e "${1%.bin}.part" ] ||
        "$flipside" train network --out "$1" --epochs "$epochs" --lambda "${lambda:-0}" \
            --lambda-moves "${moves:-0..1}" --games "${@:2}"
}
# probcut NETWORK GAMES OUT
probcut() {
    [ -e "$3" ] || "$flipside" train probcut --evaluation network --weights "$1" --games "$2" \
        --positions "$positions" --depth "$measured" --empties "$solved" --out "$3"
}

"$flipside" train selfplay --out linear.games --games "$games" --seed 310 --depth "$depth" --exact "$exact" \
    --threads "$threads" --evaluation linear
fit first-raw.bin linear.games
probcut first-raw.bin linear.games first.bin

# The second generation: games by the first network, and a fit that starts from it.
"$flipside" train selfplay --out network.games --games "$more" --seed 611 --depth "$depth" --exact "$exact" \
    --threads "$threads" --evaluation network --weights first.bin
fit second.bin network.games --start first.bin --rate 0.0007

# The outputs for few empty squares learn from positions that good play does not reach, too.
"$flipside" train selfplay --out late.games --games "$endings" --seed 912 --depth 1 --exact 10 --openings 8..58 \
    --threads "$threads"
[ -e late.bin ] && [ ! -e late.part ] ||
    "$flipside" train network --out late.bin --start second.bin --only-outputs --endings late.games --epochs 4 --rate 0.004
probcut late.bin network.games fourth.bin

# The third generation: deeper searches, and openings of any length.
# deep_selfplay NETWORK OUT GAMES SEED WORDS...
deep_selfplay() {
    "$flipside" train selfplay --out "$2" --games "$3" --seed "$4" --depth "$deeper" --exact "$exact" \
        --threads "$threads" --evaluation network --weights "$1" "${@:5}"
}
deep_selfplay fourth.bin early.games "$early" 2101 --openings 1..9
deep_selfplay fourth.bin deep.games "$deep" 2100
fit fifth-raw.bin deep.games early.games --start fourth.bin --rate 0.0007
probcut fifth-raw.bin deep.games fifth.bin

# The fourth generation: its games and those of the third.
deep_selfplay fifth.bin latest.games "$latest" 3001
fit sixth-raw.bin latest.games deep.games early.games --start fifth.bin --rate 0.0007
probcut sixth-raw.bin deep.games sixth.bin

# The fifth generation: all games, and what became of them.
deep_selfplay sixth.bin newest.games "$newest" 3101
lambda=0.3 fit seventh-raw.bin newest.games latest.games deep.games early.games --start sixth.bin --rate 0.0007
probcut seventh-raw.bin deep.games seventh.bin

# The last ones: the result's share grows with the moves made.
all=(newest.games latest.games deep.games early.games)
# generation PLAYER NAME SEED OUT: games by the player, and a fit that starts from it.
generation() {
    deep_selfplay "$1" "$2-1.games" "$other" "$3" --enumerate 10
    deep_selfplay "$1" "$2-2.games" "$usual" "$(($3 + 1))"
    all=("$2-1.games" "$2-2.games" "${all[@]}")
    lambda=0.5 moves=10..30 fit "$4-raw.bin" "${all[@]}" --start "$1" --rate 0.0007
    probcut "$4-raw.bin" deep.games "$4.bin"
}
generation seventh.bin seventh 4001 ninth
generation ninth.bin ninth 5101 tenth
generation tenth.bin tenth 6101 eleventh

# The mean: three fits that start from the eleventh, and the eleventh. The games of deeper searches and a few of the others.
# deepest_selfplay OUT GAMES SEED WORDS...
deepest_selfplay() {
    deeper=$deepest exact=20 deep_selfplay eleventh.bin "$@"
}
deepest_selfplay openings.games "$openings" 9001 --enumerate 10 --moves 1
deepest_selfplay whole.games "$whole" 7104 --enumerate 10
deepest_selfplay varied.games "$varied" 7103
deepest_selfplay begun.games "$begun" 7105 --enumerate 10 --moves 30
deep_selfplay eleventh.bin eleventh-1.games "$other" 7201 --enumerate 10
deep_selfplay eleventh.bin eleventh-2.games "$usual" 7202
all=(openings.games whole.games varied.games begun.games eleventh-1.games eleventh-2.games)
# refit OUT EPOCHS LAMBDA WORDS...
refit() {
    epochs=$2 lambda=$3 moves=10..30 fit "$1" "${all[@]}" "${@:4}"
}
refit slow.bin 2 0.5 --start eleventh.bin --rate 0.0003
refit fast.bin 3 0.5 --start eleventh.bin --rate 0.0007
refit searched.bin 3 0.3 --start eleventh.bin --rate 0.0005
refit mean.bin 0 0.5 --start eleventh.bin slow.bin fast.bin searched.bin
probcut mean.bin deep.games network.bin
