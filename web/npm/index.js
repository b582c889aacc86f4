// Flipside in a browser, with or without a bundler: fetches and compiles the module for the classes of engine.js.
import { use } from "./engine.js";

export { Engine, FlipsideError, bench, exercise, info, memory, trace } from "./engine.js";

use(await WebAssembly.compileStreaming(fetch(new URL("./flipside.wasm", import.meta.url))));
