// A server of a folder and a headless Chromium, for tests.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".cjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
/** A guard against hangs; no test measures time. */
const PATIENCE = Number(process.env.FLIPSIDE_PATIENCE ?? 120_000);

/** Serves a folder: `{ address, close }`. */
export async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(new URL(url, "http://localhost").pathname);
    try {
      const file = await readFile(join(folder, path === "/" ? "index.html" : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath, args });
}

/** An empty page with storage of its own; `faults` collects what goes wrong on it. */
export async function newPage(browser, options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  return page;
}
