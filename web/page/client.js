// The page's side of the engine's thread.

/** A search that was stopped before its first iteration. */
export class Stopped extends Error {}

export class Client {
  #waiting = new Map();
  #last = 0;
  #warmed = new Set();
  // Compiled here and kept: a thread that is started anew gets the module with all that has been compiled for speed.
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

  /** Describes a position; behind the first of a game the engine warms up for it. */
  position = (game, position) => {
    const described = this.#call("position", [game, position]);
    if (!this.#warmed.has(game)) this.#send(() => ({ name: "warm", args: [game] }));
    this.#warmed.add(game);
    return described;
  };

  search = (game, position, limits, onIteration) => this.#call("search", [game, position, limits], onIteration);
  trace = (request) => this.#call("trace", [request]);

  /** True while a search waits for its answer. */
  get busy() {
    return [...this.#waiting.values()].some(isLong);
  }

  /**
   * Ends what is running at once: a search answers with its latest iteration. The engine's thread is started anew, and
   * gets the short calls again that it has not answered.
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
