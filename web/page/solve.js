// An endgame of Reversi, played out exactly.
import { Board } from "./board.js";
import { Stopped } from "./client.js";
import { byId, element } from "./elements.js";
import { certainty, count, score } from "./words.js";

/** Steps towards an exact value, for the progress bar: the certainty of an iteration to the end of the game. */
const CONFIDENCE = { "end@73%": 0.5, "end@87%": 0.6, "end@95%": 0.7, "end@98%": 0.8, "end@99%": 0.9, wld: 0.9, exact: 1 };

export class Solve {
  #board = new Board(byId("solve-board"));

  /** `reversiPosition` returns the position of a game of Reversi that is played elsewhere on the page, if there is one. */
  constructor({ client, show, reversiPosition }) {
    this.client = client;
    this.show = show;
    byId("solve-start").addEventListener("click", () => this.solve());
    byId("solve-stop").addEventListener("click", () => client.stop());
    byId("solve-position").addEventListener("change", () => this.draw());
    byId("solve-from-game").addEventListener("click", () => {
      const position = reversiPosition();
      if (position === undefined) return this.say("The game on the page is not Reversi.");
      byId("solve-position").value = position;
      this.draw();
    });
  }

  /** The section is opened, perhaps by a link with values. */
  open(values = {}) {
    if (values.position !== undefined) byId("solve-position").value = values.position;
    if (!this.client.busy) this.draw();
  }

  get text() {
    return byId("solve-position").value.trim();
  }

  say(words) {
    byId("solve-status").textContent = words;
  }

  async draw() {
    this.show({ position: this.text });
    try {
      const position = await this.client.position("reversi", this.text);
      this.#board.draw(position, { legal: new Set(position.legal) });
      return position;
    } catch (error) {
      if (!(error instanceof Stopped)) this.say(error.message);
      return undefined;
    }
  }

  async solve() {
    this.client.stop();
    const position = await this.draw();
    if (!position) return;
    const empties = position.rows.join("").split(".").length - 1;
    byId("solve-table").tBodies[0].replaceChildren();
    byId("solve-table").hidden = true;
    byId("solve-progress").value = 0;
    this.#setRunning(true);
    this.say(`${empties} empty squares: searching …`);
    try {
      const result = await this.client.search("reversi", this.text, { time: Infinity }, (iteration) => this.#hear(iteration, empties));
      if (!result.stopped) byId("solve-progress").value = 1;
      this.say(this.#summary(result, position));
    } catch (error) {
      this.say(error instanceof Stopped ? "Stopped." : error.message);
    } finally {
      this.#setRunning(false);
    }
  }

  #setRunning(running) {
    byId("solve-start").disabled = running;
    byId("solve-stop").disabled = !running;
  }

  #hear(iteration, empties) {
    const share = CONFIDENCE[iteration.certainty] ?? (0.5 * iteration.depth) / Math.max(empties, 1);
    byId("solve-progress").value = Math.max(byId("solve-progress").value, share);
    const cells = [iteration.depth, score(iteration.score), certainty(iteration.certainty), count(iteration.nodes), iteration.line.join(" ")];
    byId("solve-table").tBodies[0].insertRow(0).append(...cells.map((text) => element("td", {}, text)));
    byId("solve-table").hidden = false;
    this.say(`Depth ${iteration.depth} of ${empties}: ${score(iteration.score)} (${certainty(iteration.certainty)})`);
  }

  #summary({ best, move, nodes, stopped, time }, position) {
    if (!best) return "The game is over.";
    const effort = `${count(nodes)} positions in ${(time / 1000).toFixed(2)} s.`;
    return `${stopped ? "Stopped: " : ""}${move} is best, ${score(best.score)} discs for ${position.side} (${certainty(best.certainty)}); ${effort}`;
  }
}
