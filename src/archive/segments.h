/* Stretches of activity as they are gathered, and the names of activities. */
#ifndef SQ_ARCHIVE_SEGMENTS_H
#define SQ_ARCHIVE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/segment.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_MAX_SEGMENTS 200000
#define SQ_MAX_LABELS 20000

/* A pause this short does not end an activity. */
#define SQ_SEGMENT_GAP_S 120

struct sq_label {
    struct sq_span text;
    uint32_t hash;
};

/* A value; read items and count after sq_segments_settle. */
struct sq_segments {
    struct sq_segment *items;
    size_t count;
    size_t cap;
    struct sq_label *labels;
    uint32_t *slots; /* a hash table of labels, 0: free, else place + 1 */
    size_t label_count;
    struct sq_arena texts;
    bool is_settled;
};

/* Start empty; allocates nothing. */
void sq_segments_init(struct sq_segments *segments);

/* Safe on a zeroed value and twice. */
void sq_segments_finish(struct sq_segments *segments);

/*
 * Add a stretch in any order; one without length is left out.
 * SQ_ERR_LIMIT beyond SQ_MAX_SEGMENTS; beyond SQ_MAX_LABELS names are one.
 */
bool sq_segments_add(struct sq_segments *segments, int64_t start_utc,
                     int64_t end_utc, struct sq_span label, struct sq_err *err);

/*
 * Put them in order, end each where the next begins, and join neighbours of
 * one label with at most SQ_SEGMENT_GAP_S between them.
 */
void sq_segments_settle(struct sq_segments *segments);

/* The name of a label; empty for UINT32_MAX and others unknown. */
struct sq_span sq_segments_label(const struct sq_segments *segments,
                                 uint32_t label);

#endif
