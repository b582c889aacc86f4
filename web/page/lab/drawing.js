// A tree as a picture: built once for a search, then changed only where a step changes something.
import { edge, make, nameOf, picture, shape, valueHeight } from "./shapes.js";
import { BOUND_SIGNS, describe, playoutsText, windowText } from "./words.js";
import { show } from "./values.js";

const RING = 25;
/** Longest text of a value that is not shrunk. */
const SHORT = 5;

export class Drawing {
  /** What is drawn, by the number of the node that governs it. */
  #shown = new Map();
  #highlighted;
  /** The keys of the nodes whose value another node stored, and their lines. */
  #hits = [];
  #links = new Map();

  /** Draws the places of a layout. `keepsUnknown` says that nodes ahead of the search are seen in outline. */
  constructor({ places, width, height }, { keepsUnknown = false, leaves = false } = {}) {
    Object.assign(this, { width, height, keepsUnknown, leaves });
    this.edges = make("g");
    this.items = make("g");
    this.svg = picture(width, height, this.edges, this.items);
    this.places = new Map(places.map((place) => [place.item.key, place]));
    for (const place of places) this.#add(place);
  }

  #add(place) {
    const { item, x, y, hidden } = place;
    const line = edge(place, "edge unknown");
    if (line) this.edges.append(line);
    const text = (name, dy, content = "") => make("text", { class: name, y: dy }, content);
    const parts = { title: make("title"), value: text("value", valueHeight(item)), window: text("window", 36), fold: text("fold", 50) };
    const group = make("g", { class: "item unknown", transform: `translate(${x} ${y})`, "data-key": item.key }, parts.title, make("circle", { class: "ring", r: RING }), shape(item), parts.value, parts.window, parts.fold, ...nameOf(item));
    const { number } = item.node;
    group.dataset.node = number;
    this.items.append(group);
    if (item.node.table_node !== undefined && item.key === String(number)) this.#hits.push(item.key);
    if (!this.#shown.has(number)) this.#shown.set(number, []);
    this.#shown.get(number).push({ item, hidden, group, line, parts, last: "" });
  }

  /** Shows what is known in a state. `highlight(node)` names the classes of nodes that matter at this step. */
  show(state, highlight = new Map()) {
    const isNew = this.#highlighted === undefined;
    const numbers = isNew || !state.touched ? this.#shown.keys() : new Set([...state.touched, ...this.#highlighted.keys(), ...highlight.keys()]);
    for (const number of numbers) this.#shown.get(number)?.forEach((shown) => this.#show(shown, state, highlight));
    this.#highlighted = highlight;
    this.#link(state);
  }

  #show(shown, state, highlight) {
    const { item, hidden, group, line, parts } = shown;
    const { node } = item;
    const view = state.views[node.number];
    const isOwn = item.key === String(node.number);
    const isKnown = Boolean(view) || (this.keepsUnknown && !item.isAgain && !item.mark);
    const kind = view?.state ?? "ahead";
    const { value, window } = isOwn && !item.isPruned ? facts(node, view, this.leaves) : { value: item.mark ?? this.#outlineValue(item, view), window: "" };
    const classes = [kind, isKnown ? "" : "unknown", node.technique && view ? "technique" : "", node.table && kind === "done" ? "table" : "", isOwn ? (highlight.get(node.number) ?? "") : ""];
    const title = view && isOwn ? titleOf(node, kind, state) : "";
    const below = hidden && isKnown ? `▾ ${hidden}` : view && isOwn ? (node.technique ?? "") : "";
    const text = `${classes.join(" ")}|${below}|${value}|${window}|${title}`;
    const isMain = state.isOver && node.main && isOwn;
    if (shown.last === text + isMain) return;
    shown.last = text + isMain;
    group.setAttribute("class", `item ${classes.filter(Boolean).join(" ")}`);
    line?.setAttribute("class", `edge ${classes.slice(0, 3).filter(Boolean).join(" ")}${isMain ? " main" : ""}`);
    parts.value.textContent = value;
    parts.value.setAttribute("class", `value${value.length > SHORT ? " long" : ""}`);
    parts.window.textContent = window;
    parts.fold.textContent = below;
    parts.title.textContent = title;
  }

  /** The value of a leaf that no search has returned: seen when it is pruned, or from the start if leaves are shown. */
  #outlineValue({ text }, view) {
    return text !== undefined && text !== null && (view || this.leaves) ? String(text) : "";
  }

  /** Lines from values of the table to the nodes that stored them. */
  #link({ views, step }) {
    for (const key of this.#hits) {
      const { node } = this.places.get(key).item;
      const [from, to] = [this.places.get(key), this.places.get(String(node.table_node))];
      const isKnown = views[node.number]?.state === "done";
      if (!to || Boolean(this.#links.get(key)) !== isKnown) {
        this.#links.get(key)?.remove();
        this.#links.delete(key);
        if (!to || !isKnown) continue;
        this.#links.set(key, make("path", { d: `M${from.x} ${from.y + 20} Q${(from.x + to.x) / 2} ${Math.max(from.y, to.y) + 70} ${to.x} ${to.y + 20}` }));
        this.edges.append(this.#links.get(key));
      }
      this.#links.get(key)?.setAttribute("class", `table-link${step?.node === node ? " now" : ""}`);
    }
  }

  /** The place of a node, or of the nearest drawn node above it. */
  placeOf(node) {
    for (let at = node; at; at = at.parent) {
      const place = this.places.get(String(at.number));
      if (place) return place;
    }
    return undefined;
  }
}

/** Value and window beside a node: live ones while it is open. */
function facts(node, view, leaves) {
  if (!view) return { value: leaves && !node.children.length && !node.table ? show(node.value) : "", window: "" };
  const returned = `${node.window ? BOUND_SIGNS[node.bound] : ""}${show(node.value)}`;
  if (node.playouts !== undefined) return view.state === "done" ? { value: show(Number(node.value.toFixed(2))), window: playoutsText(node.playouts) } : { value: "", window: "" };
  const bounds = view.state === "done" ? node.window : [view.alpha, view.beta];
  return { value: view.state === "done" ? returned : view.best === undefined ? "" : show(view.best), window: node.window ? windowText(bounds) : "" };
}

function titleOf(node, kind, state) {
  if (kind === "pruned") return node.parent.cut?.reason ?? "pruned";
  const hasCut = node.cut && (kind === "done" || state.step?.kind === "cut" && state.step.node === node);
  return hasCut ? node.cut.reason : describe({ kind: kind === "done" ? "leave" : "enter", node });
}

