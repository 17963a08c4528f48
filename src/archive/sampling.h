/*
 * Which few of many shots to show. Pure: arrays in, places in the array out,
 * always the same ones for the same question.
 */
#ifndef SQ_ARCHIVE_SAMPLING_H
#define SQ_ARCHIVE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/fingerprint.h"
#include "archive/segment.h"
#include "archive/shot.h"
#include "archive/window.h"
#include "util/arena.h"
#include "util/err.h"

enum sq_sampling {
    SQ_SAMPLING_ACTIVITY, /* one per stretch of activity */
    SQ_SAMPLING_INTERVAL, /* one every interval_s seconds */
    SQ_SAMPLING_COVERAGE, /* those from which the others can be guessed */
    SQ_SAMPLING_VISUAL,   /* as ACTIVITY, by what the pictures show */
    SQ_SAMPLINGS,
};

/* "activity_transition", "interval", "coverage", "visual". */
const char *sq_sampling_name(enum sq_sampling sampling);

/* The same backwards, also "activitytransition"; false: no such word. */
bool sq_sampling_from_name(struct sq_span name, enum sq_sampling *out);

#define SQ_INTERVAL_AUTO (-1)
#define SQ_SETTLE_S 3 /* until a screen shows the application just entered */

struct sq_choose_ask {
    struct sq_shots shots; /* all in the window, of the monitors wanted */
    struct sq_window window;
    enum sq_sampling sampling;
    size_t max_count; /* at least 1 */
    int interval_s;   /* 0: no thinning; SQ_INTERVAL_AUTO: from range and cap */
    int settle_s;     /* usually SQ_SETTLE_S */
    /*
     * For ACTIVITY and VISUAL, and for COVERAGE if there are any: in order, not
     * overlapping; the first may start before the window.
     */
    const struct sq_segment *segments;
    size_t segment_count;
    const char *no_segments; /* why there are none, for people; may be NULL */
    const struct sq_image_fingerprint
        *prints; /* of each shot, for COVERAGE; or NULL */
};

/* One chosen shot, and which others could stand in for it. */
struct sq_pick {
    uint32_t shot; /* its place in the array */
    uint32_t low;  /* stand-ins lie from low up to, not including, high */
    uint32_t high;
    uint32_t label;  /* of its segment; UINT32_MAX: none */
    uint32_t origin; /* the shot first chosen */
    uint32_t before; /* how far sq_choice_replace has looked */
    uint32_t after;
};

#define SQ_CHOICE_WHY_SIZE 240

struct sq_choice {
    struct sq_pick *picks; /* in the order of the shots; the arena's */
    size_t count;
    size_t wanted;                /* how many there were before the cap */
    enum sq_sampling used;        /* what it came to */
    int interval_s;               /* of INTERVAL; 0: every shot */
    char why[SQ_CHOICE_WHY_SIZE]; /* one sentence, for the reader */
    size_t segments;              /* that touch the window */
    size_t segments_empty;        /* of those, without a shot */
    bool is_by_day;  /* under the cap it is spread over days, not hours */
    double coverage; /* share of the time that a pick looks like; -1: unknown */
};

/*
 * Choose at most max_count shots. Shots of one second are chosen together as
 * far as the cap allows, except for COVERAGE. Never fails for want of activity:
 * INTERVAL is used then, and `why` says so. Fails only without memory.
 */
bool sq_choose(const struct sq_choose_ask *ask, struct sq_arena *arena,
               struct sq_choice *out, struct sq_err *err);

/*
 * The shot of this pick cannot be used: take the next best stand-in, the
 * nearest in time of the same monitor that no pick has and that was not tried
 * before. False, and the pick is as it was, if there is none left.
 */
bool sq_choice_replace(const struct sq_shots *shots, struct sq_choice *choice,
                       size_t pick);

/* The first shot at or after that moment: shots.count if there is none. */
size_t sq_shots_from(const struct sq_shots *shots, int64_t utc);

#endif
