#include "support/font_page.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include "image/draw/draw.h"
#include "support/test.h"
#include "util/limits.h"

#define WIDTH 420
#define HEIGHT 110
#define MARGIN 12
#define ICON_SPACE 2 /* of an icon and the room beside it, in font sizes */

static const char *const vocabulary[] = {
    "invoice", "payment",  "Settings", "account",  "Wi-Fi",   "battery",
    "84%",     "12:47",    "Cancel",   "Continue", "Forgot",  "total",
    "$129.99", "delivery", "order",    "#48213",   "Hello",   "mountain",
    "quick",   "brown",    "jumps",    "over",     "lazy",    "dog",
    "July",    "2026",     "network",  "Storage",  "privacy", "Update",
    "message", "Archive",  "folder",   "download", "Kitchen", "airport",
    "review",  "purple",   "Window",   "keyboard", "garden",  "Travel",
};
#define WORDS (SQ_COUNT(vocabulary))

/* In the folder of the built-in font, of the package fonts-dejavu-core. */
static const char *const faces[] = {
    "DejaVuSans.ttf",     "DejaVuSerif.ttf",      "DejaVuSans-Bold.ttf",
    "DejaVuSansMono.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono-Bold.ttf",
};
#define FACES (SQ_COUNT(faces))

static const int sizes[] = { 10, 12, 14, 18, 24, 32, 40 };
#define SIZES (SQ_COUNT(sizes))

/* Backgrounds at the top and bottom, and the text. */
static const uint32_t themes[][3] = {
    { 0xffffff, 0xffffff, 0x202124 }, { 0x121212, 0x121212, 0xe8eaed },
    { 0x1a73e8, 0x1a73e8, 0xffffff }, { 0x143ca0, 0x5a82e6, 0xffffff },
    { 0xffeb3b, 0xffeb3b, 0x3c3c3c }, { 0xfafaff, 0xbec8e6, 0x141428 },
    { 0xffffff, 0xffffff, 0x969696 }, { 0x78143c, 0xe66e28, 0xffffff },
};
#define THEMES (SQ_COUNT(themes))

/* A page while it is drawn. */
struct drawing {
    struct t_font_page *page;
    struct sq_canvas canvas;
    FT_Library freetype;
    FT_Face face;
    uint32_t colour;
    unsigned state;
};

static unsigned
next(struct drawing *d) {
    d->state = d->state * 1664525u + 1013904223u;
    return d->state >> 8;
}

static void
blend(uint8_t *pixel, uint32_t colour, int alpha) {
    for (int i = 0; i < 3; i++) {
        int to = (int)(colour >> (16 - 8 * i) & 255);
        pixel[i] = (uint8_t)(pixel[i] + (to - pixel[i]) * alpha / 255);
    }
}

/* Draws the glyph that FreeType has loaded; returns where the next begins. */
static int
draw_glyph(struct drawing *d, int x, int baseline) {
    FT_GlyphSlot glyph = d->face->glyph;
    const FT_Bitmap *map = &glyph->bitmap;
    for (int row = 0; row < (int)map->rows; row++) {
        int y = baseline - glyph->bitmap_top + row;
        for (int i = 0; y >= 0 && y < HEIGHT && i < (int)map->width; i++) {
            int at = x + glyph->bitmap_left + i;
            if (at >= 0 && at < WIDTH) {
                blend(sq_image_row(&d->page->image, y) + (size_t)at * 4,
                      d->colour, map->buffer[row * map->pitch + i]);
            }
        }
    }
    return x + (int)(glyph->advance.x / 64);
}

/* Draws a word, or only measures it; returns where the next begins. */
static int
put_word(struct drawing *d, const char *word, int x, int baseline,
         bool is_drawn) {
    for (const char *c = word; *c; c++) {
        T_INT(FT_Load_Char(d->face, (FT_ULong)*c, FT_LOAD_RENDER), 0);
        x = is_drawn ? draw_glyph(d, x, baseline)
                     : x + (int)(d->face->glyph->advance.x / 64);
    }
    return x;
}

/* Draws a disc with a bar in the colour of the background, as icons have. */
static void
draw_icon(struct drawing *d, int x, int y, int size, uint32_t background) {
    sq_canvas_box(&d->canvas, (struct sq_rect){ x, y, x + size, y + size },
                  (float)size / 2, SQ_RGB(d->colour));
    sq_canvas_rect(&d->canvas,
                   (struct sq_rect){ x + size / 4, y + size * 2 / 5,
                                     x + size * 3 / 4, y + size * 3 / 5 },
                   SQ_RGB(background));
    d->page->icons++;
}

/* Draws words until the line is full. */
static void
draw_words(struct drawing *d, int x, int top, int size) {
    struct t_font_page *page = d->page;
    int baseline = top + size;
    while (page->count < T_MAX_FONT_WORDS) {
        const char *word = vocabulary[next(d) % WORDS];
        int end = put_word(d, word, x, baseline, false);
        if (end > WIDTH - MARGIN) {
            break;
        }
        put_word(d, word, x, baseline, true);
        page->words[page->count++] =
            (struct t_font_word){ word, { x, top, end, baseline + size / 3 } };
        x = put_word(d, " ", end, baseline, false);
    }
}

static void
draw_lines(struct drawing *d, const uint32_t *theme) {
    int y = MARGIN;
    for (;;) {
        int size = sizes[next(d) % SIZES];
        bool has_icon = theme[0] == theme[1] && next(d) % 3 == 0;
        if (y + size * 4 / 3 > HEIGHT) {
            break;
        }
        T_INT(FT_Set_Pixel_Sizes(d->face, 0, (FT_UInt)size), 0);
        if (has_icon) {
            draw_icon(d, MARGIN, y + size / 8, size, theme[0]);
        }
        draw_words(d, MARGIN + (has_icon ? ICON_SPACE * size : 0), y, size);
        y += size * 17 / 10;
    }
}

/* Opens a font; the built-in one if this machine lacks it. */
static bool
open_face(struct drawing *d, const char *name) {
    char path[sizeof(SQ_FONT_PATH) + 64];
    const char *file = strrchr(SQ_FONT_PATH, '/') + 1;
    snprintf(path, sizeof(path), "%.*s%s", (int)(file - SQ_FONT_PATH),
             SQ_FONT_PATH, name);
    return FT_New_Face(d->freetype, path, 0, &d->face) == 0
        || T_INT(FT_New_Face(d->freetype, SQ_FONT_PATH, 0, &d->face), 0);
}

void
t_font_page_draw(unsigned seed, struct t_font_page *out) {
    struct sq_font *font = NULL;
    struct drawing d = { .page = out, .state = seed * 2654435761u + 1 };
    const uint32_t *theme = themes[seed % THEMES];
    memset(out, 0, sizeof(*out));
    out->face = faces[seed % FACES];
    if (!T_OK(sq_image_init(&out->image, WIDTH, HEIGHT, &sq_limits_default,
                            &t_err)
              && sq_font_create(&font, &t_err))) {
        return;
    }
    d.freetype = sq_font_library(font);
    d.colour = theme[2];
    d.canvas = (struct sq_canvas){ .pixels = out->image.pixels,
                                   .stride = out->image.stride,
                                   .clip = { 0, 0, WIDTH, HEIGHT },
                                   .type = font };
    sq_canvas_gradient(&d.canvas, d.canvas.clip, SQ_RGB(theme[0]),
                       SQ_RGB(theme[1]));
    if (open_face(&d, out->face)) {
        draw_lines(&d, theme);
        FT_Done_Face(d.face);
    }
    sq_font_destroy(font);
}

void
t_font_page_finish(struct t_font_page *page) {
    sq_image_finish(&page->image);
}
