/* Encodes pictures for terminals, and recognises terminals. */
#include "app/terminal/graphics.h"

#include <string.h>

#include "util/base64.h"
#include "util/minmax.h"

#define ESC "\033"
#define KITTY_CHUNK 3072 /* bytes; 4096 in base64, the protocol's maximum */
#define SIXEL_ROWS 6

/*
 * Each chunk but the last is marked with m=1; only the first has the other
 * keys. q=2: the terminal does not answer.
 */
bool
sq_kitty_append(struct sq_span png, int rows, struct sq_buf *out,
                struct sq_err *err) {
    bool ok = true;
    bool is_first = true;
    do {
        size_t count = sq_min_size(png.len, KITTY_CHUNK);
        bool more = count < png.len;
        ok = (is_first ? sq_buf_printf(
                  out, err, ESC "_Ga=T,f=100,q=2,r=%d,m=%d;", rows, more)
                       : sq_buf_printf(out, err, ESC "_Gm=%d;", more))
          && sq_base64_append(out, png.ptr, count, err)
          && sq_buf_printf(out, err, ESC "\\");
        png.ptr += count;
        png.len -= count;
        is_first = false;
    } while (ok && png.len > 0);
    return ok && sq_buf_append(out, "\n", 1, err);
}

bool
sq_iterm_append(struct sq_span bytes, int rows, struct sq_buf *out,
                struct sq_err *err) {
    return sq_buf_printf(out, err,
                         ESC "]1337;File=inline=1;size=%zu;height=%d;"
                             "preserveAspectRatio=1:",
                         bytes.len, rows)
        && sq_base64_append(out, bytes.ptr, bytes.len, err)
        && sq_buf_printf(out, err, "\a\n");
}

/* One line of up to six rows of pixels. */
struct band {
    const struct sq_indexed *picture;
    int top;
    int rows;
};

static const uint8_t *
band_row(const struct band *band, int y) {
    size_t width = (size_t)band->picture->width;
    return band->picture->indexes + (size_t)(band->top + y) * width;
}

static bool
has_colour(const struct band *band, int colour) {
    size_t count = (size_t)band->rows * (size_t)band->picture->width;
    return memchr(band_row(band, 0), colour, count) != NULL;
}

/* Returns the pixels of that colour in one column, as bits from the top. */
static unsigned
column_bits(const struct band *band, int x, int colour) {
    unsigned bits = 0;
    for (int y = 0; y < band->rows; y++) {
        bits |= (unsigned)(band_row(band, y)[x] == colour) << y;
    }
    return bits;
}

static bool
put_run(unsigned bits, int count, struct sq_buf *out, struct sq_err *err) {
    char letter = (char)('?' + bits);
    if (count > 3) {
        return sq_buf_printf(out, err, "!%d%c", count, letter);
    }
    const char letters[] = { letter, letter, letter };
    return sq_buf_append(out, letters, (size_t)count, err);
}

/* Writes the pixels of one colour. Empty columns at the end are left out. */
static bool
put_colour(const struct band *band, int colour, struct sq_buf *out,
           struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, "#%d", colour);
    unsigned last = 0;
    int count = 0;
    for (int x = 0; ok && x < band->picture->width; x++) {
        unsigned bits = column_bits(band, x, colour);
        if (bits != last && count > 0) {
            ok = put_run(last, count, out, err);
            count = 0;
        }
        last = bits;
        count++;
    }
    return ok && (last == 0 || put_run(last, count, out, err));
}

static bool
put_band(const struct band *band, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    bool is_first = true;
    for (int colour = 0; ok && colour < band->picture->colours; colour++) {
        if (has_colour(band, colour)) {
            ok = (is_first || sq_buf_append(out, "$", 1, err))
              && put_colour(band, colour, out, err);
            is_first = false;
        }
    }
    return ok && sq_buf_append(out, "-", 1, err);
}

static bool
put_palette(const struct sq_indexed *picture, struct sq_buf *out,
            struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < picture->colours; i++) {
        const uint8_t *colour = picture->palette[i];
        /* In percent, rounded. */
        ok = sq_buf_printf(
            out, err, "#%d;2;%d;%d;%d", i, (colour[0] * 100 + 127) / 255,
            (colour[1] * 100 + 127) / 255, (colour[2] * 100 + 127) / 255);
    }
    return ok;
}

bool
sq_sixel_append(const struct sq_indexed *picture, struct sq_buf *out,
                struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, ESC "P0;1;0q\"1;1;%d;%d", picture->width,
                            picture->height)
           && put_palette(picture, out, err);
    for (int top = 0; ok && top < picture->height; top += SIXEL_ROWS) {
        const struct band band = {
            .picture = picture,
            .top = top,
            .rows = sq_min_int(SIXEL_ROWS, picture->height - top),
        };
        ok = put_band(&band, out, err);
    }
    return ok && sq_buf_printf(out, err, ESC "\\\n");
}

/*
 * Terminals by a variable of theirs; value NULL: any. The first row that
 * matches counts.
 */
static const struct {
    const char *variable;
    const char *value;
    enum sq_graphics graphics;
} terminals[] = {
    { "TMUX", NULL, SQ_GRAPHICS_UNKNOWN }, /* hides the real terminal */
    { "STY", NULL, SQ_GRAPHICS_NONE },
    { "TERM", "dumb", SQ_GRAPHICS_NONE },
    { "TERM", "linux", SQ_GRAPHICS_NONE },
    { "KITTY_WINDOW_ID", NULL, SQ_GRAPHICS_KITTY },
    { "TERM", "xterm-kitty", SQ_GRAPHICS_KITTY },
    { "TERM", "xterm-ghostty", SQ_GRAPHICS_KITTY },
    { "TERM_PROGRAM", "ghostty", SQ_GRAPHICS_KITTY },
    { "TERM_PROGRAM", "iTerm.app", SQ_GRAPHICS_ITERM },
    { "LC_TERMINAL", "iTerm2", SQ_GRAPHICS_ITERM },
    { "TERM_PROGRAM", "WezTerm", SQ_GRAPHICS_ITERM },
    { "TERM_PROGRAM", "mintty", SQ_GRAPHICS_ITERM },
    /* Prints the question instead of ignoring it. */
    { "TERM_PROGRAM", "Apple_Terminal", SQ_GRAPHICS_NONE },
};

enum sq_graphics
sq_graphics_of_environment(const char *(*get_variable)(const char *name)) {
    const char *term = get_variable("TERM");
    if (!term || !term[0]) {
        return SQ_GRAPHICS_NONE;
    }
    for (size_t i = 0; i < sizeof(terminals) / sizeof(terminals[0]); i++) {
        const char *value = get_variable(terminals[i].variable);
        if (value && value[0]
            && (!terminals[i].value
                || strcmp(value, terminals[i].value) == 0)) {
            return terminals[i].graphics;
        }
    }
    return SQ_GRAPHICS_UNKNOWN;
}

/* A picture of one pixel that is not shown (a=q), then "what are you?". */
const char sq_graphics_question[] =
    ESC "_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA" ESC "\\" ESC "[c";

/* Finds the parameters of "ESC [ ? 62 ; 4 c", the device attributes. */
static bool
find_attributes(struct sq_span answer, struct sq_span *out) {
    for (; answer.len > 0; answer.ptr++, answer.len--) {
        struct sq_span rest = answer;
        if (!sq_span_take_prefix(&rest, ESC "[?")) {
            continue;
        }
        struct sq_span list = rest;
        while (rest.len > 0
               && (rest.ptr[0] == ';'
                   || (rest.ptr[0] >= '0' && rest.ptr[0] <= '9'))) {
            rest.ptr++;
            rest.len--;
        }
        if (rest.len > 0 && rest.ptr[0] == 'c') {
            list.len -= rest.len;
            *out = list;
            return true;
        }
    }
    return false;
}

bool
sq_graphics_is_whole(struct sq_span answer) {
    struct sq_span ignored;
    return find_attributes(answer, &ignored);
}

static bool
contains(struct sq_span text, const char *part) {
    for (; text.len > 0; text.ptr++, text.len--) {
        if (sq_span_starts_with(text, part)) {
            return true;
        }
    }
    return false;
}

enum sq_graphics
sq_graphics_of_answer(struct sq_span answer) {
    struct sq_span list;
    struct sq_span item;
    if (contains(answer, ESC "_Gi=31;OK")) {
        return SQ_GRAPHICS_KITTY;
    }
    if (!find_attributes(answer, &list)) {
        return SQ_GRAPHICS_NONE;
    }
    /* 4 among the attributes after the first means sixels. */
    bool has_more = sq_span_take_until(&list, ';', &item);
    while (has_more) {
        has_more = sq_span_take_until(&list, ';', &item);
        item = has_more ? item : list;
        if (sq_span_is(item, "4")) {
            return SQ_GRAPHICS_SIXEL;
        }
    }
    return SQ_GRAPHICS_NONE;
}
