// The games: their titles, and how their moves and pieces meet a board.

const TITLES = {
  reversi: "Reversi",
  minichess: "MiniChess",
  "reversi-6x6": "Reversi 6x6",
  "reversi-4x4": "Reversi 4x4",
  "tic-tac-toe": "Tic-tac-toe",
  "connect-four": "Connect Four",
};

/** The title of a game; Gomoku's name its board and its rule. */
export function title(game) {
  const [, isGomoku, size, rule] = /^(gomoku)(-20x20)?(?:-(.+))?$/.exec(game) ?? [];
  if (!isGomoku) return TITLES[game] ?? game;
  return `Gomoku${size ? " 20x20" : ""}${rule ? `, ${rule.replace("-exactly", ", exactly").replaceAll("-", " ")}` : ""}`;
}

/** Options of a `<select>` for games, in the engine's order. */
export const gameOptions = (games) => games.map(({ name }) => new Option(title(name), name));

const DISCS = { X: "black", O: "white", x: "black", o: "white" };
const CHESS = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙", k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const CHESS_WORDS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const MARKS = { x: "×", o: "○" };

/** A look of boards: its class in the style sheet, and a score in units that decides most games. */
const LOOKS = { reversi: ["felt", 16], minichess: ["chess", 4], gomoku: ["lines", 8] };
const MARKED = ["marked", 8];

const look = (game) => LOOKS[game.split("-")[0]] ?? MARKED;
export const boardClass = (game) => look(game)[0];
export const decisiveScore = (game) => look(game)[1];

/** What stands on a square, as `{ kind, text, words }`; undefined on an empty one. */
export function piece(game, content) {
  const board = boardClass(game);
  if (board === "chess" && CHESS[content]) {
    const side = content === content.toUpperCase() ? "white" : "black";
    return { kind: "figure", text: CHESS[content], words: `${side} ${CHESS_WORDS[content.toLowerCase()]}` };
  }
  if (board === "marked" && MARKS[content]) return { kind: `mark ${content}`, text: MARKS[content], words: content };
  if (DISCS[content]) return { kind: `disc ${DISCS[content]}`, text: "", words: DISCS[content] };
  return undefined;
}

/** The letter of a column: the ninth is `j`, because Go's boards leave out `i`. */
export const columnLetter = (column) => "abcdefghjklmnopqrstuvwxyz"[column];

/**
 * The squares of a move: two in MiniChess, none for a pass, else one. A move that names only a column falls to its lowest empty
 * square; `played` says that it has fallen already.
 */
export function squares(move, rows, played = false) {
  if (!/^[a-z]$/.test(move)) return move.match(/[a-z]\d+/g) ?? [];
  const column = [...rows[0]].findIndex((_, index) => columnLetter(index) === move);
  const pieces = rows.filter((row) => row[column] !== ".").length;
  return [move + (played ? pieces : pieces + 1)];
}

/** Whether text is a position rather than moves: it has a row of squares or a slash. */
export const isPosition = (text) => /\/|[xo.-]{9}/i.test(text);
