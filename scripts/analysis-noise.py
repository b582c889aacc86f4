#!/usr/bin/env python3
"""The noise of `flipside analyze`: how much the losses of moves change when all moves are searched deeper.

usage: analysis-noise.py SHALLOW.jsonl DEEP.jsonl

Both files are outputs of `flipside analyze --all-moves --json` for the same games at two depths. For every position
that neither search solved, and for every move that the shallow search puts within three discs of its best move, the
change of the loss against that same best move is a sample. Printed by empty squares: samples, mean, standard deviation.
"""
import json
import statistics
import sys

WITHIN = 3.0
STAGES = [(51, 60), (41, 50), (31, 40), (21, 30), (1, 20)]


def positions(name):
    """The scores of all moves and the depth, by position."""
    found = {}
    for line in open(name):
        analysed = json.loads(line)
        if analysed["certainty"] != "exact":
            found[analysed["position"]] = (dict(map(tuple, analysed["moves"])), analysed["depth"], analysed["best"])
    return found


def main():
    shallow, deep = (positions(name) for name in sys.argv[1:3])
    changes = {stage: [] for stage in STAGES}
    for position in shallow.keys() & deep.keys():
        (low, _, best), (high, _, _) = shallow[position], deep[position]
        empties = position[:64].count("-")
        stage = next(stage for stage in STAGES if stage[0] <= empties <= stage[1])
        for move, score in low.items():
            loss = low[best] - score
            if move != best and 0 < loss <= WITHIN:
                changes[stage].append(high[best] - high[move] - loss)
    for (least, most), values in changes.items():
        if len(values) > 1:
            mean, deviation = statistics.mean(values), statistics.stdev(values)
            print(f"{least:2}-{most:2} empty: {len(values):4} changes, mean {mean:+.2f}, deviation {deviation:.2f}")


if __name__ == "__main__":
    main()
