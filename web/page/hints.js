// The values of all moves of a position, as a search reports them.
import { squares } from "./games.js";
import { score } from "./words.js";

export class Hints {
  /** Squares with their hints: `{ text, best, rank }`. */
  squares = new Map();
  /** The iteration of the best line. */
  best = undefined;

  constructor(rows) {
    this.rows = rows;
  }

  /** Takes an iteration of one line; the best line comes first at every depth. */
  add(iteration) {
    if (iteration.rank === 1) {
      this.best = iteration;
      this.squares = new Map();
    }
    const square = squares(iteration.line[0] ?? "", this.rows).at(-1);
    // Several moves of MiniChess may end on one square, which shows the best of them.
    if (square === undefined || this.squares.get(square)?.rank < iteration.rank) return;
    this.squares.set(square, { text: score(iteration.score), best: iteration.score === this.best?.score, rank: iteration.rank });
  }

  /** The best move in words; empty as long as none is known. */
  get summary() {
    const move = this.best?.line[0];
    return move === undefined ? "" : `Best: ${move} at depth ${this.best.depth}.`;
  }
}
