// The tools of the laboratory in a real browser: practice, exercises, editing, links, exports.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { CHESS, close, laboratory, part, press, ready, said } from "./laboratory.mjs";
import { NARROW } from "./visits.mjs";

const { open, picture, untilText } = laboratory({ before, after });

test("practice asks, judges, explains and keeps score", async () => {
  const page = await open();
  await page.click("#lab .menu summary");
  await page.check("#lab-practice");
  const question = () => page.textContent("[data-part=question]");
  const verdict = () => page.textContent("[data-part=verdict]");
  const goOn = () => page.click("[data-part=answer]");
  const until = async (pattern) => {
    for (let step = 0; step < 30; step++) {
      if (await page.isVisible("#question")) {
        if (pattern.test(await question())) return;
        await page.click("[data-part=skip]");
        await goOn();
      } else await press(page, "ArrowRight");
    }
    assert.fail(`no question ${pattern}`);
  };
  await until(/What is the window \[alpha,beta\] when the search enters 1\?/);
  await press(page, "ArrowRight");
  assert.match(await said(page), /^Step 1 of/, "nothing is shown before the answer");
  await page.fill("#question [data-part=text]", "many");
  await goOn();
  assert.match(await verdict(), /Write two values/);
  await page.fill("#question [data-part=text]", "[L,W]");
  await goOn();
  assert.match(await verdict(), /^Right\. The answer is \[L,W\]\. The search enters Min's node 1/);
  assert.equal(await page.textContent("[data-part=score]"), "1 of 1 right");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.part), "drawing", "the keys step on");
  assert.match(await said(page), /^Step 2 of/);
  await until(/What does 1\.1 return\?/);
  await page.fill("#question [data-part=text]", "5");
  await page.press("#question [data-part=text]", "Enter");
  assert.match(await verdict(), /^Not so\. The answer is 6\. 1\.1 returns 6\./);
  await goOn();
  await until(/Is 1\.2\.2 pruned or visited\?/);
  await picture(page, "lab-practice");
  await page.click("[data-part=pruned]");
  assert.match(await verdict(), /^Right\. The answer is pruned\. Cutoff at 1\.2: 8 >= beta 6/);
  await press(page, "ArrowRight");
  assert.match(await said(page), /^Step 14 of 24: Cutoff/);
  await close(page);
});

test("exercises come from a seed in the link, as on the printed sheets", async () => {
  const page = await open({ level: 4, seed: 7 });
  const tree = await page.inputValue("#trace-text");
  assert.match(tree, /^\(A:\(/);
  assert.match(await page.textContent("#exercise-text"), /3 plies, at most 2 moves, the best first/);
  assert.equal(await page.isChecked("#lab-practice"), true);
  const again = await open({ level: 4, seed: 7 });
  assert.equal(await again.inputValue("#trace-text"), tree);
  await page.click("#lab .menu summary");
  await page.click("#lab-another");
  await page.waitForFunction((tree) => document.getElementById("trace-text").value !== tree, tree);
  await page.waitForFunction(() => /level=4&seed=8/.test(location.hash));
  await page.selectOption("#lab-level", "8");
  await page.click("#lab-exercise");
  await untilText(page, "exercise-text", /4 plies/);
  await page.selectOption("#lab-branching", "3");
  await page.selectOption("#lab-exercise-plies", "2");
  await page.selectOption("#lab-ordering", "worst");
  await page.click("#lab-exercise");
  await untilText(page, "exercise-text", /2 plies, at most 3 moves, the best last/);
  await page.waitForFunction(() => /branching=3&exercise-plies=2&ordering=worst/.test(location.hash));
  await page.fill("#lab-seed", "-1");
  await page.click("#lab-exercise");
  await untilText(page, "trace-status", /The seed is a whole number/);
  await picture(page, "lab-exercise");
  await close(page, again);
});

test("a tree is edited by hand", async () => {
  const page = await open({ text: "((3 5) (2 9))" });
  await page.click("#lab-edit");
  const text = () => page.inputValue("#trace-text");
  const until = (tree) => page.waitForFunction((tree) => document.getElementById("trace-text").value === tree, tree);
  const item = (key) => `#editor .item[data-key="${key}"]`;
  const cost = (pattern) => untilText(page, "editor-cost", pattern);
  await cost(/value 3, visited 6 of 7/);
  await page.click(item("t.0.1"));
  await page.fill("#editor [data-part=leaf]", "7");
  await page.press("#editor [data-part=leaf]", "Enter");
  await until("((3 7) (2 9))");
  await page.click("#editor [data-part=add-child]");
  await until("((3 (7 0)) (2 9))");
  await page.click(item("t.1"));
  await page.click("#editor [data-part=add-child]");
  await until("((3 (7 0)) (2 9 0))");
  await page.click("#editor [data-part=remove]");
  await until("((3 (7 0)))");
  for (const tree of ["((3 (7 0)) (2 9 0))", "((3 (7 0)) (2 9))", "((3 7) (2 9))", "((3 5) (2 9))"]) {
    await page.click("#editor [data-part=undo]");
    await until(tree);
  }
  await cost(/value 3, visited 6 of 7/);
  // Dragging the second subtree before the first one shows what order costs.
  const [from, to] = [await page.locator(item("t.1")).boundingBox(), await page.locator(item("t.0")).boundingBox()];
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  await page.mouse.move(...middle(from));
  await page.mouse.down();
  await page.mouse.move(...middle(to), { steps: 4 });
  await picture(page, "lab-edit-drag");
  await page.mouse.up();
  await until("((2 9) (3 5))");
  await cost(/value 3, visited 7 of 7/);
  // The keyboard does the same.
  await page.focus("#editor [data-part=editor-drawing]");
  for (const key of ["ArrowUp", "ArrowUp", "ArrowDown", "Alt+ArrowRight", "ArrowDown", "Delete"]) await page.keyboard.press(key);
  await until("((3 5) (9))");
  await page.keyboard.press("Control+z");
  await until("((3 5) (2 9))");
  // Pasted text is edited, too, and its change is undone.
  await page.fill("#trace-text", "(1 (2 W))");
  await page.click("#trace-run");
  await page.waitForSelector(item("t.1.1"));
  await page.click("#editor [data-part=undo]");
  await until("((3 5) (2 9))");
  await page.fill("#trace-text", "((1 2)");
  await page.click("#trace-run");
  await untilText(page, "trace-status", /expected|tree/);
  await close(page);
});

test("a finger drags a subtree", async () => {
  const page = await open({ text: "((3 5) (2 9))" }, { size: NARROW, hasTouch: true, isMobile: true });
  await page.tap("#lab-edit");
  const middle = async (key) => {
    const { x, y, width, height } = await page.locator(`#editor .item[data-key="${key}"] .shape`).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  await page.locator('#editor .item[data-key="t.1"]').scrollIntoViewIfNeeded();
  const [from, to] = [await middle("t.1"), await middle("t.0")];
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", from);
  for (let part = 1; part <= 8; part++) await touch("touchMove", { x: from.x + ((to.x - from.x) * part) / 8, y: from.y });
  await touch("touchEnd");
  await page.waitForFunction(() => document.getElementById("trace-text").value === "((2 9) (3 5))");
  await close(page);
});

test("a link and a reload keep everything", async () => {
  const page = await open({ text: "((3 5) (2 9))", algorithm: "scout", order: "reverse", alpha: "1", beta: "8", beside: "yes", algorithm2: "negamax", step: 5 });
  await press(page, "ArrowRight");
  await page.waitForFunction(() => /step=6/.test(location.hash));
  const shown = async () => [await said(page), await page.inputValue("#trace-text"), await page.inputValue(part("algorithm")), await page.inputValue(part("order")), await page.inputValue("#trace-alpha"), await page.inputValue(part("algorithm", "b")), await page.isChecked("#lab-beside")];
  const before = await shown();
  assert.match(before[0], /^Step 6 of/);
  await page.reload();
  await ready(page);
  assert.deepEqual(await shown(), before);
  const game = await open({ search: "minichess", text: CHESS, evaluation: "material", depth: 2, step: 9 });
  await game.waitForFunction(() => /step=9/.test(location.hash));
  await game.reload();
  await ready(game);
  assert.match(await said(game), /^Step 9 of/);
  assert.equal(await game.inputValue("#trace-evaluation"), "material");
  await close(page, game);
});

test("pictures and records are exported", async () => {
  const page = await open({ step: 14 });
  await page.click("#lab details:nth-of-type(3) summary");
  const saved = async (id) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  };
  const svg = await saved("#export-svg");
  assert.equal(svg.name, "alphabeta-14.svg");
  const text = svg.content.toString();
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*8 &gt;= beta 6: Min already has 6/s);
  const png = await saved("#export-png");
  assert.deepEqual([...png.content.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
  const json = await saved("#export-json");
  assert.equal(JSON.parse(json.content).value, 6);
  await page.click("#copy-lab-link");
  await untilText(page, "copy-lab-link", /Copied/);
  await close(page);
});
