// A drawn search that is stepped forward and back: buttons, a slider, and arrow keys on the drawing.
import { describe, steps } from "./steps.js";

const byId = (id) => document.getElementById(id);

export class Stepper {
  at = 0;
  steps = undefined;

  constructor() {
    const buttons = { "step-first": () => 0, "step-back": () => this.at - 1, "step-forward": () => this.at + 1, "step-last": () => Infinity };
    for (const [id, target] of Object.entries(buttons)) byId(id).addEventListener("click", () => this.go(target()));
    byId("step-slider").addEventListener("input", () => this.go(Number(byId("step-slider").value)));
    byId("drawing").addEventListener("keydown", (event) => {
      const to = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: Infinity }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.go(to);
    });
  }

  /** Shows a search, to its end. */
  show({ svg, summary, tree }) {
    byId("drawing").innerHTML = svg;
    this.summary = summary;
    this.steps = steps(tree);
    byId("step-slider").max = this.steps.length;
    this.go(Infinity);
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
