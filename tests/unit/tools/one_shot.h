/* An archive with one past screenshot, for operations on one. */
#ifndef SQ_TEST_TOOLS_ONE_SHOT_H
#define SQ_TEST_TOOLS_ONE_SHOT_H

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"

#define DAY "2026-01-15"

static char ref[PAST_REF_SIZE];

static const struct past_shot plain = { .time = DAY "_10-30-45" };

/* A world with one root and one shot, whose reference is `ref`. */
static inline void
start(const char *root, const struct past_shot *shot) {
    past_start_at(root);
    past_put(shot);
    past_ref(DAY, DAY, 0, ref);
}

static inline void
start_plain(void) {
    start("a", &plain);
}

#endif
