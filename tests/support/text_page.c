#include "support/text_page.h"

#include "image/draw/draw.h"
#include "image/pipeline/rows.h"
#include "image/png/png.h"
#include "support/test.h"
#include "util/limits.h"

#define WIDTH 1080
#define HEIGHT 1000
#define MARGIN 48

static const char *const vocabulary[] = {
    "Settings", "account",  "network", "Storage", "battery",  "Display",
    "privacy",  "Invoice",  "2048",    "Update",  "message",  "Archive",
    "quartz",   "Judge",    "folder",  "$19.99",  "download", "Kitchen",
    "morning",  "airport",  "review",  "Cancel",  "english",  "purple",
    "Window",   "keyboard", "garden",  "12:47",   "Travel",   "history",
};
#define WORDS (SQ_COUNT(vocabulary))

/* Background at the top and bottom of a band, and its text. */
struct theme {
    uint32_t top;
    uint32_t bottom;
    uint32_t text;
};

static const struct theme themes[] = {
    { 0xffffff, 0xffffff, 0x202124 }, { 0x121212, 0x121212, 0xe8eaed },
    { 0xd93025, 0xd93025, 0xffffff }, { 0x1a73e8, 0x1a73e8, 0xffffff },
    { 0xffffff, 0xf1f3f4, 0x5f6368 }, { 0xe8f0fe, 0xe8f0fe, 0x1967d2 },
    { 0x7b1fa2, 0x6a1b9a, 0xffe082 }, { 0x263238, 0x37474f, 0x80cbc4 },
    { 0xe37400, 0xe37400, 0xffffff }, { 0xfafafa, 0xfafafa, 0x188038 },
};
#define THEMES (SQ_COUNT(themes))

static unsigned
next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void
draw_line(struct t_text_page *page, struct sq_canvas *canvas,
          struct sq_face face, struct sq_pt start, uint32_t colour,
          unsigned *state) {
    struct sq_line_metrics metrics = sq_font_metrics(&face);
    int space = 0;
    int baseline = start.y;
    int x = start.x;
    T_OK(sq_font_width(canvas->type, &face, SQ_SPAN(" "), &space, &t_err));
    for (;;) {
        const char *word = vocabulary[next(state) % WORDS];
        int width = 0;
        T_OK(sq_font_width(canvas->type, &face, sq_span_of(word), &width,
                           &t_err));
        if (x + width > WIDTH - MARGIN || page->count == T_MAX_PAGE_WORDS) {
            break;
        }
        T_OK(sq_canvas_text(canvas, &face, sq_span_of(word),
                            (struct sq_pt){ x, baseline }, SQ_RGB(colour),
                            &t_err));
        page->words[page->count++] = (struct t_page_word){
            .text = word,
            .box = { x, baseline - metrics.ascent, x + width,
                     baseline + metrics.descent },
            .line = page->lines,
        };
        x += width + space;
    }
    page->lines++;
}

void
t_text_page_draw(unsigned seed, struct t_text_page *out) {
    struct sq_font *font = NULL;
    unsigned state = seed * 2654435761u + 1;
    memset(out, 0, sizeof(*out));
    if (!T_OK(sq_image_init(&out->image, WIDTH, HEIGHT, &sq_limits_default,
                            &t_err)
              && sq_font_create(&font, &t_err))) {
        return;
    }
    struct sq_canvas canvas = {
        .pixels = out->image.pixels,
        .stride = out->image.stride,
        .clip = { 0, 0, WIDTH, HEIGHT },
        .type = font,
    };
    for (int y = 0; y < HEIGHT;) {
        const struct theme *theme = &themes[next(&state) % THEMES];
        int size = 12 + (int)(next(&state) % 29);
        const struct sq_face face = { size, next(&state) % 4 == 0 };
        int pitch = size * 3 / 2;
        int rows = 1 + (int)(next(&state) % 2);
        int band = rows * pitch + 24;
        bool has_icon = next(&state) % 3 == 0;
        int left = MARGIN + (has_icon ? 96 : 0);
        sq_canvas_gradient(&canvas, (struct sq_rect){ 0, y, WIDTH, y + band },
                           SQ_RGB(theme->top), SQ_RGB(theme->bottom));
        if (y + band > HEIGHT) {
            break;
        }
        if (has_icon) {
            sq_canvas_box(
                &canvas,
                (struct sq_rect){ MARGIN, y + 8, MARGIN + 40, y + 8 + 40 }, 20,
                SQ_RGB(theme->text));
        }
        for (int row = 0; row < rows; row++) {
            draw_line(out, &canvas, face,
                      (struct sq_pt){ left, y + 12 + row * pitch + size },
                      theme->text, &state);
        }
        y += band;
    }
    sq_font_destroy(font);
}

void
t_text_page_finish(struct t_text_page *page) {
    sq_image_finish(&page->image);
}

bool
t_skips_reading(bool ok, const struct sq_err *err) {
    bool is_unsupported = !ok && err->code == SQ_ERR_UNSUPPORTED;
    if (is_unsupported) {
        T(err->hint[0]);
        t_skip(err->message);
    }
    return is_unsupported;
}

void
t_text_lines_write(struct sq_size size, int pixels, const char *const *lines,
                   size_t count, struct sq_buf *out) {
    const struct sq_face face = { pixels, false };
    struct sq_font *font = NULL;
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    sq_buf_init(out, 1 << 20);
    T_OK(sq_image_init(&image, size.width, size.height, &sq_limits_default,
                       &t_err)
         && sq_font_create(&font, &t_err));
    struct sq_canvas canvas = {
        .pixels = image.pixels,
        .stride = image.stride,
        .clip = { 0, 0, size.width, size.height },
        .type = font,
    };
    sq_canvas_gradient(&canvas, canvas.clip, SQ_RGB(0xffffff),
                       SQ_RGB(0xffffff));
    for (size_t i = 0; i < count; i++) {
        T_OK(sq_canvas_text(&canvas, &face, sq_span_of(lines[i]),
                            (struct sq_pt){ 40, 100 + 2 * pixels * (int)i },
                            SQ_RGB(0x202020), &t_err));
    }
    T_OK(sq_rows_from_image(&image, &rows, &t_err)
         && sq_png_encode(rows, out, &t_err));
    sq_rows_destroy(rows);
    sq_font_destroy(font);
}

void
t_text_line_write(const char *text, struct sq_buf *out) {
    t_text_lines_write((struct sq_size){ 600, 200 }, 24, &text, 1, out);
}
