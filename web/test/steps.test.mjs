// The steps of the page are those of the native program: both have the checksums of tests/data/trace_steps.tsv, which
// tests/it/trace_steps.rs compares with `flipside trace --format steps`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { trace } from "../dist/npm/node.js";
import { model } from "../page/lab/model.js";

/** The checksum of crates/support/src/hash.rs. */
function checksum(text) {
  const bytes = Buffer.from(text);
  const words = Buffer.alloc(Math.ceil(bytes.length / 8) * 8);
  bytes.copy(words);
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < words.length; at += 8) {
    const product = BigInt.asUintN(64, (hash ^ words.readBigUInt64LE(at)) * 0x100000001b3n);
    hash = BigInt.asUintN(64, (product << 23n) | (product >> 41n));
  }
  return hash.toString(16).padStart(16, "0");
}

test("the page's steps are those of flipside trace --format steps", () => {
  const list = readFileSync(new URL("../../tests/data/trace_steps.tsv", import.meta.url), "utf8").trimEnd().split("\n");
  assert.ok(list.length >= 40);
  for (const line of list) {
    const [sum, count, request] = line.split("\t");
    const { steps } = model(trace(JSON.parse(request)));
    const text = steps.map(({ text }) => `${text}\n`).join("");
    assert.deepEqual([checksum(text), steps.length], [sum, Number(count)], request);
    for (const { kind, node, text } of steps) assert.match(text, new RegExp(`^${kind} ${node.ply}\\b`), request);
  }
});
