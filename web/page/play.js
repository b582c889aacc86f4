// A game against the engine.
import { Board } from "./board.js";
import { Stopped } from "./client.js";
import { drawGraph } from "./graph.js";
import { certainty, score, squares } from "./words.js";

const byId = (id) => document.getElementById(id);

export function startPlay(client) {
  return new Play(client);
}

class Play {
  constructor(client) {
    this.client = client;
    this.board = new Board(byId("board"), (square) => this.chooseSquare(square));
    this.hinting = false;
    byId("new").addEventListener("click", () => this.newGame());
    byId("game").addEventListener("change", () => this.newGame());
    byId("colour").addEventListener("change", () => this.go());
    byId("undo").addEventListener("click", () => this.undo());
    byId("hint").addEventListener("click", () => this.toggleHints());
    byId("stop").addEventListener("click", () => client.stop());
    byId("pass").addEventListener("click", () => this.play("pass"));
    byId("copy").addEventListener("click", () => this.copy());
    byId("paste").addEventListener("click", () => this.setUp());
    byId("strength").addEventListener("input", () => {
      byId("strength-value").textContent = `${byId("strength").value} %`;
    });
    this.newGame();
  }

  get game() {
    return byId("game").value;
  }

  /** Whether the board shows the position after the moves. Until it does, clicks play nothing: a second click comes too late. */
  get settled() {
    return this.drawn !== undefined && this.drawn === this.asked;
  }

  /** Whether the side to move is a person. */
  get personToMove() {
    const first = this.position.side === this.position.sides[0];
    return { first, second: !first, both: true, none: false }[byId("colour").value];
  }

  /** Ends the running search, whose answer is ignored. */
  cancel() {
    this.round = (this.round ?? 0) + 1;
    this.client.stop();
  }

  async newGame() {
    this.cancel();
    this.moves = [];
    this.values = [];
    await this.update();
  }

  /** Asks the engine for the position after the moves, draws it, and goes on; of several requests only the last counts. */
  async update() {
    this.asked = (this.asked ?? 0) + 1;
    const asked = this.asked;
    const position = await this.client.position(this.game, { moves: this.moves });
    if (asked !== this.asked) return;
    this.position = position;
    this.drawn = asked;
    this.chosen = undefined;
    this.hints = new Map();
    this.draw();
    await this.go();
  }

  draw() {
    const { position } = this;
    const person = this.personToMove && !position.over;
    const targets = person ? position.legal.map((move) => squares(move)) : [];
    const choosable = targets.filter((move) => move.length === 1 || !this.chosen || move[0] === this.chosen);
    const legal = new Set(choosable.map((move) => (move.length === 2 && this.chosen ? move[1] : move[0])).filter(Boolean));
    const last = this.moves.length ? squares(this.moves.at(-1)) : [];
    this.board.draw(position, { legal, chosen: this.chosen, last, hints: this.hints });
    byId("pass").hidden = !(person && position.legal[0] === "pass");
    byId("undo").disabled = this.moves.length === 0;
    byId("transcript").value = this.moves.join(" ");
    byId("opening").textContent = position.opening ?? "";
    this.values.length = this.moves.length + 1;
    drawGraph(byId("graph"), [...this.values]);
    const value = this.values.findLast((known) => known !== undefined);
    byId("bar").hidden = value === undefined;
    if (value !== undefined) byId("bar").firstElementChild.style.width = `${50 + 50 * Math.tanh(value / (this.game === "minichess" ? 4 : 16))}%`;
    this.say(this.summary());
  }

  say(text) {
    byId("status").textContent = text;
  }

  summary() {
    const { position } = this;
    const points = position.points ? ` ${capital(position.sides[0])} ${position.points[0]}, ${position.sides[1]} ${position.points[1]}.` : "";
    if (!position.over) return `${capital(position.side)} to move.${points}`;
    const by = position.margin ? ` by ${position.margin}` : "";
    return `${position.winner ? `${capital(position.winner)} wins${by}` : "A draw"}.${points}`;
  }

  /** Lets the engine move, or shows hints, depending on the position. */
  async go() {
    if (!this.settled) return;
    this.cancel();
    if (this.position.over) return;
    this.draw();
    if (!this.personToMove) return this.think();
    if (this.hinting) return this.showHints();
  }

  async search(limits, listen) {
    const round = this.round;
    byId("stop").disabled = false;
    try {
      const result = await this.client.search(this.game, { moves: this.moves }, limits, (iteration) => {
        if (round === this.round) listen?.(iteration);
      });
      return round === this.round ? result : undefined;
    } catch (error) {
      if (!(error instanceof Stopped)) this.say(error.message);
      return undefined;
    } finally {
      if (round === this.round) byId("stop").disabled = true;
    }
  }

  note(iteration) {
    const first = this.position.side === this.position.sides[0];
    this.values[this.moves.length] = first ? iteration.score : -iteration.score;
  }

  async think() {
    const limits = { level: Number(byId("level").value), strength: Number(byId("strength").value), time: 1000 * Number(byId("seconds").value) };
    const side = this.position.side;
    this.say(`${capital(side)} is thinking …`);
    const result = await this.search(limits, (iteration) => {
      this.say(`${capital(side)} is thinking … depth ${iteration.depth}, ${score(iteration.score)} (${certainty(iteration.certainty)})`);
    });
    if (!result?.move) return;
    if (result.best) this.note(result.best);
    this.moves.push(result.move);
    await this.update();
  }

  toggleHints() {
    this.hinting = !this.hinting;
    byId("hint").setAttribute("aria-pressed", String(this.hinting));
    this.hints = new Map();
    this.go();
  }

  /** All moves with their values, drawn on the squares as they become known. */
  async showHints() {
    const lines = Math.min(64, this.position.legal.length);
    await this.search({ lines, time: 1000 * Number(byId("seconds").value) }, (iteration) => {
      if (iteration.rank === 1) {
        this.best = iteration.score;
        this.note(iteration);
      }
      const square = squares(iteration.line[0] ?? "").at(-1);
      const before = iteration.rank === 1 ? new Map() : this.hints;
      if (square && !(before.get(square)?.rank < iteration.rank)) before.set(square, { text: score(iteration.score), best: iteration.score === this.best, rank: iteration.rank });
      this.hints = before;
      this.draw();
      this.say(`${this.summary()} Best: ${iteration.rank === 1 ? iteration.line[0] : ""} at depth ${iteration.depth}.`);
    });
    this.draw();
  }

  chooseSquare(square) {
    const { position } = this;
    if (!this.settled || position.over || !this.personToMove) return;
    const fitting = position.legal.filter((move) => {
      const own = squares(move);
      return own.length === 1 ? own[0] === square : own[0] === this.chosen && own[1] === square;
    });
    if (fitting.length) return this.play(fitting[0]);
    const starts = position.legal.some((move) => squares(move).length === 2 && squares(move)[0] === square);
    this.chosen = starts && square !== this.chosen ? square : undefined;
    this.draw();
    if (!starts) this.say(`${square} is not a legal move. ${this.summary()}`);
  }

  async play(move) {
    if (!this.settled) return;
    this.cancel();
    this.moves.push(move);
    const square = squares(move).at(-1);
    const keyboard = byId("board").contains(document.activeElement);
    await this.update();
    if (keyboard && square) this.board.focus(square);
  }

  /** Takes back to the person's last choice: two moves against the engine, one otherwise. */
  async undo() {
    if (!this.settled) return;
    this.cancel();
    const count = ["first", "second"].includes(byId("colour").value) && this.personToMove ? 2 : 1;
    this.moves.length = Math.max(0, this.moves.length - count);
    await this.update();
  }

  async copy() {
    const text = this.moves.join(" ");
    byId("transcript").value = text;
    byId("transcript").select();
    try {
      await navigator.clipboard.writeText(text);
      this.say("Copied.");
    } catch {
      this.say("Selected: copy it by the keyboard.");
    }
  }

  /** Plays the moves of the text field. */
  async setUp() {
    this.cancel();
    try {
      const position = await this.client.position(this.game, { moves: byId("transcript").value });
      this.moves = position.history.map(({ move }) => move);
      this.values = [];
      byId("colour").value = "both";
      await this.update();
    } catch (error) {
      this.say(error.message);
    }
  }
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
