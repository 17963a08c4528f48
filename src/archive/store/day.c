/* Accesses and checks the memory block of one folder. */
#include "archive/store/root.h"

#include <stdio.h>
#include <string.h>

#define MAX_TEXT_BYTES ((size_t)256 << 20)

static size_t
bytes_of(uint64_t shots, uint64_t inner, uint64_t text) {
    return (size_t)(sizeof(struct sq_day) + shots * sizeof(struct sq_shot)
                    + inner * sizeof(sq_place) + text);
}

const sq_place *
sq_day_inner(const struct sq_day *day) {
    return (const sq_place *)(const void *)(day->shots + day->shot_count);
}

const char *
sq_day_text(const struct sq_day *day) {
    return (const char *)(sq_day_inner(day) + day->inner_count);
}

size_t
sq_day_search(const struct sq_day *day, int64_t utc) {
    size_t low = 0;
    size_t high = day->shot_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (day->shots[middle].utc < utc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t
sq_day_misfiled(const struct sq_day *day, sq_place place) {
    int64_t from;
    int64_t to;
    sq_layout_seconds(place, &from, &to);
    size_t right = sq_day_search(day, to) - sq_day_search(day, from);
    return day->shot_count - (uint32_t)right;
}

size_t
sq_day_bytes(const struct sq_day *day) {
    return bytes_of(day->shot_count, day->inner_count, day->text_bytes);
}

/*
 * Checks a stored name: a plain file name without folders, or ""; *len includes
 * its NUL.
 */
static bool
check_name(const char *text, size_t capacity, size_t *len) {
    const char *end = memchr(text, '\0', capacity);
    if (!end || end - text >= SQ_NAME_SIZE) {
        return false;
    }
    *len = (size_t)(end - text) + 1;
    return !memchr(text, '/', *len);
}

static bool
check_shot(const struct sq_shot *shot, const char *text, size_t text_bytes) {
    if (shot->strategy >= sq_name_strategy_count()) {
        return false;
    }
    if (!(shot->flags & SQ_SHOT_LITERAL)) {
        return sq_name_can_format(shot);
    }
    size_t first;
    size_t second;
    size_t capacity = shot->seq < text_bytes ? text_bytes - shot->seq : 0;
    return capacity > 0 && check_name(text + shot->seq, capacity, &first)
        && capacity > first
        && check_name(text + shot->seq + first, capacity - first, &second);
}

/* Returns whether a sorts before b; see shot.h. */
static bool
in_order(const struct sq_shot *a, const struct sq_shot *b) {
    int literal_a = a->flags & SQ_SHOT_LITERAL;
    int literal_b = b->flags & SQ_SHOT_LITERAL;
    return a->utc != b->utc         ? a->utc < b->utc
         : a->monitor != b->monitor ? a->monitor < b->monitor
         : literal_a != literal_b   ? literal_a < literal_b
                                    : a->seq <= b->seq;
}

bool
sq_day_check(const void *bytes, size_t len) {
    const struct sq_day *day = bytes;
    if (len < sizeof(*day) || day->text_bytes > MAX_TEXT_BYTES
        || bytes_of(day->shot_count, day->inner_count, day->text_bytes)
               != len) {
        return false;
    }
    const char *text = sq_day_text(day);
    for (uint32_t i = 0; i < day->shot_count; i++) {
        if (!check_shot(&day->shots[i], text, day->text_bytes)
            || (i > 0 && !in_order(&day->shots[i - 1], &day->shots[i]))) {
            return false;
        }
    }
    const sq_place *inner = sq_day_inner(day);
    for (uint32_t i = 0; i < day->inner_count; i++) {
        if (!sq_layout_is_place(inner[i])
            || (i > 0 && inner[i - 1] >= inner[i])) {
            return false;
        }
    }
    return true;
}

void
sq_day_names(const struct sq_shot *shot, const char *text,
             char full[SQ_NAME_SIZE], char thumb[SQ_NAME_SIZE]) {
    full[0] = '\0';
    thumb[0] = '\0';
    if (shot->flags & SQ_SHOT_LITERAL) {
        const char *first = text + shot->seq;
        snprintf(full, SQ_NAME_SIZE, "%s", first);
        snprintf(thumb, SQ_NAME_SIZE, "%s", first + strlen(first) + 1);
        return;
    }
    if (shot->flags & SQ_SHOT_FULL) {
        sq_name_format(shot, false, full);
    }
    if (shot->flags & SQ_SHOT_THUMB) {
        sq_name_format(shot, true, thumb);
    }
}
