/* Checks whether a file is a complete picture, by its first and last bytes. */
#ifndef SQ_ARCHIVE_STORE_COMPLETENESS_H
#define SQ_ARCHIVE_STORE_COMPLETENESS_H

#include "archive/archive.h"
#include "util/span.h"

#define SQ_WHOLE_HEAD_BYTES 12
#define SQ_WHOLE_TAIL_BYTES                                                    \
    1024 /* some programs write a little after the end */

struct sq_whole_ends {
    struct sq_span head; /* at least SQ_WHOLE_HEAD_BYTES, or all bytes */
    struct sq_span tail; /* SQ_WHOLE_TAIL_BYTES, or all bytes */
    uint64_t size;       /* of the file */
    bool is_fresh;       /* it may still be being written */
};

/*
 * Returns NONE and the format of the picture, or why it cannot be used: EMPTY,
 * GROWING, TRUNCATED or CORRUPT. Pure.
 */
enum sq_archive_fault sq_whole_check(const struct sq_whole_ends *ends,
                                     enum sq_shot_ending *ending);

/*
 * Returns whether a file last written at that time may still be being written.
 */
bool sq_whole_is_fresh(int64_t written_ns);

#endif
