/*
 * Parses ManicTime's file names by hand, because archives contain millions:
 * YYYY-MM-DD_HH-MM-SS_OFFSET_WIDTH_HEIGHT_SEQ_MONITOR. The offset is +HH-MM,
 * -HH-MM or, in real files from east of Greenwich, HH-MM.
 */

#include "archive/names/private.h"
#include "util/bytes.h"
#include "util/time_text.h"

#define MOMENT_LEN 20   /* "2026-02-27_06-14-44_" */
#define OFFSET_LEN 6    /* "01-00_" */
#define SHORTEST_LEN 33 /* with an offset and four numbers */
#define SAFE_DIGITS 19  /* always fit into 64 bits */
#define QUARTER_S 900
#define UNSIGNED (1 << SQ_SHOT_SPELLING_SHIFT) /* the offset has no sign */

/*
 * A position in the stem. A dot follows the stem, so reading digits needs no
 * end check: see sq_name_parse.
 */
struct cursor {
    const char *at;
    uint8_t flags;
};

/* Loads 8 characters, the first in the lowest byte, on any machine. */
static uint64_t
load8(const char *at) {
    return sq_load_le64((const uint8_t *)at);
}

/*
 * Compares eight characters together with a template such as "0000-00-", in
 * which 0 is any digit. Byte i of *pairs is the number formed by digits i and i
 * + 1.
 */
static bool
read8(const char *at, const char *picture, uint64_t above, uint64_t *pairs) {
    uint64_t values = load8(at) ^ load8(picture);
    /* Adding a byte of `above` sets the top bit if the value is too large. */
    if (((values + above) | values) & 0x8080808080808080) {
        return false;
    }
    *pairs = values * 10 + (values >> 8);
    return true;
}

static unsigned
byte_of(uint64_t word, unsigned number) {
    return (unsigned)(word >> 8 * number) & 0xff;
}

/*
 * Returns days since 1970 in 32 bits, without the centuries beyond the 32-bit
 * time of a shot. Below -365: invalid date.
 */
static int
days_of(unsigned year, unsigned month, unsigned day) {
    static const uint16_t before[] = { 0,   0,   31,  59,  90,  120, 151,
                                       181, 212, 243, 273, 304, 334, 365 };
    if (year < 1969 || year > 2107 || month - 1 > 11 || day == 0) {
        return INT32_MIN;
    }
    unsigned leap = year % 4 == 0 && year != 2100;
    unsigned from = before[month] + (month > 2 ? leap : 0);
    unsigned next = before[month + 1] + (month > 1 ? leap : 0);
    unsigned leaps = (year - 1969) / 4 - (year > 2100);
    return from + day > next
             ? INT32_MIN
             : (int)((year - 1969) * 365 + leaps + from + day) - 366;
}

#define D 0x76 /* `above` for a digit */
#define S 0x7f /* `above` for a separator */
#define ABOVE(a, b, c, d, e, f, g, h)                                          \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16                  \
     | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | (uint64_t)(f) << 40         \
     | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

/* Parses YYYY-MM-DD_HH-MM-SS_ as seconds since 1970 in local time. */
static bool
take_moment(struct cursor *c, int64_t *wall_s) {
    const char *at = c->at;
    uint64_t a;
    uint64_t b;
    uint64_t e;
    /* The last eight overlap with the previous ones: -MM-SS_ and one more. */
    if (!read8(at, "0000-00-", ABOVE(D, D, D, D, S, D, D, S), &a)
        || !read8(at + 8, "00_00-00", ABOVE(D, D, S, D, D, S, D, D), &b)
        || !read8(at + 12, "0-00-00_", ABOVE(D, S, D, D, S, D, D, S), &e)) {
        return false;
    }
    int days = days_of(byte_of(a, 0) * 100 + byte_of(a, 2), byte_of(a, 5),
                       byte_of(b, 0));
    unsigned hour = byte_of(b, 3);
    unsigned minute = byte_of(e, 2);
    unsigned second = byte_of(e, 5);
    if (days == INT32_MIN || hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    *wall_s = (int64_t)days * SQ_DAY_S
            + (int64_t)(hour * 3600 + minute * 60 + second);
    c->at += MOMENT_LEN;
    return true;
}

/* Parses [+-]HH-MM_ as seconds east of UTC; eight more characters follow. */
static bool
take_offset(struct cursor *c, int *east_s) {
    bool minus = *c->at == '-';
    bool has_sign = minus || *c->at == '+';
    const char *at = c->at + has_sign;
    uint64_t pairs;
    /* Beyond the offset comes the first number: any digit, then any byte. */
    if (!read8(at, "00-00_0\0", ABOVE(D, D, S, D, D, S, D, 0), &pairs)) {
        return false;
    }
    unsigned hours = byte_of(pairs, 0);
    unsigned minutes = byte_of(pairs, 3);
    if (hours > 23 || minutes > 59) {
        return false;
    }
    int seconds = (int)(hours * 3600 + minutes * 60);
    *east_s = minus ? -seconds : seconds;
    c->flags |= has_sign ? 0 : UNSIGNED;
    if (seconds % QUARTER_S != 0 || (minus && seconds == 0)) {
        c->flags |= SQ_SHOT_LITERAL;
    }
    c->at = at + OFFSET_LEN;
    return true;
}
#undef D
#undef S

/*
 * Parses digits up to the stop byte. A number that is too large (it becomes
 * max) or has leading zeros makes the name literal.
 */
static bool
take_number(struct cursor *c, char stop, uint32_t max, uint32_t *out) {
    const char *start = c->at;
    const char *at = start;
    uint64_t value = 0;
    unsigned digit = (unsigned)(uint8_t)*at - '0';
    bool zero = digit == 0;
    while (digit <= 9) {
        value = value * 10 + digit;
        at++;
        digit = (unsigned)(uint8_t)*at - '0';
    }
    size_t len = (size_t)(at - start);
    if (len == 0 || *at != stop) {
        return false;
    }
    /* An overflowed value has more digits than this. */
    bool fits = len <= SAFE_DIGITS && value <= max;
    if (!fits || (zero && len > 1)) {
        c->flags |= SQ_SHOT_LITERAL;
    }
    *out = fits ? (uint32_t)value : max;
    c->at = at + 1;
    return true;
}

bool
sq_name_parse_manictime(struct sq_span stem, struct sq_shot *shot) {
    struct cursor c = { .at = stem.ptr };
    int64_t wall_s = 0;
    int east_s = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t seq = 0;
    uint32_t monitor = 0;
    if (stem.len < SHORTEST_LEN || !take_moment(&c, &wall_s)
        || !take_offset(&c, &east_s)
        || !take_number(&c, '_', UINT16_MAX, &width)
        || !take_number(&c, '_', UINT16_MAX, &height)
        || !take_number(&c, '_', UINT32_MAX, &seq)
        || !take_number(&c, '.', UINT8_MAX, &monitor)
        || c.at != stem.ptr + stem.len + 1) {
        return false;
    }
    int64_t utc = wall_s - east_s;
    if (utc < 0 || utc > UINT32_MAX) {
        return false;
    }
    *shot = (struct sq_shot){
        .utc = (uint32_t)utc,
        .seq = seq,
        .width = (uint16_t)width,
        .height = (uint16_t)height,
        .monitor = (uint8_t)monitor,
        .quarters = (int8_t)(east_s / QUARTER_S),
        .flags = c.flags,
    };
    return true;
}

size_t
sq_name_format_manictime(const struct sq_shot *shot, char *out) {
    int64_t wall_s = (int64_t)shot->utc + shot->quarters * QUARTER_S;
    int64_t day = sq_days_of_seconds(wall_s);
    int second = (int)(wall_s - day * SQ_DAY_S);
    struct sq_date date = sq_date_from_days(day);
    int quarters = shot->quarters < 0 ? -shot->quarters : shot->quarters;
    const uint64_t numbers[] = { shot->width, shot->height, shot->seq,
                                 shot->monitor };
    char *at = sq_date_put(out, date);
    *at++ = '_';
    at = sq_clock_put(at, second, '-');
    *at++ = '_';
    if (shot->quarters < 0 || !(shot->flags & UNSIGNED)) {
        *at++ = shot->quarters < 0 ? '-' : '+';
    }
    at = sq_put_two_digits(at, (unsigned)quarters / 4);
    *at++ = '-';
    at = sq_put_two_digits(at, (unsigned)quarters % 4 * 15);
    for (size_t i = 0; i < SQ_COUNT(numbers); i++) {
        *at++ = '_';
        at = sq_put_decimal(at, numbers[i], 1);
    }
    *at = '\0';
    return (size_t)(at - out);
}
