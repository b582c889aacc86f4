// Changes of a tree in text form. Each takes a tree and a path (numbers of children from the root) and returns another tree.

export const at = (tree, path) => path.reduce((node, index) => node?.children?.[index], tree);

function change(tree, path, edit) {
  if (!path.length) return edit(tree);
  const [first, ...rest] = path;
  return { ...tree, children: tree.children.map((child, index) => (index === first ? change(child, rest, edit) : child)) };
}

const place = (path) => [path.slice(0, -1), path.at(-1)];

export const setLeaf = (tree, path, leaf) => change(tree, path, (node) => ({ ...node, leaf }));

/** A leaf becomes an inner node with its old value as the only child. */
export const addChild = (tree, path) => change(tree, path, (node) => (node.children ? { ...node, children: [...node.children, { leaf: "0" }] } : { name: node.name, children: [{ leaf: node.leaf }, { leaf: "0" }] }));

/** Removes a subtree; a node without children becomes the leaf 0. */
export function remove(tree, path) {
  if (!path.length) return tree;
  const [above, index] = place(path);
  return change(tree, above, (node) => {
    const children = node.children.filter((_, other) => other !== index);
    return children.length ? { ...node, children } : { name: node.name, leaf: "0" };
  });
}

/** Moves a subtree to the place of another one, which moves aside. Undefined if that is the subtree itself or below it. */
export function move(tree, from, to) {
  if (!from.length || !to.length || from.every((index, ply) => to[ply] === index)) return undefined;
  const [fromParent, fromIndex] = place(from);
  const [toParent, toIndex] = place(to);
  const moved = at(tree, from);
  if (fromParent.join() === toParent.join()) {
    return change(tree, fromParent, (node) => {
      const children = node.children.filter((_, index) => index !== fromIndex);
      children.splice(toIndex, 0, moved);
      return { ...node, children };
    });
  }
  const inserted = change(tree, toParent, (node) => ({ ...node, children: node.children.toSpliced(toIndex, 0, moved) }));
  // The new subtree pushes the old one aside if the old one stands below a later sibling.
  const ply = toParent.length;
  const isPushed = from.length > ply && from.slice(0, ply).join() === toParent.join() && from[ply] >= toIndex;
  return remove(inserted, isPushed ? from.with(ply, from[ply] + 1) : from);
}

/** Exchanges a subtree with its neighbour `step` places further; undefined at the end. */
export function shift(tree, path, step) {
  const [above, index] = place(path);
  const siblings = at(tree, above)?.children?.length ?? 0;
  return path.length && index + step >= 0 && index + step < siblings ? move(tree, path, [...above, index + step]) : undefined;
}
