/*
 * Chooses a few representative shots from many. Pure: takes arrays, returns
 * indexes, and the result is deterministic.
 */
#ifndef SQ_ARCHIVE_SAMPLING_SAMPLING_H
#define SQ_ARCHIVE_SAMPLING_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/activity/segments.h"
#include "archive/shot.h"
#include "archive/store/fingerprint.h"
#include "archive/window.h"
#include "util/arena.h"
#include "util/err.h"

enum sq_sampling {
    SQ_SAMPLING_ACTIVITY, /* one per activity segment */
    SQ_SAMPLING_INTERVAL, /* one every interval_s seconds */
    SQ_SAMPLING_COVERAGE, /* shots that together look like all others */
    SQ_SAMPLING_VISUAL,   /* like ACTIVITY, with segments from the pictures */
    SQ_SAMPLINGS,
};

/* "activity_transition", "interval", "coverage", "visual", then NULL. */
extern const char *const sq_sampling_names[];

#define SQ_INTERVAL_AUTO (-1)
#define SQ_SETTLE_S 3 /* seconds until a newly opened app is visible */

struct sq_choose_request {
    struct sq_shots shots; /* all shots of the window and wanted monitors */
    struct sq_window window;
    enum sq_sampling sampling;
    size_t max_count; /* at least 1 */
    int interval_s;   /* 0: every shot; SQ_INTERVAL_AUTO: by range and cap */
    int settle_s;     /* usually SQ_SETTLE_S */
    /*
     * Used by ACTIVITY and VISUAL, and by COVERAGE if present. Sorted and not
     * overlapping; the first may start before the window.
     */
    const struct sq_segment *segments;
    size_t segment_count;
    const struct sq_err *no_segments; /* why there are none; may be NULL */
    const struct sq_image_fingerprint
        *fingerprints; /* one per shot, for COVERAGE; or NULL */
    bool fills_up;     /* COVERAGE adds similar shots, up to max_count */
};

/* One chosen shot, and the range of shots that can replace it. */
struct sq_pick {
    uint32_t shot; /* index in the array */
    uint32_t low;  /* replacements are low <= index < high */
    uint32_t high;
    uint32_t label;  /* of its segment; UINT32_MAX: none */
    uint32_t origin; /* the shot chosen originally */
    uint32_t before; /* range already tried by sq_choice_replace */
    uint32_t after;
};

static inline struct sq_pick
sq_pick_of(uint32_t shot, uint32_t low, uint32_t high, uint32_t label) {
    return (struct sq_pick){ shot, low, high, label, shot, shot, shot + 1 };
}

#define SQ_CHOICE_WHY_SIZE 240

struct sq_choice {
    struct sq_pick *picks; /* in the order of the shots; in the arena */
    size_t count;
    size_t wanted;                /* number of picks before the cap */
    enum sq_sampling used;        /* the method actually used */
    int interval_s;               /* of INTERVAL; 0: every shot */
    char why[SQ_CHOICE_WHY_SIZE]; /* one sentence for the reply */
    bool why_quotes;              /* it quotes untrusted text */
    size_t segments;              /* that overlap the window */
    size_t segments_empty;        /* of these, without a shot */
    size_t days;                  /* local days with shots; of ACTIVITY */
    size_t days_unrecorded;       /* of these, without activity records */
    size_t shots_unrecorded;      /* shots at times without records */
    bool is_by_day;  /* limited by the cap: spread over days, not hours */
    double coverage; /* share of the time that looks like a pick; -1: unknown */
};

/*
 * Chooses at most max_count shots. Shots of the same second are chosen together
 * as far as the cap allows, except with COVERAGE. Falls back to INTERVAL if
 * there is no activity; `why` then explains it. Fails only if out of memory.
 */
bool sq_choose(const struct sq_choose_request *request, struct sq_arena *arena,
               struct sq_choice *out, struct sq_err *err);

/*
 * Replaces a pick whose shot cannot be used by the nearest shot in time of the
 * same monitor that is in no pick and was not tried before. Returns false and
 * leaves the pick unchanged if none is left.
 */
bool sq_choice_replace(const struct sq_shots *shots, struct sq_choice *choice,
                       size_t pick);

#endif
