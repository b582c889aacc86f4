// The elements of drawn trees.
import { LOOK } from "./look.js";

const SVG = "http://www.w3.org/2000/svg";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A picture with its own style, for a screen and for a file alike. What it shows stands in words elsewhere. */
export function picture(width, height, ...layers) {
  const style = make("style");
  style.textContent = LOOK;
  return make("svg", { xmlns: SVG, class: "tree", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, style, ...layers);
}

const isLeaf = ({ children, node }) => !children.length && !node?.children.length;

/** A triangle that points up for Max and down for Min, a circle for a leaf, a box for a mark. */
export function shape(item) {
  if (item.mark) return make("rect", { class: "shape", x: -18, y: -13, width: 36, height: 26, rx: 5 });
  if (isLeaf(item)) return make("circle", { class: "shape", r: 17 });
  return make("polygon", { class: "shape", points: item.max ? "0,-22 24,17 -24,17" : "0,22 24,-17 -24,-17" });
}

/** The line from its parent to an item's place; undefined for the root. */
export const edge = ({ item, x, y, parent }, look = "edge") =>
  parent && make("line", { class: look, x1: parent.x, y1: parent.y + (parent.item.max ? 17 : 22), x2: x, y2: y - (item.mark ? 13 : item.max ? 22 : 17) });

/** The name of an item's move, as a list: empty without a name. */
export const nameOf = ({ name }) => (name ? [make("text", { class: "name", y: -26 }, name)] : []);

/** The height of a value's text below the middle of its shape. */
export const valueHeight = (item) => (item.mark || isLeaf(item) ? 4 : item.max ? 11 : -3);
