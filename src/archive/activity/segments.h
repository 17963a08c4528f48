/* Collects activity segments and their labels. */
#ifndef SQ_ARCHIVE_ACTIVITY_SEGMENTS_H
#define SQ_ARCHIVE_ACTIVITY_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/window.h"
#include "sys/zone.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_MAX_SEGMENTS 200000
#define SQ_MAX_LABELS 20000

/* A gap of at most this many seconds does not end an activity. */
#define SQ_SEGMENT_GAP_S 120

/* A period of time with one activity. */
struct sq_segment {
    int64_t start_utc; /* seconds since 1970 */
    int64_t end_utc;   /* exclusive; not before start */
    uint32_t label;    /* equal labels are the same activity */
};

struct sq_label {
    struct sq_span text;
    uint32_t hash;
    bool covers; /* see sq_segments_filter */
};

/* A time in microseconds since 1970. */
struct sq_moment {
    int64_t earliest_us;
    int64_t latest_us; /* later if the text allows several times */
};

/* The moment of a text that cannot be read. */
#define SQ_MOMENT_UNKNOWN ((struct sq_moment){ INT64_MIN, INT64_MAX })

/*
 * Parses a time by sq_time_parse; without an offset it is in the zone (NULL:
 * UTC), where it may occur twice when clocks are set back. Returns false, and
 * SQ_MOMENT_UNKNOWN, if it cannot be read.
 */
bool sq_moment_read(struct sq_span text, const struct sq_zone *zone,
                    struct sq_moment *out);

/* When an activity was, in microseconds since 1970; ends are exclusive. */
struct sq_extent {
    int64_t from_us; /* not before; INT64_MIN: unknown */
    int64_t to_us;   /* not after; INT64_MAX: unknown */
    int64_t surely_from_us;
    int64_t surely_to_us; /* not after surely_from_us: at no certain time */
};

/* Changes what is added to a list of segments. */
struct sq_segments_filter {
    /* Replaces *label before it is shortened; a NULL pointer in it drops the
     * segment. What it points to is valid until the next call. */
    bool (*apply)(void *context, const struct sq_extent *when,
                  struct sq_span *label, struct sq_err *err);
    void *context;
    /* Returns whether a segment with that label replaces all others at its
     * time; NULL: none does. Such segments are rounded outwards, others
     * inwards. */
    bool (*covers)(struct sq_span label);
};

/* A plain value; read items and count after sq_segments_merge. */
struct sq_segments {
    struct sq_segment *items;
    size_t count;
    size_t capacity;
    struct sq_label *labels;
    uint32_t *slots; /* hash table of labels; 0: free, else index + 1 */
    size_t label_count;
    struct sq_arena texts;
    bool is_merged;
    const struct sq_segments_filter *filter; /* NULL: none */
};

/* Initialises an empty list without allocating. */
void sq_segments_init(struct sq_segments *segments);

/* Safe on a zeroed value and twice. */
void sq_segments_finish(struct sq_segments *segments);

/*
 * Adds a segment, in any order; an empty one is ignored. Fails with
 * SQ_ERR_LIMIT above SQ_MAX_SEGMENTS. Labels above SQ_MAX_LABELS share one
 * label.
 */
bool sq_segments_add(struct sq_segments *segments, int64_t start_utc,
                     int64_t end_utc, struct sq_span label, struct sq_err *err);

/*
 * Adds a segment if it may overlap the window. Without a filter, one whose
 * times are not both known is ignored.
 */
bool sq_segments_add_between(struct sq_segments *segments,
                             const struct sq_window *window,
                             struct sq_moment start, struct sq_moment end,
                             struct sq_span label, struct sq_err *err);

/*
 * Sorts the segments, ends each where the next begins, and merges neighbours
 * with the same label and a gap of at most SQ_SEGMENT_GAP_S. Where one covers
 * others, only it remains.
 */
void sq_segments_merge(struct sq_segments *segments);

/* Frees memory that only sq_segments_add needs. */
void sq_segments_trim(struct sq_segments *segments);

/* Returns the segment at a time after sq_segments_merge; NULL: none. */
const struct sq_segment *sq_segments_find(const struct sq_segments *segments,
                                          int64_t utc);

/* Returns its label; empty: none. */
struct sq_span sq_segments_at(const struct sq_segments *segments, int64_t utc);

/* Returns the name of a label; empty for UINT32_MAX and unknown labels. */
struct sq_span sq_segments_label(const struct sq_segments *segments,
                                 uint32_t label);

#endif
