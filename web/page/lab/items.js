// What is drawn: the nodes of a search, the outlines of subtrees that it did not see, and marks for pruned siblings.

/**
 * The drawn tree. An item is `{ key, node, text, children, below, max, isPruned, isAgain }`: `node` governs what is known of it,
 * `text` is a value that no search returned, and `below` counts the items below it. `collapse` makes one mark of pruned siblings.
 */
export function itemsOf(root, collapse) {
  const outline = (found, key, node, max) => ({
    key, node, max, name: found.move, text: found.value, isPruned: true,
    ...withChildren((found.children ?? []).map((child, index) => outline(child, `${key}.${index}`, node, !max))),
  });
  const item = (node) => {
    const key = String(node.number);
    if (node.pruned) return collapse ? { key, node, name: node.move, max: !node.parent.max, isPruned: true, ...withChildren([]) } : outline(node.outline ?? {}, key, node, !node.parent.max);
    const pruned = node.children.filter((child) => child.pruned);
    const drawn = collapse && pruned.length > 1 ? node.children.filter((child) => !child.pruned) : node.children;
    const mark = drawn === node.children ? [] : [{ key: `${key}+`, node: pruned[0], mark: `+${pruned.length}`, isPruned: true, ...withChildren([]) }];
    return { key, node, name: shortMove(node), max: node.max, isAgain: node.again, ...withChildren([...drawn.map(item), ...mark]) };
  };
  return item(root);
}

/** The move; of a test of the position, which is no move, what tests it. */
const shortMove = ({ move, technique }) => move ?? technique?.split(",")[0];

const withChildren = (children) => ({ children, below: children.reduce((sum, child) => sum + 1 + child.below, 0) });

/** The items of a tree that is edited, all of whose values are seen. */
export function itemsOfText(tree, max = true, key = "t") {
  const children = (tree.children ?? []).map((child, index) => itemsOfText(child, !max, `${key}.${index}`));
  return { key, tree, max, name: tree.name, text: tree.leaf ?? tree.value, ...withChildren(children) };
}

/** The plies that may be drawn so that there are at most `most` items: a limit for `layout`. */
export function readablePlies(root, most) {
  const counts = [];
  const count = (item, ply) => {
    counts[ply] = (counts[ply] ?? 0) + 1;
    for (const child of item.children) count(child, ply + 1);
  };
  count(root, 0);
  let sum = 0;
  const first = counts.findIndex((here) => (sum += here) > most);
  return first < 0 ? Infinity : Math.max(1, first - 1);
}
