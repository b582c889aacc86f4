// Flipside in Node, by `import`: reads and compiles the module for the classes of engine.js.
import { readFileSync } from "node:fs";
import { use } from "./engine.js";

export { Engine, FlipsideError, bench, exercise, info, memory, trace } from "./engine.js";

use(new WebAssembly.Module(readFileSync(new URL("./flipside.wasm", import.meta.url))));
