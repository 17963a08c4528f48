#include "image/png/private.h"

#include "image/pipeline/codec.h"
#include "support/icc_maker.h"
#include "support/png_maker.h"
#include "support/tagged.h"
#include "unit/image/pipeline/picture.h"

static const uint8_t cicp_p3[4] = { 12, 13, 0, 1 };
static const uint8_t cicp_srgb[4] = { 1, 13, 0, 1 };
/* gAMA: linear light, and the value for sRGB. */
static const uint8_t gamma_linear[4] = { 0, 1, 0x86, 0xa0 };
static const uint8_t gamma_srgb[4] = { 0, 0, 0xb1, 0x8f };

static void
put_chromaticities(uint8_t to[32], const double xy[8]) {
    for (size_t i = 0; i < 8; i++) {
        uint32_t value = (uint32_t)(xy[i] * 100000 + 0.5);
        for (size_t k = 0; k < 4; k++) {
            to[i * 4 + k] = (uint8_t)(value >> (24 - 8 * k));
        }
    }
}

static const double p3_xy[8] = { .3127, .3290, .680, .320,
                                 .265,  .690,  .150, .060 };
static const double srgb_xy[8] = { .3127, .3290, .64, .33, .30, .60, .15, .06 };

static void
make(int colour, struct sq_buf *file) {
    const struct t_png_kind kind = {
        .width = 40, .height = 30, .colour = colour, .depth = 8
    };
    t_png_make(&kind, file);
}

/* The conversion for a file, or NULL. */
static struct sq_colour *
colour_of(const struct sq_buf *file) {
    T_FREED(sq_png_finish) struct sq_png png = { 0 };
    struct sq_colour *colour = NULL;
    T_OK(sq_png_init(&png, file->data, file->len, &sq_limits_default, &t_err)
         && sq_png_colour(&png, &colour, &t_err));
    return colour;
}

static void
check_none(const struct sq_buf *file) {
    struct sq_colour *colour = colour_of(file);
    T(!colour);
    sq_colour_destroy(colour);
}

/* The conversion equals lcms2's with that profile, within two levels. */
static void
check_like(const struct sq_buf *file, enum t_icc_kind kind) {
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    struct sq_colour *colour = colour_of(file);
    t_icc_make(kind, &profile);
    for (int i = 0; T(colour != NULL) && i < 500; i++) {
        uint8_t from[4] = { (uint8_t)t_random(), (uint8_t)t_random(),
                            (uint8_t)t_random(), 255 };
        uint8_t to[4];
        uint8_t want[4];
        sq_colour_apply(colour, from, to, 1);
        t_icc_convert(&profile, SQ_PIXELS_RGB, from, want, 1);
        for (int c = 0; c < 3; c++) {
            T(to[c] - want[c] <= 2 && want[c] - to[c] <= 2);
        }
    }
    sq_colour_destroy(colour);
}

T_CASE(file_without_tags_is_srgb) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(2, &file);
    check_none(&file);
}

T_CASE(every_colour_chunk_is_read) {
    struct sq_buf file;
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    uint8_t xy[32];
    t_icc_make(T_ICC_P3, &profile);
    make(2, &file);
    t_png_add_profile(&file, &profile);
    check_like(&file, T_ICC_P3);
    sq_buf_finish(&file);

    make(6, &file);
    t_png_add(&file, "cICP", cicp_p3, 4);
    check_like(&file, T_ICC_P3);
    sq_buf_finish(&file);

    make(2, &file);
    t_png_add(&file, "gAMA", gamma_linear, 4);
    check_like(&file, T_ICC_LINEAR);
    put_chromaticities(xy, srgb_xy);
    t_png_add(&file, "cHRM", xy, 32);
    check_like(&file, T_ICC_LINEAR);
    sq_buf_finish(&file);

    make(2, &file);
    put_chromaticities(xy, p3_xy);
    t_png_add(&file, "cHRM", xy, 32);
    check_none(&file); /* not sufficient alone */
    t_png_add(&file, "gAMA", gamma_srgb, 4);
    check_like(&file, T_ICC_P3);
    sq_buf_finish(&file);
}

T_CASE(files_marked_srgb_need_no_conversion) {
    struct sq_buf file;
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    uint8_t xy[32];
    t_icc_make(T_ICC_SRGB_SAMPLED, &profile);
    make(2, &file);
    t_png_add_profile(&file, &profile);
    check_none(&file);
    sq_buf_finish(&file);
    make(2, &file);
    t_png_add(&file, "cICP", cicp_srgb, 4);
    check_none(&file);
    sq_buf_finish(&file);
    make(2, &file);
    t_png_add(&file, "gAMA", gamma_srgb, 4);
    check_none(&file);
    put_chromaticities(xy, srgb_xy);
    t_png_add(&file, "cHRM", xy, 32);
    check_none(&file);
    sq_buf_finish(&file);
}

T_CASE(chunk_of_highest_rank_is_used) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf adobe = { 0 };
    t_icc_make(T_ICC_ADOBE_RGB, &adobe);
    make(2, &file);
    t_png_add(&file, "gAMA", gamma_linear, 4);
    check_like(&file, T_ICC_LINEAR);
    t_png_add(&file, "sRGB", "", 1);
    check_none(&file);
    t_png_add_profile(&file, &adobe);
    check_like(&file, T_ICC_ADOBE_RGB);
    t_png_add(&file, "cICP", cicp_p3, 4);
    check_like(&file, T_ICC_P3);
}

T_CASE(unknown_code_points_are_ignored) {
    static const uint8_t unknown[][4] = {
        { 2, 13, 0, 1 }, { 1, 2, 0, 1 }, { 12, 13, 1, 1 }, { 12, 13, 0, 0 }
    };
    for (size_t i = 0; i < SQ_COUNT(unknown); i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make(2, &file);
        t_png_add(&file, "gAMA", gamma_linear, 4);
        t_png_add(&file, "cICP", unknown[i], 4);
        check_like(&file, T_ICC_LINEAR);
    }
}

/* Chunks after the pixels, or a profile for another kind of pixels. */
T_CASE(misplaced_chunks_are_ignored) {
    struct sq_buf file;
    struct sq_buf late;
    struct sq_buf chunk;
    struct sq_buf profile;
    make(2, &file);
    sq_buf_init(&chunk, 4096);
    t_png_put_chunk(&chunk, "cICP", cicp_p3, 4);
    t_png_put_chunk(&chunk, "gAMA", gamma_linear, 4);
    t_png_insert(&file, t_png_find(&file, "IEND", 0), &chunk, &late);
    check_none(&late);
    sq_buf_finish(&late);
    sq_buf_finish(&chunk);
    sq_buf_finish(&file);

    t_icc_make(T_ICC_P3, &profile);
    make(0, &file);
    t_png_add_profile(&file, &profile);
    check_none(&file);
    sq_buf_finish(&file);
    sq_buf_finish(&profile);
    t_icc_make(T_ICC_GREY_18, &profile);
    make(2, &file);
    t_png_add_profile(&file, &profile);
    check_none(&file);
    sq_buf_finish(&file);
    make(0, &file);
    t_png_add_profile(&file, &profile);
    struct sq_colour *colour = colour_of(&file);
    T(colour != NULL);
    sq_colour_destroy(colour);
    sq_buf_finish(&file);
    sq_buf_finish(&profile);
}

T_CASE(damaged_chunks_are_ignored) {
    static const struct {
        const char *type;
        const char *data;
        size_t length;
    } wrong[] = {
        { "iCCP", "", 0 },           { "iCCP", "a name without an end", 21 },
        { "iCCP", "\0\0abcdef", 8 }, { "iCCP", "name\0\1abcdef", 12 },
        { "iCCP", "name\0\0", 6 },   { "iCCP", "name\0\0no zlib stream", 20 },
        { "cICP", "\x0c\x0d", 2 },   { "gAMA", "\0\1\x86", 3 },
        { "gAMA", "\0\0\0\0", 4 },   { "eXIf", "MM", 2 },
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make(6, &file);
        t_png_add(&file, wrong[i].type, wrong[i].data, wrong[i].length);
        check_none(&file);
    }
}

/* Little data that inflates to more than any profile has. */
T_CASE(profile_that_inflates_too_much_is_ignored) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    uint8_t *room;
    T_BUF(zeros, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_buf_reserve(&zeros, SQ_MAX_ICC_BYTES * 4, &room, &t_err));
    memset(room, 0, SQ_MAX_ICC_BYTES * 4);
    sq_buf_commit(&zeros, SQ_MAX_ICC_BYTES * 4);
    make(2, &file);
    t_png_add_profile(&file, &zeros);
    T(file.len < 100000);
    check_none(&file);
}

/* libpng supports gAMA too: compare a whole picture. */
T_CASE(gamma_matches_libpng) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    T_FREED(sq_image_finish) struct sq_image want = { 0 };
    make(2, &file);
    t_png_add(&file, "gAMA", gamma_linear, 4);
    T_OK(
        sq_image_decode(file.data, file.len, &sq_limits_default, &got, &t_err));
    if (picture_from_png(file.data, file.len, &want)) {
        T(picture_psnr(&got, &want)
          > 40); /* its sRGB is a plain power function */
    }
}
