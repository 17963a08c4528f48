/* Parser for TZif files. */
#include "util/tzif.h"

#include <string.h>

#include "util/bytes.h"
#include "util/mem.h"
#include "util/time_text.h"

/* Parser and evaluation of POSIX TZ rules. */

#define HOUR_S 3600
#define MAX_OFFSET_HOURS 24
#define MAX_CHANGE_HOURS 167
#define DEFAULT_CHANGE_S (2 * HOUR_S)
#define FAR_S INT64_C(300000000000) /* 9,500 years */

static const char default_changes[] = "M3.2.0,M11.1.0";

static bool
take_number(struct sq_span *rest, int low, int high, int *value) {
    int number = 0;
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9'
           && number <= high) {
        number = number * 10 + (rest->ptr[len] - '0');
        len++;
    }
    if (len == 0 || number < low || number > high) {
        return false;
    }
    sq_span_skip(rest, len);
    *value = number;
    return true;
}

/* Takes a name, "CET" or "<+03>", and ignores it. */
static bool
take_name(struct sq_span *rest) {
    struct sq_span quoted;
    if (sq_span_take_prefix(rest, "<")) {
        return sq_span_take_until(rest, '>', &quoted) && quoted.len > 0;
    }
    size_t len = 0;
    while (len < rest->len && sq_ascii_lower(rest->ptr[len]) >= 'a'
           && sq_ascii_lower(rest->ptr[len]) <= 'z') {
        len++;
    }
    sq_span_skip(rest, len);
    return len >= 3;
}

/* Takes [+-]H[H][:MM[:SS]] as seconds. */
static bool
take_clock(struct sq_span *rest, int max_hours, int *seconds) {
    int hours;
    int minutes = 0;
    int rest_s = 0;
    bool is_minus = sq_span_take_prefix(rest, "-");
    if (!is_minus) {
        sq_span_take_prefix(rest, "+");
    }
    if (!take_number(rest, 0, max_hours, &hours)) {
        return false;
    }
    if (sq_span_take_prefix(rest, ":")) {
        if (!take_number(rest, 0, 59, &minutes)) {
            return false;
        }
        if (sq_span_take_prefix(rest, ":")
            && !take_number(rest, 0, 59, &rest_s)) {
            return false;
        }
    }
    int sum = hours * HOUR_S + minutes * 60 + rest_s;
    *seconds = is_minus ? -sum : sum;
    return true;
}

/* Takes an offset. POSIX offsets are west of UTC; ours are east. */
static bool
take_offset(struct sq_span *rest, int *offset_s) {
    bool ok = take_clock(rest, MAX_OFFSET_HOURS, offset_s);
    *offset_s = -*offset_s;
    return ok;
}

static bool
take_change(struct sq_span *rest, struct sq_zone_change *out) {
    struct sq_zone_change change = { .time_s = DEFAULT_CHANGE_S };
    bool ok;
    if (sq_span_take_prefix(rest, "M")) {
        change.kind = SQ_ZONE_DAY_WEEK;
        ok = take_number(rest, 1, 12, &change.month)
          && sq_span_take_prefix(rest, ".")
          && take_number(rest, 1, 5, &change.week)
          && sq_span_take_prefix(rest, ".")
          && take_number(rest, 0, 6, &change.day);
    } else if (sq_span_take_prefix(rest, "J")) {
        change.kind = SQ_ZONE_DAY_JULIAN;
        ok = take_number(rest, 1, 365, &change.day);
    } else {
        change.kind = SQ_ZONE_DAY_ZERO;
        ok = take_number(rest, 0, 365, &change.day);
    }
    if (ok && sq_span_take_prefix(rest, "/")) {
        ok = take_clock(rest, MAX_CHANGE_HOURS, &change.time_s);
    }
    *out = change;
    return ok;
}

static bool
take_changes(struct sq_span *rest, struct sq_zone_rule *rule) {
    return take_change(rest, &rule->to_summer) && sq_span_take_prefix(rest, ",")
        && take_change(rest, &rule->to_winter);
}

bool
sq_zone_rule_parse(struct sq_span text, struct sq_zone_rule *out) {
    struct sq_zone_rule rule = { 0 };
    struct sq_span rest = text;
    if (!take_name(&rest) || !take_offset(&rest, &rule.offset_s)) {
        return false;
    }
    if (rest.len > 0) {
        rule.has_summer = true;
        rule.summer_offset_s = rule.offset_s + HOUR_S;
        if (!take_name(&rest)
            || (rest.len > 0 && rest.ptr[0] != ','
                && !take_offset(&rest, &rule.summer_offset_s))) {
            return false;
        }
        struct sq_span changes = sq_span_of(default_changes);
        bool ok = sq_span_take_prefix(&rest, ",")
                    ? take_changes(&rest, &rule)
                    : take_changes(&changes, &rule);
        if (!ok || rest.len > 0) {
            return false;
        }
    }
    *out = rule;
    return true;
}

/* Returns the week-th weekday of a month, in days since 1970. */
static int64_t
week_day(int year, const struct sq_zone_change *change) {
    struct sq_date first = { year, change->month, 1 };
    struct sq_date next = { year + (change->month == 12),
                            change->month % 12 + 1, 1 };
    int64_t start = sq_date_to_days(first);
    int64_t end = sq_date_to_days(next);
    int64_t day = start + (change->day - sq_weekday_of_days(start) + 7) % 7
                + (int64_t)(change->week - 1) * 7;
    return day < end ? day : day - 7;
}

/*
 * Returns when the change happens in a year, in seconds of local time before
 * the change.
 */
static int64_t
change_at(int year, const struct sq_zone_change *change) {
    int64_t day;
    if (change->kind == SQ_ZONE_DAY_WEEK) {
        day = week_day(year, change);
    } else {
        int64_t start = sq_date_to_days((struct sq_date){ year, 1, 1 });
        int64_t march = sq_date_to_days((struct sq_date){ year, 3, 1 });
        bool is_julian = change->kind == SQ_ZONE_DAY_JULIAN;
        day = start + change->day - is_julian;
        /* J60 is March 1, whether or not there was a February 29. */
        day += is_julian && march - start == 60 && change->day >= 60;
    }
    return day * SQ_DAY_S + change->time_s;
}

int
sq_zone_rule_offset(const struct sq_zone_rule *rule, int64_t utc) {
    if (!rule->has_summer) {
        return rule->offset_s;
    }
    utc = utc < -FAR_S ? -FAR_S : utc > FAR_S ? FAR_S : utc;
    int year = sq_date_from_days(sq_days_of_seconds(utc)).year;
    int offset_s = rule->offset_s;
    int64_t latest = INT64_MIN;
    /*
     * The latest change applies. If winter ends in the second in which summer
     * begins, there is no winter, so winter is checked first.
     */
    for (int i = year - 2; i <= year + 1; i++) {
        int64_t winter = change_at(i, &rule->to_winter) - rule->summer_offset_s;
        int64_t summer = change_at(i, &rule->to_summer) - rule->offset_s;
        if (winter <= utc && winter >= latest) {
            latest = winter;
            offset_s = rule->offset_s;
        }
        if (summer <= utc && summer >= latest) {
            latest = summer;
            offset_s = rule->summer_offset_s;
        }
    }
    return offset_s;
}

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

/* Reads a big-endian signed number of 4 or 8 bytes. */
static int64_t
big_signed(const uint8_t *at, size_t bytes) {
    if (bytes == 4) {
        return (int32_t)sq_load_be32(at);
    }
    return (int64_t)((uint64_t)sq_load_be32(at) << 32 | sq_load_be32(at + 4));
}

/* Takes that many bytes of the file. */
static bool
take_bytes(struct sq_span *rest, size_t count, const uint8_t **bytes) {
    *bytes = (const uint8_t *)rest->ptr;
    if (rest->len < count) {
        return false;
    }
    sq_span_skip(rest, count);
    return true;
}

static bool
fail_short(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_TRUNCATED, "the time zone file is truncated");
}

static bool
take_header(struct sq_span *rest, struct header *out, struct sq_err *err) {
    const uint8_t *at;
    if (rest->len >= 4 && !sq_span_starts_with(*rest, "TZif")) {
        return sq_fail(err, SQ_ERR_FORMAT, "this is not a time zone file");
    }
    if (!take_bytes(rest, HEADER_BYTES, &at)) {
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
take_body(struct sq_span *rest, const struct header *header, size_t time_bytes,
          struct sq_tzif *tzif, struct sq_err *err) {
    const uint8_t *body;
    if (!take_bytes(rest, body_bytes(header, time_bytes), &body)) {
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
take_footer(struct sq_span *rest, struct sq_tzif *tzif, struct sq_err *err) {
    struct sq_span text;
    if (!sq_span_take_prefix(rest, "\n")
        || !sq_span_take_until(rest, '\n', &text)) {
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
parse(struct sq_span *rest, struct sq_tzif *tzif, struct sq_err *err) {
    struct header header;
    const uint8_t *first;
    if (!take_header(rest, &header, err)) {
        return false;
    }
    if (!header.version) {
        return take_body(rest, &header, 4, tzif, err);
    }
    /* A second copy with 64-bit times follows. It covers a longer period. */
    return (take_bytes(rest, body_bytes(&header, 4), &first) || fail_short(err))
        && take_header(rest, &header, err)
        && take_body(rest, &header, 8, tzif, err)
        && take_footer(rest, tzif, err);
}

bool
sq_tzif_parse(const uint8_t *bytes, size_t count, struct sq_tzif *out,
              struct sq_err *err) {
    struct sq_span rest = { (const char *)bytes, count };
    struct sq_tzif tzif = { 0 };
    if (count > SQ_TZIF_MAX_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT, "the time zone file is too large");
    }
    if (!parse(&rest, &tzif, err)) {
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
