/* Chooses how to show a picture on the terminal, and writes it there. */
#include "app/terminal/picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/print_message.h"
#include "app/terminal/graphics.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "util/minmax.h"

/* How long a terminal may take to answer; ssh adds its round trip. */
#define ANSWER_MS 250
#define MAX_ANSWER_BYTES 4096
#define MAX_SEQUENCE_BYTES ((size_t)64 << 20)
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
    struct sq_buf answer;
    sq_buf_init(&answer, MAX_ANSWER_BYTES);
    if (sq_terminal_ask(STDOUT_FILENO, sq_span_of(sq_graphics_question),
                        sq_graphics_is_whole, ANSWER_MS, &answer, NULL)) {
        graphics = sq_graphics_of_answer(sq_buf_span(&answer));
    }
    sq_buf_finish(&answer);
    return graphics;
}

enum sq_graphics
sq_terminal_graphics(void) {
    if (!sq_is_terminal(STDOUT_FILENO)) {
        return SQ_GRAPHICS_NONE;
    }
    enum sq_graphics graphics = sq_graphics_of_environment(get_variable);
    return graphics == SQ_GRAPHICS_UNKNOWN ? ask_terminal() : graphics;
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
    struct sq_buf png;
    sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
    bool ok = make_png(shown, &png, err)
           && sq_kitty_append(sq_buf_span(&png), shown->rows, out, err);
    sq_buf_finish(&png);
    return ok;
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
    struct sq_buf png;
    struct sq_image image = { 0 };
    struct sq_indexed indexed = { 0 };
    sq_buf_init(&png, SQ_MAX_IMAGE_BYTES);
    bool ok =
        make_png(shown, &png, err)
        && sq_image_decode(png.data, png.len, &sq_limits_default, &image, err)
        && sq_quantise(&image, SQ_MAX_COLOURS, &indexed, err)
        && sq_sixel_append(&indexed, out, err);
    sq_indexed_finish(&indexed);
    sq_image_finish(&image);
    sq_buf_finish(&png);
    return ok;
}

/*
 * Fits the picture into that many rows, and into the width of the terminal.
 * Returns false if it is not a picture.
 */
static bool
choose_size(struct shown *shown, int max_rows, struct sq_err *err) {
    struct sq_terminal_size terminal = { 0 };
    struct sq_size size;
    if (!sq_codec_size(shown->bytes, shown->count, &size, err)) {
        return false;
    }
    (void)sq_terminal_get_size(STDOUT_FILENO, &terminal);
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

bool
sq_terminal_picture_append(enum sq_graphics graphics, int max_rows,
                           struct sq_span picture, struct sq_buf *out,
                           struct sq_err *err) {
    static bool (*const ways[])(const struct shown *, struct sq_buf *,
                                struct sq_err *) = {
        [SQ_GRAPHICS_KITTY] = append_kitty,
        [SQ_GRAPHICS_ITERM] = append_iterm,
        [SQ_GRAPHICS_SIXEL] = append_sixel,
    };
    struct shown shown = { .bytes = (const uint8_t *)picture.ptr,
                           .count = picture.len };
    return choose_size(&shown, max_rows, err)
        && ways[graphics](&shown, out, err);
}

/* Returns the rows that leave space for the text and the next prompt. */
static int
rows_above_text(void) {
    struct sq_terminal_size size = { 0 };
    (void)sq_terminal_get_size(STDOUT_FILENO, &size);
    int rows = sq_min_int(size.rows - LINES_BELOW, MAX_ROWS);
    return sq_max_int(rows, MIN_ROWS);
}

void
sq_terminal_show_picture(const uint8_t *bytes, size_t count,
                         struct sq_opt_bool show) {
    bool is_asked = show.given && show.value;
    bool is_terminal = sq_is_terminal(STDOUT_FILENO);
    if ((show.given && !show.value) || (!is_terminal && !is_asked)) {
        return;
    }
    enum sq_graphics graphics = sq_terminal_graphics();
    const struct sq_span picture = { (const char *)bytes, count };
    struct sq_err err = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, MAX_SEQUENCE_BYTES);
    if (graphics == SQ_GRAPHICS_NONE) {
        if (is_asked) {
            sq_print_message(is_terminal
                                 ? "squint: this terminal shows no pictures: "
                                   "it knows neither kitty's nor iTerm2's "
                                   "protocol, nor sixels"
                                 : "squint: the picture was not shown: "
                                   "standard output is not a terminal");
        }
        return;
    }
    if (!sq_terminal_picture_append(graphics, rows_above_text(), picture, &out,
                                    &err)
        || !sq_file_write("-", out.data, out.len, &err)) {
        sq_print_error("squint", &err);
    }
    sq_buf_finish(&out);
}
