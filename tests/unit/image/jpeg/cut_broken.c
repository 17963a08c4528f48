#include "image/jpeg/private.h"

#include "unit/image/jpeg/recipe.h"

/* A copy of the exact size, so that reading beyond it is noticed. */
static bool
decode_cut_short(const struct sq_buf *file, size_t length,
                 struct sq_region region, struct sq_image *out) {
    uint8_t *part = malloc(length ? length : 1);
    struct sq_err err = { 0 };
    bool ok = false;
    if (T(part != NULL)) {
        memcpy(part, file->data, length);
        ok = decode_cut(part, length, region, out, &err);
        T(ok || err.code == SQ_ERR_FORMAT || err.code == SQ_ERR_TRUNCATED);
    }
    free(part);
    return ok;
}

/* Offset of the end of the first `rows` rows; a marker ends each row. */
static size_t
end_of_rows(const struct sq_buf *file, int rows) {
    for (size_t i = 0; i + 1 < file->len; i++) {
        bool restart = file->data[i] == 0xff && file->data[i + 1] >= 0xd0
                    && file->data[i + 1] <= 0xd7;
        if (restart && --rows == 0) {
            return i;
        }
    }
    return file->len;
}

T_CASE(file_truncated_in_or_above_the_region_is_refused) {
    static const struct sq_region middle = { 17, 34, 10, 11 };
    for (size_t k = 0; k < recipe_count; k++) {
        struct recipe recipe = recipes[k];
        bool grey = recipe.colours == JCS_GRAYSCALE;
        int mcu_width = grey ? 8 : 8 * recipe.h;
        int mcu_height = grey ? 8 : 8 * recipe.v;
        recipe.restart_mcus = (unsigned int)((50 + mcu_width - 1) / mcu_width);
        struct sq_buf file;
        struct sq_image whole = { 0 };
        make(&recipe, 50, 80, &file);
        ref_decode(&file, 8, &whole);
        /* Decoding may stop at the right side of the region in its last row. */
        size_t needed = end_of_rows(&file, (34 + 10) / mcu_height);
        size_t enough = end_of_rows(&file, (34 + 11 + 8) / mcu_height + 1);
        size_t step = t_tests_all() ? 1 : 3;
        for (size_t length = k % step; length <= file.len; length += step) {
            struct sq_image part = { 0 };
            bool ok = decode_cut_short(&file, length, middle, &part);
            T(length > needed || !ok);
            T(length < enough + 2 || ok);
            T(!ok || count_differences(&part, &whole, 17, 34) == 0);
            sq_image_finish(&part);
        }
        sq_image_finish(&whole);
        sq_buf_finish(&file);
    }
}

T_CASE(truncated_file_has_no_last_row) {
    static const struct sq_region bottom = { 3, 30, 9, 3 };
    for (size_t k = 0; k < recipe_count; k++) {
        struct sq_buf file;
        struct sq_image part = { 0 };
        make(&recipes[k], 40, 33, &file);
        for (size_t length = 0; length < file.len; length++) {
            T(!decode_cut_short(&file, length, bottom, &part));
        }
        T(decode_cut_short(&file, file.len, bottom, &part));
        sq_image_finish(&part);
        sq_buf_finish(&file);
    }
}

/* A file that is still accepted has the pixels of libjpeg. */
T_CASE(damaged_file_is_refused_or_read_as_libjpeg_does) {
    long accepted = 0;
    size_t step = t_tests_all() ? 1 : 3;
    for (size_t k = 0; k < recipe_count; k++) {
        struct recipe recipe = recipes[k];
        struct sq_buf file;
        recipe.restart_mcus = k % 2 ? 3 : 0;
        make(&recipe, 50, 44, &file);
        for (size_t at = k % step; at < file.len; at += step) {
            const struct sq_region region = { 20, 17, 11, 9 };
            uint8_t damage = (uint8_t)t_random_between(1, 255);
            struct sq_image got = { 0 };
            struct sq_image want = { 0 };
            struct sq_err err = { 0 };
            file.data[at] ^= damage;
            if (decode_cut(file.data, file.len, region, &got, &err)
                && decode(file.data, file.len, region, &want, &err)) {
                accepted++;
                if (!T_INT(count_differences(&got, &want, 0, 0), 0)) {
                    printf("# %s byte %zu ^ %d\n", recipe.name, at, damage);
                }
            }
            file.data[at] ^= damage;
            sq_image_finish(&want);
            sq_image_finish(&got);
        }
        sq_buf_finish(&file);
    }
    T(accepted > 300);
}

T_CASE(damage_below_a_region_does_not_matter) {
    static const struct sq_region middle = { 300, 200, 60, 40 };
    struct sq_buf file;
    struct sq_image part = { 0 };
    struct sq_err err = { 0 };
    make(common_recipe, 500, 400, &file);
    T(pays(&file, middle));
    T(decode(file.data, file.len * 3 / 4, middle, &part, &err));
    sq_image_finish(&part);
    T(!decode(file.data, file.len / 2, middle, &part, &err));
    T_INT(err.code, SQ_ERR_TRUNCATED);
    sq_buf_finish(&file);
}

/* Bytes of 0xff before a marker are valid, and too rare for the cutter. */
T_CASE(unusual_valid_files_are_left_to_libjpeg) {
    static const struct sq_region middle = { 300, 200, 60, 40 };
    struct recipe recipe = *common_recipe;
    struct sq_buf file;
    struct sq_buf odd;
    struct sq_buf small;
    struct sq_image want = { 0 };
    struct sq_image got = { 0 };
    struct sq_region inside;
    struct sq_err err = { 0 };
    recipe.restart_mcus = 32;
    make(&recipe, 500, 400, &file);
    size_t at = end_of_rows(&file, 2);
    sq_buf_init(&odd, 1 << 24);
    sq_buf_init(&small, 1 << 24);
    T(sq_buf_append(&odd, file.data, at, &err)
      && sq_buf_append(&odd, "\xff", 1, &err)
      && sq_buf_append(&odd, file.data + at, file.len - at, &err));
    T(!cut(odd.data, odd.len, middle, &small, &inside, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    ref_decode(&file, 8, &want);
    if (T_OK(decode(odd.data, odd.len, middle, &got, &err), &err)) {
        T_INT(count_differences(&got, &want, middle.x, middle.y), 0);
    }
    sq_image_finish(&got);
    sq_image_finish(&want);
    sq_buf_finish(&small);
    sq_buf_finish(&odd);
    sq_buf_finish(&file);
}
