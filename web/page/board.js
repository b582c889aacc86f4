// A board whose squares are buttons, for pointer and keyboard alike. Its coordinates stand outside the squares.
import { element } from "./elements.js";
import { boardClass, columnLetter, piece } from "./games.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** Calls `onSquare` with the name (`d3`) of a chosen square. */
  constructor(element, onSquare) {
    this.element = element;
    this.onSquare = onSquare;
    element.addEventListener("click", (event) => this.#choose(event.target.closest(".square")));
    element.addEventListener("keydown", (event) => this.#key(event));
  }

  #choose(square) {
    if (square && this.onSquare) this.onSquare(square.dataset.square);
  }

  #key(event) {
    const arrow = ARROWS[event.key];
    const from = event.target.closest(".square");
    if (!arrow || !from) return;
    event.preventDefault();
    const [column, row] = [Number(from.dataset.column) + arrow[0], Number(from.dataset.row) + arrow[1]];
    const to = this.element.querySelector(`[data-column="${column}"][data-row="${row}"]`);
    if (to) this.focus(to.dataset.square);
  }

  /** Makes the squares of a game's board, with a number before each row and letters below the last one. */
  #build({ game, rows, firstRowOnTop }) {
    const shape = `${boardClass(game)} ${rows[0].length}x${rows.length}`;
    if (this.shape === shape) return;
    this.shape = shape;
    this.element.style.setProperty("--columns", rows[0].length);
    this.element.dataset.look = boardClass(game);
    const lines = rows.map((contents, row) => {
      const number = firstRowOnTop ? row + 1 : rows.length - row;
      return element("div", { class: "row", role: "row" }, coordinate(number), ...[...contents].map((_, column) => makeSquare(column, row, number)));
    });
    const letters = element("div", { class: "row", "aria-hidden": "true" }, coordinate(""), ...[...rows[0]].map((_, column) => coordinate(columnLetter(column))));
    this.element.replaceChildren(...lines, letters);
  }

  /**
   * Draws a position. `marks`: `legal` (a set of squares to choose), `chosen`, `last` (squares of the last move), `hints` (a map of
   * squares to `{ text, best }`).
   */
  draw(position, { legal = new Set(), chosen, last = [], hints = new Map() } = {}) {
    this.#build(position);
    this.element.dataset.game = position.game;
    for (const square of this.element.querySelectorAll(".square")) {
      const { square: name, row, column } = square.dataset;
      const here = piece(position.game, position.rows[row][column]);
      const hint = hints.get(name);
      square.replaceChildren(
        ...(here ? [element("span", { class: here.kind }, here.text)] : []),
        ...(hint ? [element("span", { class: `hint${hint.best ? " best" : ""}` }, hint.text)] : []),
      );
      square.classList.toggle("legal", legal.has(name));
      square.classList.toggle("taken", Boolean(here));
      square.classList.toggle("hinted", Boolean(hint));
      square.classList.toggle("chosen", name === chosen);
      square.classList.toggle("last", last.includes(name));
      square.setAttribute("aria-label", `${name} ${here?.words ?? "empty"}${legal.has(name) ? ", legal" : ""}${hint ? `, ${hint.text}` : ""}`);
    }
  }

  /** Puts the keyboard's focus on a square. */
  focus(name) {
    const square = this.element.querySelector(`[data-square="${name}"]`);
    if (!square) return;
    for (const other of this.element.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    square.tabIndex = 0;
    square.focus();
  }
}

const coordinate = (text) => element("span", { class: "coordinate", "aria-hidden": "true" }, String(text));

function makeSquare(column, row, number) {
  const square = element("button", { class: `square${(row + column) % 2 ? " shaded" : ""}`, type: "button", role: "gridcell" });
  Object.assign(square.dataset, { square: columnLetter(column) + number, column, row });
  square.tabIndex = row === 0 && column === 0 ? 0 : -1;
  return square;
}
