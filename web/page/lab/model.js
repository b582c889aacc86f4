// A traced search as the page uses it: its nodes by number, and its steps in the order of `flipside trace --format steps`.
import { number } from "./values.js";

/** `{ nodes, steps, summary, record }`. A step is `{ kind, node, text }` of the kind `enter`, `cut`, `prune` or `leave`. */
export function model(record) {
  const nodes = [];
  const add = (found, parent, place) => {
    const node = { ...found, number: found.index, parent, children: [], ply: parent ? parent.ply + 1 : 0, max: found.player === "max" };
    // Minimax has no window: the trace shows the full one everywhere.
    node.window = record.algorithm === "minimax" ? undefined : found.window?.map(number);
    if (found.value !== undefined) node.value = number(found.value);
    node.path = parent ? [...parent.path, found.move ?? techniqueName(found) ?? String(place)] : [];
    nodes[found.index] = node;
    let among = 0;
    for (const child of found.children ?? []) {
      if (child.again) node.children.at(-1).isSearchedAgain = true;
      else among++;
      node.children.push(add(child, node, among));
    }
    return node;
  };
  const root = add(record.tree, undefined, 0);
  for (const node of nodes) node.storedBy = nodes[node.table_node];
  return { root, nodes, steps: steps(root, record.steps), summary: record.summary, record };
}

const techniqueName = ({ technique }) => (technique?.startsWith("null move") ? "null-move" : technique?.startsWith("ProbCut") ? "ProbCut" : undefined);

/** Whether the visit tests its parent's position and is no move. */
export const isTest = (node) => techniqueName(node) !== undefined && node.move === null;

function steps(root, text) {
  const lines = text.trimEnd().split("\n");
  const list = [];
  const push = (kind, node) => list.push({ kind, node, text: lines[list.length] });
  const walk = (node) => {
    if (node.pruned) return push("prune", node);
    push("enter", node);
    node.children.filter(({ pruned }) => !pruned).forEach(walk);
    if (node.cut) push("cut", node);
    node.children.filter(({ pruned }) => pruned).forEach(walk);
    return push("leave", node);
  };
  walk(root);
  return list;
}

/** A node in words: its moves from the root, or the numbers of its branches. */
export function label(node) {
  if (!node.parent) return "the root";
  return node.path.join(node.path.some((word) => !/^\d+$/.test(word)) ? " " : ".");
}

/** The move, or the place among the moves of its parent. */
export const shortName = (node) => (node.parent ? (node.move ?? label(node)) : "root");
