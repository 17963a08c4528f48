/* Valid files of every kind: the same pixels as libpng, over black. */
#include "image/png/png.h"

#include <png.h>

#include "image/pipeline/cpu.h"
#include "support/pages.h"
#include "support/png_maker.h"
#include "support/png_reference.h"
#include "support/test.h"

static bool
decode(const struct sq_buf *file, struct sq_image *out, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    bool ok = sq_png_open(file->data, file->len, &sq_limits_default, &rows, err)
           && sq_rows_to_image(rows, &sq_limits_default, out, err);
    sq_rows_destroy(rows);
    return ok;
}

static void
report_kind(const struct t_png_kind *kind) {
    printf("# %dx%d colour %d depth %d interlaced %d transparent %d"
           " filters %d look %d\n",
           kind->width, kind->height, kind->colour, kind->depth,
           kind->interlaced, kind->transparent, kind->filters, (int)kind->look);
}

/* Our code and libpng decode it to the same pixels. */
static bool
check_file(const struct sq_buf *file) {
    T_FREED(sq_image_finish) struct sq_image ours = { 0 };
    T_FREED(sq_image_finish) struct sq_image theirs = { 0 };
    return T(t_png_decode(file->data, file->len, &theirs))
        && T_OK(decode(file, &ours, &t_err))
        && T_INT(t_png_differences(&ours, &theirs), 0);
}

static void
check_kind(const struct t_png_kind *kind) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    t_png_make(kind, &file);
    if (!check_file(&file)) {
        report_kind(kind);
    }
}

static void
check_residuals(const struct t_png_kind *kind, int filter) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    t_png_make_residuals(kind, filter, &file);
    if (!check_file(&file)) {
        report_kind(kind);
    }
}

static struct t_png_kind
random_kind(size_t format) {
    return (struct t_png_kind){
        .width = (int)t_random_between(1, 35),
        .height = (int)t_random_between(1, 35),
        .colour = t_png_formats[format].colour,
        .depth = t_png_formats[format].depth,
        .interlaced = t_random() % 2,
        .transparent = t_random() % 2,
        .level = (int)t_random_between(0, 9),
        .look = (enum t_png_look)t_random_between(0, T_PNG_LOOKS - 1),
    };
}

T_CASE(every_kind_with_every_filter) {
    static const int filters[] = { 0,
                                   PNG_FILTER_NONE,
                                   PNG_FILTER_SUB,
                                   PNG_FILTER_UP,
                                   PNG_FILTER_AVG,
                                   PNG_FILTER_PAETH,
                                   PNG_ALL_FILTERS };
    for (size_t format = 0; format < 15; format++) {
        for (int variant = 0; variant < 7 * 4; variant++) {
            for (int size = 0; size < (t_tests_all() ? 6 : 2); size++) {
                struct t_png_kind kind = random_kind(format);
                kind.filters = filters[variant / 4];
                kind.interlaced = variant & 1;
                kind.transparent = variant & 2;
                check_kind(&kind);
            }
        }
    }
}

T_CASE(every_size) {
    for (int width = 1; width <= 35; width++) {
        for (int height = 1; height <= 35; height++) {
            struct t_png_kind kind = random_kind(t_random() % 15);
            kind.width = width;
            kind.height = height;
            kind.level = 1;
            check_residuals(&kind, -1);
        }
    }
}

/* Any filter may follow any other, and Paeth rows are undone four at a time. */
T_CASE(every_filter_after_every_filter) {
    for (size_t format = 0; format < 15; format++) {
        for (int round = 0; round < 40; round++) {
            struct t_png_kind kind = random_kind(format);
            kind.width = (int)t_random_between(1, 90);
            kind.height = (int)t_random_between(1, 120);
            check_residuals(&kind, round % 6 - 1);
        }
    }
}

T_CASE(wide_and_tall_pictures) {
    static const int sizes[][2] = {
        { 16384, 3 }, { 3, 16384 }, { 1301, 90 }, { 9000, 20 }, { 1, 5000 }
    };
    for (size_t format = 3; format < 15; format++) {
        for (size_t i = 0; i < 5; i++) {
            struct t_png_kind kind = random_kind(format);
            kind.width = sizes[i][0];
            kind.height = sizes[i][1];
            kind.look = (enum t_png_look)((format + i) % T_PNG_LOOKS);
            kind.level = 1;
            check_kind(&kind);
        }
    }
}

/* Noise without a filter, except a first row of zeros with one. */
static void
check_black_first_row(struct t_png_kind *kind, int filter) {
    size_t row = 1 + t_png_row_bytes(kind, kind->width);
    size_t count = row * (size_t)kind->height;
    uint8_t *raw = calloc(count, 1);
    struct sq_buf file;
    for (size_t i = row; T(raw != NULL) && i < count; i++) {
        raw[i] = i % row ? (uint8_t)t_random() : 0;
    }
    raw[0] = (uint8_t)filter;
    t_png_make_raw(kind, raw, count, &file);
    check_file(&file);
    sq_buf_finish(&file);
    free(raw);
}

/* The row above the first one is zero, also for filter Up. */
T_CASE(black_first_rows) {
    for (size_t format = 0; format < 15; format++) {
        for (int filter = 0; filter < 5; filter++) {
            for (int width = 1; width < 40; width += 6) {
                struct t_png_kind kind = random_kind(format);
                kind.width = width;
                kind.height = 5;
                kind.interlaced = false;
                check_black_first_row(&kind, filter);
            }
        }
    }
}

T_CASE(short_palettes) {
    for (int depth = 1; depth <= 8; depth *= 2) {
        for (int size = 1; size < 1 << depth; size += 1 + size / 3) {
            struct t_png_kind kind = { .width = 23,
                                       .height = 11,
                                       .colour = 3,
                                       .depth = depth,
                                       .palette_size = size,
                                       .interlaced = size % 2,
                                       .transparent = size % 3 };
            check_kind(&kind);
        }
    }
}

/* Samples 3 and 5 of fifteen; of the key 0xff3 only four bits are used. */
T_CASE(colour_keys_use_the_bits_of_the_depth) {
    const struct t_png_kind kind = { .width = 2, .height = 1, .depth = 4 };
    T_FREED(sq_buf_finish) struct sq_buf plain = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    t_png_make_raw(&kind, "\0\x35", 2, &plain);
    T_BUF(key, 1 << 10);
    t_png_put_chunk(&key, "tRNS", "\x0f\xf3", 2);
    t_png_insert(&plain, t_png_find(&plain, "IDAT", 0), &key, &file);
    if (T_OK(decode(&file, &image, &t_err))) {
        T_BYTES(image.pixels, 3, "\0\0\0", 3);
        T_BYTES(image.pixels + 4, 3, "\x55\x55\x55", 3);
    }
}

T_CASE(every_compression) {
    for (int level = 0; level <= 9; level++) {
        for (int strategy = 0; strategy <= 4; strategy++) {
            struct t_png_kind kind = random_kind(t_random() % 15);
            kind.width = 97;
            kind.height = 61;
            kind.level = level;
            kind.strategy = strategy;
            check_kind(&kind);
        }
    }
    for (int level = 0; level <= 12; level++) {
        struct t_png_kind kind = random_kind(t_random() % 15);
        kind.level = level;
        check_residuals(&kind, -1);
    }
}

T_CASE(data_chunks_of_every_size) {
    static const size_t pieces[] = { 1, 2, 3, 5, 8, 100, 1 << 20 };
    for (size_t i = 0; i < 7; i++) {
        for (int empty = 0; empty < 2; empty++) {
            struct t_png_kind kind = random_kind(t_random() % 15);
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            T_FREED(sq_buf_finish) struct sq_buf cut = { 0 };
            t_png_make(&kind, &file);
            t_png_recut(&file, pieces[i], empty, &cut);
            check_file(&cut);
        }
    }
    for (size_t bytes = 6; bytes < 1 << 20; bytes *= 4) {
        struct t_png_kind kind = random_kind(t_random() % 15);
        kind.width = 200;
        kind.idat_bytes = bytes;
        check_kind(&kind);
    }
}

T_CASE(every_cpu_level_gives_the_same_pixels) {
    for (int round = 0; round < 150; round++) {
        struct t_png_kind kind = random_kind(round % 3 ? 13 : 5);
        kind.width = (int)t_random_between(1, 150);
        kind.height = (int)t_random_between(1, 60);
        kind.interlaced = round % 10 == 0;
        kind.transparent = kind.transparent && kind.colour == 6;
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        t_png_make_residuals(&kind, round % 6 - 1, &file);
        for (int level = 0; level < SQ_CPU_LEVELS; level++) {
            sq_cpu_limit((enum sq_cpu)level);
            if (!check_file(&file)) {
                printf("# on %s\n", sq_cpu_name((enum sq_cpu)level));
                report_kind(&kind);
            }
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

/* Rows that are kept, to check that they stay valid as promised. */
struct held {
    const uint8_t *pixels;
    uint8_t *copy;
};

static uint8_t *
copy_row(const uint8_t *pixels, size_t bytes) {
    uint8_t *copy = malloc(bytes);
    if (T(copy != NULL)) {
        memcpy(copy, pixels, bytes);
    }
    return copy;
}

/* Reads the bytes that SIMD code may read past a row. */
static unsigned
read_slack(const uint8_t *end) {
    unsigned sum = 0;
    for (int i = 0; i < SQ_ROW_SLACK; i++) {
        sum += ((const volatile uint8_t *)end)[i];
    }
    return sum;
}

/* Returns the number of rows that are marked as repeating the previous one. */
static long
check_promises(const struct sq_buf *file) {
    struct sq_rows *rows = NULL;
    long same = 0;
    if (!T_OK(sq_png_open(file->data, file->len, &sq_limits_default, &rows,
                          &t_err))) {
        return 0;
    }
    size_t bytes = (size_t)rows->width * SQ_PIXEL_BYTES;
    struct held *held = calloc((size_t)rows->height, sizeof(*held));
    for (int y = 0; y < rows->height; y++) {
        struct sq_row row;
        T_OK(sq_rows_next(rows, &row, &t_err));
        held[y] = (struct held){ row.pixels, copy_row(row.pixels, bytes) };
        read_slack(row.pixels + bytes);
        same += row.same;
        T(!row.same
          || (y > 0 && memcmp(held[y].copy, held[y - 1].copy, bytes) == 0));
        for (int k = y; k >= 0 && y - k <= rows->keeps; k--) {
            T(memcmp(held[k].pixels, held[k].copy, bytes) == 0);
        }
    }
    for (int y = 0; y < rows->height; y++) {
        free(held[y].copy);
    }
    free(held);
    sq_rows_destroy(rows);
    return same;
}

T_CASE(promises_about_rows_are_kept) {
    static const struct t_png_kind kinds[] = {
        { .width = 33, .height = 200, .colour = 2, .depth = 8 },
        { .width = 33, .height = 200, .colour = 6, .depth = 8 },
        { .width = 33,
          .height = 200,
          .colour = 6,
          .depth = 8,
          .transparent = true },
        { .width = 33, .height = 200, .colour = 3, .depth = 8 },
        { .width = 33, .height = 200, .colour = 0, .depth = 2 },
        { .width = 33, .height = 99, .colour = 2, .depth = 8, .interlaced = 1 },
        { .width = 1500, .height = 60, .colour = 6, .depth = 8 },
        { .width = 1500, .height = 60, .colour = 2, .depth = 8 },
    };
    long same = 0;
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        for (int round = 0; round < 24; round++) {
            struct t_png_kind kind = kinds[i];
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            kind.look = (enum t_png_look)(round % T_PNG_LOOKS);
            kind.level = 1;
            sq_cpu_limit((enum sq_cpu)(round % SQ_CPU_LEVELS));
            if (round % 2) {
                kind.filters = PNG_FILTER_UP;
                t_png_make(&kind, &file);
            } else {
                t_png_make_residuals(&kind, round % 6 - 1, &file);
            }
            same += check_promises(&file);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
    T(same > 1000);
}

/*
 * Opaque and transparent rows alternate, each repeated: slots are used by twos
 * and ones.
 */
T_CASE(promises_about_transparent_and_opaque_rows_are_kept) {
    enum { WIDTH = 24, HEIGHT = 300, ROW = 1 + WIDTH * 4 };
    for (int round = 0; round < 40; round++) {
        uint8_t *raw = calloc(HEIGHT, ROW);
        const struct t_png_kind kind = {
            .width = WIDTH, .height = HEIGHT, .colour = 6, .depth = 8
        };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        for (int y = 0; T(raw != NULL) && y < HEIGHT; y++) {
            bool repeats = t_random() % 4 == 0;
            bool opaque = t_random() % 2;
            raw[y * ROW] = repeats ? 2 : t_random() % 2 ? 0 : 4;
            for (int i = 1; !repeats && i < ROW; i++) {
                raw[y * ROW + i] =
                    i % 4 == 0 && opaque ? 255 : (uint8_t)t_random();
            }
        }
        t_png_make_raw(&kind, raw, HEIGHT * ROW, &file);
        check_promises(&file);
        check_file(&file);
        free(raw);
    }
}

static void
put_animation(const struct sq_buf *file, struct sq_buf *out) {
    static const uint8_t control[8] = { 0, 0, 0, 2, 0, 0, 0, 0 };
    static const uint8_t frame[26] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    T_FREED(sq_buf_finish) struct sq_buf half = { 0 };
    T_BUF(before, 1 << 16);
    T_BUF(after, 1 << 16);
    t_png_put_chunk(&before, "acTL", control, sizeof(control));
    t_png_put_chunk(&before, "fcTL", frame, sizeof(frame));
    t_png_put_chunk(&after, "fcTL", frame, sizeof(frame));
    t_png_put_chunk(&after, "fdAT", "\0\0\0\1not even a zlib stream", 26);
    t_png_insert(file, t_png_find(file, "IEND", 0), &after, &half);
    t_png_insert(&half, t_png_find(&half, "IDAT", 0), &before, out);
}

T_CASE(animations_show_their_default_picture) {
    for (size_t format = 0; format < 15; format++) {
        struct t_png_kind kind = random_kind(format);
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf animation = { 0 };
        t_png_make(&kind, &file);
        put_animation(&file, &animation);
        check_file(&animation);
    }
}

static bool
read_file(const char *path, struct sq_buf *out) {
    FILE *file = fopen(path, "rb");
    sq_buf_init(out, (size_t)64 << 20);
    if (!T(file != NULL)) {
        return false;
    }
    for (size_t got = 1; got > 0;) {
        uint8_t *room;
        T_OK(sq_buf_reserve(out, 65536, &room, &t_err));
        got = fread(room, 1, 65536, file);
        sq_buf_commit(out, got);
    }
    fclose(file);
    return true;
}

T_CASE(whole_screens) {
    for (size_t i = 0; t_page_names[i]; i++) {
        struct sq_image page = { 0 };
        t_page_draw(t_page_names[i], &page);
        for (size_t has_alpha = 0; has_alpha < 2; has_alpha++) {
            struct sq_buf file;
            if (has_alpha != i % 2 && !t_tests_all()) {
                continue;
            }
            t_page_write(&page, has_alpha, &file);
            if (!check_file(&file)) {
                printf("# %s\n", t_page_names[i]);
            }
            sq_buf_finish(&file);
        }
        sq_image_finish(&page);
    }
}

/* In addition; see t_data_path. */
T_CASE(further_screens) {
    static const char *const names[] = {
        "screens/ide_1920x1080.rgba.png",
        "screens/settings_1080x2400.rgb.png",
        "screens/settings_1080x2400.rgba.png",
        "screens/shop_1080x2400.rgba.png",
        "screens/small_1080x2400.rgba.png",
        "ui-dumps/ivi_ad.png",
        "ui-dumps/ivi_display_popup.png",
        "ui-dumps/ivi_lights_main.png",
        "ui-dumps/ivi_steeringwheel_popup.png",
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        const char *path = t_data_path(names[i]);
        struct sq_buf file;
        if (path && read_file(path, &file)) {
            check_file(&file);
            sq_buf_finish(&file);
        }
    }
}

struct torture {
    struct sq_buf file;
    struct sq_image expected;
};

static bool
build(void *context, struct sq_err *err) {
    struct torture *t = context;
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    bool ok = decode(&t->file, &image, err);
    T(!ok || t_png_differences(&image, &t->expected) == 0);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    static const struct t_png_kind kinds[] = {
        { .width = 20, .height = 30, .colour = 2, .depth = 8 },
        { .width = 20, .height = 30, .colour = 6, .depth = 8 },
        { .width = 20, .height = 30, .colour = 3, .depth = 4 },
        { .width = 20, .height = 30, .colour = 0, .depth = 16 },
        { .width = 20, .height = 30, .colour = 6, .depth = 8, .interlaced = 1 },
    };
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        struct torture t = { .expected = { 0 } };
        t_png_make(&kinds[i], &t.file);
        T(t_png_decode(t.file.data, t.file.len, &t.expected));
        T(t_alloc_torture(build, &t) >= 5);
        sq_image_finish(&t.expected);
        sq_buf_finish(&t.file);
    }
}
