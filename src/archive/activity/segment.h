/* Defines a segment: a period of time with one activity. */
#ifndef SQ_ARCHIVE_ACTIVITY_SEGMENT_H
#define SQ_ARCHIVE_ACTIVITY_SEGMENT_H

#include <stdint.h>

struct sq_segment {
    int64_t start_utc; /* seconds since 1970 */
    int64_t end_utc;   /* exclusive; not before start */
    uint32_t label;    /* equal labels are the same activity */
};

#endif
