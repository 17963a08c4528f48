/* Groups file names by their shape. */
#include "archive/names/name.h"

#include "util/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MIXED_LEN 8
#define MAX_DIGITS 20
#define CUT "..."

static bool
is_letter(char c) {
    char lower = sq_ascii_lower(c);
    return lower >= 'a' && lower <= 'z';
}

/*
 * Returns the length of a run of letters and digits; *digits counts its digits.
 */
static size_t
measure(struct sq_span text, size_t *digits) {
    size_t len = 0;
    *digits = 0;
    while (len < text.len
           && (sq_is_digit(text.ptr[len]) || is_letter(text.ptr[len]))) {
        *digits += sq_is_digit(text.ptr[len]);
        len++;
    }
    return len;
}

/*
 * Writes one run of letters and digits, or one other byte; returns its length.
 */
static size_t
write_piece(struct sq_span text, char *out, size_t capacity, size_t *written) {
    size_t digits;
    size_t len = measure(text, &digits);
    bool is_mixed = digits > 0 && digits < len && len >= MIXED_LEN;
    *written = 0;
    if (is_mixed || digits > MAX_DIGITS) {
        *written = capacity > 0;
        memcpy(out, "*", *written);
        return len;
    }
    len = len > 0 ? len : 1;
    for (size_t i = 0; i < len && *written < capacity; i++) {
        out[(*written)++] = sq_is_digit(text.ptr[i]) ? '#' : text.ptr[i];
    }
    return len;
}

void
sq_shape_of(struct sq_span name, char out[SQ_SHAPE_SIZE]) {
    const size_t capacity = SQ_SHAPE_SIZE - sizeof(CUT);
    struct sq_span rest = name;
    size_t used = 0;
    while (rest.len > 0 && used < capacity) {
        size_t written;
        size_t len = write_piece(rest, out + used, capacity - used, &written);
        used += written;
        rest = (struct sq_span){ rest.ptr + len, rest.len - len };
    }
    if (used == capacity) {
        /* Do not split a character. */
        while (used > 0 && sq_utf8_is_continuation(out[used - 1])) {
            used--;
        }
        used -= used > 0 && (uint8_t)out[used - 1] >= 0x80;
        memcpy(out + used, CUT, sizeof(CUT) - 1);
        used += sizeof(CUT) - 1;
    }
    out[used] = '\0';
}

/* Returns the entry of the shape, a free one, or one counted only once. */
static struct sq_shape *
find(struct sq_shapes *shapes, const char *text) {
    struct sq_shape *slot = NULL;
    for (size_t i = 0; i < shapes->count; i++) {
        struct sq_shape *shape = &shapes->items[i];
        if (strcmp(shape->text, text) == 0) {
            return shape;
        }
        slot = !slot && shape->count == 1 ? shape : slot;
    }
    if (shapes->count < SQ_SHAPES) {
        slot = &shapes->items[shapes->count++];
    } else if (slot) {
        shapes->others++;
    }
    if (slot) {
        memcpy(slot->text, text, strlen(text) + 1);
        slot->count = 0;
    }
    return slot;
}

void
sq_shapes_add(struct sq_shapes *shapes, struct sq_span name) {
    char text[SQ_SHAPE_SIZE];
    sq_shape_of(name, text);
    struct sq_shape *shape = find(shapes, text);
    if (shape) {
        shape->count++;
    } else {
        shapes->others++;
    }
}

static int
compare(const void *left, const void *right) {
    const struct sq_shape *a = left;
    const struct sq_shape *b = right;
    return a->count != b->count ? (a->count < b->count ? 1 : -1)
                                : strcmp(a->text, b->text);
}

void
sq_shapes_sort(struct sq_shapes *shapes) {
    qsort(shapes->items, shapes->count, sizeof(shapes->items[0]), compare);
}
