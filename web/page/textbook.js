// The interactive textbook: a searcher on a tree, stepped forward and back.
import { Stopped } from "./client.js";

const byId = (id) => document.getElementById(id);
const EXAMPLES = { tree: "(((1 5 6) (8 3)) (L (1 W)))", reversi: "", minichess: "", "tic-tac-toe": "", "connect-four": "", "reversi-6x6": "", "reversi-4x4": "" };

/** The steps of a search in their order: entering, pruning and leaving nodes, numbered as in the drawing. */
export function steps(root) {
  const list = [];
  let last = 0;
  const skip = (node) => node.children?.forEach((child) => (last++, skip(child)));
  const walk = (node) => {
    const number = last++;
    if (node.pruned) {
      list.push({ kind: "prune", number, node });
      skip(node);
      return;
    }
    list.push({ kind: "enter", number, node });
    node.children.forEach(walk);
    list.push({ kind: "leave", number, node });
  };
  walk(root);
  return list;
}

export function startTextbook(client, info) {
  const fill = (id, values, chosen) => byId(id).replaceChildren(...values.map((value) => new Option(value, value, value === chosen, value === chosen)));
  fill("trace-algorithm", info.algorithms, "alphabeta");
  fill("trace-order", info.orders, "natural");
  const book = new Textbook(client, info.windowed);
  for (const id of ["trace-algorithm", "trace-order", "trace-depth", "trace-root", "trace-alpha", "trace-beta", "trace-table"]) byId(id).addEventListener("change", () => book.run());
  byId("trace-kind").addEventListener("change", () => book.choose());
  byId("trace-run").addEventListener("click", () => book.run());
  byId("trace-text").addEventListener("keydown", ({ key }) => key === "Enter" && book.run());
  byId("step-first").addEventListener("click", () => book.go(0));
  byId("step-back").addEventListener("click", () => book.go(book.at - 1));
  byId("step-forward").addEventListener("click", () => book.go(book.at + 1));
  byId("step-last").addEventListener("click", () => book.go(Infinity));
  byId("step-slider").addEventListener("input", () => book.go(Number(byId("step-slider").value)));
  byId("drawing").addEventListener("keydown", (event) => {
    const to = { ArrowRight: book.at + 1, ArrowLeft: book.at - 1, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    book.go(to);
  });
  byId("tab-textbook").addEventListener("show", () => book.steps || book.run());
}

class Textbook {
  at = 0;

  constructor(client, windowed) {
    this.client = client;
    this.windowed = windowed;
  }

  choose() {
    byId("trace-text").value = EXAMPLES[byId("trace-kind").value];
    byId("trace-text").placeholder = "a position; empty for the start";
    return this.run();
  }

  async run() {
    const kind = byId("trace-kind").value;
    const text = byId("trace-text").value.trim();
    const what = kind === "tree" ? { tree: text } : { game: kind, position: text || undefined, depth: Number(byId("trace-depth").value) };
    byId("trace-depth-label").hidden = kind === "tree";
    const bounds = [byId("trace-alpha"), byId("trace-beta")];
    const hasWindow = this.windowed.includes(byId("trace-algorithm").value);
    for (const bound of bounds) bound.disabled = !hasWindow;
    const request = {
      ...what,
      algorithm: byId("trace-algorithm").value,
      order: byId("trace-order").value,
      root: byId("trace-root").value,
      window: hasWindow ? bounds.map(({ value }) => value.trim()).join(",") : undefined,
      table: byId("trace-table").checked,
    };
    this.client.stop();
    try {
      const result = await this.client.trace(request);
      byId("drawing").innerHTML = result.svg;
      this.summary = result.summary;
      this.steps = steps(result.tree);
      byId("step-slider").max = this.steps.length;
      this.go(Infinity);
    } catch (error) {
      if (!(error instanceof Stopped)) byId("trace-status").textContent = error.message;
    }
  }

  /** Shows the search after this many steps. */
  go(step) {
    if (!this.steps) return;
    this.at = Math.max(0, Math.min(step, this.steps.length));
    byId("step-slider").value = this.at;
    const state = new Map();
    for (const { kind, number } of this.steps.slice(0, this.at)) state.set(number, { enter: "open", leave: "done", prune: "pruned" }[kind]);
    const now = this.steps[this.at - 1];
    for (const group of byId("drawing").querySelectorAll("[data-node]")) {
      const number = Number(group.dataset.node);
      const known = state.get(number);
      const below = !known && this.#belowPruned(number, state);
      group.classList.toggle("ahead", !known && !below);
      group.classList.toggle("open", known === "open");
      group.classList.toggle("current", number === now?.number && group.classList.contains("node"));
    }
    byId("trace-status").textContent = now ? `Step ${this.at} of ${this.steps.length}: ${describe(now)}${this.at === this.steps.length ? `. ${this.summary}` : ""}` : `${this.steps.length} steps.`;
  }

  /** Whether a node is below one that has been pruned; such a node has no step of its own. */
  #belowPruned(number, state) {
    const owner = this.steps.filter((step) => step.kind === "prune" && step.number < number).at(-1);
    const next = this.steps.filter((step) => step.kind !== "prune" && step.number > (owner?.number ?? Infinity)).map((step) => step.number);
    return Boolean(owner) && state.get(owner.number) === "pruned" && number < Math.min(...next, Infinity);
  }
}

function describe({ kind, node }) {
  const name = node.move ? `${node.move} ` : "";
  if (kind === "prune") return `${name}is pruned: it cannot change the result`;
  const window = `[${node.window.join(", ")}]`;
  const player = node.children.length ? `${node.player === "max" ? "Max" : "Min"}'s node` : "a leaf";
  if (kind === "enter") return `enter ${name}${player} with the window ${window}`;
  const bound = { exact: "", "at least": "at least ", "at most": "at most " }[node.bound];
  return `leave ${name}${player}: ${bound}${node.value}${node.table ? " (from the table)" : ""}, window ${window}`;
}
