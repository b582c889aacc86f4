// The speed of the module in Node and of the native program at processor level `base`, run alternately: node web/speed.mjs
// PROGRAM (scripts/web speed). Measures nodes a second of the bench in a fresh process, which spends part of its first
// second on compiling; after the warm-up of the page before the first move; and settled.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROUNDS = 5;
const REPEATS = 4;
/** Milliseconds of the page's warm-up search, and the least time that a person takes for the first move. */
const [WARMING, CHOOSING] = [100, 500];
const GAMES = ["reversi", "minichess", "gomoku"];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const speed = ({ nodes, seconds }) => nodes / seconds / 1e6;

async function child(game, warm) {
  const { Engine, bench } = await import("./dist/npm/node.js");
  if (warm) {
    new Engine({ game, hash: 1 }).search(undefined, { time: WARMING });
    await new Promise((chosen) => setTimeout(chosen, CHOOSING));
  }
  const speeds = Array.from({ length: REPEATS }, () => bench(game)).map(({ nodes, time }) => speed({ nodes, seconds: time / 1e3 }));
  console.log(JSON.stringify({ first: speeds[0], settled: median(speeds.slice(1)) }));
}

function compare(program, game) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const words = ["bench", "--json", ...(game === "reversi" ? [] : ["--game", game])];
    const native = JSON.parse(execFileSync(program, words, { env: { ...process.env, FLIPSIDE_CPU: "base" } }));
    const module = (...words) => JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), "--child", game, ...words]));
    const { first, settled } = module();
    return { native: speed(native), fresh: first, warmed: module("warm").first, settled };
  });
  const of = (key) => median(rounds.map((round) => round[key]));
  const ratio = (key) => median(rounds.map((round) => round[key] / round.native)).toFixed(2);
  const beside = ["fresh", "warmed", "settled"].map((key) => `${key} ${of(key).toFixed(2)} (${ratio(key)})`);
  console.log(`${game}: native ${of("native").toFixed(2)} M nodes/s, ${beside.join(", ")}`);
}

if (process.argv[2] === "--child") await child(process.argv[3], process.argv[4] === "warm");
else GAMES.forEach((game) => compare(process.argv[2], game));
