// What stands beside the tree: pseudo-code with its line and variables, the call stack, counters, tables of killers and history.
import { element } from "../elements.js";
import { code, current } from "./pseudocode.js";
import { isTest, label, shortName } from "./model.js";
import { show } from "./values.js";
import { sourceText } from "./words.js";

/** The pseudo-code, with the line of the latest step marked, and the variables of its node. */
export function showCode(list, variables, request, { step, views }) {
  const { own, waits } = step ? current(step, views) : {};
  const owner = step?.kind === "prune" ? step.node.parent : step?.node;
  let isMarked = false;
  // The line that waits is the caller's, with the words of its player.
  const inCaller = waits && code(request, step.node.parent.max).find(([name]) => name === waits)?.[1];
  list.replaceChildren(
    ...code(request, owner?.max ?? request.root !== "min").map(([name, ownText]) => {
      const text = name === waits ? inCaller : ownText;
      const isCurrent = name === own && !isMarked;
      isMarked ||= isCurrent;
      const line = element("li", { class: isCurrent ? "now" : name === waits ? "waits" : "" }, element("code", {}, text));
      if (isCurrent) line.setAttribute("aria-current", "step");
      return line;
    }),
  );
  const view = owner && views[owner.number];
  const known = view?.alpha === undefined ? [] : [`alpha = ${show(view.alpha)}`, `beta = ${show(view.beta)}`];
  if (view?.best !== undefined) known.push(`best = ${show(view.best)}`);
  if (step?.kind === "leave" && owner.value !== undefined) known.push(`value = ${show(owner.value)}`);
  variables.textContent = owner ? `${label(owner)}: ${known.join(", ")}` : "";
}

/** The open nodes from the root down, with their live bounds and where these come from. */
export function showStack(body, { stack, views, changed, step }) {
  const rows = stack.map((node) => {
    const view = views[node.number];
    const isChanged = (name) => step?.kind === "leave" && step.node.parent === node && changed.includes(name);
    const cell = (name, value, source) => {
      const made = element("td", isChanged(name) ? { class: "changed" } : {}, value === undefined ? "" : show(value));
      if (source) made.append(" ", element("small", {}, source));
      return made;
    };
    const best = view.best === undefined ? "" : sourceText({ kind: "value", node: view.bestFrom });
    return element("tr", {}, element("th", { scope: "row" }, `${shortName(node)} ${node.max ? "Max" : "Min"}`), cell("alpha", view.alpha, sourceText(view.alphaFrom)), cell("beta", view.beta, sourceText(view.betaFrom)), cell("best", view.best, best));
  });
  body.replaceChildren(...rows);
}

/** Counters so far, and how many leaves the formulas expect for the tree's mean branching. */
export function showCounters(list, { counters }, shape) {
  const entries = [["nodes", counters.nodes], ["leaves", counters.leaves], ["cutoffs", counters.cutoffs], ["re-searches", counters.again], ["from the table", counters.table]];
  list.replaceChildren(...[...entries, ...(shape.isSampled ? [] : formulas(shape))].flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]));
}

/** The mean branching and the depth of a tree, as far as its search and the outlines of its pruned subtrees show it. */
export function treeShape({ root }) {
  let [inner, moves, plies] = [0, 0, 0];
  const count = ({ children = [], outline }, ply) => {
    const below = (outline?.children ?? children).filter((child) => !child.again && !isTest(child));
    plies = Math.max(plies, ply);
    inner += below.length ? 1 : 0;
    moves += below.length;
    for (const child of below) if (!child.technique) count(child, ply + 1);
  };
  count(root, 0);
  return { branching: inner ? moves / inner : 1, plies, isSampled: root.playouts !== undefined };
}

function formulas({ branching, plies }) {
  const power = (exponent) => Math.round(branching ** exponent).toLocaleString("en");
  return [[`b = ${branching.toFixed(1)}, d = ${plies}: b^d`, power(plies)], ["b^(d/2)", power(plies / 2)], ["b^(3d/4)", power((3 * plies) / 4)]];
}

/** Whether a child's value passes the bound of its parent. Fail-hard searches cut only beyond it. */
function isCutoff({ max, window: [alpha, beta] }, value, isHard) {
  return max ? value > beta || (value === beta && !isHard) : value < alpha || (value === alpha && !isHard);
}

/**
 * The tables of the orders `killers` and `history`, as the cutoffs so far fill them. Hidden for other orders, and for trees, whose
 * moves have nothing in common.
 */
export function showHeuristics(table, { game, order, depth, algorithm, deepen }, { steps }, { count }) {
  table.hidden = !game || !["killers", "history"].includes(order);
  if (table.hidden) return;
  const rows = new Map();
  for (const { kind, node } of steps.slice(0, count)) {
    const last = kind === "leave" && node.children.filter(({ pruned }) => !pruned).at(-1);
    if (!last || !node.window || !isCutoff(node, last.value, algorithm === "alphabeta-hard")) continue;
    const name = shortName(last);
    if (order === "history") rows.set(name, (rows.get(name) ?? 0) + (depth - node.ply) ** 2);
    else if (rows.get(node.ply)?.[0] !== name) rows.set(node.ply, [name, ...(rows.get(node.ply) ?? []).slice(0, 1)]);
  }
  const entries = order === "history" ? [...rows].sort(([, one], [, other]) => other - one).slice(0, 12) : [...rows].sort(([one], [other]) => one - other).map(([ply, moves]) => [`ply ${ply}`, moves.join(", ")]);
  table.tBodies[0].replaceChildren(...entries.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value)))));
  const what = order === "history" ? "History: moves that cut, depth² each" : "Killers: the last two moves that cut";
  table.caption.textContent = `${what}${deepen ? ", of this iteration" : ""}${order === "history" && algorithm === "pvs" ? "; pvs also lowers moves that did not cut" : ""}`;
}
