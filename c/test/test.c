/* Tests of the C library. scripts/c runs them under AddressSanitizer. */
#include "flipside.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                                  \
    do {                                                                                                   \
        if (!(condition)) {                                                                                \
            fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, flipside_error()); \
            exit(1);                                                                                       \
        }                                                                                                  \
    } while (0)
#define OK(call) EXPECT((call) == FLIPSIDE_STATUS_OK)
#define INVALID(call, words) EXPECT((call) == FLIPSIDE_STATUS_INVALID && strstr(flipside_error(), words))

static FlipsideGame *game_of(const char *name, const char *position, const char *moves) {
    FlipsideGame *game = NULL;
    OK(flipside_game_new(name, position, moves, &game));
    return game;
}

/* A call that hands over `text`, and words in it. */
#define TELLS(call, words)             \
    do {                               \
        char *text = NULL;             \
        OK(call);                      \
        EXPECT(strstr(text, (words))); \
        flipside_string_free(text);    \
    } while (0)

static void games(void) {
    char *text;
    FlipsideStanding standing;
    FlipsideGame *game = game_of("reversi", NULL, "f5d6 c3");
    TELLS(flipside_game_moves(game, &text), "d3");
    TELLS(flipside_game_json(game, &text), "\"side\":\"white\"");
    TELLS(flipside_game_picture(game, &text), "a");
    OK(flipside_game_standing(game, &standing));
    EXPECT(standing.side == 1 && !standing.over && standing.plies == 3 && standing.points[0] == 5);
    INVALID(flipside_game_play(game, "a1"), "a1");
    OK(flipside_game_undo(game, 2));
    INVALID(flipside_game_undo(game, 2), "fewer");
    OK(flipside_game_standing(game, &standing));
    EXPECT(standing.plies == 1 && standing.winner == -1 && standing.margin == -1);
    EXPECT(flipside_game_position(game, &text) == FLIPSIDE_STATUS_OK);
    FlipsideGame *same = game_of("reversi", text, NULL);
    flipside_string_free(text);
    flipside_game_free(same);
    flipside_game_free(game);

    char full[67];
    memset(full, 'X', 63);
    strcpy(full + 63, "- O");
    game = game_of("reversi", full, NULL);
    OK(flipside_game_standing(game, &standing));
    EXPECT(standing.over && standing.winner == 0 && standing.margin == 64);
    flipside_game_free(game);
    flipside_game_free(game_of("minichess", NULL, "b1-c3"));
}

static void wrong_arguments(void) {
    FlipsideGame *game = NULL;
    FlipsideEngine *engine = NULL;
    char *text = NULL;
    INVALID(flipside_game_new(NULL, NULL, NULL, &game), "name is null");
    INVALID(flipside_game_new("reversi", NULL, NULL, NULL), "null");
    INVALID(flipside_game_new("checkers", NULL, NULL, &game), "checkers");
    INVALID(flipside_game_new("reversi", "XX", NULL, &game), "position");
    INVALID(flipside_game_new("\xff\xfe", NULL, NULL, &game), "UTF-8");
    INVALID(flipside_game_json(NULL, &text), "game is null");
    INVALID(flipside_engine_new("reversi", "Hash", &engine), "NAME=VALUE");
    INVALID(flipside_engine_new("reversi", "Hash=0", &engine), "Hash");
    INVALID(flipside_engine_stop(NULL), "engine is null");
    flipside_game_free(NULL);
    flipside_engine_free(NULL);
    flipside_string_free(NULL);
    EXPECT(game == NULL && engine == NULL);
}

static void searches(void) {
    FlipsideEngine *engine;
    FlipsideFound found[4];
    OK(flipside_engine_new("reversi", "Hash=4 Threads=2 Book=none", &engine));
    FlipsideGame *game = game_of("reversi", NULL, NULL);
    FlipsideLimits limits = {.size = sizeof limits, .depth = 6, .lines = 3};
    OK(flipside_search(engine, game, &limits, found));
    EXPECT(found->done && found->depth >= 6 && strlen(found->best) == 2 && found->nodes > 0);
    size_t count = 4;
    OK(flipside_hints(engine, game, &limits, found, &count));
    EXPECT(count == 3 && found[0].rank == 1 && found[2].rank == 3 && found[0].score >= found[2].score);
    count = 2;
    OK(flipside_hints(engine, game, &limits, found, &count));
    EXPECT(count == 2);
    limits.size = 1;
    INVALID(flipside_search(engine, game, &limits, found), "limits.size");
    limits = (FlipsideLimits){.size = sizeof limits, .seconds = -1};
    INVALID(flipside_search(engine, game, &limits, found), "limits.seconds");
    limits = (FlipsideLimits){.size = sizeof limits, .strength = 101};
    INVALID(flipside_search(engine, game, &limits, found), "strength");
    limits = (FlipsideLimits){.size = sizeof limits, .elo = 9000};
    INVALID(flipside_search(engine, game, &limits, found), "elo is 9000, should be 500 to 2080");
    limits.elo = 500;
    OK(flipside_search(engine, game, &limits, found));
    EXPECT(found->depth == 1 && found->wdl[0] + found->wdl[1] + found->wdl[2] == 1000);
    FlipsideGame *other = game_of("minichess", NULL, NULL);
    INVALID(flipside_search(engine, other, NULL, found), "the game is not reversi");
    flipside_game_free(other);
    OK(flipside_engine_clear(engine));

    /* FFO #1: +18 by g8. */
    other = game_of("reversi", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", NULL);
    OK(flipside_solve(engine, other, found));
    EXPECT(strcmp(found->best, "g8") == 0 && found->score == 1800 && strcmp(found->certainty, "exact") == 0);
    flipside_game_free(other);
    flipside_game_free(game);
    flipside_engine_free(engine);
}

struct heard {
    FlipsideEngine *engine;
    int iterations, ends;
};

static void stop_at_once(const FlipsideFound *found, void *user) {
    struct heard *heard = user;
    if (found->done) {
        heard->ends++;
    } else {
        heard->iterations++;
        flipside_engine_stop(heard->engine);
    }
}

static void asynchronous(void) {
    struct heard heard = {0};
    OK(flipside_engine_new("reversi", "Hash=4 Book=none", &heard.engine));
    FlipsideGame *game = game_of("reversi", NULL, NULL);
    FlipsideLimits limits = {.size = sizeof limits, .seconds = INFINITY};
    FlipsideFound found;
    for (int round = 1; round <= 20; round++) {
        OK(flipside_search_start(heard.engine, game, &limits, stop_at_once, &heard));
        OK(flipside_search_wait(heard.engine));
        EXPECT(heard.ends == round && heard.iterations >= round);
    }
    OK(flipside_search_start(heard.engine, game, &limits, stop_at_once, &heard));
    FlipsideStatus status = flipside_search(heard.engine, game, NULL, &found);
    EXPECT(status == FLIPSIDE_STATUS_BUSY || status == FLIPSIDE_STATUS_OK);
    /* The engine ends its search before it goes. */
    flipside_engine_free(heard.engine);
    EXPECT(heard.ends == 21);
    flipside_game_free(game);
}

static void *stopper(void *engine) {
    for (int i = 0; i < 1000; i++) flipside_engine_stop(engine);
    return NULL;
}

static void threads(void) {
    FlipsideEngine *engine;
    OK(flipside_engine_new("minichess", "Hash=4", &engine));
    FlipsideGame *game = game_of("minichess", NULL, NULL);
    pthread_t others[4];
    for (int i = 0; i < 4; i++) EXPECT(pthread_create(&others[i], NULL, stopper, engine) == 0);
    for (int i = 0; i < 50; i++) {
        FlipsideFound found;
        FlipsideLimits limits = {.size = sizeof limits, .depth = 4};
        OK(flipside_search(engine, game, &limits, &found));
        EXPECT(found.best[0] != 0);
    }
    for (int i = 0; i < 4; i++) EXPECT(pthread_join(others[i], NULL) == 0);
    flipside_game_free(game);
    flipside_engine_free(engine);
}

/* The same game, with only its last move played. */
static FlipsideGame *last_move(const char *before, const char *move) {
    char *position;
    FlipsideGame *game = game_of("reversi", NULL, before);
    OK(flipside_game_position(game, &position));
    flipside_game_free(game);
    game = game_of("reversi", position, move);
    flipside_string_free(position);
    return game;
}

static atomic_bool has_ended;

static void *stop_until_ended(void *engine) {
    while (!atomic_load(&has_ended)) flipside_engine_stop(engine);
    return NULL;
}

static void analysis_and_book(void) {
    FlipsideEngine *engine;
    FlipsideReview reviews[8];
    OK(flipside_engine_new("reversi", NULL, &engine));
    FlipsideGame *game = game_of("reversi", NULL, "f5d6c3g5");
    size_t count = 8;
    FlipsideLimits limits = {.size = sizeof limits, .depth = 10};
    OK(flipside_analyze(engine, game, &limits, reviews, &count));
    EXPECT(count == 4 && strcmp(reviews[0].played, "f5") == 0 && reviews[3].side == 1);
    EXPECT(reviews[3].best_score > reviews[3].played_score + 200); /* g5 loses many discs */

    /* The last move is worth the same without the searches before it, within every kind of limits. */
    FlipsideLimits kinds[] = {limits, {.size = sizeof limits, .nodes = 20000}};
    for (int i = 0; i < 2; i++) {
        FlipsideGame *last = last_move("f5d6c3", "g5");
        FlipsideReview alone;
        size_t one = 1;
        count = 8;
        OK(flipside_analyze(engine, game, &kinds[i], reviews, &count));
        OK(flipside_analyze(engine, last, &kinds[i], &alone, &one));
        EXPECT(alone.best_score == reviews[3].best_score && alone.played_score == reviews[3].played_score);
        flipside_game_free(last);
    }

    pthread_t other;
    limits = (FlipsideLimits){.size = sizeof limits, .seconds = INFINITY};
    EXPECT(pthread_create(&other, NULL, stop_until_ended, engine) == 0);
    EXPECT(flipside_analyze(engine, game, &limits, reviews, &count) == FLIPSIDE_STATUS_FAILED);
    EXPECT(strstr(flipside_error(), "stopped"));
    atomic_store(&has_ended, true);
    EXPECT(pthread_join(other, NULL) == 0);
    OK(flipside_game_undo(game, 1));
    TELLS(flipside_book(engine, game, &text), "\"grade\"");
    flipside_game_free(game);
    flipside_engine_free(engine);
}

int main(void) {
    EXPECT(strchr(flipside_version(), '.') != NULL);
    games();
    wrong_arguments();
    searches();
    asynchronous();
    threads();
    analysis_and_book();
    puts("all tests of the C library passed");
    return 0;
}
