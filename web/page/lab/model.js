// A traced search as the page uses it: its nodes by number, and its steps in the order of `flipside trace --format steps`.
import { number } from "./values.js";

/**
 * `{ roots, root, nodes, steps, summary, record }`. A step is `{ kind, node, text }` of the kind `enter`, `cut`, `prune`, `leave`, or
 * `again` at a root whose window was too narrow. `roots` are the searches of the root, of which the last one, `root`, found the value.
 */
export function model(record) {
  const nodes = [];
  /** The nodes of one search of the root are numbered from `first` on. */
  const add = (found, parent, place, first = nodes.length) => {
    const there = (index) => (index === undefined ? undefined : first + index);
    const node = { ...found, number: there(found.index), parent, children: [], ply: parent ? parent.ply + 1 : 0, max: found.player === "max" };
    node.root = parent?.root ?? node;
    node.table_node = there(found.table_node);
    if (found.cut) node.cut = { ...found.cut, value_node: there(found.cut.value_node), bound_node: there(found.cut.bound_node) };
    // Minimax has no window: the trace shows the full one everywhere.
    node.window = record.algorithm === "minimax" ? undefined : found.window?.map(number);
    if (found.value !== undefined) node.value = number(found.value);
    node.path = parent ? [...parent.path, found.move ?? techniqueName(found) ?? String(place)] : [];
    nodes[node.number] = node;
    let among = 0;
    for (const child of found.children ?? []) {
      if (child.again) node.children.at(-1).isSearchedAgain = true;
      else among++;
      node.children.push(add(child, node, among, first));
    }
    return node;
  };
  const failed = record.tree.failed ?? [];
  const roots = [...failed.map(({ tree }) => tree), record.tree].map((tree) => add(tree, undefined, 0));
  roots.forEach((root, place) => Object.assign(root, { again: place > 0, failure: failed[place]?.reason, isAspiration: record.algorithm === "pvs" }));
  for (const node of nodes) node.storedBy = nodes[node.table_node];
  return { roots, root: roots.at(-1), nodes, steps: steps(roots, record.steps), summary: record.summary, record };
}

const techniqueName = ({ technique }) => (technique?.startsWith("null move") ? "null-move" : technique?.startsWith("ProbCut") ? "ProbCut" : undefined);

/** Whether the visit tests its parent's position and is no move. */
export const isTest = (node) => techniqueName(node) !== undefined && node.move === null;

function steps(roots, text) {
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
  for (const root of roots) {
    walk(root);
    if (root.failure) push("again", root);
  }
  return list;
}

/** A node in words: its moves from the root, or the numbers of its branches. */
export function label(node) {
  if (!node.parent) return "the root";
  return node.path.join(node.path.some((word) => !/^\d+$/.test(word)) ? " " : ".");
}

/** The move, or the place among the moves of its parent. */
export const shortName = (node) => (node.parent ? (node.move ?? label(node)) : "root");
