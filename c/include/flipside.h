/* Flipside: a game engine for Reversi, MiniChess, Gomoku and more. Made by scripts/c from c/src; do not edit. */

#ifndef FLIPSIDE_H
#define FLIPSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How a call ended.
typedef enum {
  // It succeeded.
  FLIPSIDE_STATUS_OK = 0,
  // An argument is wrong: a null pointer, a text that is not UTF-8, a number out of its range, an illegal move.
  FLIPSIDE_STATUS_INVALID = 1,
  // The engine is searching.
  FLIPSIDE_STATUS_BUSY = 2,
  // The engine cannot do it: a file or memory is missing, or the search failed.
  FLIPSIDE_STATUS_FAILED = 3,
  // The library has a fault; the object may no longer be used, except to free it.
  FLIPSIDE_STATUS_PANIC = 4,
} FlipsideStatus;

// An engine that searches, solves and analyses. Made by `flipside_engine_new`, freed by `flipside_engine_free`.
typedef struct FlipsideEngine FlipsideEngine;

// A game being played, or a position. Made by `flipside_game_new`, freed by `flipside_game_free`.
typedef struct FlipsideGame FlipsideGame;

// What limits a search. A field of 0 sets no limit; without any limit a search has two seconds.
typedef struct {
  // `sizeof(FlipsideLimits)`.
  size_t size;
  // Plies at most.
  uint32_t depth;
  // Positions at most.
  uint64_t nodes;
  // Seconds at most; infinite for a search until `flipside_engine_stop`, or until nothing more can be learnt.
  double seconds;
  // Principal variations, up to 64; 0 is one.
  uint32_t lines;
  // Playing strength in percent, 1 to 100; 0 is full strength.
  uint32_t strength;
  // Playing strength in Elo, on the scale of the engine's game; 0 is full strength. It replaces `strength`.
  uint32_t elo;
} FlipsideLimits;

// What a search has found: an iteration, or its end.
typedef struct {
  // The best move, such as `f5`, `b2-b3` or `pass`; empty when the game is over.
  char best[16];
  // The principal variation, moves separated by blanks; a longer one is cut between moves.
  char line[512];
  // How sure the score is: `exact`, `wld`, `end@95%`, `mid@80%`, or `book`.
  char certainty[16];
  // In hundredths of a disc or pawn, for the side to move.
  int32_t score;
  // Plies.
  uint32_t depth;
  // 1 for the best line, 2 for the second.
  uint32_t rank;
  // Chances of a win, a draw and a loss in thousandths; all 0 if the game has no model of them.
  uint16_t wdl[3];
  // Whether this is the end of the search.
  bool done;
  // Positions searched.
  uint64_t nodes;
  // Seconds since the search began.
  double seconds;
} FlipsideFound;

// Receives every iteration of a running search, and its end. A thread of the engine calls it. It may call
// `flipside_engine_stop`. `found` is valid during the call.
typedef void (*FlipsideCallback)(const FlipsideFound *found, void *user);

// What one move of a game was worth.
typedef struct {
  // Moves before it, passes included.
  uint32_t ply;
  // The side that moved: 0 or 1.
  int32_t side;
  // The move.
  char played[16];
  // The best move.
  char best[16];
  // The score of the move played, in hundredths for the mover.
  int32_t played_score;
  // The score of the best move.
  int32_t best_score;
  // Whether both scores are exact.
  bool exact;
} FlipsideReview;

// Where a game stands.
typedef struct {
  // The side to move: 0 moves first in the game, 1 second.
  int32_t side;
  // Whether the game is over.
  bool over;
  // The winner's side; -1 for a draw and while the game goes on.
  int32_t winner;
  // By how many discs or points the game was won; -1 where the game does not count them.
  int32_t margin;
  // Discs or points of both sides; -1 where the game does not count them.
  int32_t points[2];
  // Moves played, passes included.
  uint32_t plies;
} FlipsideStanding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as `0.2.0`; not to be freed.
const char *flipside_version(void);

// Why the last failed call of this thread failed, as a sentence. The text belongs to the library and is valid until
// the next failure of this thread.
const char *flipside_error(void);

// Frees a text that the library returned; a null pointer is allowed.
//
// # Safety
// The text comes from this library and was not freed before.
void flipside_string_free(char *text);

// Opens an engine for a game.
//
// `options` is null, or sets options of the engine: `Hash=64 Threads=2 Book=none`. Names and ranges are those of the
// protocols. A value with blanks cannot be set. Options that limit or vary the engine's play, such as `Strength`, have
// no effect here: `FlipsideLimits` limits each search.
//
// # Safety
// The texts are null or end in a zero byte; `engine` may be written to.
FlipsideStatus flipside_engine_new(const char *game,
                                   const char *options,
                                   FlipsideEngine **engine);

// Stops the running search, waits for its end, and frees the engine; a null pointer is allowed. A callback must not call
// this.
//
// # Safety
// The engine comes from `flipside_engine_new`, was not freed before, and no other call uses it.
void flipside_engine_free(FlipsideEngine *engine);

// Stops the running search, from any thread or from its callback. Without a search it does nothing.
//
// # Safety
// `engine` is null or alive.
FlipsideStatus flipside_engine_stop(const FlipsideEngine *engine);

// Forgets earlier searches, so that the next one does not depend on them.
//
// # Safety
// `engine` is null or alive.
FlipsideStatus flipside_engine_clear(const FlipsideEngine *engine);

// Searches a game's present position and waits for the result. `limits` may be null.
//
// # Safety
// The objects are null or alive; `limits` is null or valid; `found` may be written to.
FlipsideStatus flipside_search(const FlipsideEngine *engine,
                               const FlipsideGame *game,
                               const FlipsideLimits *limits,
                               FlipsideFound *found);

// Finds the best moves of a game's present position: the search follows `limits.lines` principal variations. The last
// iteration of each is written to `found`, the best first. `count` is the room there, and afterwards the number written.
//
// # Safety
// As `flipside_search`; `found` has room for `*count` structures.
FlipsideStatus flipside_hints(const FlipsideEngine *engine,
                              const FlipsideGame *game,
                              const FlipsideLimits *limits,
                              FlipsideFound *found,
                              size_t *count);

// Begins to search a game's present position and returns at once. `callback` receives every iteration and, with `done`
// set, the end. Until then the engine is busy; `flipside_search_wait` waits for the end.
//
// # Safety
// As `flipside_search`; `callback` may be called with `user` on another thread until the end of the search.
FlipsideStatus flipside_search_start(const FlipsideEngine *engine,
                                     const FlipsideGame *game,
                                     const FlipsideLimits *limits,
                                     FlipsideCallback callback,
                                     void *user);

// Waits for the end of the search that `flipside_search_start` began. Its callback must not call this.
//
// # Safety
// `engine` is null or alive.
FlipsideStatus flipside_search_wait(const FlipsideEngine *engine);

// Solves a game's present position: finds the value of perfect play, however long it takes. If `flipside_engine_stop`
// ends it, it fails.
//
// # Safety
// As `flipside_search`.
FlipsideStatus flipside_solve(const FlipsideEngine *engine,
                              const FlipsideGame *game,
                              FlipsideFound *found);

// Says what each move of a game was worth: it searches every position within these limits, each from empty tables.
// `count` is the room at `reviews`, and afterwards the number written; passes have no review. If `flipside_engine_stop`
// ends it, it fails.
//
// # Safety
// As `flipside_hints`.
FlipsideStatus flipside_analyze(const FlipsideEngine *engine,
                                const FlipsideGame *game,
                                const FlipsideLimits *limits,
                                FlipsideReview *reviews,
                                size_t *count);

// What the engine's opening book knows of a game's present position, as a JSON array of moves, the best first: `move`,
// `score` (hundredths), `line`, `depth`, `certainty`, `grade`, `games`. It is empty where the book knows nothing or the
// game has no book. The caller frees the text.
//
// # Safety
// The objects are null or alive; `json` may be written to.
FlipsideStatus flipside_book(const FlipsideEngine *engine,
                             const FlipsideGame *game,
                             char **json);

// Begins a game.
//
// `name` is `reversi`, `minichess`, `gomoku` or another game of the library. `position` is a start position on one line,
// or null for the game's own. `moves` are played from it, separate or run together (`f5d6c3`); null plays none.
//
// # Safety
// The texts are null or end in a zero byte; `game` may be written to.
FlipsideStatus flipside_game_new(const char *name,
                                 const char *position,
                                 const char *moves,
                                 FlipsideGame **game);

// Frees a game; a null pointer is allowed.
//
// # Safety
// The game comes from `flipside_game_new`, was not freed before, and no other call uses it.
void flipside_game_free(FlipsideGame *game);

// Plays moves, separate or run together. Forced passes may be left out. On a failure nothing is played.
//
// # Safety
// `game` is null or alive; `moves` is null or ends in a zero byte.
FlipsideStatus flipside_game_play(const FlipsideGame *game,
                                  const char *moves);

// Takes back `count` moves, with the passes around them.
//
// # Safety
// `game` is null or alive.
FlipsideStatus flipside_game_undo(const FlipsideGame *game, uint32_t count);

// Everything about the position as a JSON object: `game`, `side`, `sides`, `legal`, `rows`, `points`, `position`, `history`,
// `opening`, `over`, `winner`, `margin`. The caller frees the text.
//
// # Safety
// `game` is null or alive; `json` may be written to.
FlipsideStatus flipside_game_json(const FlipsideGame *game,
                                  char **json);

// The legal moves, separated by blanks; a forced pass is `pass`; empty when the game is over. The caller frees the text.
//
// # Safety
// As `flipside_game_json`.
FlipsideStatus flipside_game_moves(const FlipsideGame *game,
                                   char **moves);

// The position on one line, as `flipside_game_new` reads it. The caller frees the text.
//
// # Safety
// As `flipside_game_json`.
FlipsideStatus flipside_game_position(const FlipsideGame *game, char **position);

// The board drawn as text. The caller frees the text.
//
// # Safety
// As `flipside_game_json`.
FlipsideStatus flipside_game_picture(const FlipsideGame *game, char **picture);

// Where the game stands.
//
// # Safety
// `game` is null or alive; `standing` may be written to.
FlipsideStatus flipside_game_standing(const FlipsideGame *game, FlipsideStanding *standing);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FLIPSIDE_H */
