// The laboratory's modules without a browser, beside a plain alpha-beta of a few lines: values, windows and cutoffs of random
// trees and of every searcher, and edits of trees in text form.
import assert from "node:assert/strict";
import test from "node:test";
import { exercise, info, trace } from "../dist/npm/node.js";
import { addChild, at, move, remove, setLeaf } from "../page/lab/edits.js";
import { model } from "../page/lab/model.js";
import { treeShape } from "../page/lab/panels.js";
import { Replay } from "../page/lab/state.js";
import { parse, write } from "../page/lab/tree-text.js";
import { readPair, same } from "../page/lab/values.js";
import { describe, sourceText } from "../page/lab/words.js";

const TREES = 150;
/** A tree whose value rises in the last iteration, beyond the aspiration window. */
const TOO_NARROW = "(a:(b:(c:(9 12)=2 d:(1 3)=0)=2)=2 e:(f:(g:(4 5)=1)=1)=1)";

/** Random numbers below 1 from a seed (a linear congruential generator). */
function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function grow(next, plies) {
  if (!plies || next() < 0.15) return String(Math.floor(next() * 21) - 10);
  return `(${Array.from({ length: 1 + Math.floor(next() * 4) }, () => grow(next, plies - 1)).join(" ")})`;
}

const treeOf = (seed) => `(${grow(random(seed), 3)} ${grow(random(seed + 1000), 4)} ${grow(random(seed + 2000), 3)})`;

/** Fail-soft alpha-beta for Max and Min; `seen` receives the windows of the nodes in the order of their visits. */
function plain(node, max, alpha, beta, seen) {
  seen.push([alpha, beta]);
  if (node.leaf !== undefined) return Number(node.leaf);
  let best = max ? -Infinity : Infinity;
  for (const child of node.children) {
    const value = plain(child, !max, alpha, beta, seen);
    best = max ? Math.max(best, value) : Math.min(best, value);
    if (max) alpha = Math.max(alpha, best);
    else beta = Math.min(beta, best);
    if (alpha >= beta) break;
  }
  return best;
}

test("values and windows are those of a plain alpha-beta", () => {
  for (let seed = 1; seed <= TREES; seed++) {
    const tree = treeOf(seed);
    const root = seed % 2 ? "max" : "min";
    const seen = [];
    const value = plain(parse(tree), root === "max", -Infinity, Infinity, seen);
    const searched = model(trace({ tree, root }));
    assert.equal(searched.root.value, value, tree);
    const entered = searched.steps.filter(({ kind }) => kind === "enter").map(({ node }) => node.window);
    assert.deepEqual(entered, seen, tree);
    for (const algorithm of info().algorithms.filter((name) => name !== "uct")) assert.equal(model(trace({ tree, root, algorithm })).root.value, value, `${algorithm} ${tree}`);
  }
});

test("live windows are what a child gets, and every bound has a source", () => {
  for (let seed = 1; seed <= 40; seed++) {
    for (const algorithm of info().algorithms.filter((name) => name !== "uct")) {
      const searched = model(trace({ tree: treeOf(seed), algorithm }));
      const replay = new Replay(searched);
      for (let count = 1; count <= searched.steps.length; count++) {
        const parent = searched.steps[count - 1].node.parent;
        const before = parent && { ...replay.views[parent.number] };
        const { step, views } = replay.go(count);
        if (step.kind !== "enter" || !step.node.window) continue;
        const view = views[step.node.number];
        const exact = !parent || (same(view.alpha, before.alpha) && same(view.beta, before.beta));
        const isNull = view.alphaFrom.kind === "null" || view.betaFrom.kind === "null";
        assert.ok(exact || (isNull && ["scout", "pvs"].includes(algorithm) && same(view.beta - view.alpha, 0.01)), `${algorithm}, step ${count} of ${treeOf(seed)}`);
        for (const [bound, { kind, node }] of [[view.alpha, view.alphaFrom], [view.beta, view.betaFrom]]) {
          if (kind === "value") assert.ok(same(node.value, bound) && views[node.number].state === "done");
        }
      }
      assert.ok(replay.isOver && replay.stack.length === 0);
      assert.equal(replay.counters.nodes, searched.record.visited + searched.record.again);
      // Going back gives the same as going forward from the start.
      const middle = searched.steps.length >> 1;
      const { counters, stack } = new Replay(searched).go(middle);
      replay.go(middle);
      assert.deepEqual([replay.counters, replay.stack.map(({ number }) => number)], [counters, stack.map(({ number }) => number)]);
    }
  }
});

test("a root whose window was too narrow is searched again, each search with nodes of its own", () => {
  const searched = model(trace({ tree: TOO_NARROW, algorithm: "pvs", deepen: true, depth: 4 }));
  const { roots, root, nodes, steps } = searched;
  assert.equal(roots.length, 2);
  assert.deepEqual(roots.map(({ window, value }) => [...window, value]), [[-1, 5, 9], [-1, 18, 9]]);
  assert.ok(nodes.every((node, number) => node.number === number) && roots.every((one) => nodes.filter((node) => node.root === one).length > 7));
  for (const { cut, root: of } of nodes.filter(({ cut }) => cut)) assert.equal(nodes[cut.value_node].root, of);
  const again = steps.findIndex(({ kind }) => kind === "again");
  assert.equal(describe(steps[again]), "The window of the root was too narrow: 9 >= beta 5: fails high, search again with [-1,18].");
  assert.equal(describe(steps[again + 1]), "The search enters Max's node at the root again with the window [-1,18].");
  const replay = new Replay(searched).go(again + 2);
  assert.deepEqual([replay.counters.again, replay.stack.map(({ number }) => number)], [1, [root.number]]);
  assert.equal(sourceText(replay.views[root.number].alphaFrom), "around the last value");
});

test("the formulas are those of the tree, whatever is pruned", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const shape = (algorithm) => treeShape(model(trace({ tree: treeOf(seed), algorithm })));
    for (const algorithm of ["alphabeta", "scout", "pvs"]) assert.deepEqual(shape(algorithm), shape("minimax"), `${algorithm} ${treeOf(seed)}`);
  }
});

test("trees in text form are read, written and edited", () => {
  for (const text of ["(((1 5 6) (8 3)) (L (1 W)))", "(a:5 b:(c:-1.5 ?)=3)", "7", exercise({ seed: 3, level: 6 }).tree]) assert.equal(write(parse(text)), text);
  assert.equal(write(parse(" ( 3 5)(2\n9) ") ?? { leaf: "none" }), "none", "one tree only");
  assert.equal(write(parse("((3 5)(2 9))")), "((3 5) (2 9))");
  for (const text of ["", "()", "(1 2", "1 2", "(1 x)", "(1))"]) assert.equal(parse(text), undefined, text);
  const tree = parse("((1 2) (3 (4 5)) 6)");
  const edited = (result) => result && write(result);
  assert.equal(edited(setLeaf(tree, [1, 1, 0], "9")), "((1 2) (3 (9 5)) 6)");
  assert.equal(edited(addChild(tree, [0])), "((1 2 0) (3 (4 5)) 6)");
  assert.equal(edited(addChild(tree, [2])), "((1 2) (3 (4 5)) (6 0))");
  assert.equal(edited(remove(tree, [0, 1])), "((1) (3 (4 5)) 6)");
  assert.equal(edited(remove(remove(tree, [0, 1]), [0, 0])), "(0 (3 (4 5)) 6)");
  assert.equal(edited(move(tree, [2], [0])), "(6 (1 2) (3 (4 5)))");
  assert.equal(edited(move(tree, [0], [2])), "((3 (4 5)) 6 (1 2))");
  assert.equal(edited(move(tree, [0], [1, 1])), "((3 (1 2) (4 5)) 6)");
  assert.equal(edited(move(tree, [1, 1], [0])), "((4 5) (1 2) (3) 6)");
  assert.equal(edited(move(tree, [1, 1, 0], [0, 1])), "((1 4 2) (3 (5)) 6)");
  assert.equal(edited(move(tree, [1], [1, 1, 0])), undefined, "not below itself");
  assert.equal(edited(move(tree, [], [1])), undefined);
  assert.equal(at(tree, [1, 1, 1]).leaf, "5");
});

test("answers are read with and without brackets", () => {
  assert.deepEqual(["[2,5]", "2 5", " L , w", "(-0.5; 3)"].map(readPair), [[2, 5], [2, 5], [-Infinity, Infinity], [-0.5, 3]]);
  assert.deepEqual(["", "2", "2,x", "1 2 3"].map(readPair), [undefined, undefined, undefined, undefined]);
});
