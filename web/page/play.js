// A game against the engine.
import { Board } from "./board.js";
import { Stopped } from "./client.js";
import { byId } from "./elements.js";
import { decisiveScore, gameOptions, isPosition, squares } from "./games.js";
import { drawGraph } from "./graph.js";
import { Hints } from "./hints.js";
import { keepControls, recall, remember } from "./storage.js";
import { capital, certainty, score } from "./words.js";

/** How the last game is remembered. */
const LAST_GAME = "last-game";

/** The game of the last visit: `{ game, start, moves, values }`; undefined if there is none. */
function lastGame() {
  const last = recall(LAST_GAME);
  return Array.isArray(last?.moves) && Array.isArray(last.values) ? last : undefined;
}

export class Play {
  /** The game: its start (the usual one if absent), its moves, and values for the first player by ply. */
  start = undefined;
  moves = [];
  values = [];
  hinting = false;
  /** Whether the text field holds words of the person, which no move of the engine may overwrite. */
  edited = false;

  constructor({ client, info, show }) {
    this.client = client;
    this.show = show;
    this.board = new Board(byId("board"), (square) => this.chooseSquare(square));
    byId("game").replaceChildren(...gameOptions(info.games));
    keepControls(byId("game"), byId("colour"), byId("level"), byId("seconds"), byId("strength"));
    const showStrength = () => (byId("strength-value").textContent = `${byId("strength").value} %`);
    showStrength();
    byId("strength").addEventListener("input", showStrength);
    byId("new").addEventListener("click", () => this.newGame());
    byId("game").addEventListener("change", () => this.newGame());
    byId("colour").addEventListener("change", () => this.go());
    byId("undo").addEventListener("click", () => this.undo());
    byId("hint").addEventListener("click", () => this.toggleHints());
    byId("stop").addEventListener("click", () => client.stop());
    byId("pass").addEventListener("click", () => this.play("pass"));
    byId("transcript").addEventListener("input", () => (this.edited = true));
    byId("copy").addEventListener("click", () => this.copy(byId("transcript").value));
    byId("copy-link").addEventListener("click", () => this.copy(location.href));
    byId("set-up").addEventListener("click", () => this.setUp(byId("transcript").value));
  }

  /** The section is opened, perhaps by a link with values; the first time it goes on with the last game. */
  async open(values = {}) {
    const linked = values.game === undefined ? undefined : { ...values, moves: (values.moves ?? "").split(" ").filter(Boolean), values: [] };
    const last = lastGame();
    const same = linked && last && ["game", "start", "moves"].every((key) => String(linked[key] ?? "") === String(last[key] ?? ""));
    const wanted = linked && !same ? linked : this.position ? undefined : (last ?? { game: this.game, moves: [], values: [] });
    if (!wanted) return;
    this.cancel();
    try {
      await this.client.position(wanted.game, wanted);
      byId("game").value = wanted.game;
      Object.assign(this, { start: wanted.start, moves: wanted.moves, values: wanted.values, edited: false });
      await this.update();
    } catch (error) {
      if (!this.position) await this.newGame();
      this.say(error.message);
    }
  }

  get game() {
    return byId("game").value;
  }

  /** The game so far, as the engine takes it. */
  get soFar() {
    return { start: this.start, moves: this.moves };
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
    Object.assign(this, { start: undefined, moves: [], values: [], edited: false });
    await this.update();
  }

  /** Asks the engine for the position after the moves, draws it, and goes on; of several requests only the last counts. */
  async update() {
    this.asked = (this.asked ?? 0) + 1;
    const asked = this.asked;
    const position = await this.client.position(this.game, this.soFar);
    if (asked !== this.asked) return;
    this.position = position;
    this.drawn = asked;
    this.chosen = undefined;
    this.hints = new Hints(position.rows);
    this.draw();
    await this.go();
  }

  draw() {
    this.drawBoard();
    byId("pass").hidden = !(this.personToMove && this.position.legal[0] === "pass");
    byId("undo").disabled = this.moves.length === 0;
    if (!this.edited) byId("transcript").value = [this.start, this.moves.join(" ")].filter(Boolean).join("\n");
    byId("opening").textContent = this.position.opening ?? "";
    this.drawValues();
    this.say(this.summary());
    this.show({ game: this.game, start: this.start, moves: this.moves.join(" ") });
  }

  drawBoard() {
    const { position } = this;
    const person = this.personToMove && !position.over;
    const targets = person ? position.legal.map((move) => squares(move, position.rows)) : [];
    const choosable = targets.filter((move) => move.length === 1 || !this.chosen || move[0] === this.chosen);
    const legal = new Set(choosable.map((move) => (move.length === 2 && this.chosen ? move[1] : move[0])).filter(Boolean));
    const last = this.moves.length ? squares(this.moves.at(-1), position.rows, true) : [];
    this.board.draw(position, { legal, chosen: this.chosen, last, hints: this.hints.squares });
  }

  /** The bar and the curve of the values, which are remembered with the game. */
  drawValues() {
    this.values = Array.from({ length: this.moves.length + 1 }, (_, ply) => this.values[ply] ?? undefined);
    drawGraph(byId("graph"), this.values);
    const value = this.values.findLast((known) => known !== undefined);
    byId("bar").hidden = value === undefined;
    remember(LAST_GAME, { game: this.game, ...this.soFar, values: this.values });
    if (value !== undefined) byId("bar").firstElementChild.style.width = `${50 + 50 * Math.tanh(value / decisiveScore(this.game))}%`;
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
      const result = await this.client.search(this.game, this.soFar, limits, (iteration) => {
        if (round === this.round) listen(iteration);
      });
      return round === this.round ? result : undefined;
    } catch (error) {
      if (!(error instanceof Stopped)) this.say(error.message);
      return undefined;
    } finally {
      if (round === this.round) byId("stop").disabled = true;
    }
  }

  get time() {
    return 1000 * Number(byId("seconds").value);
  }

  note(iteration) {
    const first = this.position.side === this.position.sides[0];
    this.values[this.moves.length] = first ? iteration.score : -iteration.score;
  }

  async think() {
    const limits = { level: Number(byId("level").value), strength: Number(byId("strength").value), time: this.time };
    const thinking = `${capital(this.position.side)} is thinking …`;
    this.say(thinking);
    const result = await this.search(limits, (iteration) => {
      this.say(`${thinking} depth ${iteration.depth}, ${score(iteration.score)} (${certainty(iteration.certainty)})`);
    });
    if (!result?.move) return;
    if (result.best) this.note(result.best);
    this.moves.push(result.move);
    await this.update();
  }

  toggleHints() {
    this.hinting = !this.hinting;
    byId("hint").setAttribute("aria-pressed", String(this.hinting));
    this.hints = new Hints(this.position.rows);
    this.go();
  }

  /** All moves with their values, drawn on the squares as they become known. */
  async showHints() {
    const lines = Math.min(64, this.position.legal.length);
    await this.search({ lines, time: this.time }, (iteration) => {
      if (iteration.rank === 1) this.note(iteration);
      this.hints.add(iteration);
      this.drawBoard();
      this.drawValues();
      this.say(`${this.summary()} ${this.hints.summary}`);
    });
  }

  chooseSquare(square) {
    const { position } = this;
    if (!this.settled || position.over || !this.personToMove) return;
    const moves = position.legal.map((move) => ({ move, own: squares(move, position.rows) }));
    // A click anywhere in a column plays a move that names only the column.
    const fitting = moves.find(({ move, own }) => (own.length === 2 ? own[0] === this.chosen && own[1] === square : own[0] === square || move === square[0]));
    if (fitting) return this.play(fitting.move);
    const starts = moves.some(({ own }) => own.length === 2 && own[0] === square);
    this.chosen = starts && square !== this.chosen ? square : undefined;
    this.draw();
    if (!starts) this.say(`${square} is not a legal move. ${this.summary()}`);
  }

  async play(move) {
    if (!this.settled) return;
    this.cancel();
    this.moves.push(move);
    this.edited = false;
    const square = squares(move, this.position.rows).at(-1);
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
    this.edited = false;
    await this.update();
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.say("Copied.");
    } catch {
      byId("transcript").value = text;
      byId("transcript").select();
      this.say("Selected: copy it by the keyboard.");
    }
  }

  /** Sets up text: moves from the start of the game, or a position, with moves from there on further lines. */
  async setUp(text) {
    this.cancel();
    const [first, ...rest] = text.trim().split("\n");
    const { start, moves } = isPosition(first) ? { start: first.trim(), moves: rest.join(" ") } : { start: undefined, moves: text };
    try {
      const position = await this.client.position(this.game, { start, moves });
      Object.assign(this, { start, moves: position.history.map(({ move }) => move), values: [], edited: false });
      await this.update();
    } catch (error) {
      this.say(error.message);
    }
  }
}
