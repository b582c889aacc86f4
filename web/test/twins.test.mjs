// The SIMD128 kernels against their portable twins, inside a WebAssembly module made for that (web/examples/twins.rs).
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

test("kernels inside WebAssembly agree with their portable twins", async () => {
  const code = await WebAssembly.compile(await readFile(new URL("../dist/twins.wasm", import.meta.url)));
  const { memory, compare, difference } = new WebAssembly.Instance(code, { flipside: { now: () => 0, stops: () => 0 } }).exports;
  const length = compare();
  assert.equal(new TextDecoder().decode(new Uint8Array(memory.buffer, difference(), length)), "");
});
