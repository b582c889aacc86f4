
// Flipside in Node, by `require`: scripts/web puts the classes of engine.js above these lines.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

use(new WebAssembly.Module(readFileSync(join(__dirname, "flipside.wasm"))));
module.exports = { Engine, FlipsideError, bench, exercise, info, memory, trace };
