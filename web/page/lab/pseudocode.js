// The searchers in pseudo-code, and the line at which a search stands. Max's and Min's lines differ; the trace shows all numbers
// in the view of Max.
import { isTest } from "./model.js";

/** Lines as `[name, text]`; the name is what `current` answers. */
export function code({ algorithm, table, deepen, techniques = [] }, max) {
  if (algorithm === "uct") return UCT;
  const better = max ? "max" : "min";
  const bound = max ? "alpha" : "beta";
  const hasWindow = algorithm !== "minimax";
  const name = algorithm.replace("-", "_");
  const uses = (technique) => algorithm === "pvs" && techniques.includes(technique);
  const call = (window) => (hasWindow ? `${name}(child, ${window})` : `${name}(child)`);
  const hard = algorithm === "alphabeta-hard";
  const start = hard ? (max ? "alpha" : "beta") : max ? "-∞" : "+∞";
  const nullWindow = max ? "alpha, alpha + 1" : "beta - 1, beta";
  const scout = [
    ["call", `    first child: value = ${call("alpha, beta")}`],
    ...(uses("reductions") ? [["reduction", "    late child: search it less deep first"]] : []),
    ["null", `    others: value = ${call(nullWindow)}`],
    ["again", `      if alpha < value < beta: value = ${call("alpha, beta")}`],
  ];
  const negated = algorithm === "negamax" ? [["call", "    value = -negamax(child, -beta, -alpha)"]] : [["call", `    value = ${call("alpha, beta")}`]];
  return [
    ...(deepen ? [["deepen", "for depth = 1, 2, 3, …:"]] : []),
    ...(uses("aspiration") && deepen ? [["aspiration", "  with a window around the last value; wider if it fails"]] : []),
    ["enter", hasWindow ? `${name}(node, alpha, beta):` : `${name}(node):`],
    ...(uses("quiescence") ? [["quiescence", "  depth 0: search captures until it is quiet"]] : []),
    ["leaf", "  if node is a leaf: return its value"],
    ...(table ? [["table", "  if the table knows node: return that value"]] : []),
    ...(uses("null-move") ? [["null move", `  if a pass is still ${max ? ">= beta" : "<= alpha"}: return`]] : []),
    ...(uses("probcut") ? [["ProbCut", `  if a shallow search is surely ${max ? ">= beta" : "<= alpha"}: return`]] : []),
    ["enter", `  best = ${algorithm === "negamax" ? "-∞" : start}`],
    ["loop", "  for each child:"],
    ...(["scout", "pvs"].includes(algorithm) ? scout : negated),
    ["update", `    best = ${algorithm === "negamax" ? "max" : better}(best, value)`],
    ...(hasWindow ? [["update", algorithm === "negamax" ? "    alpha = max(alpha, best)" : `    ${bound} = ${better}(${bound}, best)`]] : []),
    ...(hasWindow ? [["cut", hard ? `    if best ${max ? "> beta" : "< alpha"}: break (prune the rest)` : "    if alpha >= beta: break (prune the rest)"]] : []),
    ["return", hard ? `  return best, at ${max ? "most beta" : "least alpha"}` : "  return best"],
  ];
}

const UCT = [
  ["loop", "repeat for each playout:"],
  ["enter", "  from the root: child of largest mean + c·√(ln N / n)"],
  ["leaf", "  add a new child; play at random to the end"],
  ["return", "  add the result to the mean of every node on the way"],
];

/** The line of a step, and the line at which its parent waits; `views` are those of the state. */
export function current({ kind, node }, views) {
  const cause = kind === "cut" && node.children.find(({ number }) => number === node.cut.value_node);
  if (cause && isTest(cause)) return { own: testName(cause) };
  const own = { cut: "cut", prune: "cut", again: "aspiration" }[kind] ?? (node.table ? "table" : !node.children.length ? "leaf" : kind === "enter" ? "enter" : "return");
  return { own, waits: kind === "enter" && node.parent ? caller(node, views) : undefined };
}

/** `null move` or `ProbCut`. */
const testName = ({ technique }) => technique.split(",")[0];

function caller(node, views) {
  const technique = node.technique ?? "";
  if (isTest(node)) return testName(node);
  if (technique === "quiescence") return "quiescence";
  if (/less$/.test(technique)) return "reduction";
  if (node.again) return "again";
  const [view, above] = [views[node.number], views[node.parent.number]];
  const isNarrowed = ["alphaFrom", "betaFrom"].some((from) => view[from]?.kind === "null" && view[from] !== above[from]);
  return isNarrowed ? "null" : "call";
}
