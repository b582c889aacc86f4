// The page's address names the open section and what it shows, as in `#play?game=reversi&moves=f5+d6`: a link or a reload
// finds the same again.

/** Sections by their names in older links. */
const FORMER = { textbook: "lab" };

export class Address {
  #open;
  #shown = new Map();
  #written;

  /** The section and the values of the present address; both may be missing. */
  static read() {
    const [section, query] = location.hash.slice(1).split("?");
    return { section: FORMER[section] ?? section, values: Object.fromEntries(new URLSearchParams(query)) };
  }

  /** Notes what a section shows. Empty values are left out. */
  show(section, values) {
    this.#shown.set(section, Object.entries(values).filter(([, value]) => value !== "" && value !== undefined));
    this.#write();
  }

  /** Notes which section is open. */
  open(section) {
    this.#open = section;
    this.#write();
  }

  /** The present entry of the browser's history is overwritten: "back" leaves the page. */
  #write() {
    if (this.#open === undefined) return;
    const query = new URLSearchParams(this.#shown.get(this.#open) ?? []).toString();
    const hash = `#${this.#open}${query && "?"}${query}`;
    // Browsers refuse some hundred changes in a row.
    if (hash !== this.#written) history.replaceState(null, "", hash);
    this.#written = hash;
  }
}
