// A board whose squares are buttons, for pointer and keyboard alike.

const PIECES = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙", k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const DISCS = { X: "black", O: "white" };
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
    if (!to) return;
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  /** Makes the squares of a board with this many columns and rows. */
  #build(columns, rows, chess, firstRowOnTop) {
    const shape = `${columns}x${rows}`;
    if (this.shape === shape) return;
    this.shape = shape;
    this.element.style.setProperty("--columns", columns);
    this.element.style.setProperty("--rows", rows);
    this.element.classList.toggle("chess", chess);
    this.element.replaceChildren();
    for (let row = 0; row < rows; row++) {
      const line = document.createElement("div");
      line.className = "row";
      line.setAttribute("role", "row");
      for (let column = 0; column < columns; column++) {
        const square = document.createElement("button");
        const number = firstRowOnTop ? row + 1 : rows - row;
        square.type = "button";
        square.className = "square";
        square.dataset.square = String.fromCharCode(97 + column) + number;
        square.dataset.column = column;
        square.dataset.row = row;
        square.setAttribute("role", "gridcell");
        square.tabIndex = row === 0 && column === 0 ? 0 : -1;
        if (chess && (row + column) % 2) square.classList.add("shaded");
        line.append(square);
      }
      this.element.append(line);
    }
  }

  /**
   * Draws a position. `marks`: `legal` (a set of squares to choose), `chosen`, `last` (squares of the last move), `hints` (a map of
   * squares to `{ text, best }`).
   */
  draw(position, { legal = new Set(), chosen, last = [], hints = new Map() } = {}) {
    const chess = position.game === "minichess";
    this.#build(position.rows[0].length, position.rows.length, chess, position.firstRowOnTop);
    for (const square of this.element.querySelectorAll(".square")) {
      const name = square.dataset.square;
      const content = position.rows[square.dataset.row][square.dataset.column];
      const hint = hints.get(name);
      square.replaceChildren(...this.#content(content, name, square, hint));
      square.classList.toggle("legal", legal.has(name));
      square.classList.toggle("hinted", Boolean(hint));
      square.classList.toggle("chosen", name === chosen);
      square.classList.toggle("last", last.includes(name));
      const words = DISCS[content] ?? PIECES[content] ?? "empty";
      square.setAttribute("aria-label", `${name} ${words}${legal.has(name) ? ", legal" : ""}${hint ? `, ${hint.text}` : ""}`);
    }
  }

  #content(content, name, square, hint) {
    const parts = [];
    if (square.dataset.column === "0" || square.parentElement === this.element.lastElementChild) {
      const corner = square.dataset.column === "0" && square.parentElement === this.element.lastElementChild;
      parts.push(span("coordinate", corner ? name : square.dataset.column === "0" ? name.slice(1) : name[0]));
    }
    if (DISCS[content]) parts.push(span(`disc ${DISCS[content]}`, ""));
    else if (PIECES[content]) parts.push(span("piece", PIECES[content]));
    if (hint) parts.push(span(`hint${hint.best ? " best" : ""}`, hint.text));
    return parts;
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

function span(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
