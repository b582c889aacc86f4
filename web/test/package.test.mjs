// The npm package in Node: its answers, its errors, and that memory is freed.
import assert from "node:assert/strict";
import test from "node:test";
import { Worker } from "node:worker_threads";
import { Engine, FlipsideError, bench, exercise, info, memory, trace } from "../dist/npm/node.js";

const ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

test("the fingerprints are those of every other system", () => {
  assert.equal(bench().nodes, 250183);
  assert.equal(bench("minichess").nodes, 830333);
  assert.equal(bench("gomoku").nodes, 258080);
});

test("a search answers with a legal move and reports its iterations", () => {
  const engine = new Engine();
  const depths = [];
  const found = engine.search({ moves: "f5d6c3" }, { depth: 6, onIteration: ({ depth }) => depths.push(depth) });
  assert.ok(engine.position({ moves: "f5d6c3" }).legal.includes(found.move));
  assert.deepEqual(depths, [1, 2, 3, 4, 5, 6]);
  assert.equal(found.best.depth, 6);
  assert.ok(Math.abs(found.best.score) < 10);
  assert.equal(found.best.wdl.reduce((sum, chance) => sum + chance), 1000);
});

test("a search that nothing limits has two seconds", () => {
  const engine = new Engine({ game: "minichess", hash: 1 });
  const { move, time } = engine.search();
  assert.ok(engine.start.legal.includes(move) && time > 1900, `${time}`);
});

test("a listener ends a search without an end", () => {
  const depths = [];
  const found = new Engine().search(undefined, { time: Infinity, onIteration: ({ depth }) => depths.push(depth) < 5 });
  assert.deepEqual([depths.length, found.best.depth], [5, depths.at(-1)]);
  assert.equal(new Engine().search(undefined, { depth: 7 }).best.depth, 7, "the end of one search concerns no other");
});

test("another thread ends a search, a solve and a perft", () => {
  const engine = new Engine();
  const calls = {
    search: (stop) => engine.search(undefined, { time: Infinity, stop }).move,
    solve: (stop) => engine.solve(engine.start.position, { stop }).move,
    gomoku: (stop) => new Engine({ game: "gomoku" }).search(undefined, { time: Infinity, stop }).move,
  };
  for (const [name, call] of Object.entries(calls)) assert.ok(call(stopSoon()), name);
  assert.throws(() => engine.perft(undefined, 12, { stop: stopSoon() }), /the count was stopped/);
  assert.equal(engine.perft(undefined, 5, { stop: new Int32Array(1) }), 1396);
});

/** Memory that another thread sets after a moment. */
function stopSoon() {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const code = 'const { workerData } = require("node:worker_threads"); setTimeout(() => Atomics.store(workerData, 0, 1), 50);';
  new Worker(code, { eval: true, workerData: stop }).unref();
  return stop;
}

test("an endgame is solved exactly", () => {
  const { move, best } = new Engine().solve(ENDGAME);
  assert.deepEqual([move, best.score, best.certainty], ["g8", 18, "exact"]);
});

test("positions are described, passes and ends included", () => {
  const engine = new Engine();
  assert.deepEqual(engine.start.legal, ["d3", "c4", "f5", "e6"]);
  const over = engine.position(`${"X".repeat(63)}- O`);
  assert.deepEqual([over.over, over.winner, over.margin, over.legal], [true, "black", 64, []]);
  const pass = engine.position("XO-----O".padEnd(64, "-") + " O");
  assert.deepEqual(pass.legal, ["pass"]);
  assert.equal(engine.position({ moves: "f5d6c3d3c4f4c5b3c2" }).opening, "Rose-Bill");
  const chess = new Engine({ game: "minichess" });
  assert.deepEqual(chess.start.legal.slice(0, 2), ["a2-a3", "b2-b3"]);
  assert.equal(chess.position({ moves: ["b2-b3", "b5-b4"] }).history.length, 2);
});

test("perft counts by the game's rule", () => {
  assert.equal(new Engine().perft(undefined, 6), 8200);
});

test("a searcher of the textbook tells every step", () => {
  const result = trace({ tree: "(((1 5 6) (8 3)) (L (1 W)))" });
  assert.deepEqual([result.value, result.visited, result.of], [6, 10, 14]);
  assert.equal(result.steps.match(/^prune/gm).length, 2);
  assert.match(result.svg, /^<svg /);
  assert.ok(trace({ game: "reversi", depth: 3, algorithm: "scout" }).visited > 20);
});

test("a trace tells reasons, sources and what it did not see", () => {
  const all = (node) => [node, ...(node.children ?? []).flatMap(all)];
  const cut = all(trace({ tree: "(((1 5 6) (8 3)) (L (1 W)))" }).tree).filter(({ cut }) => cut);
  assert.match(cut[0].cut.reason, /^8 >= beta 6: Min already has 6 elsewhere/);
  const { outline } = cut[1].children.at(-1);
  assert.deepEqual(outline.children.map(({ value }) => value), [1, "W"]);
  const nodes = all(trace({ game: "tic-tac-toe", position: "xo.x..o.. x", depth: 4, table: true }).tree);
  const hits = nodes.filter(({ table_node }) => table_node !== undefined);
  assert.ok(hits.length > 0);
  for (const { table_node, index, value } of hits) {
    const source = nodes.find(({ index }) => index === table_node);
    assert.ok(source.index < index && !source.table && source.children.length > 0);
    assert.equal(source.value, value);
  }
});

test("techniques, deepening and playouts of a trace are chosen", () => {
  const all = (node) => [node, ...(node.children ?? []).flatMap(all)];
  const request = { game: "minichess", depth: 3, algorithm: "pvs", techniques: ["null-move", "quiescence"] };
  assert.ok(all(trace(request).tree).some(({ technique }) => /null move|quiescence/.test(technique)));
  assert.match(trace({ ...request, techniques: ["aspiration"], deepen: true }).root_searches, /^depth 3 \[/m);
  assert.throws(() => trace({ ...request, game: "tic-tac-toe" }), /the game has no quiescence/);
  assert.throws(() => trace({ game: "reversi", order: "rule" }), /only MiniChess/);
  assert.equal(trace({ tree: "((W L) (W W))", algorithm: "uct", playouts: 7 }).tree.playouts, 7);
  assert.throws(() => trace({ tree: "(1 2)", playouts: 0 }), /1 to 10000/);
});

test("exercises come from a seed", () => {
  const made = exercise({ seed: 7, level: 3 });
  assert.deepEqual(made, exercise({ seed: 7, level: 3 }));
  assert.match(made.tree, /^\(A:/);
  assert.ok(made.questions.length >= 5);
  assert.equal(exercise({ seed: 7, level: 0, branching: 3, plies: 4, ordering: "worst" }).difficulty, "4 plies, at most 3 moves, the best last");
  assert.throws(() => exercise({ seed: 7, level: 0, plies: 9 }), /2 to 4/);
  assert.throws(() => exercise({ seed: 7, level: 0, ordering: "bad" }), /expected best, random or worst/);
  assert.throws(() => exercise({ seed: 7, level: 9 }), /0 to 7/);
  assert.throws(() => exercise({ seed: 7, level: 0, algorithm: "uct" }), /uct samples/);
});

test("the window of the root is chosen", () => {
  const tree = "(((1 5 6) (8 3)) (L (1 W)))";
  const root = (request) => trace({ tree, ...request }).tree;
  assert.deepEqual(root({ window: "2,5" }).window, [2, 5]);
  assert.deepEqual([root({ window: "2,5" }).value, root({ window: "2,5" }).bound], [5, "at least"]);
  assert.deepEqual([root({ window: "7,W" }).value, root({ window: "7,W" }).bound], [6, "at most"]);
  assert.equal(root({ window: "2,5.5" }).value, 6);
  assert.equal(root({ window: "2,5.5", algorithm: "alphabeta-hard" }).value, 5.5);
  assert.throws(() => root({ window: "5,2" }), /alpha must be below beta/);
  assert.throws(() => root({ window: "5" }), /expected a window such as 2,5/);
  assert.throws(() => root({ window: "2,5", algorithm: "minimax" }), /takes no window/);
  assert.deepEqual(info().windowed, ["alphabeta", "alphabeta-hard", "negamax", "scout"]);
});

test("what is wrong is refused with what would be right", () => {
  const refused = (call, words) => assert.throws(call, (error) => error instanceof FlipsideError && words.test(error.message));
  refused(() => new Engine({ game: "chess" }), /one of reversi, minichess/);
  refused(() => new Engine({ hash: 0 }), /1 to 1024/);
  refused(() => new Engine({ evaluation: "magic" }), /no evaluation 'magic'/);
  const engine = new Engine();
  refused(() => engine.position("nonsense"), /expected 64 squares/);
  refused(() => engine.position({ moves: "a1" }), /illegal move/);
  refused(() => engine.search(undefined, { depth: "deep" }), /bad request/);
  refused(() => engine.search(undefined, { depth: -1 }), /bad request/);
  refused(() => engine.search(undefined, { strength: 101 }), /0 to 100/);
  refused(() => engine.search(undefined, { elo: 9000 }), /500 to 2080/);
  refused(() => engine.search(undefined, { moves: ["a1"] }), /not a legal move/);
  refused(() => engine.search(undefined, { dpeth: 5 }), /unknown field `dpeth`/);
  refused(() => engine.search(undefined, { stop: true }), /stop should be an Int32Array/);
  refused(() => engine.perft(undefined, 99), /0 to 12/);
  refused(() => trace({ tree: "((1 2)" }), /./);
  refused(() => trace({ tree: "(1 2)", algorithm: "guess" }), /alphabeta/);
  refused(() => trace({ tree: "(1 ?)" }), /marked \?/);
  refused(() => trace({ game: "reversi", depth: 30 }), /too many/);
  refused(() => trace({ tree: "1".repeat(5 << 20) }), /too long/);
  engine.close();
  refused(() => engine.search(), /closed/);
  assert.equal(new Engine().search(undefined, { depth: 4 }).best.depth, 4, "errors leave the module whole");
});

test("a listener that throws ends the search, and new engines work", () => {
  const engine = new Engine();
  const stop = new Error("enough");
  assert.throws(() => engine.search(undefined, { depth: 12, onIteration: () => { throw stop; } }), stop);
  assert.throws(() => engine.search(undefined, { depth: 4 }), FlipsideError);
  assert.equal(new Engine().search(undefined, { depth: 4 }).best.depth, 4);
});

test("a call inside a search is refused", () => {
  const engine = new Engine();
  let refusal;
  engine.search(undefined, { depth: 3, onIteration: () => {
    try { engine.perft(undefined, 1); } catch (error) { refusal ??= error; }
  } });
  assert.match(refusal.message, /a search is running/);
});

test("ten thousand engines are made and closed in the memory of a few", () => {
  const use = () => {
    const engine = new Engine({ game: "tic-tac-toe", hash: 1 });
    engine.close();
  };
  for (let made = 0; made < 100; made++) use();
  const before = memory();
  for (let made = 0; made < 10_000; made++) use();
  assert.equal(memory(), before);
});

test("every searcher, game and order that is offered works", () => {
  const { algorithms, games, orders } = info();
  const values = (algorithm) => trace({ tree: "((3 5) (2 9))", algorithm }).value;
  // UCT's value is a mean over playouts.
  for (const algorithm of algorithms) assert.ok(algorithm === "uct" ? values(algorithm) > 2 : values(algorithm) === 3, algorithm);
  for (const order of orders) assert.equal(trace({ tree: "((3 5) (2 9))", order }).value, 3);
  for (const { name } of games) assert.ok(new Engine({ game: name, hash: 1 }).search(undefined, { depth: 3 }).move);
});
