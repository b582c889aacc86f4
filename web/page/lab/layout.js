// Places of the drawn items in pixels: leaves in columns from left to right, every other item above the middle of its children.

const [COLUMN, ROW, MARGIN] = [74, 92, 46];

/** `{ places, width, height }`; a place is `{ item, x, y, parent, ply, hidden }`, where `hidden` counts what is folded below it. */
export function layout(root, isFolded) {
  const places = [];
  let columns = 0;
  let lowest = 0;
  const place = (item, parent, ply) => {
    const here = { item, parent, ply, y: MARGIN + ply * ROW, hidden: 0 };
    places.push(here);
    lowest = Math.max(lowest, here.y);
    const open = isFolded(item, ply) ? [] : item.children;
    if (open.length < item.children.length) here.hidden = item.below;
    const below = open.map((child) => place(child, here, ply + 1));
    here.x = below.length ? (below[0].x + below.at(-1).x) / 2 : MARGIN + (columns++ + 0.5) * COLUMN;
    return here;
  };
  place(root, undefined, 0);
  return { places, width: 2 * MARGIN + columns * COLUMN, height: lowest + MARGIN + 10 };
}
