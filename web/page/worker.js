// The engine's thread: the page never waits for a search.

// A dynamic import, because messages that arrive while a static import loads would be lost.
const loaded = import("./engine.js");
const engines = new Map();

/** One engine for each game, made at its first use. */
async function engine(game) {
  const { Engine } = await loaded;
  if (!engines.has(game)) engines.set(game, new Engine({ game, hash: 64 }));
  return engines.get(game);
}

/** Milliseconds of `warm`. */
const WARMING = 100;

const calls = {
  use: async (code) => (await loaded).use(code),
  info: async () => (await loaded).info(),
  exercise: async (request) => (await loaded).exercise(request),
  trace: async (request) => (await loaded).trace(request),
  position: async (game, position) => (await engine(game)).position(position),
  /** A warm-up search: the browser optimizes code that has run for a while, and thus does so before the first move. */
  warm: async (game) => {
    const { Engine } = await loaded;
    const engine = new Engine({ game, hash: 1 });
    engine.search(undefined, { time: WARMING });
    engine.close();
  },
  search: async (game, position, limits, onIteration) => (await engine(game)).search(position, { ...limits, onIteration }),
};

onmessage = async ({ data: { id, name, args } }) => {
  try {
    postMessage({ id, result: await calls[name](...args, (iteration) => postMessage({ id, iteration })) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
