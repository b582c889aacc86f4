// What is known after some steps of a search: no value, bound or cutoff before the step that finds it.
import { isTest } from "./model.js";
import { same } from "./values.js";

/**
 * Replays a search. Its state: `views` by node, the `stack` of open nodes, `counters`, the latest `step`, and `touched`, the nodes that
 * the last `go` may have changed (undefined for all). A view is `{ state, alpha, beta, alphaFrom, betaFrom, best, bestFrom }`; a source is
 * `{ kind, node }` of the kind `root`, `aspiration`, `value`, `null` or `technique`.
 */
export class Replay {
  constructor({ steps, nodes }) {
    Object.assign(this, { steps, nodes });
    this.#restart();
  }

  #restart() {
    this.views = new Array(this.nodes.length);
    this.stack = [];
    this.counters = { nodes: 0, leaves: 0, cutoffs: 0, again: 0, pruned: 0, table: 0 };
    this.changed = [];
    this.count = 0;
  }

  get step() {
    return this.steps[this.count - 1];
  }

  get isOver() {
    return this.count === this.steps.length;
  }

  /** The state after so many steps. */
  go(count) {
    const wasOver = this.isOver;
    this.touched = new Set();
    if (this.step) this.#touch(this.step.node);
    const isBack = count < this.count;
    if (isBack) this.#restart();
    while (this.count < count) this.#advance(this.steps[this.count++]);
    if (isBack || wasOver !== this.isOver) this.touched = undefined;
    return this;
  }

  #touch(node) {
    this.touched.add(node.number);
    if (node.parent) this.touched.add(node.parent.number);
  }

  #advance({ kind, node }) {
    const { views, stack, counters, changed } = this;
    changed.length = 0;
    this.#touch(node);
    if (kind === "enter") {
      views[node.number] = entered(node, views[node.parent?.number]);
      stack.push(node);
      counters.nodes++;
      if (node.again) counters.again++;
      if (node.table) counters.table++;
      else if (!node.children.length) counters.leaves++;
    } else if (kind === "cut") {
      counters.cutoffs++;
    } else if (kind === "prune") {
      views[node.number] = { state: "pruned" };
      counters.pruned++;
    } else if (kind === "leave") {
      views[node.number].state = "done";
      stack.pop();
      if (node.parent) returned(node, views[node.parent.number], changed);
    }
  }
}

function entered(node, above) {
  if (!node.window) return { state: "open" };
  const [alpha, beta] = node.window;
  const source = (bound, own, from) => {
    if (!above) return { kind: node.isAspiration && Number.isFinite(bound) ? "aspiration" : "root" };
    if (same(bound, own)) return from;
    return node.technique ? { kind: "technique" } : { kind: "null", node: (node.parent.max ? above.alphaFrom : above.betaFrom)?.node };
  };
  return { state: "open", alpha, beta, alphaFrom: source(alpha, above?.alpha, above?.alphaFrom), betaFrom: source(beta, above?.beta, above?.betaFrom) };
}

/** A child's value is returned: the best value and the mover's bound may change. A value that is asked for again counts only then. */
function returned(node, view, changed) {
  const { parent } = node;
  if (isTest(node) || node.playouts !== undefined || node.isSearchedAgain) return;
  const isBetter = (value, than) => (parent.max ? value > than : value < than);
  if (view.best === undefined || isBetter(node.value, view.best)) {
    view.best = node.value;
    view.bestFrom = node;
    changed.push("best");
  }
  if (!node.window) return;
  const [bound, from] = parent.max ? ["alpha", "alphaFrom"] : ["beta", "betaFrom"];
  if (!isBetter(node.value, view[bound])) return;
  view[bound] = node.value;
  view[from] = { kind: "value", node };
  changed.push(bound);
}
