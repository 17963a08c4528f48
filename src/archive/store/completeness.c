/* Checks whether a file is a complete picture. */
#include "archive/archive_private.h"

#include <string.h>

#include "sys/clock.h"
#include "util/bytes.h"

#define GROWING_NS ((int64_t)10 * 1000000000)

static bool
has_bytes(struct sq_span span, size_t at, const char *bytes, size_t count) {
    return span.len >= at + count && memcmp(span.ptr + at, bytes, count) == 0;
}

/* Returns whether the bytes occur close to the end. */
static bool
ends_with(const struct sq_file_ends *ends, const char *bytes, size_t count) {
    for (size_t i = ends->tail.len; i-- > 0;) {
        if (has_bytes(ends->tail, i, bytes, count)) {
            return true;
        }
    }
    return false;
}

static bool
is_complete_jpeg(const struct sq_file_ends *ends) {
    return ends_with(ends, "\xff\xd9", 2);
}

static bool
is_complete_png(const struct sq_file_ends *ends) {
    return ends_with(ends, "IEND\xae\x42\x60\x82", 8);
}

static bool
is_complete_webp(const struct sq_file_ends *ends) {
    uint64_t size = sq_load_le32((const uint8_t *)ends->head.ptr + 4);
    return ends->size >= size + 8;
}

/* Formats are recognised by content, not by file name. */
static const struct kind {
    enum sq_shot_ending ending;
    const char *start;
    size_t start_len;
    size_t at;
    bool (*is_complete)(const struct sq_file_ends *ends);
} kinds[] = {
    { SQ_SHOT_JPG, "\xff\xd8\xff", 3, 0, is_complete_jpeg },
    { SQ_SHOT_PNG, "\x89PNG\r\n\x1a\n", 8, 0, is_complete_png },
    { SQ_SHOT_WEBP, "WEBP", 4, 8, is_complete_webp },
};

/* Returns whether the head could be the beginning of a picture. */
static bool
may_be_picture(struct sq_span head) {
    return has_bytes(head, 0, "\xff", 1) || has_bytes(head, 0, "\x89", 1)
        || has_bytes(head, 0, "R", 1);
}

enum sq_archive_fault
sq_completeness_check(const struct sq_file_ends *ends,
                      enum sq_shot_ending *ending) {
    const struct kind *kind = NULL;
    if (ends->size == 0) {
        return SQ_ARCHIVE_FAULT_EMPTY;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (has_bytes(ends->head, kinds[i].at, kinds[i].start,
                      kinds[i].start_len)) {
            kind = &kinds[i];
        }
    }
    if (kind && kind->is_complete(ends)) {
        *ending = kind->ending;
        return SQ_ARCHIVE_FAULT_NONE;
    }
    if (!kind
        && !(ends->is_fresh && ends->size < SQ_COMPLETENESS_HEAD_BYTES
             && may_be_picture(ends->head))) {
        return SQ_ARCHIVE_FAULT_CORRUPT;
    }
    return ends->is_fresh ? SQ_ARCHIVE_FAULT_GROWING
                          : SQ_ARCHIVE_FAULT_TRUNCATED;
}

bool
sq_completeness_is_fresh(int64_t written_ns) {
    return sq_clock_wall_ns() - written_ns < GROWING_NS;
}
