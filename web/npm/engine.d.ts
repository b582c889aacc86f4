export * from "./index.js";

/** Sets the compiled module, once, before anything else is called: for programs that load `flipside.wasm` their own way. */
export function use(compiled: WebAssembly.Module): void;
