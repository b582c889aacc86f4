// Visits of the page in a real browser, for tests; screenshots in web/dist/screenshots.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, newPage, serve } from "./browser.mjs";

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const PICTURES = folder("../dist/screenshots/");
export const AXE = folder("node_modules/axe-core/axe.min.js");
export const WIDE = { width: 1100, height: 800 };
export const NARROW = { width: 390, height: 800 };

/** A server and a browser for the tests of a file: `{ open, picture, untilText, address }`. */
export function visits({ before, after }) {
  let server;
  let browser;
  const pages = [];

  before(async () => {
    await mkdir(PICTURES, { recursive: true });
    server = await serve(folder("../dist/page/"));
    browser = await launch();
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

  /** The page as a new visitor sees it; without an address it waits for the game. */
  async function open({ hash = "", size = WIDE, ...options } = {}) {
    const page = await newPage(browser, { viewport: size, ...options });
    pages.push(page);
    await page.goto(server.address + hash);
    if (!hash) await untilText(page, "status", /to move/);
    return page;
  }

  return { open, picture, untilText, address: () => server.address };
}

/** Waits until an element's text matches. */
const untilText = (page, id, pattern) =>
  page.waitForFunction(([id, source]) => new RegExp(source).test(document.getElementById(id).textContent), [id, pattern.source]);

const picture = (page, name) => page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });

/** What axe, once it is loaded, finds in the page. */
export async function axeFaults(page) {
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`);
}
