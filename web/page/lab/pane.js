// One search of the laboratory: its controls, its tree, and what stands beside it.
import { element } from "../elements.js";
import { Drawing } from "./drawing.js";
import { itemsOf, readablePlies } from "./items.js";
import { layout } from "./layout.js";
import { label, model } from "./model.js";
import { showCode, showCounters, showHeuristics, showStack, treeShape } from "./panels.js";
import { Preview } from "./preview.js";
import { Replay } from "./state.js";
import { Viewport } from "./viewport.js";

/** Items that are drawn at once, unless a learner asks for more plies. */
const MOST_ITEMS = 3000;
/** The last steps that the list shows. */
const LISTED = 40;
const DEFAULTS = { algorithm: "alphabeta", order: "natural" };

export class Pane {
  #folded = new Set();

  /** `tools`: `{ client, info, onChange, onKey }`; `onChange` hears of another searcher. */
  constructor(root, template, { client, info, onChange, onKey }) {
    this.root = root;
    this.client = client;
    root.append(template.content.cloneNode(true));
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    for (const [name, values] of [["algorithm", info.algorithms], ["order", [...info.orders, "rule"]]]) {
      this.part(name).replaceChildren(...values.map((value) => new Option(value, value, value === DEFAULTS[name], value === DEFAULTS[name])));
    }
    this.part("techniques").append(...info.techniques.map((name) => element("label", {}, Object.assign(document.createElement("input"), { type: "checkbox", value: name, checked: name === "aspiration" }), ` ${name}`)));
    for (const name of ["algorithm", "order", "table", "deepen", "techniques"]) this.part(name).addEventListener("change", () => onChange(name));
    this.viewport = new Viewport(this.part("drawing"));
    this.preview = new Preview(this.part("board"), client);
    const drawing = this.part("drawing");
    drawing.addEventListener("keydown", (event) => onKey(event) || (event.key === "f" && !event.ctrlKey && !event.metaKey && this.foldHere()));
    drawing.addEventListener("click", ({ target }) => this.#fold(target.closest(".item")?.dataset.key));
    drawing.addEventListener("pointerover", ({ target }) => this.#preview(target.closest(".item")));
    drawing.addEventListener("pointerleave", () => this.#preview());
    this.part("steps").addEventListener("toggle", () => this.#list());
  }

  /** The searcher with its order and techniques, for a request. */
  get choice() {
    const algorithm = this.part("algorithm").value;
    return {
      algorithm,
      order: this.part("order").value,
      table: this.part("table").checked,
      deepen: this.part("deepen").checked,
      ...(algorithm === "pvs" && { techniques: [...this.part("techniques").querySelectorAll(":checked")].map(({ value }) => value) }),
    };
  }

  /** The same as short texts for the address, and back. */
  get values() {
    const { algorithm, order, table, deepen, techniques } = this.choice;
    return { algorithm, order: order === DEFAULTS.order ? "" : order, table: table ? "yes" : "", deepen: deepen ? "yes" : "", techniques: techniques?.join(",") };
  }

  set values({ algorithm = DEFAULTS.algorithm, order = DEFAULTS.order, table, deepen, techniques }) {
    Object.assign(this.part("algorithm"), { value: algorithm });
    Object.assign(this.part("order"), { value: order || DEFAULTS.order });
    this.part("table").checked = Boolean(table);
    this.part("deepen").checked = Boolean(deepen);
    if (techniques === undefined) return;
    for (const box of this.part("techniques").querySelectorAll("input")) box.checked = techniques.split(",").includes(box.value);
  }

  /** Only MiniChess has the order `rule`. */
  offerRule(isOffered) {
    this.part("order").lastChild.disabled = !isOffered;
  }

  /** Searches; `source` is `{ game, position }` or `{ tree }`. */
  async run(request, source) {
    this.request = { ...request, ...this.choice };
    this.part("techniques").hidden = this.request.algorithm !== "pvs";
    const record = await this.client.trace(this.request);
    this.model = model(record);
    this.shape = treeShape(this.model);
    this.#folded.clear();
    this.preview.reset(source);
    this.part("root-searches").textContent = record.root_searches;
  }

  /** Draws the tree anew: `{ plies, collapse, leaves }` as the learner chose; no `plies` for as many as are readable. */
  draw(options) {
    this.options = options;
    const isTree = this.request.tree !== undefined;
    if (this.#root !== this.drawnRoot) this.foundNode = undefined;
    this.drawnRoot = this.#root;
    const root = itemsOf(this.drawnRoot, options.collapse);
    const plies = options.plies ?? readablePlies(root, MOST_ITEMS);
    const places = layout(root, (item, ply) => ply >= plies || this.#folded.has(item.key));
    this.drawing = new Drawing(places, { keepsUnknown: isTree && !options.collapse, leaves: options.leaves });
    this.viewport.show(this.drawing);
    if (!this.state) this.viewport.fitIfReadable();
    this.state ??= new Replay(this.model);
    this.state.touched = undefined;
    this.go(this.state.count);
  }

  get steps() {
    return this.model?.steps ?? [];
  }

  /** The present one of the searches of the root: aspiration windows may need several. */
  get #root() {
    return this.state?.step?.node.root ?? this.model.roots[0];
  }

  /** Shows the search after so many steps. */
  go(count) {
    this.state.go(Math.min(count, this.steps.length));
    if (this.#root !== this.drawnRoot) return this.draw(this.options);
    const { step, isOver } = this.state;
    this.drawing.show(this.state, this.#highlight());
    this.#follow(step);
    showCode(this.part("code"), this.part("variables"), this.request, this.state);
    showStack(this.part("stack").tBodies[0], this.state);
    showCounters(this.part("counters"), this.state, this.shape);
    showHeuristics(this.part("heuristics"), this.request, this.model, this.state);
    this.part("outcome").textContent = isOver ? this.model.summary : "";
    this.part("root-searches").hidden = !isOver || !this.model.record.root_searches;
    this.#list();
    return this.#preview();
  }

  /** Keeps the node of a step in view, at a cutoff with the two nodes that cause it. */
  #follow(step) {
    const place = this.drawing.placeOf(step?.node ?? this.drawnRoot);
    const causes = step?.kind === "cut" ? [step.node.cut.value_node, step.node.cut.bound_node].map((number) => this.model.nodes[number]) : [];
    if (place) this.viewport.follow(place, causes.filter(Boolean).map((node) => this.drawing.placeOf(node)).filter(Boolean));
  }

  /** The nodes that matter now: the present one, those whose values are its bounds, those that cause a cutoff. */
  #highlight() {
    const { step, views } = this.state;
    const classes = new Map();
    const add = (node, name) => node && classes.set(node.number, `${classes.get(node.number) ?? ""} ${name}`.trim());
    if (this.foundNode) add(this.foundNode, "found");
    if (!step) return classes;
    const owner = step.kind === "prune" ? step.node.parent : step.node;
    add(step.node, "current");
    if (owner.cut && step.kind !== "enter") {
      add(this.model.nodes[owner.cut.value_node], "cut-value");
      add(this.model.nodes[owner.cut.bound_node], "cut-bound");
    } else {
      const view = views[step.kind === "leave" ? owner.parent?.number : owner.number];
      add(view?.alphaFrom?.node, "alpha-source");
      add(view?.betaFrom?.node, "beta-source");
    }
    return classes;
  }

  #list() {
    if (!this.part("steps").open || !this.state) return;
    const { count } = this.state;
    const first = Math.max(0, count - LISTED);
    this.part("log").textContent = this.steps.slice(first, count).map(({ text }) => text).join("\n");
  }

  #fold(key) {
    if (key === undefined || key.endsWith("+")) return;
    if (!this.#folded.delete(key)) this.#folded.add(key);
    this.draw(this.options);
  }

  /** Folds or unfolds the subtree of the found or of the present node. */
  foldHere() {
    const place = this.drawing.placeOf(this.foundNode ?? this.state.step?.node ?? this.drawnRoot);
    this.#fold(place.item.children.length ? place.item.key : place.parent?.item.key);
  }

  #preview(item) {
    if (!this.request?.game) return;
    const number = item?.dataset.node;
    const node = number === undefined ? (this.foundNode ?? this.state.step?.node ?? this.drawnRoot) : this.model.nodes[number];
    // A node that is not known yet has no board yet.
    if (this.state.views[node.number] || !node.parent) this.preview.show(node);
  }

  /** Finds the next node known so far to which a move leads; false if there is none. */
  find(move) {
    const wanted = move.trim().toLowerCase();
    const isKnown = (node) => node.root === this.drawnRoot && this.state.views[node.number] && (node.move?.toLowerCase() === wanted || label(node) === wanted);
    const after = this.foundNode?.number ?? -1;
    const found = wanted && this.model.nodes.filter(isKnown);
    this.foundNode = found ? (found.find(({ number }) => number > after) ?? found[0]) : undefined;
    this.go(this.state.count);
    const place = this.foundNode && this.drawing.placeOf(this.foundNode);
    if (place) this.viewport.follow(place);
    return Boolean(place);
  }
}
