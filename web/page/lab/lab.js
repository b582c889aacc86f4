// The laboratory: a searcher on a tree or a position, step by step, and two of them side by side.
import { Stopped } from "../client.js";
import { byId } from "../elements.js";
import { gameOptions } from "../games.js";
import { Editor } from "./editor.js";
import { saveJson, savePng, saveSvg } from "./export.js";
import { Film } from "./film.js";
import { Pane } from "./pane.js";
import { Player } from "./player.js";
import { Practice, questionBefore } from "./practice.js";
import { parse } from "./tree-text.js";
import { describe } from "./words.js";

const TREE = "(((1 5 6) (8 3)) (L (1 W)))";
/** The controls of both searches by their names in the address, with their usual values, which links leave out. */
const CONTROLS = {
  search: ["trace-kind", "tree"],
  text: ["trace-text", ""],
  evaluation: ["trace-evaluation", ""],
  depth: ["trace-depth", "2"],
  root: ["trace-root", "max"],
  alpha: ["trace-alpha", "L"],
  beta: ["trace-beta", "W"],
  plies: ["lab-plies", ""],
  asks: ["lab-asks", "all"],
};
const control = (name) => byId(CONTROLS[name][0]);
/** Yes or no, likewise. */
const CHECKS = { beside: "lab-beside", practice: "lab-practice", leaves: "lab-leaves" };
const LEVELS = 8;
/** What describes an exercise, by its names in the address. */
const EXERCISE = { level: "lab-level", seed: "lab-seed", branching: "lab-branching", "exercise-plies": "lab-exercise-plies", ordering: "lab-ordering" };
/** Milliseconds before a step is noted in the address. */
const NOTED_AFTER = 200;

export class Lab {
  constructor({ client, info, show }) {
    Object.assign(this, { client, info, show });
    const pane = (id) => new Pane(byId(id), byId("pane"), { client, info, onChange: (name) => this.#choosePane(name), onKey: (event) => this.player.key(event) });
    this.panes = [pane("pane-a"), pane("pane-b")];
    this.player = new Player({ show: (at) => this.#show(at), steps: () => this.#longest(), mayGo: (at) => this.#mayGo(at), onEnd: () => this.#nextPart() });
    this.practice = new Practice(byId("question"), () => this.player.go(this.player.at + 1));
    this.editor = new Editor(byId("editor"), (text) => this.#edited(text));
    this.film = new Film(() => this.run());
    byId("trace-kind").append(...gameOptions(info.games));
    byId("lab-level").append(...Array.from({ length: LEVELS }, (_, index) => new Option(String(index + 1))));
    for (const id of ["trace-depth", "trace-root", "trace-alpha", "trace-beta", "trace-evaluation"]) byId(id).addEventListener("change", () => this.run());
    for (const id of ["lab-plies", "lab-collapse", "lab-leaves"]) byId(id).addEventListener("change", () => this.#draw());
    byId("trace-kind").addEventListener("change", () => this.#chooseKind());
    byId("trace-run").addEventListener("click", () => this.#textChanged());
    byId("trace-text").addEventListener("keydown", (event) => event.key === "Enter" && !event.shiftKey && (event.preventDefault(), this.#textChanged()));
    byId("trace-text").addEventListener("paste", () => setTimeout(() => this.#textChanged()));
    byId("lab-beside").addEventListener("change", () => this.run());
    byId("lab-practice").addEventListener("change", () => this.#practise());
    byId("lab-edit").addEventListener("click", () => this.#edit());
    byId("lab-exercise").addEventListener("click", () => this.#exercise());
    byId("lab-another").addEventListener("click", () => {
      byId("lab-seed").value = String(Number(byId("lab-seed").value) + 1);
      this.#exercise();
    });
    byId("lab-find").addEventListener("change", () => this.#find());
    byId("lab-find").addEventListener("keydown", ({ key }) => key === "Enter" && this.#find());
    const views = { "zoom-in": (view) => view.zoomBy(1.25), "zoom-out": (view) => view.zoomBy(0.8), "zoom-fit": (view) => view.fit() };
    for (const [id, action] of Object.entries(views)) byId(id).addEventListener("click", () => this.#shown().forEach(({ viewport }) => action(viewport)));
    const name = () => `${this.panes[0].request.algorithm}-${this.player.at}`;
    byId("export-svg").addEventListener("click", () => saveSvg(name(), this.panes[0].drawing));
    byId("export-png").addEventListener("click", () => savePng(name(), this.panes[0].drawing));
    byId("export-json").addEventListener("click", () => saveJson(name(), this.panes[0].model.record));
    byId("copy-lab-link").addEventListener("click", () => this.#copyLink());
  }

  /** The section is opened, perhaps by a link with values. */
  async open(values = {}) {
    if (!Object.keys(values).length && this.panes[0].model) return undefined;
    control("search").value = values.search ?? CONTROLS.search[1];
    this.#fillEvaluations();
    for (const [name, [id, usual]] of Object.entries(CONTROLS)) byId(id).value = values[name] ?? usual;
    if (this.#isTree && values.text === undefined) control("text").value = TREE;
    for (const [name, id] of Object.entries(CHECKS)) byId(id).checked = Boolean(values[name]);
    byId("lab-collapse").checked = values.collapse ? values.collapse === "yes" : !this.#isTree;
    const of = (end) => Object.fromEntries(["algorithm", "order", "table", "deepen", "techniques"].map((name) => [name, values[name + end]]));
    this.panes[0].values = of("");
    this.panes[1].values = values.beside ? of("2") : { algorithm: "minimax" };
    if (values.level !== undefined) {
      for (const [name, id] of Object.entries(EXERCISE)) byId(id).value = values[name] ?? (name === "seed" ? "1" : "");
      if (values.text === undefined) return this.#exercise(values.step);
      this.exercise = true;
    }
    return this.run(Number(values.step ?? 0), values.film);
  }

  get #isTree() {
    return byId("trace-kind").value === "tree";
  }

  #shown() {
    return byId("lab-beside").checked ? this.panes : this.panes.slice(0, 1);
  }

  #longest() {
    return this.#shown().map(({ steps }) => steps).toSorted((one, other) => other.length - one.length)[0];
  }

  #fillEvaluations() {
    const game = this.info.games.find(({ name }) => name === byId("trace-kind").value);
    byId("trace-evaluation-label").hidden = !game;
    for (const pane of this.panes) pane.offerRule(game?.name === "minichess");
    byId("trace-evaluation").replaceChildren(new Option(`default${game?.evaluations.length ? `: ${game.evaluations[0]}` : ""}`, ""), ...(game?.evaluations ?? []).map((name) => new Option(name, name)));
  }

  #chooseKind() {
    byId("trace-text").value = this.#isTree ? TREE : "";
    byId("lab-collapse").checked = !this.#isTree;
    this.#fillEvaluations();
    this.#leaveExercise();
    return this.run();
  }

  /** Another searcher. A film begins with its first part. */
  #choosePane(name) {
    return this.run(0, name === "deepen" || name === "algorithm" ? "" : undefined);
  }

  #textChanged() {
    this.#leaveExercise();
    if (this.editor.isOpen && !this.editor.open(byId("trace-text").value, this.#isMaxFirst)) this.#say("This is no tree.");
    return this.run();
  }

  get #isMaxFirst() {
    return byId("trace-root").value === "max";
  }

  /** Searches and shows the search after `step` steps. */
  async run(step = 0, filmPart = this.film.value) {
    const value = (name) => control(name).value.trim();
    const isTree = this.#isTree;
    const shown = this.#shown();
    this.player.pause();
    this.practice.reset();
    byId("trace-text").placeholder = isTree ? "a tree in brackets" : "a position; empty for the start";
    byId("trace-depth-label").hidden = isTree;
    byId("lab-edit").disabled = byId("lab-leaves").disabled = !isTree;
    byId("pane-b").hidden = shown.length < 2;
    byId("panes").classList.toggle("two", shown.length > 1);
    const hasWindow = ({ algorithm }) => this.info.windowed.includes(algorithm);
    for (const bound of ["alpha", "beta"]) control(bound).disabled = !shown.some(({ choice }) => hasWindow(choice));
    const source = isTree ? { tree: value("text") } : { game: value("search"), position: value("text") || undefined, evaluation: value("evaluation") || undefined, depth: Number(value("depth")) };
    this.film.offer(shown.map(({ choice }) => choice), isTree ? plies(parse(source.tree)) : source.depth, filmPart);
    const request = (pane) => ({ ...source, root: value("root"), window: hasWindow(pane.choice) ? `${value("alpha")},${value("beta")}` : undefined, ...this.film.request(pane.choice) });
    this.client.stop();
    const run = (this.latest = {});
    byId("lab").setAttribute("aria-busy", "true");
    try {
      await Promise.all(shown.map((pane) => pane.run(request(pane), source)));
      if (run !== this.latest) return;
      for (const pane of shown) pane.state = undefined;
      byId("lab").classList.remove("failed");
      this.#draw();
      this.player.go(step);
      if (this.editor.isOpen) byId("editor-cost").textContent = this.panes[0].model.summary;
    } catch (error) {
      if (error instanceof Stopped || run !== this.latest) return;
      byId("lab").classList.add("failed");
      this.#say(error.message);
    }
    byId("lab").setAttribute("aria-busy", "false");
    this.#note();
  }

  #draw() {
    const chosen = byId("lab-plies").value;
    const options = { plies: chosen === "" ? undefined : Number(chosen), collapse: byId("lab-collapse").checked, leaves: byId("lab-leaves").checked && this.#isTree };
    for (const pane of this.#shown()) pane.draw(options);
    this.#note();
  }

  #show(at) {
    for (const pane of this.#shown()) pane.go(at);
    const [{ state, steps }] = this.panes;
    if (!this.practice.question?.isJudged) this.practice.hide();
    this.#say(state.step ? `Step ${state.count} of ${steps.length}: ${describe(state.step)}` : `${steps.length} steps. Step forward to begin.`);
    this.#note();
  }

  #say(text) {
    byId("trace-status").textContent = text;
  }

  /** In practice, a question comes before what it asks for. */
  #mayGo(at) {
    if (!byId("lab-practice").checked || !this.panes[0].model) return true;
    if (this.practice.isAsking) return this.practice.finish();
    const question = questionBefore(this.panes[0].model, at, byId("lab-asks").value);
    if (question) this.practice.ask(question);
    return !question;
  }

  #practise() {
    this.practice.reset();
    this.#note();
    if (byId("lab-practice").checked) this.player.go(0);
  }

  #nextPart() {
    if (!this.film.next()) return false;
    const wasPlaying = this.player.isPlaying;
    this.run().then(() => wasPlaying && this.player.play());
    return true;
  }

  #edit() {
    const isOpen = !this.editor.isOpen && this.editor.open(byId("trace-text").value, this.#isMaxFirst);
    if (!isOpen) this.editor.close();
    byId("lab-edit").setAttribute("aria-pressed", String(isOpen));
    byId("editor-cost").textContent = isOpen ? (this.panes[0].model?.summary ?? "") : "";
  }

  #edited(text) {
    byId("trace-text").value = text;
    this.#leaveExercise();
    return this.run();
  }

  #leaveExercise() {
    this.exercise = false;
    byId("exercise-text").textContent = "";
  }

  /** The exercise of the chosen seed and difficulty, the same as on the printed sheets. */
  async #exercise(step = 0) {
    if (!byId("lab-seed").checkValidity() || byId("lab-seed").value === "") return this.#say("The seed is a whole number from 0 to 999999999.");
    if (this.panes[0].choice.algorithm === "uct") this.panes[0].values = {};
    const made = await this.#makeExercise().catch((error) => this.#say(error.message));
    if (!made) return undefined;
    control("search").value = "tree";
    this.#fillEvaluations();
    control("text").value = made.tree;
    for (const bound of ["alpha", "beta"]) control(bound).value = CONTROLS[bound][1];
    byId("lab-practice").checked = byId("lab-leaves").checked = true;
    byId("lab-collapse").checked = false;
    this.exercise = true;
    byId("exercise-text").textContent = `Exercise: ${made.difficulty}.`;
    return this.run(Number(step));
  }

  #makeExercise() {
    const { seed, level, branching, "exercise-plies": plies, ordering } = Object.fromEntries(Object.entries(EXERCISE).map(([name, id]) => [name, byId(id).value]));
    const number = (text) => (text === "" ? undefined : Number(text));
    return this.client.exercise({
      seed: Number(seed),
      level: Number(level) - 1,
      branching: number(branching),
      plies: number(plies),
      ordering: ordering || undefined,
      algorithm: this.panes[0].choice.algorithm,
      root: control("root").value,
    });
  }

  #find() {
    const found = this.panes[0].find(byId("lab-find").value);
    byId("lab-found").textContent = found || !byId("lab-find").value.trim() ? "" : "No such move so far.";
  }

  async #copyLink() {
    this.#noteNow();
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    byId("copy-lab-link").textContent = "Copied";
    setTimeout(() => (byId("copy-lab-link").textContent = "Copy link"), 1500);
  }

  /** Notes what is shown in the address, a little later, because browsers refuse many changes in a row. */
  #note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.#noteNow(), NOTED_AFTER);
  }

  #noteNow() {
    clearTimeout(this.noting);
    const second = this.#shown().length > 1 ? Object.entries(this.panes[1].values).map(([name, value]) => [`${name}2`, value]) : [];
    this.show({
      ...Object.fromEntries(Object.entries(CONTROLS).map(([name, [id, usual]]) => [name, byId(id).value.trim() === usual ? "" : byId(id).value.trim()])),
      ...this.panes[0].values,
      ...Object.fromEntries(second),
      ...Object.fromEntries(Object.entries(CHECKS).map(([name, id]) => [name, byId(id).checked ? "yes" : ""])),
      collapse: byId("lab-collapse").checked === this.#isTree ? (this.#isTree ? "yes" : "no") : "",
      ...(this.exercise && Object.fromEntries(Object.entries(EXERCISE).map(([name, id]) => [name, byId(id).value]))),
      film: this.film.value,
      step: this.player.at || "",
    });
  }
}

/** Plies of a tree in text form. */
const plies = (tree) => (tree?.children ? 1 + Math.max(...tree.children.map(plies)) : 0);
