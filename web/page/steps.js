// The steps of a textbook search: its tree in the order of the visits, and a step in words.

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

const BOUNDS = { exact: "", "at least": "at least ", "at most": "at most " };

/** A step in words. Searches by playouts have no window: their values are means. */
export function describe({ kind, node }) {
  const name = node.move ? `${node.move} ` : "";
  if (kind === "prune") return `${name}is pruned: it cannot change the result`;
  const window = node.window && `window [${node.window.join(", ")}]`;
  const player = node.children.length ? `${node.player === "max" ? "Max" : "Min"}'s node` : "a leaf";
  if (kind === "enter") return `enter ${name}${player}${window ? ` with the ${window}` : ""}`;
  const source = node.table ? " (from the table)" : node.playouts ? `, the mean of ${node.playouts} ${node.playouts === 1 ? "playout" : "playouts"}` : "";
  return `leave ${name}${player}: ${BOUNDS[node.bound]}${node.value}${source}${window ? `, ${window}` : ""}`;
}
