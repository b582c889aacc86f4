// The page in a real browser: a whole game, keyboard only, a solve, a trace; screenshots in web/dist/screenshots.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdir, readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const PAGE = new URL("../dist/page/", import.meta.url).pathname;
const PICTURES = new URL("../dist/screenshots/", import.meta.url).pathname;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
/** A guard against hangs; no test measures time. */
const PATIENCE = Number(process.env.FLIPSIDE_PATIENCE ?? 120_000);

let server;
let browser;
let address;
const pages = [];

before(async () => {
  await mkdir(PICTURES, { recursive: true });
  server = createServer(async ({ url }, response) => {
    const path = normalize(new URL(url, "http://localhost").pathname);
    try {
      const file = await readFile(join(PAGE, path === "/" ? "index.html" : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${server.address().port}/`;
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath, args });
});

after(async () => {
  // The pages that a failed test leaves open show the cause.
  for (const [index, page] of pages.filter((page) => !page.isClosed()).entries()) {
    console.log(page.faults);
    await picture(page, `failed-${index}`);
  }
  await browser?.close();
  server?.close();
});

async function open(size = { width: 1100, height: 800 }) {
  const page = await browser.newPage({ viewport: size });
  page.setDefaultTimeout(PATIENCE);
  pages.push(page);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => /to move/.test(document.getElementById("status").textContent));
  return page;
}

const picture = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
const status = (page) => page.textContent("#status");
const legal = (page) => page.$$eval("#board .square.legal", (squares) => squares.map(({ dataset }) => dataset.square));

test("a whole game of Reversi against the engine", async () => {
  const page = await open();
  await page.selectOption("#level", "1");
  await page.selectOption("#seconds", "0.2");
  await page.click("#new");
  for (let moves = 0; moves < 64; moves++) {
    await page.waitForFunction(() => document.querySelector("#board .square.legal") || !document.getElementById("pass").hidden || /wins|draw/.test(document.getElementById("status").textContent));
    if (/wins|draw/.test(await status(page))) break;
    const before = (await page.inputValue("#transcript")).length;
    await page.click((await page.isVisible("#pass")) ? "#pass" : `#board [data-square="${(await legal(page))[0]}"]`);
    // A move's text appears once its position is drawn, so everything after it belongs to that position or to a later
    // one.
    await page.waitForFunction((length) => document.getElementById("transcript").value.length > length, before);
    if (moves === 12) await picture(page, "play-wide");
  }
  assert.match(await status(page), /(Black|White) wins by \d+|A draw/);
  const moves = (await page.inputValue("#transcript")).split(" ");
  assert.ok(moves.length >= 9, moves.join(" "));
  await picture(page, "play-end");
  await page.click("#undo");
  await page.waitForFunction(() => /to move/.test(document.getElementById("status").textContent));
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("what is clicked before a move is drawn changes nothing", async () => {
  const page = await open();
  await page.selectOption("#seconds", "0.2");
  await page.selectOption("#level", "1");
  await page.evaluate(() => {
    const square = document.querySelector("#board .square.legal");
    for (let click = 0; click < 3; click++) square.click();
    document.getElementById("undo").click();
    document.getElementById("colour").value = "both";
    document.getElementById("colour").dispatchEvent(new Event("change"));
    document.getElementById("pass").click();
  });
  await page.waitForFunction(() => /White to move/.test(document.getElementById("status").textContent));
  assert.match(await page.inputValue("#transcript"), /^\w\d$/);
  // The change of colour takes effect: a person is to move.
  assert.ok((await legal(page)).length > 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("MiniChess by the keyboard alone, on a phone's screen", async () => {
  const page = await open({ width: 390, height: 800 });
  await page.focus("#game");
  await page.keyboard.press("m");
  await page.waitForFunction(() => /White to move/.test(document.getElementById("status").textContent));
  await page.focus("#board [tabindex='0']");
  const go = async (keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // Moves the pawn from a6 one rank up, starting the cursor at b2.
  await go(["ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter"]);
  await page.waitForFunction(() => document.getElementById("transcript").value.split(" ").length >= 2);
  assert.match(await page.inputValue("#transcript"), /^b2-b3 \w\d-\w\d/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, "nothing is wider than the screen");
  await picture(page, "minichess-narrow");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("hints stand on the squares, and a search can be stopped", async () => {
  const page = await open();
  await page.fill("#transcript", "F5 d6 c3d3c4");
  await page.click("#paste");
  await page.waitForFunction(() => document.getElementById("transcript").value === "f5 d6 c3 d3 c4");
  await page.click("#hint");
  await page.waitForFunction(() => document.querySelectorAll("#board .hint").length === document.querySelectorAll("#board .square.legal").length);
  await page.waitForFunction(() => document.getElementById("stop").disabled);
  assert.ok((await page.$$("#board .hint.best")).length >= 1);
  await picture(page, "hints");
  await page.click("#hint");
  await page.selectOption("#seconds", "10");
  await page.selectOption("#level", "60");
  await page.selectOption("#colour", "none");
  await page.waitForFunction(() => /depth \d+/.test(document.getElementById("status").textContent));
  const moves = (await page.inputValue("#transcript")).split(" ").length;
  await page.click("#stop");
  await page.waitForFunction((moves) => document.getElementById("transcript").value.split(" ").length > moves, moves);
  await page.selectOption("#colour", "both");
  await page.fill("#transcript", "f5 a1");
  await page.click("#paste");
  await page.waitForFunction(() => /illegal move: a1/.test(document.getElementById("status").textContent));
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("an endgame is solved with a progress bar", async () => {
  const page = await open();
  await page.click("#tab-solve");
  await page.click("#solve-start");
  await page.waitForFunction(() => /g8 is best, \+18 discs for black \(exact\)/.test(document.getElementById("solve-status").textContent));
  assert.equal(await page.$eval("#solve-progress", (bar) => bar.value), 1);
  await picture(page, "solve");
  await page.fill("#solve-position", "XX");
  await page.click("#solve-start");
  await page.waitForFunction(() => /expected 64 squares/.test(document.getElementById("solve-status").textContent));
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("alpha-beta is stepped forward and back", async () => {
  const page = await open();
  await page.focus("#tab-play");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("#drawing svg");
  const said = () => page.textContent("#trace-status");
  assert.match(await said(), /value 6, visited 10 of 14/);
  assert.equal(await page.$$eval("#drawing .ahead", (groups) => groups.length), 0, "at the end all is seen");
  await picture(page, "textbook");
  await page.click("#step-first");
  const ahead = await page.$$eval("#drawing .node.ahead", (groups) => groups.length);
  assert.equal(ahead, await page.$$eval("#drawing .node", (groups) => groups.length));
  await page.focus("#drawing");
  for (let step = 0; step < 12; step++) await page.keyboard.press("ArrowRight");
  assert.match(await said(), /^Step 12 of 22: enter a leaf with the window \[L, 6\]/);
  await picture(page, "textbook-middle");
  await page.keyboard.press("ArrowLeft");
  assert.match(await said(), /^Step 11 of/);
  await page.fill("#trace-alpha", "2");
  await page.fill("#trace-beta", "5");
  await page.press("#trace-beta", "Enter");
  await page.waitForFunction(() => /value at least 5/.test(document.getElementById("trace-status").textContent));
  await page.click("#step-first");
  await page.click("#step-forward");
  assert.match(await said(), /^Step 1 of \d+: enter Max's node with the window \[2, 5\]/);
  await picture(page, "textbook-window");
  await page.fill("#trace-beta", "1");
  await page.press("#trace-beta", "Enter");
  await page.waitForFunction(() => /alpha must be below beta/.test(document.getElementById("trace-status").textContent));
  await page.selectOption("#trace-algorithm", "minimax");
  assert.equal(await page.isDisabled("#trace-alpha"), true);
  await page.waitForFunction(() => /visited 14 of 14/.test(document.getElementById("trace-status").textContent));
  await page.selectOption("#trace-kind", "reversi");
  await page.waitForFunction(() => /minimax: value .*, visited 17 of 17/.test(document.getElementById("trace-status").textContent));
  await page.fill("#trace-text", "((1 2)");
  await page.selectOption("#trace-kind", "tree");
  await page.fill("#trace-text", "((1 2)");
  await page.click("#trace-run");
  await page.waitForFunction(() => !/visited/.test(document.getElementById("trace-status").textContent));
  assert.deepEqual(page.faults, []);
  await page.close();
});
