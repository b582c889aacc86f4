// Visits of the laboratory, for tests.
import assert from "node:assert/strict";
import { visits } from "./visits.mjs";

export const TREE = "(((1 5 6) (8 3)) (L (1 W)))";
/** MiniChess with few moves. */
export const CHESS = "20 W / k...r / pp... / ..... / ..... / ...PP / R...K";

/** The course's position: White's queen takes the pawn, or is taken. */
export const QUEEN = "20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.";

/** What tests of the laboratory need: `open` waits for the first search. */
export function laboratory(hooks) {
  const visit = visits(hooks);

  async function open(values = {}, options = {}) {
    const page = await visit.open({ hash: `#lab?${new URLSearchParams(values)}`, ...options });
    await ready(page);
    return page;
  }

  return { ...visit, open };
}

/** Waits until a search is shown. */
export const ready = (page) => page.waitForSelector("#lab[aria-busy=false]", { state: "attached" });
export const said = (page) => page.textContent("#trace-status");
export const part = (name, pane = "a") => `#pane-${pane} [data-part=${name}]`;
export const press = async (page, ...keys) => {
  await page.focus(part("drawing"));
  for (const key of keys) await page.keyboard.press(key);
};
export const times = (count, key) => Array.from({ length: count }, () => key);
/** Texts of a kind (`value`, `window`) in the tree, by number of the node. */
export const texts = (page, name, pane = "a") =>
  page.$$eval(`#pane-${pane} .item[data-node]`, (items, name) => Object.fromEntries(items.filter(({ dataset }) => dataset.key === dataset.node).map((item) => [item.dataset.node, item.querySelector(`.${name}`).textContent])), name);
export const classes = (page, number) => page.getAttribute(`#pane-a .item[data-key="${number}"]`, "class");
export const stack = (page) => page.$$eval(`${part("stack")} tbody tr`, (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
export const logged = (page) => page.textContent(part("log"));
export async function close(...pages) {
  for (const page of pages) {
    assert.deepEqual(page.faults, []);
    await page.close();
  }
}

/** Waits until the board beside the tree has such a caption. */
export const untilBoard = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#pane-a figcaption").textContent), pattern.source);
