/* Draws an archive of screens of text. */
#include "bench_search.h"

#include <stdio.h>
#include <sys/stat.h>

#include "image/draw/font.h"
#include "image/pipeline/picture.h"
#include "redact/redact.h"
#include "util/time_text.h"

#define PICTURES_PER_WINDOW 20

static unsigned
next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/*
 * Writes a word. A few are in most texts and most in few, as in a language;
 * some are numbers.
 */
static void
make_word(unsigned *state, char out[16]) {
    static const char *const syllables[] = {
        "in",  "voi", "ce", "ac", "me", "re",  "port", "ta", "ble", "mo",
        "ney", "der", "so", "li", "na", "ter", "con",  "ti", "on",  "al",
    };
    unsigned pick = next(state) % 100;
    unsigned rank = pick < 50 ? next(state) % 60
                  : pick < 85 ? next(state) % 3000
                              : next(state) % 60000;
    if (pick >= 97) {
        snprintf(out, 16, "%u", 10000 + rank * 7);
        return;
    }
    unsigned seed = rank * 2654435761u + 12345;
    size_t len = 0;
    unsigned count = 1 + rank % 3 + (rank > 60);
    for (unsigned i = 0; i <= count && len < 11; i++) {
        len += (size_t)snprintf(out + len, 16 - len, "%s",
                                syllables[next(&seed) % 20]);
    }
}

static void
change_line(struct bench_screen *screen, int line) {
    for (int i = 0; i < WORDS_PER_LINE; i++) {
        make_word(&screen->state, screen->words[line][i]);
    }
}

void
bench_screen_advance(struct bench_screen *screen, int number) {
    if (number % PICTURES_PER_WINDOW == 0) {
        for (int line = 0; line < LINES; line++) {
            change_line(screen, line);
        }
        return;
    }
    change_line(screen, (int)(next(&screen->state) % LINES));
    change_line(screen, (int)(next(&screen->state) % LINES));
}

static bool
draw_screen(const struct bench_screen *screen, struct sq_canvas *canvas,
            struct sq_err *err) {
    const struct sq_face face = { 18, false };
    bool ok = true;
    sq_canvas_rect(canvas, canvas->clip, SQ_RGB(0xffffff));
    for (int i = 0; ok && i < LINES; i++) {
        int x = 40;
        for (int k = 0; ok && k < WORDS_PER_LINE; k++) {
            struct sq_span word = sq_span_of(screen->words[i][k]);
            int width = 0;
            ok = sq_canvas_text(canvas, &face, word,
                                (struct sq_pt){ x, 40 + 29 * i },
                                SQ_RGB(0x202124), err)
              && sq_font_width(canvas->type, &face, word, &width, err);
            x += width + 6;
        }
    }
    return ok;
}

static bool
write_file(const char *path, const struct sq_buf *bytes) {
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(bytes->data, 1, bytes->len, file) == bytes->len;
    return file && fclose(file) == 0 && ok;
}

/* Writes the picture and its thumbnail under ManicTime's names. */
static bool
save_screen(const struct sq_image *image, const char *folder, int number,
            struct sq_err *err) {
    static const struct {
        const char *ending;
        int side;
    } files[] = { { ".thumbnail.jpg", 320 }, { ".jpg", 0 } };
    struct sq_buf raw;
    char time[SQ_TIME_TEXT_SIZE];
    sq_buf_init(&raw, SQ_MAX_IMAGE_BYTES);
    sq_time_format_wall(FIRST_UTC + number * 60, 0, time);
    bool ok = sq_redact_put_raw(image, &raw, err);
    for (size_t i = 0; ok && i < 2; i++) {
        char path[1000];
        struct sq_buf jpeg;
        struct sq_picture_info info;
        const struct sq_picture_opts how = { .max_dimension = files[i].side,
                                             .quality = 80 };
        sq_buf_init(&jpeg, SQ_MAX_IMAGE_BYTES);
        snprintf(path, sizeof(path), "%s/%.10s", folder, time);
        mkdir(path, 0700);
        snprintf(path, sizeof(path),
                 "%s/%.10s/%.10s_%.2s-%.2s-%.2s_00-00_%d_%d_%d_0%s", folder,
                 time, time, time + 11, time + 14, time + 17, WIDTH, HEIGHT,
                 number, files[i].ending);
        ok = sq_picture_make(raw.data, raw.len, &how, &sq_limits_default, &jpeg,
                             &info, err)
          && write_file(path, &jpeg);
        sq_buf_finish(&jpeg);
    }
    sq_buf_finish(&raw);
    return ok;
}

int
bench_search_draw(const char *folder, int pictures) {
    struct sq_err err = { 0 };
    struct sq_font *font = NULL;
    struct sq_image image = { 0 };
    struct bench_screen screen = { .state = 7 };
    mkdir(folder, 0700);
    bool ok = sq_font_create(&font, &err)
           && sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &err);
    struct sq_canvas canvas = {
        .pixels = image.pixels,
        .stride = image.stride,
        .clip = { 0, 0, WIDTH, HEIGHT },
        .type = font,
    };
    for (int i = 0; ok && i < pictures; i++) {
        bench_screen_advance(&screen, i);
        ok = draw_screen(&screen, &canvas, &err)
          && save_screen(&image, folder, i, &err);
    }
    sq_image_finish(&image);
    sq_font_destroy(font);
    if (!ok) {
        fprintf(stderr, "bench-search: %s\n", err.message);
        return 1;
    }
    printf("{\"pictures\":%d}\n", pictures);
    return 0;
}
