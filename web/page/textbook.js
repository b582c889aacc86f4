// The interactive textbook: a searcher on a tree or a position, step by step.
import { Stopped } from "./client.js";
import { gameOptions } from "./games.js";
import { Stepper } from "./stepper.js";

const byId = (id) => document.getElementById(id);
const TREE = "(((1 5 6) (8 3)) (L (1 W)))";
/** The form's controls, by their names in the address. */
const CONTROLS = {
  search: "trace-kind", text: "trace-text", algorithm: "trace-algorithm", order: "trace-order", depth: "trace-depth", root: "trace-root", alpha: "trace-alpha", beta: "trace-beta",
};

export class Textbook {
  #stepper = new Stepper();

  constructor({ client, info, show }) {
    this.client = client;
    this.windowed = info.windowed;
    this.show = show;
    const fill = (id, values, chosen) => byId(id).replaceChildren(...values.map((value) => new Option(value, value, value === chosen, value === chosen)));
    fill("trace-algorithm", info.algorithms, "alphabeta");
    fill("trace-order", info.orders, "natural");
    byId("trace-kind").append(...gameOptions(info.games));
    for (const id of ["trace-algorithm", "trace-order", "trace-depth", "trace-root", "trace-alpha", "trace-beta", "trace-table"]) byId(id).addEventListener("change", () => this.run());
    byId("trace-kind").addEventListener("change", () => this.#choose());
    byId("trace-run").addEventListener("click", () => this.run());
    byId("trace-text").addEventListener("keydown", ({ key }) => key === "Enter" && this.run());
  }

  /** The section is opened, perhaps by a link with values. */
  open(values = {}) {
    for (const [name, id] of Object.entries(CONTROLS)) if (values[name] !== undefined) byId(id).value = values[name];
    if (values.search !== undefined && values.text === undefined) byId("trace-text").value = "";
    if (values.table !== undefined) byId("trace-table").checked = true;
    if (Object.keys(values).length || !this.#stepper.steps) this.run();
  }

  #choose() {
    byId("trace-text").value = byId("trace-kind").value === "tree" ? TREE : "";
    return this.run();
  }

  async run() {
    const value = (name) => byId(CONTROLS[name]).value.trim();
    const isTree = value("search") === "tree";
    const hasWindow = this.windowed.includes(value("algorithm"));
    byId("trace-text").placeholder = isTree ? "a tree in brackets" : "a position; empty for the start";
    byId("trace-depth-label").hidden = isTree;
    for (const bound of ["alpha", "beta"]) byId(CONTROLS[bound]).disabled = !hasWindow;
    const table = byId("trace-table").checked;
    this.show({ ...Object.fromEntries(Object.keys(CONTROLS).map((name) => [name, value(name)])), table: table ? "yes" : "" });
    this.client.stop();
    try {
      this.#stepper.show(await this.client.trace({
        ...(isTree ? { tree: value("text") } : { game: value("search"), position: value("text") || undefined, depth: Number(value("depth")) }),
        algorithm: value("algorithm"),
        order: value("order"),
        root: value("root"),
        window: hasWindow ? `${value("alpha")},${value("beta")}` : undefined,
        table,
      }));
    } catch (error) {
      if (!(error instanceof Stopped)) byId("trace-status").textContent = error.message;
    }
  }
}
