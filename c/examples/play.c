/* Plays a game of Reversi against itself and reviews it. Build: see README.md. */
#include "flipside.h"

#include <stdio.h>
#include <stdlib.h>

static void check(FlipsideStatus status) {
    if (status != FLIPSIDE_STATUS_OK) {
        fprintf(stderr, "%s\n", flipside_error());
        exit(1);
    }
}

static void hear(const FlipsideFound *found, void *user) {
    (void)user;
    if (!found->done) printf("  depth %2u  %+6.2f  %s\n", found->depth, found->score / 100.0, found->line);
}

int main(void) {
    FlipsideEngine *engine;
    FlipsideGame *game;
    check(flipside_engine_new("reversi", "Hash=16", &engine));
    check(flipside_game_new("reversi", NULL, "f5d6c3d3c4", &game));
    char *picture;
    check(flipside_game_picture(game, &picture));
    printf("%s", picture);
    flipside_string_free(picture);

    /* A search that tells its iterations while it runs. */
    FlipsideLimits limits = {.size = sizeof limits, .depth = 12};
    check(flipside_search_start(engine, game, &limits, hear, NULL));
    check(flipside_search_wait(engine));

    /* The rest of the game, a tenth of a second a move. */
    FlipsideStanding standing;
    limits = (FlipsideLimits){.size = sizeof limits, .seconds = 0.1};
    for (check(flipside_game_standing(game, &standing)); !standing.over; check(flipside_game_standing(game, &standing))) {
        FlipsideFound found;
        check(flipside_search(engine, game, &limits, &found));
        check(flipside_game_play(game, found.best));
    }
    printf("%d : %d\n", standing.points[0], standing.points[1]);
    flipside_game_free(game);
    flipside_engine_free(engine);
    return 0;
}
