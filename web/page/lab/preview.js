// The board of the node under the cursor, in any game.
import { Board } from "../board.js";
import { squares } from "../games.js";
import { label } from "./model.js";

export class Preview {
  #known = new Map();

  constructor(figure, client) {
    this.figure = figure;
    this.client = client;
    this.board = new Board(figure.querySelector(".board"));
    this.caption = figure.querySelector("figcaption");
  }

  /** The source of the nodes: `{ game, position }`; without a game there are no boards. */
  reset({ game, position }) {
    Object.assign(this, { game, position });
    this.#known.clear();
    this.figure.hidden = !game;
  }

  /** Shows a node's board, once the engine has described it, unless another node is asked for meanwhile. */
  async show(node) {
    if (!this.game || !node) return;
    this.wanted = node;
    const moves = [];
    for (let up = node; up.parent; up = up.parent) {
      if (up.technique?.startsWith("null move")) return this.#say(`${label(node)}: no board after a null move`);
      if (up.move) moves.unshift(up.move);
    }
    const key = moves.join(" ");
    if (!this.#known.has(key)) this.#known.set(key, this.client.position(this.game, { ...(this.position && { start: this.position }), moves }));
    try {
      const position = await this.#known.get(key);
      if (this.wanted !== node) return;
      const last = moves.at(-1);
      this.board.draw(position, { last: last ? squares(last, position.rows, true) : [] });
      this.figure.querySelector(".board").hidden = false;
      this.caption.textContent = `After ${node.parent ? label(node) : "no move: the root"}`;
    } catch (error) {
      this.#say(error.message);
    }
  }

  #say(text) {
    this.figure.querySelector(".board").hidden = true;
    this.caption.textContent = text;
  }
}
