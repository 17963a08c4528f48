/* Checks whether a file is a complete picture, by its first and last bytes. */
#ifndef SQ_ARCHIVE_STORE_COMPLETENESS_H
#define SQ_ARCHIVE_STORE_COMPLETENESS_H

#include "archive/archive.h"
#include "util/span.h"

#define SQ_COMPLETENESS_HEAD_BYTES 12
#define SQ_COMPLETENESS_TAIL_BYTES                                             \
    1024 /* some programs write a little after the end */

struct sq_file_ends {
    struct sq_span head; /* at least SQ_COMPLETENESS_HEAD_BYTES, or all bytes */
    struct sq_span tail; /* SQ_COMPLETENESS_TAIL_BYTES, or all bytes */
    uint64_t size;       /* of the file */
    bool is_fresh;       /* it may still be being written */
};

/*
 * Returns NONE and the format of the picture, or why it cannot be used: EMPTY,
 * GROWING, TRUNCATED or CORRUPT. Pure.
 */
enum sq_archive_fault sq_completeness_check(const struct sq_file_ends *ends,
                                            enum sq_shot_ending *ending);

/*
 * Returns whether a file last written at that time may still be being written.
 */
bool sq_completeness_is_fresh(int64_t written_ns);

#endif
