// A search that grows: iterative deepening, iteration by iteration, and UCT, with more and more playouts.
import { byId } from "../elements.js";

const PLAYOUTS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500];

export class Film {
  parts = [];

  constructor(onChange) {
    byId("film").addEventListener("change", onChange);
  }

  /** Offers the parts of the film for these searches; `first` starts it from the beginning. */
  offer(choices, plies, wanted) {
    const isUct = choices.some(({ algorithm }) => algorithm === "uct");
    const isFilm = isUct || choices.some(({ deepen, order }) => deepen || order === "previous");
    byId("film-label").hidden = !isFilm;
    this.parts = !isFilm ? [] : isUct ? PLAYOUTS : Array.from({ length: Math.max(1, plies) }, (_, index) => index + 1);
    this.isUct = isUct;
    byId("film-name").textContent = isUct ? "Playouts" : "Iteration";
    const chosen = this.parts.includes(Number(wanted)) ? Number(wanted) : isUct ? 100 : 1;
    byId("film").replaceChildren(...this.parts.map((part) => new Option(String(part), String(part), part === chosen, part === chosen)));
  }

  get value() {
    return this.parts.length ? byId("film").value : "";
  }

  /** What the present part changes in the request of a searcher. */
  request({ algorithm, deepen, order }) {
    if (!this.parts.length) return {};
    const part = Number(byId("film").value);
    if (algorithm === "uct") return { playouts: part };
    return !this.isUct && (deepen || order === "previous") ? { depth: part } : {};
  }

  /** Goes on to the next part; false at the end. */
  next() {
    const select = byId("film");
    if (!this.parts.length || select.selectedIndex + 1 >= this.parts.length) return false;
    select.selectedIndex++;
    return true;
  }
}
