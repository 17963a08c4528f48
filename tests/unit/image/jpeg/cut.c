#include "image/jpeg/private.h"

#include "unit/image/jpeg/recipe.h"

#define RAMP_SIDE 400

/* Brighter from block to block, starting with the grey whose code is zero. */
static int
paint_ramp(int x, int y, int channel) {
    (void)channel;
    int block = y / 8 * (RAMP_SIDE / 8) + x / 8;
    int blocks = (RAMP_SIDE / 8) * (RAMP_SIDE / 8);
    return 128 + 127 * block / blocks;
}

static struct sq_region
random_region(const struct sq_image *whole) {
    struct sq_region region;
    region.x = (int)t_random_between(0, whole->width - 1);
    region.y = (int)t_random_between(0, whole->height - 1);
    region.width = (int)t_random_between(1, whole->width - region.x);
    region.height = (int)t_random_between(1, whole->height - region.y);
    switch (t_random_between(0, 7)) {
    case 0:
        region.x = 0;
        break;
    case 1:
        region.y = 0;
        break;
    case 2:
        region.width = whole->width - region.x;
        break;
    case 3:
        region.height = whole->height - region.y;
        break;
    case 4:
        region.width = region.height = 1;
        break;
    case 5:
        region = (struct sq_region){ 0, 0, whole->width, whole->height };
        break;
    default:
        break;
    }
    return region;
}

static bool
check_region(const struct sq_buf *file, const struct sq_image *whole,
             struct sq_region region) {
    struct sq_image part = { 0 };
    struct sq_err err = { 0 };
    bool ok = T_OK(decode_cut(file->data, file->len, region, &part, &err), &err)
           && T_INT(count_differences(&part, whole, region.x, region.y), 0);
    sq_image_finish(&part);
    return ok;
}

static void
check_regions(const struct recipe *recipe, int width, int height, int count) {
    struct sq_buf file;
    struct sq_image whole = { 0 };
    make(recipe, width, height, &file);
    ref_decode(&file, 8, &whole);
    for (int i = 0; i < count; i++) {
        struct sq_region region = random_region(&whole);
        if (!check_region(&file, &whole, region)) {
            printf("# %s q%d restart %u%s: %d,%d %dx%d of %dx%d\n",
                   recipe->name, recipe->quality, recipe->restart_mcus,
                   recipe->optimise ? " optimised" : "", region.x, region.y,
                   region.width, region.height, width, height);
        }
    }
    sq_image_finish(&whole);
    sq_buf_finish(&file);
}

T_CASE(cut_region_equals_the_region_of_the_whole) {
    static int (*const paints[])(int, int, int) = { paint_mixed, paint_noise,
                                                    paint_screen };
    static const unsigned int restarts[] = { 0, 1, 3, 7 };
    for (size_t i = 0; i < recipe_count * 3 * 4 * 2; i++) {
        struct recipe recipe = recipes[i % recipe_count];
        recipe.paint = paints[i / recipe_count % 3];
        recipe.restart_mcus = restarts[i / recipe_count / 3 % 4];
        recipe.optimise = i / recipe_count / 12;
        recipe.quality = (int)t_random_between(1, 100);
        int width = (int)t_random_between(1, 150);
        int height = (int)t_random_between(1, 110);
        check_regions(&recipe, width, height, 20);
    }
}

T_CASE(every_quality_can_be_cut) {
    for (int quality = 1; quality <= 100; quality++) {
        struct recipe recipe = *common_recipe;
        recipe.quality = quality;
        recipe.optimise = quality % 2;
        recipe.paint = quality % 3 ? paint_mixed : paint_noise;
        check_regions(&recipe, 97, 65, 6);
    }
}

/* Only the highest frequency, or nothing. */
static int
paint_full(int x, int y, int channel) {
    (void)channel;
    static const int wave[] = { 195, -556, 831, -981, 981, -831, 556, -195 };
    bool empty = (x / 8 * 3 + y / 8) % 5 == 0;
    return empty ? 128 : 128 + 24 * wave[x % 8] * wave[y % 8] / 1000000;
}

/*
 * Codes so short that one lookup covers the end of a block and the next start.
 */
T_CASE(blocks_without_an_end_code) {
    static const struct recipe full = { .name = "full",
                                        .colours = JCS_GRAYSCALE,
                                        .h = 1,
                                        .v = 1,
                                        .quality = 50,
                                        .optimise = true,
                                        .paint = paint_full };
    check_regions(&full, 200, 160, 50);
}

/* Smoothing depends on the pixels after the region. */
T_CASE(regions_near_the_right_edge_are_exact) {
    for (size_t k = 0; k < recipe_count; k++) {
        for (int width = 1; width < 70; width++) {
            struct sq_buf file;
            struct sq_image whole = { 0 };
            make(&recipes[k], width, 9, &file);
            ref_decode(&file, 8, &whole);
            for (int x = width > 20 ? width - 20 : 0; x < width; x++) {
                const struct sq_region region = { x, 3, width - x, 2 };
                const struct sq_region pixel = { x, 8, 1, 1 };
                if (!check_region(&file, &whole, region)
                    || !check_region(&file, &whole, pixel)) {
                    printf("# %s: %d of %d\n", recipes[k].name, x, width);
                }
            }
            sq_image_finish(&whole);
            sq_buf_finish(&file);
        }
    }
}

static const struct sq_region ramp_end = { RAMP_SIDE - 30, RAMP_SIDE - 30, 20,
                                           20 };

/* Whether the file has a DC code for differences of `category` bits. */
static bool
has_category(const struct sq_buf *file, int category) {
    struct sq_jpeg_input input;
    struct sq_err err = { 0 };
    bool found = false;
    if (T_OK(sq_jpeg_input_init(&input, file->data, file->len, &err), &err)) {
        const JHUFF_TBL *table = input.cinfo.dc_huff_tbl_ptrs[0];
        int count = 0;
        for (int bits = 1; bits <= 16; bits++) {
            count += table->bits[bits];
        }
        found = memchr(table->huffval, category, (size_t)count) != NULL;
    }
    sq_jpeg_input_finish(&input);
    return found;
}

T_CASE(missing_huffman_codes_are_added) {
    static const struct recipe ramp = { .name = "ramp",
                                        .colours = JCS_GRAYSCALE,
                                        .h = 1,
                                        .v = 1,
                                        .quality = 100,
                                        .optimise = true,
                                        .paint = paint_ramp };
    struct sq_buf file;
    struct sq_image whole = { 0 };
    make(&ramp, RAMP_SIDE, RAMP_SIDE, &file);
    ref_decode(&file, 8, &whole);
    T(!has_category(&file, 10));
    check_region(&file, &whole, ramp_end);
    sq_image_finish(&whole);
    sq_buf_finish(&file);
}

T_CASE(without_space_for_a_code_libjpeg_decodes) {
    /* 0, 4 and then only the longest possible code. */
    static const JHUFF_TBL full = {
        .bits = { 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
        .huffval = { 0, 4, 1, 2, 3 },
    };
    static const struct recipe ramp = { .name = "full ramp",
                                        .colours = JCS_GRAYSCALE,
                                        .h = 1,
                                        .v = 1,
                                        .quality = 100,
                                        .paint = paint_ramp,
                                        .dc = &full };
    struct sq_buf file;
    struct sq_buf small;
    struct sq_image whole = { 0 };
    struct sq_image part = { 0 };
    struct sq_region inside;
    struct sq_err err = { 0 };
    make(&ramp, RAMP_SIDE, RAMP_SIDE, &file);
    ref_decode(&file, 8, &whole);
    sq_buf_init(&small, 1 << 20);
    T(!cut(file.data, file.len, ramp_end, &small, &inside, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    T_INT(small.len, 0);
    err.code = SQ_ERR_NONE;
    if (T_OK(decode(file.data, file.len, ramp_end, &part, &err), &err)) {
        T_INT(count_differences(&part, &whole, ramp_end.x, ramp_end.y), 0);
    }
    sq_image_finish(&part);
    sq_image_finish(&whole);
    sq_buf_finish(&small);
    sq_buf_finish(&file);
}

T_CASE(full_buffer_is_unchanged) {
    static const struct sq_region region = { 20, 17, 11, 9 };
    struct sq_buf file;
    size_t max = 0;
    bool ok = false;
    make(common_recipe, 50, 44, &file);
    for (; !ok && T(max < 100000); max += 97) {
        struct sq_buf out;
        struct sq_region inside;
        struct sq_err err = { 0 };
        sq_buf_init(&out, max);
        ok = cut(file.data, file.len, region, &out, &inside, &err);
        T(ok || (err.code == SQ_ERR_LIMIT && out.len == 0));
        sq_buf_finish(&out);
    }
    T(max > 1000);
    sq_buf_finish(&file);
}

T_CASE(cutting_is_used_if_much_can_be_skipped) {
    static const struct ref_kind progressive = {
        "progressive", JCS_YCbCr, 2, 2, true, false, 0, false
    };
    static const struct sq_region corner = { 440, 340, 40, 40 };
    struct sq_buf file;
    make(common_recipe, 500, 400, &file);
    T(pays(&file, corner));
    T(pays(&file, (struct sq_region){ 0, 200, 100, 100 }));
    T(!pays(&file, (struct sq_region){ 0, 0, 500, 400 }));
    T(!pays(&file, (struct sq_region){ 0, 100, 500, 300 }));
    T(!pays(&file, (struct sq_region){ 0, 0, 10, 10 }));
    sq_buf_clear(&file);
    ref_encode(&progressive, 500, 400, &file);
    T(!pays(&file, corner));
    sq_buf_finish(&file);
}

/* The same through the reader, which decides itself. */
T_CASE(reader_cuts_large_pictures) {
    for (size_t k = 0; k < recipe_count; k++) {
        struct recipe recipe = recipes[k];
        struct sq_buf file;
        struct sq_image whole = { 0 };
        recipe.restart_mcus = k % 2 ? 50 : 0;
        make(&recipe, 501, 403, &file);
        ref_decode(&file, 8, &whole);
        for (int i = 0; i < 12; i++) {
            struct sq_image part = { 0 };
            struct sq_err err = { 0 };
            struct sq_region region;
            region.x = (int)t_random_between(0, 450);
            region.y = (int)t_random_between(200, 350);
            region.width = (int)t_random_between(1, 501 - region.x);
            region.height = (int)t_random_between(1, 403 - region.y);
            if (T_OK(decode(file.data, file.len, region, &part, &err), &err)
                && !T_INT(count_differences(&part, &whole, region.x, region.y),
                          0)) {
                printf("# %s %d,%d %dx%d\n", recipe.name, region.x, region.y,
                       region.width, region.height);
            }
            sq_image_finish(&part);
        }
        sq_image_finish(&whole);
        sq_buf_finish(&file);
    }
}

static bool
read_corner(void *context, struct sq_err *err) {
    static const struct sq_region corner = { 440, 340, 40, 40 };
    const struct sq_buf *file = context;
    struct sq_image part = { 0 };
    bool ok = decode(file->data, file->len, corner, &part, err);
    sq_image_finish(&part);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    struct sq_buf file;
    make(common_recipe, 500, 400, &file);
    T(t_alloc_torture(read_corner, &file) >= 5);
    sq_buf_finish(&file);
}
