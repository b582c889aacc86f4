// The speed of the module in Node beside that of the native program at processor level `base`, in turns: node web/speed.mjs PROGRAM
// (scripts/web speed). Nodes a second of the bench: in a fresh process, whose first seconds go into compiling, and settled.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROUNDS = 5;
const REPEATS = 4;
const GAMES = ["reversi", "minichess", "gomoku"];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const speed = ({ nodes, seconds }) => nodes / seconds / 1e6;

async function child(game) {
  const { bench } = await import("./dist/npm/index.js");
  const speeds = Array.from({ length: REPEATS }, () => bench(game)).map(({ nodes, time }) => speed({ nodes, seconds: time / 1e3 }));
  console.log(JSON.stringify({ fresh: speeds[0], settled: median(speeds.slice(1)) }));
}

function compare(program, game) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const words = ["bench", "--json", ...(game === "reversi" ? [] : ["--game", game])];
    const native = JSON.parse(execFileSync(program, words, { env: { ...process.env, FLIPSIDE_CPU: "base" } }));
    const module = JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), "--child", game]));
    return { native: speed(native), ...module };
  });
  const of = (key) => median(rounds.map((round) => round[key]));
  const ratio = (key) => median(rounds.map((round) => round[key] / round.native)).toFixed(2);
  const [native, fresh, settled] = ["native", "fresh", "settled"].map((key) => of(key).toFixed(2));
  console.log(`${game}: native ${native} M nodes/s, fresh ${fresh} (${ratio("fresh")}), settled ${settled} (${ratio("settled")})`);
}

if (process.argv[2] === "--child") await child(process.argv[3]);
else GAMES.forEach((game) => compare(process.argv[2], game));
