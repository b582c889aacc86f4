// The links of docs/course in a real browser: each opens a search, and the page then shows what the link names.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import test, { after, before } from "node:test";
import { close, laboratory, ready } from "./laboratory.mjs";

const COURSE = new URL("../../docs/course/", import.meta.url);
const { open } = laboratory({ before, after });

async function links() {
  const names = (await readdir(COURSE)).filter((name) => name.endsWith(".md"));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, COURSE), "utf8")));
  return texts.flatMap((text) => text.match(/#lab\?[^\s)]+/g) ?? []);
}

test("the links of the course open what they name", async () => {
  const all = await links();
  assert.ok(all.length >= 12);
  const page = await open();
  for (const link of all) {
    await page.evaluate((link) => {
      document.getElementById("lab").setAttribute("aria-busy", "true");
      location.hash = link;
    }, link);
    await ready(page);
    assert.equal(await page.evaluate(() => document.getElementById("lab").classList.contains("failed")), false, link);
    // "Copy link" brings the address up to date.
    const shown = await page.evaluate(() => (document.getElementById("copy-lab-link").click(), location.hash));
    const values = new URLSearchParams(shown.split("?")[1]);
    for (const [name, value] of new URLSearchParams(link.split("?")[1])) assert.equal(values.get(name), value, `${name} of ${link}`);
  }
  await close(page);
});
