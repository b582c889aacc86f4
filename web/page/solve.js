// An endgame of Reversi, played out exactly.
import { Board } from "./board.js";
import { Stopped } from "./client.js";
import { certainty, count, score } from "./words.js";

const byId = (id) => document.getElementById(id);
/** Steps towards an exact value, for the progress bar: the certainty of an iteration to the end of the game. */
const CONFIDENCE = { "end@73%": 0.5, "end@87%": 0.6, "end@95%": 0.7, "end@98%": 0.8, "end@99%": 0.9, wld: 0.9, exact: 1 };

export function startSolve(client, play) {
  const board = new Board(byId("solve-board"));
  const text = byId("solve-position");
  const say = (words) => (byId("solve-status").textContent = words);

  async function draw() {
    try {
      const position = await client.position("reversi", text.value.trim());
      board.draw(position, { legal: new Set(position.legal) });
      return position;
    } catch (error) {
      if (!(error instanceof Stopped)) say(error.message);
    }
  }

  function row(iteration) {
    const cells = [iteration.depth, score(iteration.score), certainty(iteration.certainty), count(iteration.nodes), iteration.line.join(" ")];
    const line = document.createElement("tr");
    line.append(...cells.map((cell) => Object.assign(document.createElement("td"), { textContent: cell })));
    byId("solve-table").tBodies[0].prepend(line);
    byId("solve-table").hidden = false;
  }

  async function solve() {
    client.stop();
    const position = await draw();
    if (!position) return;
    const empties = position.rows.join("").split(".").length - 1;
    byId("solve-table").tBodies[0].replaceChildren();
    byId("solve-table").hidden = true;
    byId("solve-progress").value = 0;
    byId("solve-start").disabled = true;
    byId("solve-stop").disabled = false;
    say(`${empties} empty squares: searching …`);
    try {
      const result = await client.search("reversi", text.value.trim(), {}, (iteration) => {
        const share = CONFIDENCE[iteration.certainty] ?? (0.5 * iteration.depth) / Math.max(empties, 1);
        byId("solve-progress").value = Math.max(byId("solve-progress").value, share);
        row(iteration);
        say(`Depth ${iteration.depth} of ${empties}: ${score(iteration.score)} (${certainty(iteration.certainty)})`);
      });
      if (!result.stopped) byId("solve-progress").value = 1;
      const best = result.best;
      if (best) say(`${result.stopped ? "Stopped: " : ""}${result.move} is best, ${score(best.score)} discs for ${position.side} (${certainty(best.certainty)}); ${count(result.nodes)} positions in ${(result.time / 1000).toFixed(2)} s.`);
      else say("The game is over.");
    } catch (error) {
      say(error instanceof Stopped ? "Stopped." : error.message);
    } finally {
      byId("solve-start").disabled = false;
      byId("solve-stop").disabled = true;
    }
  }

  byId("solve-start").addEventListener("click", solve);
  byId("solve-stop").addEventListener("click", () => client.stop());
  byId("solve-from-game").addEventListener("click", () => {
    if (play.position?.game === "reversi") text.value = play.position.position;
    draw();
  });
  text.addEventListener("change", draw);
  byId("tab-solve").addEventListener("show", () => client.busy || draw());
}
