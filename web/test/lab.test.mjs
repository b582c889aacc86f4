// The laboratory in a real browser: stepping, windows, reasons, pseudo-code, two searches, large trees, techniques,
// accessibility, speed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { info, trace } from "../dist/npm/node.js";
import { CHESS, QUEEN, TREE, classes, close, laboratory, logged, part, press, ready, said, stack, texts, times, untilBoard } from "./laboratory.mjs";
import { AXE, NARROW, WIDE, axeFaults } from "./visits.mjs";

const { open, picture, untilText } = laboratory({ before, after });
/** A tree of 2,042 nodes with values from 0 to 96. */
const LARGE = grow([13, 12, 12]);

/** A tree whose value rises in the last iteration, beyond the aspiration window. */
const TOO_NARROW = "(a:(b:(c:(9 12)=2 d:(1 3)=0)=2)=2 e:(f:(g:(4 5)=1)=1)=1)";

function grow([branching, ...below], seed = 7) {
  if (branching === undefined) return String((seed * 1103) % 97);
  return `(${Array.from({ length: branching }, (_, index) => grow(below, (seed * 31 + index * 17 + 5) % 9973)).join(" ")})`;
}

test("nothing is revealed before its step", async () => {
  const page = await open();
  assert.match(await said(page), /^24 steps\. Step forward to begin\.$/);
  const seen = async () => Object.values(await texts(page, "value")).filter(Boolean).length;
  assert.equal(await seen(), 0);
  assert.equal(await page.$$eval("#pane-a .edge.main, #pane-a .item.pruned", (all) => all.length), 0);
  assert.equal(await page.textContent(part("outcome")), "");
  await page.click(`${part("steps")} summary`);
  const record = trace({ tree: TREE });
  const lines = record.steps.trimEnd().split("\n");
  let left = 0;
  for (let step = 1; step <= lines.length; step++) {
    await page.click("#step-forward");
    if (lines[step - 1].startsWith("leave")) left++;
    const [values, windows] = [await texts(page, "value"), await texts(page, "window")];
    const groups = await page.$$eval("#pane-a .item", (items) => items.map(({ dataset, className }) => ({ number: dataset.node, kind: className.baseVal })));
    for (const { number, kind } of groups.filter(({ kind }) => /\bahead\b/.test(kind))) {
      assert.deepEqual([values[number] ?? "", windows[number] ?? ""], ["", ""], `step ${step}: node ${number} is ${kind}`);
    }
    assert.equal(groups.filter(({ kind }) => /\bdone\b/.test(kind)).length, left);
    assert.equal((await page.textContent(part("outcome"))) !== "", step === lines.length);
    assert.equal((await page.$$("#pane-a .edge.main")).length > 0, step === lines.length);
  }
  // The texts of the steps are those of `flipside trace --format steps`.
  assert.equal(await logged(page), lines.join("\n"));
  assert.equal(await page.textContent(part("outcome")), record.summary);
  await picture(page, "lab-end");
  await close(page);
});

test("stepping forward and back, to cuts and returns, and playing", async () => {
  const page = await open();
  await press(page, ...times(5, "ArrowRight"), "ArrowLeft");
  assert.match(await said(page), /^Step 4 of 24: The search enters the leaf 1\.1\.1 with the window \[L,W\]\.$/);
  await page.click("#step-cut");
  assert.match(await said(page), /^Step 14 of 24: Cutoff at 1\.2: 8 >= beta 6: Min already has 6 elsewhere, so Max never gets here/);
  await page.click("#step-return");
  assert.match(await said(page), /^Step 16 of 24: 1\.2 returns at least 8\.$/);
  await page.click("#step-back");
  assert.match(await said(page), /^Step 15 of 24: 1\.2\.2 is pruned\.$/);
  await page.click("#step-last");
  assert.match(await said(page), /^Step 24 of 24: The root returns 6\.$/);
  await page.click("#step-first");
  await page.selectOption("#step-speed", "30");
  await page.click("#step-play");
  await untilText(page, "trace-status", /^Step 24 of 24/);
  await untilText(page, "step-play", /^Play$/);
  await page.fill("#step-slider", "7");
  assert.match(await said(page), /^Step 7 of 24/);
  await close(page);
});

test("windows live at every open node and in the call stack, with their sources", async () => {
  const page = await open({ step: 13 });
  assert.match(await said(page), /^Step 13 of 24: 1\.2\.1 returns 8\.$/);
  assert.deepEqual(await stack(page), [["root Max", "L given", "W given", ""], ["1 Min", "L given", "6 from 1.1", "6 from 1.1"], ["1.2 Max", "8 from 1.2.1", "6 from 1.1", "8 from 1.2.1"]]);
  assert.equal((await page.$$(`${part("stack")} .changed`)).length, 2);
  const windows = await texts(page, "window");
  assert.deepEqual([windows[0], windows[1], windows[6], windows[7]], ["[L,W]", "[L,6]", "[8,6]", "[L,6]"]);
  assert.match(await classes(page, 2), /beta-source/);
  assert.match(await classes(page, 7), /alpha-source/);
  await press(page, "ArrowRight");
  // The two nodes that cause the cutoff, and its reason as the title of its node.
  assert.match(await classes(page, 7), /cut-value/);
  assert.match(await classes(page, 2), /cut-bound/);
  const reason = await page.textContent('#pane-a .item[data-key="6"] title');
  assert.match(reason, /^8 >= beta 6: Min already has 6 elsewhere, so Max never gets here \(8 at 1\.2\.1, 6 at 1\.1\)$/);
  assert.ok((await said(page)).includes(reason));
  await picture(page, "lab-cut");
  await page.fill("#trace-alpha", "2");
  await page.fill("#trace-beta", "5");
  await page.press("#trace-beta", "Enter");
  await ready(page);
  await press(page, "ArrowRight");
  assert.match(await said(page), /enters Max's node at the root with the window \[2,5\]/);
  await page.fill("#trace-beta", "1");
  await page.press("#trace-beta", "Enter");
  await untilText(page, "trace-status", /alpha must be below beta/);
  await close(page);
});

test("a phone shows both nodes that cause a cutoff", async () => {
  const page = await open({ step: 13 }, { size: NARROW });
  await page.click("#step-cut");
  const view = await page.locator(part("drawing")).boundingBox();
  for (const key of [2, 7]) {
    const { x, width } = await page.locator(`#pane-a .item[data-key="${key}"] .shape`).boundingBox();
    assert.ok(x >= view.x && x + width <= view.x + view.width, `node ${key} at ${x}`);
  }
  await picture(page, "lab-phone-cut");
  await close(page);
});

test("pseudo-code of every searcher marks the current line", async () => {
  const page = await open({ step: 14 });
  const algorithms = await page.$$eval(`${part("algorithm")} option`, (options) => options.map(({ value }) => value));
  const now = () => page.textContent(`${part("code")} [aria-current=step]`);
  assert.match(await now(), /if alpha >= beta: break/);
  assert.equal(await page.textContent(part("variables")), "1.2: alpha = 8, beta = 6, best = 8");
  for (const algorithm of algorithms) {
    for (const kind of ["tree", "tic-tac-toe"]) {
      await page.selectOption("#trace-kind", kind);
      await page.selectOption(part("algorithm"), algorithm);
      await ready(page);
      for (let step = 0; step < 6; step++) {
        await press(page, "ArrowRight");
        assert.equal((await page.$$(`${part("code")} [aria-current=step]`)).length, 1, `${algorithm}, ${kind}, ${await said(page)}`);
      }
      await press(page, "End");
      assert.match(await page.textContent(part("outcome")), new RegExp(`^${algorithm}: value`));
    }
  }
  await page.selectOption("#trace-kind", "tree");
  await page.selectOption(part("algorithm"), "scout");
  await ready(page);
  await press(page, ...times(6, "ArrowRight"));
  assert.match(await said(page), /the leaf 1\.1\.2 with the window \[1,1\.01\]/);
  assert.match(await page.textContent(`${part("code")} .waits`), /others: value = scout\(child, alpha, alpha \+ 1\)/);
  await press(page, "ArrowRight", "ArrowRight");
  assert.match(await said(page), /the leaf 1\.1\.2 again with the window \[1,W\]/);
  assert.match(await page.textContent(`${part("code")} .waits`), /if alpha < value < beta/);
  // A null window just above a loss.
  await page.selectOption(part("order"), "reverse");
  await ready(page);
  await page.click("#step-last");
  for (let step = 0; step < 60 && !/Min's node 2 with the window \[L,-/.test(await said(page)); step++) await page.click("#step-back");
  assert.match(await page.textContent(`${part("code")} .waits`), /others: value/);
  await page.selectOption(part("algorithm"), "minimax");
  await page.waitForFunction(() => document.getElementById("trace-alpha").disabled);
  await close(page);
});

test("two searches run side by side", async () => {
  const page = await open({ beside: "yes", algorithm2: "scout", order2: "reverse" });
  const counters = (pane) => page.$$eval(`${part("counters", pane)} dd`, (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual((await counters("a")).slice(0, 4), ["0", "0", "0", "0"]);
  await press(page, ...times(8, "ArrowRight"));
  assert.deepEqual((await counters("a"))[0], "6");
  assert.ok(Number((await counters("b"))[0]) > 0);
  await press(page, "End");
  const record = trace({ tree: TREE, algorithm: "scout", order: "reverse" });
  const [, , , again] = await counters("b");
  const all = (node) => [node, ...(node.children ?? []).flatMap(all)];
  assert.equal(again, String(all(record.tree).filter((node) => node.again).length));
  assert.equal(await page.textContent(part("outcome", "b")), record.summary);
  assert.equal((await counters("a"))[0], "10");
  assert.match(await page.textContent(part("counters")), /b = 2\.2, d = 3: b\^d.*b\^\(d\/2\).*b\^\(3d\/4\)/s);
  await picture(page, "lab-two");
  await page.selectOption(part("algorithm", "b"), "minimax");
  await page.waitForFunction(() => /minimax/.test(document.querySelector("#pane-b .code").textContent));
  await page.uncheck("#lab-beside");
  await page.waitForSelector("#pane-b", { state: "hidden" });
  await close(page);
});

test("large trees stay readable", async () => {
  const page = await open({ search: "minichess", depth: 2, evaluation: "material-ratio", step: 400 });
  const drawn = () => page.$$eval("#pane-a .item:not(.unknown)", (items) => items.length);
  const all = await drawn();
  // Pruned siblings are one mark.
  assert.ok((await page.$$eval("#pane-a .item .value", (values) => values.filter(({ textContent }) => /^\+\d+$/.test(textContent)).length)) > 3);
  await page.click("#lab details:nth-of-type(2) summary");
  await page.uncheck("#lab-collapse");
  await page.waitForFunction((all) => document.querySelectorAll("#pane-a .item:not(.unknown)").length > all, all);
  await page.check("#lab-collapse");
  // A click folds a subtree, f unfolds that of the present node.
  await page.locator('#pane-a .item[data-key="1"]').click();
  await page.waitForFunction(() => /▾ \d+/.test(document.querySelector('#pane-a .item[data-key="1"] .fold').textContent));
  assert.ok((await drawn()) < all);
  await page.locator('#pane-a .item[data-key="1"]').click();
  assert.equal(await drawn(), all);
  await press(page, "f");
  assert.equal(await drawn(), 1);
  await press(page, "f");
  // The depth of the drawing is not that of the search.
  await page.selectOption("#lab-plies", "1");
  const top = await drawn();
  assert.ok(top > 1 && top < all);
  assert.match(await page.textContent(part("outcome")), /visited \d+ of/);
  await page.selectOption("#lab-plies", "");
  const width = () => page.$eval("#pane-a svg.tree", (svg) => svg.getBoundingClientRect().width);
  await page.click("#zoom-fit");
  const fitted = await width();
  assert.ok(fitted <= (await page.$eval(part("drawing"), ({ clientWidth }) => clientWidth)));
  await picture(page, "lab-fit");
  await page.click("#zoom-in");
  assert.ok((await width()) > fitted * 1.2);
  await page.click("#zoom-out");
  assert.ok(Math.abs((await width()) - fitted) < 1);
  for (let zoom = 0; zoom < 8; zoom++) await page.click("#zoom-in");
  const left = () => page.$eval(part("drawing"), ({ scrollLeft }) => scrollLeft);
  const before = await left();
  const box = await page.locator(part("drawing")).boundingBox();
  const ground = box.y + 12;
  await page.mouse.move(box.x + 60, ground);
  await page.mouse.down();
  await page.mouse.move(box.x + 30, ground, { steps: 3 });
  await page.mouse.up();
  assert.ok(Math.abs((await left()) - before - 30) <= 1, "dragging the ground pans");
  await page.fill("#lab-find", "b2-b3");
  await page.press("#lab-find", "Enter");
  await page.waitForSelector("#pane-a .item.found");
  await untilBoard(page, /^After b2-b3$/);
  await page.fill("#lab-find", "h8-h9");
  await page.press("#lab-find", "Enter");
  await untilText(page, "lab-found", /No such move/);
  await picture(page, "lab-large");
  await close(page);
});

test("the board of the node under the cursor, in every game", async () => {
  const page = await open({ search: "reversi", depth: 1 });
  const games = await page.$$eval("#trace-kind option", (options) => options.map(({ value }) => value).filter((value) => value !== "tree"));
  assert.ok(games.length >= 10);
  for (const game of games) {
    await page.mouse.move(0, 0);
    await page.selectOption("#trace-kind", game);
    await page.selectOption("#trace-depth", "1");
    await ready(page);
    await page.waitForFunction((game) => document.querySelector("#pane-a .board").dataset.game === game, game);
    const { evaluations } = info().games.find(({ name }) => name === game);
    assert.deepEqual(await page.$$eval("#trace-evaluation option", (options) => options.map(({ value }) => value).slice(1)), evaluations);
    await press(page, "ArrowRight", "ArrowRight");
    const move = await page.textContent('#pane-a .item[data-key="1"] .name');
    await untilBoard(page, new RegExp(`^After ${move}$`));
    await page.hover('#pane-a .item[data-key="0"]');
    await untilBoard(page, /^After no move/);
  }
  await close(page);
});

test("the course's drawing of MiniChess is made here", async () => {
  const page = await open();
  await page.selectOption("#trace-kind", "minichess");
  await page.fill("#trace-text", QUEEN);
  await page.click("#trace-run");
  await page.selectOption("#trace-evaluation", "material-ratio");
  await ready(page);
  await press(page, "End");
  await untilText(page, "trace-status", /The root returns/);
  const record = trace({ game: "minichess", position: QUEEN, evaluation: "material-ratio", depth: 2 });
  assert.equal(await page.textContent(part("outcome")), record.summary);
  const values = Object.values(await texts(page, "value")).map((text) => text.replace(/^[≤≥]/, ""));
  for (const value of ["0.7", "0.9", "-0.5"]) assert.ok(values.includes(value), `${value} in ${values}`);
  await picture(page, "lab-minichess-drawing");
  await close(page);
});

test("techniques are made visible", async () => {
  const page = await open({ search: "minichess", text: CHESS, evaluation: "material", depth: 4, order: "heuristic", algorithm: "pvs", deepen: "yes", techniques: "aspiration,quiescence,null-move,reductions" });
  // Iterative deepening is a film: beyond the end of an iteration the next one begins.
  assert.equal(await page.inputValue("#film"), "1");
  const deeper = async (iteration) => {
    await press(page, "End", "ArrowRight");
    await page.waitForFunction((iteration) => document.getElementById("film").value === iteration, iteration);
    await ready(page);
  };
  await deeper("2");
  await deeper("3");
  await deeper("4");
  await press(page, "End");
  assert.match(await page.textContent(part("root-searches")), /^depth 4 \[.*\]/);
  const marked = await page.$$eval("#pane-a .item.technique .fold", (marks) => marks.map(({ textContent }) => textContent).join(" "));
  assert.match(marked, /null move/);
  assert.match(marked, /1 less/);
  await picture(page, "lab-techniques");
  await page.selectOption("#trace-kind", "tic-tac-toe");
  await page.uncheck(part("deepen"));
  await page.selectOption(part("algorithm"), "alphabeta");
  await page.selectOption("#trace-depth", "4");
  await page.fill("#trace-text", "xo.x..o.. x");
  await page.check(part("table"));
  await page.click("#trace-run");
  await ready(page);
  await press(page, "End");
  await page.waitForSelector("#pane-a .table-link", { state: "attached" });
  const titles = await page.$$eval("#pane-a .item.table title", (all) => all.map(({ textContent }) => textContent));
  assert.ok(titles.some((title) => /known from the table, where .* stored it/.test(title)), titles.join("\n"));
  // The table of history fills.
  await page.selectOption(part("order"), "history");
  await page.waitForSelector(`${part("heuristics")}:not([hidden])`, { state: "attached" });
  const rows = () => page.$$eval(`${part("heuristics")} tr`, (all) => all.length);
  assert.equal(await rows(), 0);
  await press(page, "End");
  assert.ok((await rows()) > 0);
  await page.selectOption(part("order"), "killers");
  await ready(page);
  await press(page, "End");
  assert.match(await page.textContent(`${part("heuristics")} caption`), /Killers/);
  // UCT with more and more playouts.
  await page.selectOption("#trace-kind", "tree");
  await page.selectOption(part("algorithm"), "uct");
  await page.waitForFunction(() => document.getElementById("film-name").textContent === "Playouts");
  await page.selectOption("#film", "5");
  await ready(page);
  await press(page, "End");
  await untilText(page, "trace-status", /the mean of 5 playouts/);
  assert.match(Object.values(await texts(page, "window")).join(" "), /5 playouts/);
  await picture(page, "lab-uct");
  await close(page);
});

test("the tests of ProbCut are marked, and their cutoffs explained", async () => {
  const position = "XX-X----X-X-X--XXXXXXXX-XXXOXXOOXXOOOXO-XOOOO-O-XO-OOOOXXOOOOOO- O";
  const request = { depth: 4, algorithm: "pvs", order: "heuristic" };
  const page = await open({ search: "reversi", text: position, ...request, techniques: "probcut" });
  const lines = trace({ game: "reversi", position, ...request, techniques: ["probcut"] }).steps.split("\n");
  const step = lines.findIndex((line) => line.includes("by ProbCut's shallow search")) + 1;
  assert.ok(step > 0);
  await page.fill("#step-slider", String(step));
  assert.match(await said(page), /: Cutoff at .*: by ProbCut's shallow search, .*ProbCut, /);
  assert.match(await page.textContent(`${part("code")} [aria-current=step]`), /if a shallow search is surely [<>]= (alpha|beta): return/);
  assert.match((await page.$$eval("#pane-a .item.technique .fold", (marks) => marks.map(({ textContent }) => textContent))).join(), /ProbCut, depth \d/);
  await picture(page, "lab-probcut");
  await close(page);
});

test("a film of iterations plays to its end, with the search that an aspiration window makes necessary", async () => {
  const page = await open({ text: TOO_NARROW, algorithm: "pvs", deepen: "yes", techniques: "aspiration" });
  assert.equal(await page.inputValue("#film"), "1");
  await page.selectOption("#step-speed", "30");
  await page.click("#step-play");
  await page.waitForFunction(() => document.getElementById("film").value === "4");
  await untilText(page, "trace-status", /The root returns 9\.$/);
  await untilText(page, "step-play", /^Play$/);
  const lines = trace({ tree: TOO_NARROW, algorithm: "pvs", deepen: true, depth: 4 }).steps.split("\n");
  const again = lines.findIndex((line) => line.startsWith("again")) + 1;
  await page.fill("#step-slider", String(again));
  assert.match(await said(page), /: The window of the root was too narrow: 9 >= beta 5: fails high, search again with \[-1,18\]\.$/);
  assert.match(await page.textContent(`${part("code")} [aria-current=step]`), /wider if it fails/);
  assert.match(await classes(page, 0), /current/);
  const known = () => page.$$eval("#pane-a .item:not(.ahead)", (items) => items.length);
  assert.ok((await known()) > 5);
  await picture(page, "lab-again");
  await press(page, "ArrowRight");
  assert.match(await said(page), /enters Max's node at the root again with the window \[-1,18\]\.$/);
  assert.equal(await known(), 1, "the second search begins with an empty tree");
  assert.deepEqual(await stack(page), [["root Max", "-1 around the last value", "18 around the last value", ""]]);
  await press(page, "ArrowLeft", "ArrowLeft");
  assert.match(await said(page), /: The root returns at least 9\.$/);
  await close(page);
});

test("a tree of 2,000 nodes steps within a frame, and the page paints within a second", async () => {
  const page = await open({ text: LARGE, algorithm: "minimax" });
  assert.ok((await page.$$("#pane-a .item")).length > 2000);
  const took = await page.evaluate(() => {
    const forward = document.getElementById("step-forward");
    const drawing = document.querySelector("#pane-a .drawing");
    const slider = document.getElementById("step-slider");
    slider.value = 2500;
    slider.dispatchEvent(new Event("input"));
    return Array.from({ length: 101 }, () => {
      const start = performance.now();
      forward.click();
      drawing.getBoundingClientRect();
      return performance.now() - start;
    }).toSorted((one, other) => one - other);
  });
  assert.ok(took[50] < 16, `median ${took[50]} ms`);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  console.log(`a step: median ${took[50].toFixed(1)} ms, 90 % ${took[90].toFixed(1)} ms; first paint ${paint.toFixed(0)} ms`);
  assert.ok(paint < 1000, `first paint after ${paint} ms`);
  await close(page);
});

test("axe finds no fault, and nothing is wider than a phone", async () => {
  for (const [colorScheme, size] of [["light", WIDE], ["dark", NARROW]]) {
    const page = await open({ step: 14 }, { colorScheme, size });
    await page.addScriptTag({ path: AXE });
    const check = async (what) => {
      assert.deepEqual(await axeFaults(page), [], `${what}, ${colorScheme}, ${size.width}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false, `${what}: nothing is wider than the screen`);
      await picture(page, `lab-axe-${what}-${size.width}`);
    };
    await check("cut");
    for (const menu of await page.$$("#lab .menu summary")) await menu.click();
    await page.check("#lab-practice");
    await press(page, "ArrowRight", "ArrowRight");
    await page.waitForSelector("#question:not([hidden])");
    await check("practice");
    await page.uncheck("#lab-practice");
    await page.click("#lab-edit");
    await page.check("#lab-beside");
    await page.selectOption(part("algorithm"), "pvs");
    await ready(page);
    await press(page, ...times(12, "ArrowRight"));
    await check("edit-two");
    await page.click("#lab-edit");
    await page.uncheck("#lab-beside");
    await page.selectOption("#trace-kind", "minichess");
    await ready(page);
    await press(page, ...times(12, "ArrowRight"));
    await page.click(`${part("steps")} summary`);
    await untilBoard(page, /^After /);
    await check("minichess");
    await close(page);
  }
});
