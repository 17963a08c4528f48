/* Draws an archive of screens of text. */
#include "bench_search.h"

#include <stdio.h>
#include <sys/stat.h>

#include "image/draw/draw.h"
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

static void
advance_day(struct bench_screen *screen, int number) {
    const struct bench_rates *rates = &screen->rates;
    int pick = number == 0 ? 0 : (int)(next(&screen->state) % 100);
    int minute = 9 * 60 + number / 2;
    snprintf(screen->clock, sizeof(screen->clock), "%02d:%02d",
             minute / 60 % 24, minute % 60);
    if (pick < rates->all) {
        bench_screen_advance(screen, 0);
    } else if (pick < rates->all + rates->text) {
        bench_screen_advance(screen, 1);
    } else if (pick < rates->all + rates->text + rates->chat) {
        screen->chat_line = (screen->chat_line + 1) % CHAT_LINES;
        for (int i = 0; i < CHAT_WORDS; i++) {
            make_word(&screen->state, screen->chat[screen->chat_line][i]);
        }
    }
}

/* Draws words side by side. */
static bool
draw_words(struct sq_canvas *canvas, int size, struct sq_pt at,
           const char (*words)[16], int count, struct sq_err *err) {
    const struct sq_face face = { size, false };
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        struct sq_span word = sq_span_of(words[i]);
        int width = 0;
        ok = sq_canvas_text(canvas, &face, word, at, SQ_RGB(0x202124), err)
          && sq_font_width(canvas->type, &face, word, &width, err);
        at.x += width + 6;
    }
    return ok;
}

static bool
draw_screen(const struct bench_screen *screen, struct sq_canvas *canvas,
            struct sq_err *err) {
    bool ok = true;
    sq_canvas_rect(canvas, canvas->clip, SQ_RGB(0xffffff));
    for (int i = 0; ok && i < LINES; i++) {
        ok = draw_words(canvas, 18, (struct sq_pt){ 40, 40 + 29 * i },
                        screen->words[i], WORDS_PER_LINE, err);
    }
    for (int i = 0; ok && i < CHAT_LINES; i++) {
        ok = draw_words(canvas, 15, (struct sq_pt){ 1440, 40 + 25 * i },
                        screen->chat[i], CHAT_WORDS, err);
    }
    return ok
        && draw_words(canvas, 15, (struct sq_pt){ 1850, 1070 }, &screen->clock,
                      1, err);
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

static int
draw(const char *folder, int pictures, struct bench_screen *screen,
     void (*advance)(struct bench_screen *screen, int number)) {
    struct sq_err err = { 0 };
    struct sq_font *font = NULL;
    struct sq_image image = { 0 };
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
        advance(screen, i);
        ok = draw_screen(screen, &canvas, &err)
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

int
bench_search_draw(const char *folder, int pictures) {
    struct bench_screen screen = { .state = 7 };
    return draw(folder, pictures, &screen, bench_screen_advance);
}

int
bench_search_draw_day(const char *folder, int pictures, unsigned seed,
                      const struct bench_rates *rates) {
    struct bench_screen screen = { .state = seed, .rates = *rates };
    return draw(folder, pictures, &screen, advance_day);
}
