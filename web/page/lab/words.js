// Steps and sources in words.
import { label, shortName } from "./model.js";
import { show } from "./values.js";

export const windowText = ([alpha, beta]) => `[${show(alpha)},${show(beta)}]`;

const BOUNDS = { exact: "", "at least": "at least ", "at most": "at most " };
export const BOUND_SIGNS = { exact: "", "at least": "≥", "at most": "≤" };

export const playoutsText = (count) => `${count} ${count === 1 ? "playout" : "playouts"}`;

/** A node with its player. */
function titled(node) {
  const kind = node.children.length ? `${node.max ? "Max" : "Min"}'s node` : "the leaf";
  return node.parent ? `${kind} ${label(node)}` : node.children.length ? `${kind} at the root` : "the root, a leaf";
}

/** A step in a sentence. The reason of a cutoff is the trace's own sentence. */
export function describe({ kind, node }) {
  if (kind === "prune") return `${label(node)} is pruned.`;
  if (kind === "again") return `The window of the root was too narrow: ${node.failure}.`;
  if (kind === "cut") return `Cutoff at ${label(node)}: ${node.cut.reason}.`;
  const technique = node.technique ? ` (${node.technique})` : "";
  if (kind === "enter") return `The search enters ${titled(node)}${technique}${node.again ? " again" : ""}${node.window ? ` with the window ${windowText(node.window)}` : ""}.`;
  const source = node.table ? `, known from the table${node.storedBy ? `, where ${label(node.storedBy)} stored it` : ""}` : node.playouts ? `, the mean of ${playoutsText(node.playouts)}` : "";
  return `${label(node)} returns ${node.window ? BOUNDS[node.bound] : ""}${show(node.value)}${source}.`.replace(/^the root/, "The root");
}

/** Where a bound comes from. */
export function sourceText(source, parentBound) {
  if (!source) return "";
  if (source.kind === "value") return `from ${shortName(source.node)}`;
  if (source.kind === "null") return "null window";
  if (source.kind === "aspiration") return "around the last value";
  return source.kind === "technique" ? "of the technique" : parentBound ?? "given";
}
