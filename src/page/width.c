/* Counts the columns that characters take on a terminal. */
#include "page/width.h"

#include "util/utf8.h"

struct range {
    uint32_t first;
    uint32_t last;
};

/* Unicode 14: East Asian Wide and Fullwidth, in ascending order. */
static const struct range wide[] = {
    { 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },
    { 0x23e9, 0x23ec },   { 0x23f0, 0x23f0 },   { 0x23f3, 0x23f3 },
    { 0x25fd, 0x25fe },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },
    { 0x267f, 0x267f },   { 0x2693, 0x2693 },   { 0x26a1, 0x26a1 },
    { 0x26aa, 0x26ab },   { 0x26bd, 0x26be },   { 0x26c4, 0x26c5 },
    { 0x26ce, 0x26ce },   { 0x26d4, 0x26d4 },   { 0x26ea, 0x26ea },
    { 0x26f2, 0x26f3 },   { 0x26f5, 0x26f5 },   { 0x26fa, 0x26fa },
    { 0x26fd, 0x26fd },   { 0x2705, 0x2705 },   { 0x270a, 0x270b },
    { 0x2728, 0x2728 },   { 0x274c, 0x274c },   { 0x274e, 0x274e },
    { 0x2753, 0x2755 },   { 0x2757, 0x2757 },   { 0x2795, 0x2797 },
    { 0x27b0, 0x27b0 },   { 0x27bf, 0x27bf },   { 0x2b1b, 0x2b1c },
    { 0x2b50, 0x2b50 },   { 0x2b55, 0x2b55 },   { 0x2e80, 0x303e },
    { 0x3041, 0x3247 },   { 0x3250, 0x4dbf },   { 0x4e00, 0xa4cf },
    { 0xa960, 0xa97f },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
    { 0xfe10, 0xfe19 },   { 0xfe30, 0xfe6f },   { 0xff01, 0xff60 },
    { 0xffe0, 0xffe6 },   { 0x16fe0, 0x1b2ff }, { 0x1f004, 0x1f004 },
    { 0x1f0cf, 0x1f0cf }, { 0x1f18e, 0x1f18e }, { 0x1f191, 0x1f19a },
    { 0x1f200, 0x1f320 }, { 0x1f32d, 0x1f335 }, { 0x1f337, 0x1f37c },
    { 0x1f37e, 0x1f393 }, { 0x1f3a0, 0x1f3ca }, { 0x1f3cf, 0x1f3d3 },
    { 0x1f3e0, 0x1f3f0 }, { 0x1f3f4, 0x1f3f4 }, { 0x1f3f8, 0x1f43e },
    { 0x1f440, 0x1f440 }, { 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d },
    { 0x1f54b, 0x1f54e }, { 0x1f550, 0x1f567 }, { 0x1f57a, 0x1f57a },
    { 0x1f595, 0x1f596 }, { 0x1f5a4, 0x1f5a4 }, { 0x1f5fb, 0x1f64f },
    { 0x1f680, 0x1f6c5 }, { 0x1f6cc, 0x1f6cc }, { 0x1f6d0, 0x1f6d2 },
    { 0x1f6d5, 0x1f6df }, { 0x1f6eb, 0x1f6ec }, { 0x1f6f4, 0x1f6fc },
    { 0x1f7e0, 0x1f7f0 }, { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 },
    { 0x1f947, 0x1f9ff }, { 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
};

/* Nonspacing marks of the scripts in wide use, and joiners; ascending. */
static const struct range combining[] = {
    { 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd },
    { 0x05bf, 0x05bf }, { 0x05c1, 0x05c2 }, { 0x05c4, 0x05c5 },
    { 0x05c7, 0x05c7 }, { 0x0610, 0x061a }, { 0x064b, 0x065f },
    { 0x0670, 0x0670 }, { 0x06d6, 0x06dc }, { 0x06df, 0x06e4 },
    { 0x06e7, 0x06e8 }, { 0x06ea, 0x06ed }, { 0x0900, 0x0902 },
    { 0x093a, 0x093a }, { 0x093c, 0x093c }, { 0x0941, 0x0948 },
    { 0x094d, 0x094d }, { 0x0951, 0x0957 }, { 0x0e31, 0x0e31 },
    { 0x0e34, 0x0e3a }, { 0x0e47, 0x0e4e }, { 0x1160, 0x11ff },
    { 0x1ab0, 0x1ace }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200f },
    { 0x20d0, 0x20f0 }, { 0x302a, 0x302d }, { 0x3099, 0x309a },
    { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xe0100, 0xe01ef },
};

static bool
is_in(const struct range *ranges, size_t count, uint32_t code) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > ranges[middle].last) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && code >= ranges[low].first;
}

int
sq_code_columns(uint32_t code) {
    if (code < combining[0].first) {
        return 1;
    }
    if (is_in(combining, SQ_COUNT(combining), code)) {
        return 0;
    }
    return is_in(wide, SQ_COUNT(wide), code) ? 2 : 1;
}

/* Takes one character, or one byte of invalid UTF-8. */
static size_t
take(struct sq_span *rest, int *columns) {
    uint32_t code = 0;
    size_t len = sq_utf8_decode(*rest, &code);
    *columns = len > 0 ? sq_code_columns(code) : 1;
    len = len > 0 ? len : 1;
    sq_span_skip(rest, len);
    return len;
}

size_t
sq_text_columns(struct sq_span text) {
    size_t columns = 0;
    while (text.len > 0) {
        int more;
        take(&text, &more);
        columns += (size_t)more;
    }
    return columns;
}

size_t
sq_text_fit(struct sq_span text, size_t columns) {
    size_t fitting = 0;
    size_t used = 0;
    while (text.len > 0) {
        int more;
        size_t len = take(&text, &more);
        used += (size_t)more;
        if (used > columns) {
            break;
        }
        fitting += len;
    }
    return fitting;
}

bool
sq_text_take_line(struct sq_span *rest, size_t columns, struct sq_span *line) {
    size_t len = sq_text_fit(*rest, columns);
    size_t skip = 0;
    if (len < rest->len) {
        size_t space = len;
        while (space > 0 && rest->ptr[space] != ' ') {
            space--;
        }
        while (space == 0 && len < rest->len && rest->ptr[len] != ' ') {
            len++;
        }
        len = space > 0 ? space : len;
        skip = len < rest->len;
    }
    *line = (struct sq_span){ rest->ptr, len };
    sq_span_skip(rest, len + skip);
    return line->len > 0;
}
