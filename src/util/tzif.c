/* Parser for TZif files. */
#include "util/tzif.h"

#include <string.h>

#include "util/bytes.h"
#include "util/mem.h"
#include "util/time_text.h"

#define HEADER_BYTES 44
#define MAX_STEPS 4096
#define MAX_KINDS 256
#define KIND_BYTES 6
#define MAX_OFFSET_S (26 * 3600) /* the maximum offset in RFC 8536 */

/* Counts, in the order of the file header. */
struct header {
    char version;
    uint32_t utc_marks;
    uint32_t standard_marks;
    uint32_t leaps;
    uint32_t steps;
    uint32_t kinds;
    uint32_t name_bytes;
};

struct cursor {
    const uint8_t *at;
    size_t left;
};

/* Reads a big-endian signed number of 4 or 8 bytes. */
static int64_t
big_signed(const uint8_t *at, size_t bytes) {
    if (bytes == 4) {
        return (int32_t)sq_load_be32(at);
    }
    return (int64_t)((uint64_t)sq_load_be32(at) << 32 | sq_load_be32(at + 4));
}

static bool
skip(struct cursor *cursor, size_t bytes) {
    if (cursor->left < bytes) {
        return false;
    }
    cursor->at += bytes;
    cursor->left -= bytes;
    return true;
}

static bool
fail_short(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_TRUNCATED, "the time zone file is truncated");
}

static bool
take_header(struct cursor *cursor, struct header *out, struct sq_err *err) {
    const uint8_t *at = cursor->at;
    if (cursor->left >= 4 && memcmp(at, "TZif", 4) != 0) {
        return sq_fail(err, SQ_ERR_FORMAT, "this is not a time zone file");
    }
    if (!skip(cursor, HEADER_BYTES)) {
        return fail_short(err);
    }
    *out = (struct header){
        .version = (char)at[4],
        .utc_marks = sq_load_be32(at + 20),
        .standard_marks = sq_load_be32(at + 24),
        .leaps = sq_load_be32(at + 28),
        .steps = sq_load_be32(at + 32),
        .kinds = sq_load_be32(at + 36),
        .name_bytes = sq_load_be32(at + 40),
    };
    if (out->steps > MAX_STEPS || out->kinds > MAX_KINDS || !out->kinds
        || out->utc_marks > MAX_KINDS || out->standard_marks > MAX_KINDS
        || out->name_bytes > SQ_TZIF_MAX_BYTES || out->leaps > MAX_STEPS) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the header of the time zone file is invalid");
    }
    return true;
}

static size_t
body_bytes(const struct header *header, size_t time_bytes) {
    return header->steps * (time_bytes + 1) + header->kinds * KIND_BYTES
         + header->name_bytes + header->leaps * (time_bytes + 4)
         + header->standard_marks + header->utc_marks;
}

/* Gets the UTC offset of a local time type. */
static bool
kind_offset(const uint8_t *kinds, const struct header *header, uint32_t kind,
            int32_t *out) {
    if (kind >= header->kinds) {
        return false;
    }
    int64_t offset_s = big_signed(kinds + (size_t)kind * KIND_BYTES, 4);
    if (offset_s < -MAX_OFFSET_S || offset_s > MAX_OFFSET_S) {
        return false;
    }
    *out = (int32_t)offset_s;
    return true;
}

/* Fills tzif->steps, which is large enough. */
static bool
read_steps(const uint8_t *body, const struct header *header, size_t time_bytes,
           struct sq_tzif *tzif) {
    const uint8_t *indices = body + header->steps * time_bytes;
    const uint8_t *kinds = indices + header->steps;
    if (!kind_offset(kinds, header, 0, &tzif->first_offset_s)) {
        return false;
    }
    for (size_t i = 0; i < header->steps; i++) {
        struct sq_tzif_step *step = &tzif->steps[i];
        step->at_utc = big_signed(body + i * time_bytes, time_bytes);
        if (!kind_offset(kinds, header, indices[i], &step->offset_s)
            || (i > 0 && step->at_utc <= step[-1].at_utc)) {
            return false;
        }
    }
    tzif->count = header->steps;
    return true;
}

static bool
take_body(struct cursor *cursor, const struct header *header, size_t time_bytes,
          struct sq_tzif *tzif, struct sq_err *err) {
    const uint8_t *body = cursor->at;
    if (!skip(cursor, body_bytes(header, time_bytes))) {
        return fail_short(err);
    }
    if (header->leaps) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "this time zone counts leap seconds")
            || sq_fail_hint(err, "Choose the zone without \"right/\".");
    }
    tzif->steps = sq_mem_alloc(header->steps + 1, sizeof(*tzif->steps));
    if (!tzif->steps) {
        return sq_fail_nomem(err);
    }
    return read_steps(body, header, time_bytes, tzif)
        || sq_fail(err, SQ_ERR_FORMAT,
                   "the transitions of the time zone file are invalid");
}

/* Takes "\nRULE\n"; the rule may be empty. */
static bool
take_footer(struct cursor *cursor, struct sq_tzif *tzif, struct sq_err *err) {
    struct sq_span rest = { (const char *)cursor->at, cursor->left };
    struct sq_span text;
    if (!sq_span_take_prefix(&rest, "\n")
        || !sq_span_take_until(&rest, '\n', &text)) {
        return fail_short(err);
    }
    tzif->has_rule = text.len > 0;
    if (tzif->has_rule && !sq_zone_rule_parse(text, &tzif->rule)) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the rule of the time zone file is invalid");
    }
    return true;
}

static bool
parse(struct cursor *cursor, struct sq_tzif *tzif, struct sq_err *err) {
    struct header header;
    if (!take_header(cursor, &header, err)) {
        return false;
    }
    if (!header.version) {
        return take_body(cursor, &header, 4, tzif, err);
    }
    /* A second copy with 64-bit times follows. It covers a longer period. */
    return (skip(cursor, body_bytes(&header, 4)) || fail_short(err))
        && take_header(cursor, &header, err)
        && take_body(cursor, &header, 8, tzif, err)
        && take_footer(cursor, tzif, err);
}

bool
sq_tzif_parse(const uint8_t *bytes, size_t count, struct sq_tzif *out,
              struct sq_err *err) {
    struct cursor cursor = { bytes, count };
    struct sq_tzif tzif = { 0 };
    if (count > SQ_TZIF_MAX_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT, "the time zone file is too large");
    }
    if (!parse(&cursor, &tzif, err)) {
        sq_tzif_finish(&tzif);
        return false;
    }
    *out = tzif;
    return true;
}

void
sq_tzif_finish(struct sq_tzif *tzif) {
    sq_mem_free(tzif->steps);
    *tzif = (struct sq_tzif){ 0 };
}

int
sq_tzif_offset(const struct sq_tzif *tzif, int64_t utc) {
    size_t low = 0;
    size_t high = tzif->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tzif->steps[middle].at_utc <= utc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == tzif->count && tzif->has_rule) {
        return sq_zone_rule_offset(&tzif->rule, utc);
    }
    return low ? tzif->steps[low - 1].offset_s : tzif->first_offset_s;
}
