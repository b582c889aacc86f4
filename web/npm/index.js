// Flipside in a browser or in Node: compiles the module for the classes of engine.js.
import { use } from "./engine.js";

export { Engine, FlipsideError, bench, info, memory, trace } from "./engine.js";

const inNode = typeof process !== "undefined" && Boolean(process.versions?.node);

async function compiled() {
  const url = new URL("./flipside.wasm", import.meta.url);
  if (!inNode) return WebAssembly.compileStreaming(fetch(url));
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

use(await compiled());
