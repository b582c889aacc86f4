// The engine's thread: the page never waits for a search.

// Not a static import: messages that come while a module is still being loaded would be lost.
const loaded = import("./index.js");
const engines = new Map();

/** One engine a game, made when it is first asked for. */
async function engine(game) {
  const { Engine } = await loaded;
  if (!engines.has(game)) engines.set(game, new Engine({ game, hash: 64 }));
  return engines.get(game);
}

const calls = {
  info: async () => (await loaded).info(),
  trace: async (request) => (await loaded).trace(request),
  position: async (game, position) => (await engine(game)).position(position),
  search: async (game, position, limits, onIteration) => (await engine(game)).search(position, { ...limits, onIteration }),
};

onmessage = async ({ data: { id, name, args } }) => {
  try {
    postMessage({ id, result: await calls[name](...args, (iteration) => postMessage({ id, iteration })) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
