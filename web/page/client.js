// The page's side of the engine's thread.

/** A search that was stopped before its first iteration. */
export class Stopped extends Error {}

export class Client {
  #waiting = new Map();
  #last = 0;
  #warmed = new Set();
  // Compiled once and kept: a new thread gets the module with everything already compiled for speed.
  #code = WebAssembly.compileStreaming(fetch(new URL("./flipside.wasm", import.meta.url)));
  #worker;

  constructor() {
    this.#start();
  }

  #start() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#fail(event.message ?? "the engine could not be loaded");
    this.#send((code) => ({ name: "use", args: [code] }));
  }

  /** Sends the present thread a message, which may be made of the module, once that is compiled; messages keep their order. */
  #send(message) {
    const worker = this.#worker;
    this.#code.then((code) => worker.postMessage(message(code)), (error) => this.#fail(error.message));
  }

  #hear({ id, iteration, result, error }) {
    const call = this.#waiting.get(id);
    if (!call) return;
    if (iteration) {
      if (iteration.rank === 1) call.best = iteration;
      call.onIteration?.(iteration);
      return;
    }
    this.#waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
  }

  #fail(message) {
    for (const call of this.#waiting.values()) call.reject(new Error(message));
    this.#waiting.clear();
  }

  #call(name, args, onIteration) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { name, args, resolve, reject, onIteration });
      this.#send(() => ({ id, name, args }));
    });
  }

  info = () => this.#call("info", []);

  /** Describes a position; after the first one of a game, the engine warms up for it. */
  position = (game, position) => {
    const described = this.#call("position", [game, position]);
    if (!this.#warmed.has(game)) this.#send(() => ({ name: "warm", args: [game] }));
    this.#warmed.add(game);
    return described;
  };

  search = (game, position, limits, onIteration) => this.#call("search", [game, position, limits], onIteration);
  exercise = (request) => this.#call("exercise", [request]);
  trace = (request) => this.#call("trace", [request]);

  /** True while a search waits for its answer. */
  get busy() {
    return [...this.#waiting.values()].some(isLong);
  }

  /**
   * Ends the running search at once, which answers with its latest iteration. Restarts the engine's thread and repeats the
   * short calls without an answer.
   */
  stop() {
    if (!this.busy) return;
    this.#worker.terminate();
    this.#start();
    for (const [id, call] of [...this.#waiting]) {
      if (!isLong(call)) {
        this.#send(() => ({ id, name: call.name, args: call.args }));
        continue;
      }
      const { best, resolve, reject } = call;
      this.#waiting.delete(id);
      if (best) resolve({ move: best.line[0] ?? null, best, nodes: best.nodes, time: best.time, stopped: true });
      else reject(new Stopped("stopped"));
    }
  }
}

const isLong = ({ name }) => name === "search" || name === "trace";
