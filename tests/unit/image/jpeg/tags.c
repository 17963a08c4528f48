#include "image/jpeg/private.h"

#include "support/tagged.h"
#include "support/test.h"

/* A start marker, a quantisation table, and the start of the data. */
static const uint8_t skeleton[] = { 0xff, 0xd8, 0xff, 0xdb, 0, 4,    1,
                                    2,    0xff, 0xda, 0,    2, 0xff, 0xd9 };
static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static void
start(struct sq_buf *file) {
    sq_buf_init(file, (size_t)32 << 20);
    T_OK(sq_buf_append(file, skeleton, sizeof(skeleton), &t_err));
}

/* The profile must have these bytes; NULL: no profile. */
static void
check_profile(const struct sq_buf *file, const char *want) {
    T_FREED(sq_jpeg_tags_finish) struct sq_jpeg_tags tags = { 0 };
    T_OK(sq_jpeg_tags_init(&tags, file->data, file->len, &t_err));
    T_BYTES(tags.icc.data, tags.icc.len, want, want ? strlen(want) : 0);
}

T_CASE(file_without_tags_has_none) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_jpeg_tags_finish) struct sq_jpeg_tags tags = { 0 };
    start(&file);
    check_profile(&file, NULL);
    T_OK(sq_jpeg_tags_init(&tags, file.data, file.len, &t_err));
    T_INT(tags.orientation, SQ_ORIENT_UPRIGHT);
}

T_CASE(profile_pieces_are_joined_by_number) {
    static const int orders[][3] = { { 1, 2, 3 }, { 3, 1, 2 }, { 2, 3, 1 } };
    for (size_t i = 0; i < 3; i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        start(&file);
        for (size_t k = 0; k < 3; k++) {
            int number = orders[i][k];
            t_jpeg_add_piece(&file, number, 3, text + (number - 1) * 12, 12);
            t_jpeg_add(&file, 0xe2, "MPF\0something else", 19);
        }
        check_profile(&file, text);
    }
}

T_CASE(incomplete_profile_is_ignored) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    start(&file);
    t_jpeg_add_piece(&file, 1, 3, text, 12);
    t_jpeg_add_piece(&file, 3, 3, text, 12);
    check_profile(&file, NULL); /* one is missing */
    t_jpeg_add_piece(&file, 3, 3, text, 12);
    check_profile(&file, NULL); /* and one is present twice */
    t_jpeg_add_piece(&file, 2, 3, text, 12);
    check_profile(&file, NULL);
}

T_CASE(wrong_piece_numbers_are_ignored) {
    static const int wrong[][2] = { { 0, 1 }, { 2, 1 }, { 0, 0 }, { 1, 0 } };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        start(&file);
        t_jpeg_add_piece(&file, wrong[i][0], wrong[i][1], text, 12);
        check_profile(&file, NULL);
    }
    struct sq_buf file;
    start(&file);
    t_jpeg_add_piece(&file, 1, 1, text, 12);
    t_jpeg_add_piece(&file, 1, 2, text, 12);
    check_profile(&file, NULL);
    sq_buf_finish(&file);
}

T_CASE(profile_of_255_pieces_is_read) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    char want[256];
    start(&file);
    for (int i = 255; i > 0; i--) {
        want[i - 1] = text[i % 36];
        t_jpeg_add_piece(&file, i, 255, text + i % 36, 1);
    }
    want[255] = 0;
    check_profile(&file, want);
}

T_CASE(too_large_profile_is_ignored) {
    static uint8_t piece[60000];
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    int count = (int)(SQ_MAX_ICC_BYTES / sizeof(piece)) + 1;
    start(&file);
    for (int i = 1; i <= count; i++) {
        t_jpeg_add_piece(&file, i, count, piece, sizeof(piece));
    }
    check_profile(&file, NULL);
}

T_CASE(first_orientation_is_used) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    struct sq_buf exif[2];
    struct sq_jpeg_tags tags = { 0 };
    start(&file);
    t_exif_make(3, true, &exif[0]);
    t_exif_make(6, false, &exif[1]);
    t_jpeg_add_exif(&file, &exif[0]);
    t_jpeg_add(&file, 0xe1, "http://ns.adobe.com/xap/1.0/\0<x/>", 33);
    t_jpeg_add_exif(&file, &exif[1]); /* before the others */
    T_OK(sq_jpeg_tags_init(&tags, file.data, file.len, &t_err));
    T_INT(tags.orientation, SQ_ORIENT_TURN_RIGHT);
    sq_jpeg_tags_finish(&tags);
    sq_buf_finish(&exif[0]);
    sq_buf_finish(&exif[1]);
}

/* Fill bytes are skipped, and bytes after the image data are not read. */
T_CASE(tags_after_the_image_data_are_ignored) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    start(&file);
    t_jpeg_add_piece(&file, 1, 1, text, 36);
    T_BUF(late, 4096);
    T_OK(sq_buf_append(&late, "\xff\xd8\xff\xff\xff", 5, &t_err)
         && sq_buf_append(&late, file.data + 2, file.len - 2, &t_err));
    check_profile(&late, text);
    sq_buf_clear(&late);
    T_OK(sq_buf_append(&late, skeleton, sizeof(skeleton) - 2, &t_err)
         && sq_buf_append(&late, file.data + 2, file.len - 2, &t_err));
    check_profile(&late, NULL);
}

T_CASE(truncated_files_are_safe) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
    start(&file);
    t_exif_make(5, true, &exif);
    t_jpeg_add_piece(&file, 2, 2, text + 18, 18);
    t_jpeg_add_exif(&file, &exif);
    t_jpeg_add_piece(&file, 1, 2, text, 18);
    for (size_t length = 0; length < file.len; length++) {
        uint8_t *part = malloc(length ? length : 1);
        struct sq_jpeg_tags tags = { 0 };
        if (!T(part != NULL)) {
            break;
        }
        memcpy(part, file.data, length);
        T_OK(sq_jpeg_tags_init(&tags, part, length, &t_err));
        T(tags.icc.len == 0 || tags.icc.len == 36);
        sq_jpeg_tags_finish(&tags);
        free(part);
    }
}
