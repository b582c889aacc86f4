/** An error of the engine: its text describes the fault and valid input. */
export class FlipsideError extends Error {}

/** A position on one line, as in `Position.position`, or moves from a start. */
export type PositionInput =
  | string
  | {
      /** The start of the game if absent. */
      start?: string;
      /** Moves from there, separate (`"f5 d6"`), run together (`"f5d6"`), or as a list. */
      moves?: string | string[];
    };

export interface Position {
  game: string;
  /** Name of the side to move. */
  side: string;
  /** Names of both sides, the first mover's first. */
  sides: [string, string];
  /** Legal moves; a forced pass is one; none when the game is over. */
  legal: string[];
  /** The board, a string for each row from top to bottom, if the game has a board. */
  rows: string[] | null;
  firstRowOnTop: boolean | null;
  /** Discs or points of both sides, if the game counts them. */
  points: [number, number] | null;
  /** The position on one line. */
  position: string;
  history: { side: string; move: string }[];
  /** Name of the game's opening, if it has a common one. */
  opening: string | null;
  over: boolean;
  /** Name of the winner; null for a draw and while the game goes on. */
  winner: string | null;
  /** By how many units, if the game counts them. */
  margin: number | null;
}

export interface Iteration {
  /** 1 for the best line. */
  rank: number;
  /** Plies. */
  depth: number;
  /** In units (discs, pawns) for the side to move; 300 less a hundredth for each ply is a proven win. */
  score: number;
  /**
   * `exact`, `proven` (a sure win or loss; best play may take another number of plies), `wld`, `end@P%` (played out, some lines
   * pruned at that confidence) or `mid@P%` (estimate).
   */
  certainty: string;
  /** Chances of a win, a draw and a loss in thousandths; null if the game has no model of them. */
  wdl: [number, number, number] | null;
  nodes: number;
  /** Milliseconds. */
  time: number;
  /** Principal variation. */
  line: string[];
}

export interface SearchResult {
  /** The best move; null when the game is over. */
  move: string | null;
  /** Whether the move is a pass. */
  pass: boolean;
  nodes: number;
  /** Milliseconds. */
  time: number;
  /** The last finished iteration of the best line. */
  best: Iteration | null;
  /** The failure, if the search failed inside and the move is only the best so far. */
  failure: string | null;
}

/** What ends a call early, besides its limits. */
export interface Stops {
  /** Shared memory (`new Int32Array(new SharedArrayBuffer(4))`): the call ends once another thread sets its first element. */
  stop?: Int32Array;
}

export interface Watch extends Stops {
  /** Called with every iteration; the search ends if it returns `false`. */
  onIteration?: (iteration: Iteration) => unknown;
}

/** A search that nothing limits has two seconds. */
export interface SearchLimits extends Watch {
  /** Plies, at least 1. */
  depth?: number;
  nodes?: number;
  /** Milliseconds; `Infinity` has no end. */
  time?: number;
  /** Lines to search, 1 to 64; default 1. */
  lines?: number;
  /** Effort in plies, 1 to 60; 60 is unlimited. */
  level?: number;
  /** Playing strength in percent, 0 to 100. */
  strength?: number;
  /** Playing strength in Elo, on the scale of the engine's game; replaces `strength`. */
  elo?: number;
  /** How much worse than the best the move may be, in hundredths of a unit, 0 to 2000. */
  variety?: number;
  /** Seed of strength and variety; 0 draws another one each time. */
  seed?: number;
  /** Only these moves. */
  moves?: string[];
}

export class Engine {
  constructor(options?: {
    /** A name of `info().games`: `reversi` (default), `minichess`, `gomoku`, ... */
    game?: string;
    evaluation?: string;
    /** MiB of the search tables, 1 to 1024; default 16. */
    hash?: number;
  });
  /** The start position of the game. */
  readonly start: Position;
  position(position?: PositionInput): Position;
  /** Runs on the calling thread until it ends: use a worker in pages. */
  search(position: PositionInput | undefined, limits?: SearchLimits): SearchResult;
  /** The exact value: seconds for 24 empty squares of Reversi, minutes for 30. Without a `time` (milliseconds) it has no end. */
  solve(position: PositionInput, options?: Watch & { time?: number }): SearchResult;
  /** Leaves of the game tree at a depth, 0 to 12. Throws when it is stopped. */
  perft(position: PositionInput | undefined, depth: number, options?: Stops): number;
  /** Forgets earlier searches, so that the next one does not depend on them. */
  clear(): void;
  /** Frees the memory. A dropped engine frees it by itself, some time later. */
  close(): void;
}

export interface TraceNode {
  /** Its number in the order of the search; nodes below a pruned one have none. */
  index: number;
  move: string | null;
  player?: "max" | "min";
  window?: [number | "W" | "L", number | "W" | "L"];
  value?: number | "W" | "L";
  bound?: "exact" | "at least" | "at most";
  table?: boolean;
  /** How many playouts the value is the mean of, for `uct`, whose nodes have no window. */
  playouts?: number;
  /** On the principal variation. */
  main?: boolean;
  pruned?: true;
  /** Of a pruned node: what the search did not see there. */
  outline?: Outline;
  /** Why the rest of its moves was pruned, with the indices of the nodes that cause it. */
  cut?: { reason: string; value_node: number; bound_node?: number };
  /** The move of the node before it, searched again. */
  again?: true;
  /** Of the root: its earlier searches in the same iteration, whose windows were too narrow. Each tree has indices of its own. */
  failed?: { reason: string; tree: TraceNode }[];
  /** The node that stored its value in the table. */
  table_node?: number;
  /** Such as `null move, depth 2`. */
  technique?: string;
  children?: TraceNode[];
}

export interface Outline {
  move: string | null;
  /** Of a leaf of a tree. */
  value: number | "W" | "L" | null;
  children: Outline[];
}

export interface TraceRequest {
  /** Such as `"((3 5) (2 9))"`; instead of `game` and `position`. */
  tree?: string;
  game?: string;
  position?: string;
  evaluation?: string;
  algorithm?: string;
  order?: string;
  depth?: number;
  table?: boolean;
  /** Iterative deepening; the last iteration is described. */
  deepen?: boolean;
  /** Draws a transposition only once. */
  graph?: boolean;
  /** Techniques of `pvs`, of those in `info()`; `["aspiration"]` if absent. */
  techniques?: string[];
  /** Playouts of `uct`, 1 to 10,000; 100 if absent. */
  playouts?: number;
  root?: "max" | "min";
  /** Alpha and beta of the root in the view of Max, such as `"2,5"` or `"L,6"`; the full window if absent. For `alphabeta`, `alphabeta-hard`, `negamax` and `scout`. */
  window?: string;
}

export interface TraceResult {
  algorithm: string;
  value: number | "W" | "L";
  visited: number;
  again: number;
  /** Visits beside the tree or beyond its depth. */
  beside: number;
  /** Nodes of the tree; not for `uct`, which samples it. */
  of?: number;
  summary: string;
  /** One line a step: `enter`, `cut`, `prune`, `leave`, each with the ply; `again` where the root is searched once more. */
  steps: string;
  /** For `pvs`: a line for each search of the root in the last iteration. */
  root_searches: string;
  svg: string;
  tree: TraceNode;
}

export function trace(request: TraceRequest): TraceResult;

/** The exercise of a seed at a level from 0 (easy) to 7; the same as number `level` + 1 on the sheet of `flipside trace --exercise 8 --seed SEED`. */
export function exercise(request: {
  seed: number;
  level: number;
  /** Moves of a node at most, 2 to 4; by default as the level says. */
  branching?: number;
  /** Plies from the root to the leaves, 2 to 4; by default as the level says. */
  plies?: number;
  /** The place of the best move; by default as the level says. */
  ordering?: "best" | "random" | "worst";
  algorithm?: string;
  root?: "max" | "min";
}): {
  tree: string;
  difficulty: string;
  questions: { text: string; answer: string }[];
};

export function info(): {
  version: string;
  games: { name: string; evaluations: string[] }[];
  algorithms: string[];
  /** The algorithms that take a window. */
  windowed: string[];
  orders: string[];
  /** Techniques that `pvs` may use. */
  techniques: string[];
};

/** The node count of fixed searches, equal on every system: 250183 for `reversi`. */
export function bench(game?: "reversi" | "minichess" | "gomoku"): { nodes: number; time: number };

/** Bytes of the module's memory, which grows and never shrinks; new engines reuse the memory of closed ones. */
export function memory(): number;
