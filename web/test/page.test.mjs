// The page in a real browser: whole games, keyboard only, hints, links, a solve, accessibility; screenshots in
// web/dist/screenshots.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AXE, NARROW, WIDE, axeFaults, visits } from "./visits.mjs";

const { open, picture, untilText, address } = visits({ before, after });

const untilStatus = (page, pattern) => untilText(page, "status", pattern);
const untilTranscript = (page, text) => page.waitForFunction((text) => document.getElementById("transcript").value === text, text);
const status = (page) => page.textContent("#status");
/** Begins a game of another kind. */
async function choose(page, game) {
  await page.selectOption("#game", game);
  await page.waitForSelector(`#board[data-game="${game}"]`);
}

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
  await untilStatus(page, /to move/);
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
  await untilStatus(page, /White to move/);
  assert.match(await page.inputValue("#transcript"), /^\w\d$/);
  // The change of colour takes effect: a person is to move.
  assert.ok((await legal(page)).length > 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("MiniChess by the keyboard alone, on a phone's screen", async () => {
  const page = await open({ size: NARROW });
  await page.focus("#game");
  await page.keyboard.press("m");
  await untilStatus(page, /White to move/);
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
  await page.selectOption("#colour", "second");
  await page.click("#set-up");
  await untilTranscript(page, "f5 d6 c3 d3 c4");
  assert.equal(await page.inputValue("#colour"), "second");
  await page.evaluate(() => {
    window.said = [];
    new MutationObserver(() => window.said.push(document.getElementById("status").textContent)).observe(document.getElementById("status"), { childList: true });
  });
  await page.click("#hint");
  await page.waitForFunction(() => document.querySelectorAll("#board .hint").length === document.querySelectorAll("#board .square.legal").length);
  await page.waitForFunction(() => document.getElementById("stop").disabled);
  assert.ok((await page.$$("#board .hint.best")).length >= 1);
  const said = (await page.evaluate(() => window.said)).filter((text) => /Best/.test(text));
  assert.ok(said.length > 0 && said.every((text) => /^White to move\. .* Best: [a-h][1-8] at depth \d+\.$/.test(text)), said.join("\n"));
  await picture(page, "hints");
  await page.click("#hint");
  await page.selectOption("#seconds", "10");
  await page.selectOption("#level", "60");
  await page.selectOption("#colour", "none");
  await untilStatus(page, /depth \d+/);
  const moves = (await page.inputValue("#transcript")).split(" ").length;
  await page.click("#stop");
  await page.waitForFunction((moves) => document.getElementById("transcript").value.split(" ").length > moves, moves);
  await page.selectOption("#colour", "both");
  await page.fill("#transcript", "f5 a1");
  await page.click("#set-up");
  await untilStatus(page, /illegal move: a1/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("an endgame is solved with a progress bar", async () => {
  const page = await open();
  await page.click("#tab-solve");
  await page.click("#solve-start");
  await untilText(page, "solve-status", /g8 is best, \+18 discs for black \(exact\)/);
  assert.equal(await page.$eval("#solve-progress", (bar) => bar.value), 1);
  await picture(page, "solve");
  await page.fill("#solve-position", "XX");
  await page.click("#solve-start");
  await untilText(page, "solve-status", /expected 64 squares/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("every game of the engine is played", async () => {
  const page = await open();
  await page.selectOption("#seconds", "0.2");
  await page.selectOption("#level", "1");
  const games = await page.$$eval("#game option", (options) => options.map(({ value }) => value));
  assert.ok(games.length >= 10 && games.includes("gomoku") && games.includes("connect-four"), games.join(" "));
  for (const game of games) {
    await choose(page, game);
    const squares = await legal(page);
    await page.click(`#board [data-square="${squares[Math.floor(squares.length / 2)]}"]`);
    if (game === "minichess") await page.click(`#board [data-square="${(await legal(page))[0]}"]`);
    await page.waitForFunction(() => document.getElementById("transcript").value.split(" ").length === 2);
    await untilStatus(page, /to move/);
    assert.equal(await page.$$eval("#board .square.last", (squares) => squares.length), game === "minichess" ? 2 : 1, game);
    assert.equal(await page.$$eval("#board .square.last.taken", (squares) => squares.length), 1, game);
    await picture(page, `game-${game}`);
  }
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a click anywhere in a column drops a piece", async () => {
  const page = await open({ hash: "#play?game=connect-four&moves=d+d" });
  await untilTranscript(page, "d d");
  await page.selectOption("#colour", "both");
  await page.click('#board [data-square="d6"]');
  await untilTranscript(page, "d d d");
  assert.equal(await page.getAttribute("#board .square.last", "data-square"), "d3");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a reload keeps the game, and a link shows its position", async () => {
  const page = await open();
  await page.selectOption("#colour", "both");
  // Written otherwise than the page writes it, so that the wait ends when the position is set up.
  await page.fill("#transcript", "F5D6C3");
  await page.click("#set-up");
  await untilTranscript(page, "f5 d6 c3");
  await page.reload();
  await untilTranscript(page, "f5 d6 c3");
  assert.equal(await page.inputValue("#colour"), "both");
  const link = page.url();
  assert.match(link, /#play\?game=reversi&moves=f5\+d6\+c3$/);
  // A reload in another section keeps the game, too.
  await page.click("#tab-solve");
  await page.reload();
  await page.waitForSelector("#solve-board .square");
  await page.click("#tab-play");
  await untilTranscript(page, "f5 d6 c3");

  // What another version of the page remembered is no game.
  await page.evaluate(() => localStorage.setItem("flipside.last-game", '{"moves":5}'));
  await page.goto("about:blank");
  await page.goto(address());
  await untilStatus(page, /Black to move/);

  const guest = await open({ hash: new URL(link).hash });
  // The engine is to move there, and may have answered already.
  await guest.waitForFunction(() => /^f5 d6 c3( [a-h][1-8])?$/.test(document.getElementById("transcript").value));
  assert.deepEqual([await guest.inputValue("#game"), await guest.inputValue("#colour")], ["reversi", "first"]);
  // Another link in the same page.
  const fen = "1 W kqbnr/ppppp/...../.P.../P.PPP/RNBQK";
  await guest.evaluate((fen) => (location.hash = `#play?${new URLSearchParams({ game: "minichess", start: fen })}`), fen);
  await untilTranscript(guest, fen);
  assert.equal(await guest.inputValue("#game"), "minichess");
  await guest.evaluate(() => (location.hash = "#play?game=minichess&moves=a1-a9"));
  await untilStatus(guest, /illegal move: a1-a9/);
  await guest.evaluate(() => (location.hash = `#solve?position=${"X".repeat(63)}-+O`));
  await guest.waitForFunction(() => document.querySelectorAll("#solve-board .disc.black").length === 63);
  // The section's former name is still understood.
  await guest.evaluate(() => (location.hash = "#textbook?text=((3+5)+(2+9))&algorithm=scout&step=99"));
  await guest.waitForFunction(() => /scout: value 3, visited/.test(document.querySelector("#pane-a .outcome").textContent));
  assert.deepEqual([page.faults, guest.faults], [[], []]);
  await page.close();
  await guest.close();
});

test("a position is set up, with moves from there", async () => {
  const page = await open();
  await page.selectOption("#colour", "both");
  const start = `${"-".repeat(27)}OX------XO${"-".repeat(27)} O`;
  await page.fill("#transcript", `${start}\nC5 e6`);
  await page.click("#set-up");
  await untilTranscript(page, `${start}\nc5 e6`);
  await page.reload();
  await untilTranscript(page, `${start}\nc5 e6`);
  await page.fill("#transcript", "XX/");
  await page.click("#set-up");
  await untilStatus(page, /expected 64 squares/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("coordinates stand beside the board and can be read", async () => {
  for (const size of [WIDE, NARROW]) {
    const page = await open({ size });
    for (const [game, columns, rows] of [["reversi", "abcdefgh", 8], ["minichess", "abcde", 6], ["gomoku-20x20", "abcdefghjklmnopqrstu", 20]]) {
      await choose(page, game);
      const labels = await page.$$eval("#board .coordinate", (all) => all.map((label) => ({ text: label.textContent, size: parseFloat(getComputedStyle(label).fontSize) })));
      const numbers = Array.from({ length: rows }, (_, index) => String(game === "reversi" ? index + 1 : rows - index));
      assert.deepEqual(labels.map(({ text }) => text), [...numbers, "", ...columns]);
      assert.ok(labels.every(({ size }) => size >= 12), JSON.stringify(labels));
      const [square, label] = await Promise.all(["#board .square", "#board .coordinate"].map((selector) => page.locator(selector).first().boundingBox()));
      assert.ok(label.x + label.width <= square.x + 0.5 && Math.abs(square.width - square.height) < 0.5);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false, "nothing is wider than the screen");
    }
    await picture(page, `gomoku-${size.width}`);
    await page.close();
  }
});

test("axe finds no fault, in light and dark, wide and narrow", async () => {
  for (const [colorScheme, size] of [["light", WIDE], ["dark", NARROW]]) {
    const page = await open({ colorScheme, size });
    await page.addScriptTag({ path: AXE });
    const check = async (what) => {
      assert.deepEqual(await axeFaults(page), [], `${what}, ${colorScheme}, ${size.width}`);
      await picture(page, `axe-${what}-${size.width}`);
    };
    await page.selectOption("#colour", "both");
    for (const game of ["minichess", "gomoku", "connect-four", "reversi"]) {
      await choose(page, game);
      await check(game);
    }
    await page.selectOption("#seconds", "0.2");
    await page.click("#hint");
    await untilStatus(page, /Best: /);
    await page.waitForFunction(() => document.getElementById("stop").disabled);
    await page.click('#board [data-square="d3"]');
    await untilStatus(page, /White to move.*Best: /);
    await page.waitForFunction(() => document.getElementById("stop").disabled && !document.getElementById("graph").hidden);
    await check("hints");
    await page.click("#tab-solve");
    await page.click("#solve-start");
    await untilText(page, "solve-status", /g8 is best/);
    await check("solve");
    assert.deepEqual(page.faults, []);
    await page.close();
  }
});
