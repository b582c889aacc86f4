// The engine's classes around the module's only function, which takes and returns JSON. `use` receives the compiled
// module first.

/** An error of the engine: its text describes the fault and valid input. */
export class FlipsideError extends Error {
  name = "FlipsideError";
}

let code;

/** Sets the compiled module (`WebAssembly.Module`), which threads of a page can share. */
export function use(compiled) {
  code = compiled;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One instance of the module with its memory. */
class Instance {
  constructor() {
    const origin = Date.now() - performance.now();
    const imports = {
      flipside: {
        now: () => origin + performance.now(),
        event: (address, length) => {
          this.ended ||= this.onIteration?.(JSON.parse(this.text(address, length))) === false;
        },
        stops: () => Number(this.ended || (this.stop !== undefined && Atomics.load(this.stop, 0) !== 0)),
      },
    };
    this.exports = new WebAssembly.Instance(code, imports).exports;
  }

  text(address, length) {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, address, length));
  }

  call(request, { onIteration, stop } = {}) {
    if (stop !== undefined && !(stop instanceof Int32Array)) throw new FlipsideError("stop should be an Int32Array of shared memory");
    if (this.busy) throw new FlipsideError("a search is running: call again when it has ended");
    const bytes = encoder.encode(JSON.stringify(request));
    const address = this.exports.flipside_request(bytes.length);
    if (address === 0) throw new FlipsideError(`a request of ${bytes.length} bytes is too long`);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    Object.assign(this, { busy: true, ended: false, onIteration, stop });
    try {
      const length = this.exports.flipside_call();
      const response = JSON.parse(this.text(this.exports.flipside_response(), length));
      if (response.error !== undefined) throw new FlipsideError(response.error);
      return response;
    } catch (error) {
      // After a trap, or after an exception in a listener during a search, the instance's state is unreliable.
      if (!(error instanceof FlipsideError)) {
        this.lost = true;
        if (instance === this) instance = undefined;
        if (error instanceof WebAssembly.RuntimeError) throw new FlipsideError(`the engine failed: ${error.message}`);
      }
      throw error;
    } finally {
      Object.assign(this, { busy: false, ended: false, onIteration: undefined, stop: undefined });
    }
  }
}

let instance;
const shared = () => (instance ??= new Instance());
const leftovers = new FinalizationRegistry(({ owner, engine }) => {
  if (!owner.lost && !owner.busy) owner.call({ call: "close", engine });
});

/** An engine for one game. */
export class Engine {
  #owner;
  #engine;

  constructor({ game, evaluation, hash } = {}) {
    this.#owner = shared();
    const { engine, position } = this.#owner.call({ call: "open", game, evaluation, hash });
    this.#engine = engine;
    this.start = position;
    leftovers.register(this, { owner: this.#owner, engine }, this);
  }

  #call(request, watch) {
    if (this.#engine === undefined) throw new FlipsideError("this engine has been closed");
    if (this.#owner.lost) throw new FlipsideError("this engine was lost by a failure: make a new one");
    return this.#owner.call({ ...request, engine: this.#engine }, watch);
  }

  #set(position) {
    const { start, moves } = typeof position === "string" ? { start: position } : position ?? {};
    const text = Array.isArray(moves) ? moves.join(" ") : moves;
    return this.#call({ call: "position", start, moves: text ?? "" });
  }

  /** Describes a position: board, legal moves, result. */
  position(position) {
    return this.#set(position);
  }

  /** Searches a position; calls `onIteration` with every iteration, and ends when that returns false or `stop[0]` is not 0. */
  search(position, { onIteration, stop, time, ...limits } = {}) {
    this.#set(position);
    const span = time === Infinity ? { infinite: true } : { time };
    return this.#call({ call: "search", ...limits, ...span }, { onIteration, stop });
  }

  /** Solves a position: its exact value. */
  solve(position, { onIteration, stop, time = Infinity } = {}) {
    return this.search(position, { onIteration, stop, time });
  }

  /** Counts the leaves of the game tree. */
  perft(position, depth, { stop } = {}) {
    this.#set(position);
    return this.#call({ call: "perft", depth }, { stop }).leaves;
  }

  /** Forgets earlier searches. */
  clear() {
    this.#call({ call: "clear" });
  }

  /** Frees the engine's memory. */
  close() {
    if (this.#engine === undefined) return;
    leftovers.unregister(this);
    if (!this.#owner.lost) this.#owner.call({ call: "close", engine: this.#engine });
    this.#engine = undefined;
  }
}
if (Symbol.dispose) Engine.prototype[Symbol.dispose] = Engine.prototype.close;

/** Games, evaluations, searchers and move orders. */
export const info = () => shared().call({ call: "info" });

/** An exercise for students of the searchers. */
export const exercise = (request) => shared().call({ ...request, call: "exercise" });

/** A searcher of the textbook on a tree or a position, with every visited node. */
export const trace = (request) => shared().call({ ...request, call: "trace" });

/** The fingerprint of the search. */
export const bench = (game) => shared().call({ call: "bench", game });

/** Bytes of the module's memory, which grows and never shrinks; new engines reuse the memory of closed ones. */
export const memory = () => shared().exports.memory.buffer.byteLength;
