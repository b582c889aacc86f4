// Editing a tree by hand: a click chooses a node, dragging moves a subtree, buttons and keys do the same.
import { addChild, at, move, remove, setLeaf, shift } from "./edits.js";
import { itemsOfText } from "./items.js";
import { layout } from "./layout.js";
import { edge, make, nameOf, picture, shape, valueHeight } from "./shapes.js";
import { parse, write } from "./tree-text.js";
import { read } from "./values.js";

const MOST_UNDO = 200;
const pathOf = (key) => key.split(".").slice(1).map(Number);
const keyOf = (path) => ["t", ...path].join(".");

export class Editor {
  #past = [];
  chosen = [];

  /** Calls `onChange(text)` after every change. */
  constructor(element, onChange) {
    this.element = element;
    this.onChange = onChange;
    this.part = (name) => element.querySelector(`[data-part=${name}]`);
    const board = this.part("editor-drawing");
    board.addEventListener("pointerdown", (event) => this.#press(event));
    // A finger on a node drags it; beside the nodes it scrolls.
    board.addEventListener("touchstart", (event) => event.target.closest(".item") && event.preventDefault(), { passive: false });
    board.addEventListener("keydown", (event) => this.#key(event));
    const actions = {
      "add-child": () => this.#apply(addChild(this.tree, this.chosen)),
      remove: () => this.#apply(remove(this.tree, this.chosen), this.chosen.slice(0, -1)),
      earlier: () => this.#shift(-1),
      later: () => this.#shift(1),
      undo: () => this.undo(),
    };
    for (const [name, action] of Object.entries(actions)) this.part(name).addEventListener("click", action);
    this.part("leaf").addEventListener("change", () => this.#setLeaf(this.part("leaf").value));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Shows the tree of a text; false if that is none. */
  open(text, max) {
    const tree = parse(text);
    if (!tree) return false;
    if (this.tree && write(this.tree) !== write(tree)) this.#remember();
    Object.assign(this, { tree, max });
    if (!at(tree, this.chosen)) this.chosen = [];
    this.element.hidden = false;
    this.#draw();
    return true;
  }

  close() {
    this.element.hidden = true;
  }

  undo() {
    const tree = this.#past.pop();
    if (!tree) return;
    this.tree = tree;
    if (!at(tree, this.chosen)) this.chosen = [];
    this.#changed();
  }

  #remember() {
    this.#past.push(this.tree);
    if (this.#past.length > MOST_UNDO) this.#past.shift();
  }

  #apply(tree, chosen = this.chosen) {
    if (!tree || tree === this.tree) return;
    this.#remember();
    Object.assign(this, { tree, chosen });
    this.#changed();
  }

  #changed() {
    this.#draw();
    this.onChange(write(this.tree));
  }

  #setLeaf(text) {
    const leaf = text.trim();
    const isValue = leaf === "?" || read(leaf) !== undefined;
    if (isValue && at(this.tree, this.chosen).leaf !== undefined) this.#apply(setLeaf(this.tree, this.chosen, leaf.toUpperCase()));
    else this.#draw();
  }

  #shift(step) {
    const shifted = shift(this.tree, this.chosen, step);
    if (shifted) this.#apply(shifted, [...this.chosen.slice(0, -1), this.chosen.at(-1) + step]);
  }

  #choose(path) {
    this.chosen = path;
    this.#draw();
  }

  #key(event) {
    const [above, index] = [this.chosen.slice(0, -1), this.chosen.at(-1) ?? 0];
    const target = { ArrowLeft: [...above, index - 1], ArrowRight: [...above, index + 1], ArrowUp: above, ArrowDown: [...this.chosen, 0] }[event.key];
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.undo();
    else if (target && event.altKey && /Left|Right/.test(event.key)) this.#shift(event.key === "ArrowLeft" ? -1 : 1);
    else if (target) at(this.tree, target) && this.#choose(target);
    else if (event.key === "Enter") this.part("leaf").focus();
    else if (event.key === "Delete") this.#apply(remove(this.tree, this.chosen), above);
    else return;
    event.preventDefault();
  }

  /** A press chooses a node; released over another one, it moves the subtree there. */
  #press(event) {
    const key = event.target.closest(".item")?.dataset.key;
    if (key === undefined) return;
    const from = pathOf(key);
    const itemAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest?.("[data-part=editor-drawing] .item");
    const drag = (move) => {
      const over = itemAt(move);
      for (const item of this.part("editor-drawing").querySelectorAll(".item")) item.classList.toggle("found", item === over && item.dataset.key !== key);
    };
    const end = (release) => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener);
      if (release.type === "pointercancel") return;
      const over = itemAt(release)?.dataset.key;
      if (over === undefined || over === key) {
        this.#choose(from);
        if (at(this.tree, from).leaf !== undefined) this.part("leaf").select();
        else this.part("editor-drawing").focus();
        return;
      }
      this.#apply(move(this.tree, from, pathOf(over)), pathOf(over));
    };
    const listeners = { pointermove: drag, pointerup: end, pointercancel: end };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
  }

  #draw() {
    const { places, width, height } = layout(itemsOfText(this.tree, this.max), () => false);
    const edges = make("g");
    const items = make("g");
    for (const place of places) {
      const { item, x, y } = place;
      if (place.parent) edges.append(edge(place));
      items.append(make("g", { class: `item${item.key === keyOf(this.chosen) ? " chosen" : ""}`, transform: `translate(${x} ${y})`, "data-key": item.key }, shape(item), make("text", { class: "value", y: valueHeight(item) }, item.text ?? ""), ...nameOf(item)));
    }
    this.part("editor-drawing").replaceChildren(picture(width, height, edges, items));
    const node = at(this.tree, this.chosen);
    this.part("leaf").disabled = node.leaf === undefined;
    this.part("leaf").value = node.leaf ?? "";
    this.part("remove").disabled = !this.chosen.length;
    this.part("undo").disabled = !this.#past.length;
    this.part("chosen").textContent = `Chosen: ${this.chosen.length ? this.chosen.map((index) => index + 1).join(".") : "the root"}`;
  }
}
