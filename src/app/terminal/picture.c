/*
 * Shows pictures on terminals that can: their escape sequences, and the choice
 * of the sequence.
 */
#include "app/terminal/picture.h"

#include <stdlib.h>
#include <unistd.h>

#include "app/print_message.h"
#include "image/pipeline/picture.h"
#include "sys/file.h"
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
        sq_span_skip(&png, count);
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

/* Returns a colour of the cube of 6x6x6 that terminals have from 16 on. */
static int
cube_colour(const uint8_t *pixel) {
    int index = 0;
    for (int i = 0; i < 3; i++) {
        index = index * 6 + (pixel[i] * 5 + 127) / 255;
    }
    return 16 + index;
}

/* Sets the colour of the upper half (38) or of the lower half (48). */
static bool
put_half(int half, const uint8_t *pixel, bool is_exact, struct sq_buf *out,
         struct sq_err *err) {
    return is_exact ? sq_buf_printf(out, err, ESC "[%d;2;%d;%d;%dm", half,
                                    pixel[0], pixel[1], pixel[2])
                    : sq_buf_printf(out, err, ESC "[%d;5;%dm", half,
                                    cube_colour(pixel));
}

bool
sq_blocks_append(const struct sq_image *picture, bool is_exact,
                 struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (int y = 0; ok && y < picture->height; y += 2) {
        const uint8_t *top = picture->pixels + (size_t)y * picture->stride;
        const uint8_t *low =
            y + 1 < picture->height ? top + picture->stride : top;
        for (int x = 0; ok && x < picture->width; x++, top += 4, low += 4) {
            bool is_new = x == 0 || memcmp(top, top - 4, 3) != 0
                       || memcmp(low, low - 4, 3) != 0;
            ok = (!is_new
                  || (put_half(38, top, is_exact, out, err)
                      && put_half(48, low, is_exact, out, err)))
              && sq_buf_printf(out, err, "\xe2\x96\x80");
        }
        ok = ok && sq_buf_printf(out, err, ESC "[0m\n");
    }
    return ok;
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
    for (size_t i = 0; i < SQ_COUNT(terminals); i++) {
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
            sq_span_skip(&rest, 1);
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

enum sq_graphics
sq_graphics_of_answer(struct sq_span answer) {
    struct sq_span list;
    struct sq_span item;
    if (sq_span_find(answer, ESC "_Gi=31;OK")) {
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

/* How long a terminal may take to answer; ssh adds its round trip. */
#define ANSWER_MS 250
#define MAX_ANSWER_BYTES 4096
#define MAX_SEQUENCE_BYTES ((size_t)64 << 20)
#define NO_PICTURES "this terminal shows no pictures: it has no colours"
#define LINES_BELOW 6 /* rows left for the text and the next prompt */
#define MAX_ROWS 48   /* of a picture, on a large terminal */
#define MIN_ROWS 4
/* Size of a cell, if the terminal does not tell. */
#define DEFAULT_ROW_PX 20
#define DEFAULT_COLUMN_PX 10

static const char *
get_variable(const char *name) {
    return getenv(name);
}

static enum sq_graphics
ask_terminal(void) {
    enum sq_graphics graphics = SQ_GRAPHICS_NONE;
    SQ_BUF(answer, MAX_ANSWER_BYTES);
    if (sq_terminal_ask(STDOUT_FILENO, sq_span_of(sq_graphics_question),
                        sq_graphics_is_whole, ANSWER_MS, &answer, NULL)) {
        graphics = sq_graphics_of_answer(sq_buf_span(&answer));
    }
    return graphics;
}

/*
 * Returns what the terminal of standard output can show; SQ_GRAPHICS_NONE if it
 * is not a terminal.
 */
static enum sq_graphics
find_graphics(void) {
    if (!sq_is_terminal(STDOUT_FILENO)) {
        return SQ_GRAPHICS_NONE;
    }
    enum sq_graphics graphics = sq_graphics_of_environment(get_variable);
    return graphics == SQ_GRAPHICS_UNKNOWN ? ask_terminal() : graphics;
}

/* The same for a user who asks for pictures: blocks are better than none. */
static enum sq_graphics
find_any_graphics(void) {
    const enum sq_graphics graphics = find_graphics();
    const char *term = getenv("TERM");
    const bool has_colours = sq_is_terminal(STDOUT_FILENO) && term && term[0]
                          && strcmp(term, "dumb") != 0;
    return graphics == SQ_GRAPHICS_NONE && has_colours ? SQ_GRAPHICS_BLOCKS
                                                       : graphics;
}

static struct sq_terminal_size
terminal_now(void) {
    struct sq_terminal_size size = { 0 };
    (void)sq_terminal_get_size(STDOUT_FILENO, &size);
    return size;
}

/* A picture on its way to the terminal. */
struct shown {
    const uint8_t *bytes;
    size_t count;
    int rows;   /* its height in cells */
    int height; /* and in pixels */
};

/* Appends the picture as a PNG of at most that height. */
static bool
make_png(const struct shown *shown, struct sq_buf *out, struct sq_err *err) {
    struct sq_size size;
    struct sq_picture_info info;
    struct sq_picture_opts opts = { .format = SQ_FORMAT_PNG };
    if (!sq_codec_size(shown->bytes, shown->count, &size, err)) {
        return false;
    }
    if (size.height > shown->height) {
        int longest = sq_max_int(size.width, size.height);
        opts.max_dimension = sq_max_int(
            (int)((int64_t)longest * shown->height / size.height), 1);
    }
    return sq_picture_make(shown->bytes, shown->count, &opts,
                           &sq_limits_default, out, &info, err);
}

static bool
append_kitty(const struct shown *shown, struct sq_buf *out,
             struct sq_err *err) {
    SQ_BUF(png, SQ_MAX_IMAGE_BYTES);
    return make_png(shown, &png, err)
        && sq_kitty_append(sq_buf_span(&png), shown->rows, out, err);
}

static bool
append_iterm(const struct shown *shown, struct sq_buf *out,
             struct sq_err *err) {
    const struct sq_span bytes = { (const char *)shown->bytes, shown->count };
    return sq_iterm_append(bytes, shown->rows, out, err);
}

static bool
append_sixel(const struct shown *shown, struct sq_buf *out,
             struct sq_err *err) {
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    SQ_FREED(sq_indexed_finish) struct sq_indexed indexed = { 0 };
    SQ_BUF(png, SQ_MAX_IMAGE_BYTES);
    return make_png(shown, &png, err)
        && sq_image_decode(png.data, png.len, &sq_limits_default, &image, err)
        && sq_quantise(&image, SQ_MAX_COLOURS, &indexed, err)
        && sq_sixel_append(&indexed, out, err);
}

static bool
append_blocks(const struct shown *shown, struct sq_buf *out,
              struct sq_err *err) {
    const char *colours = getenv("COLORTERM");
    const bool is_exact =
        colours
        && (strcmp(colours, "truecolor") == 0 || strcmp(colours, "24bit") == 0);
    struct shown small = *shown;
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    SQ_BUF(png, SQ_MAX_IMAGE_BYTES);
    small.height = 2 * shown->rows;
    return make_png(&small, &png, err)
        && sq_image_decode(png.data, png.len, &sq_limits_default, &image, err)
        && sq_blocks_append(&image, is_exact, out, err);
}

/*
 * Fits the picture into that many rows, and into the width of the terminal.
 * Returns false if it is not a picture.
 */
static bool
choose_size(struct shown *shown, int max_rows, struct sq_err *err) {
    const struct sq_terminal_size terminal = terminal_now();
    struct sq_size size;
    if (!sq_codec_size(shown->bytes, shown->count, &size, err)) {
        return false;
    }
    bool has_pixels = terminal.height > 0 && terminal.rows > 0;
    int row_px = sq_max_int(
        has_pixels ? terminal.height / terminal.rows : DEFAULT_ROW_PX, 1);
    int64_t width_px = has_pixels && terminal.width > 0
                         ? terminal.width
                         : (int64_t)terminal.columns * DEFAULT_COLUMN_PX;
    int64_t highest = width_px * size.height / sq_max_int(size.width, 1);
    int rows = sq_max_int((int)(highest / row_px), 1);
    shown->rows = sq_min_int(max_rows, rows);
    shown->height = shown->rows * row_px;
    return true;
}

/*
 * Appends the escape sequences that show a picture where the cursor is. It is
 * at most max_rows high, and at most as wide as the terminal.
 */
static bool
append_picture(enum sq_graphics graphics, int max_rows, struct sq_span picture,
               struct sq_buf *out, struct sq_err *err) {
    static bool (*const ways[])(const struct shown *, struct sq_buf *,
                                struct sq_err *) = {
        [SQ_GRAPHICS_KITTY] = append_kitty,
        [SQ_GRAPHICS_ITERM] = append_iterm,
        [SQ_GRAPHICS_SIXEL] = append_sixel,
        [SQ_GRAPHICS_BLOCKS] = append_blocks,
    };
    struct shown shown = { .bytes = (const uint8_t *)picture.ptr,
                           .count = picture.len };
    return choose_size(&shown, max_rows, err)
        && ways[graphics](&shown, out, err);
}

void
sq_terminal_show_picture(const uint8_t *bytes, size_t count,
                         struct sq_opt_bool show) {
    bool is_asked = show.given && show.value;
    bool is_terminal = sq_is_terminal(STDOUT_FILENO);
    if ((show.given && !show.value) || (!is_terminal && !is_asked)) {
        return;
    }
    enum sq_graphics graphics =
        is_asked ? find_any_graphics() : find_graphics();
    const struct sq_span picture = { (const char *)bytes, count };
    struct sq_err err = { 0 };
    SQ_BUF(out, MAX_SEQUENCE_BYTES);
    if (graphics == SQ_GRAPHICS_NONE) {
        if (is_asked) {
            sq_print_message(is_terminal ? "squint: " NO_PICTURES
                                         : "squint: the picture was not shown: "
                                           "standard output is not a terminal");
        }
        return;
    }
    /* Rows that leave space for the text and the next prompt. */
    int rows = sq_min_int(terminal_now().rows - LINES_BELOW, MAX_ROWS);
    if (!append_picture(graphics, sq_max_int(rows, MIN_ROWS), picture, &out,
                        &err)
        || !sq_file_write("-", out.data, out.len, &err)) {
        sq_print_error("squint", &err);
    }
}

#define ROWS_BELOW 2 /* the end of the picture's line, and the status */

#define OPEN ESC "[?1049h" ESC "[?25l" ESC "[2J" ESC "[H"
#define CLOSE ESC "[?25h" ESC "[?1049l"
#define CLEAR ESC "[2J"
#define HOME ESC "[H"
/* Terminals that know this pair draw everything between them together. */
#define UPDATE_BEGIN ESC "[?2026h"
#define UPDATE_END ESC "[?2026l"
/* kitty keeps every picture until it is told to delete them. */
#define KITTY_DELETE_ALL ESC "_Ga=d,d=A,q=2" ESC "\\"

static bool
write_sequence(const char *sequence, struct sq_err *err) {
    return sq_file_write("-", sequence, strlen(sequence), err);
}

bool
sq_live_view_open(struct sq_live_view *view, struct sq_err *err) {
    view->graphics = find_any_graphics();
    if (view->graphics == SQ_GRAPHICS_NONE) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "%s",
                       sq_is_terminal(STDOUT_FILENO)
                           ? NO_PICTURES
                           : "standard output is not a terminal");
    }
    view->is_open = write_sequence(OPEN, err);
    return view->is_open;
}

bool
sq_live_view_is_outdated(const struct sq_live_view *view) {
    const struct sq_terminal_size now = terminal_now();
    return now.columns != view->terminal.columns
        || now.rows != view->terminal.rows || now.width != view->terminal.width
        || now.height != view->terminal.height;
}

/* A picture of the same size covers the last one. */
static bool
append_start(const struct sq_live_view *view, struct sq_size size,
             struct sq_buf *out, struct sq_err *err) {
    bool covers = size.width == view->picture.width
               && size.height == view->picture.height
               && !sq_live_view_is_outdated(view);
    return sq_buf_printf(out, err, UPDATE_BEGIN "%s%s" HOME,
                         view->graphics == SQ_GRAPHICS_KITTY ? KITTY_DELETE_ALL
                                                             : "",
                         covers ? "" : CLEAR);
}

bool
sq_live_view_draw(struct sq_live_view *view, struct sq_span picture,
                  struct sq_err *err) {
    const struct sq_terminal_size terminal = terminal_now();
    int rows = sq_max_int(terminal.rows - ROWS_BELOW, 1);
    struct sq_size size;
    SQ_BUF(out, MAX_SEQUENCE_BYTES);
    bool ok =
        sq_codec_size((const uint8_t *)picture.ptr, picture.len, &size, err)
        && append_start(view, size, &out, err)
        && append_picture(view->graphics, rows, picture, &out, err)
        && sq_buf_printf(&out, err, ESC "[%d;1H" UPDATE_END, terminal.rows)
        && sq_file_write("-", out.data, out.len, err);
    if (ok) {
        view->terminal = terminal;
        view->picture = size;
    }
    return ok;
}

void
sq_live_view_close(struct sq_live_view *view) {
    if (!view->is_open) {
        return;
    }
    if (view->graphics == SQ_GRAPHICS_KITTY) {
        (void)write_sequence(KITTY_DELETE_ALL, NULL);
    }
    (void)write_sequence(CLOSE, NULL);
    view->is_open = false;
}
