#include "image/colour/colour.h"

#include "support/tagged.h"
#include "support/test.h"

static int
read_exif(const struct sq_buf *exif) {
    return (int)sq_exif_orientation(exif->data, exif->len) + 1;
}

T_CASE(every_orientation_is_read_in_both_byte_orders) {
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        for (int i = 1; i <= 8; i++) {
            T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
            t_exif_make(i, big_endian, &exif);
            T_INT(read_exif(&exif), i);
        }
    }
}

T_CASE(exif_prefix_is_skipped) {
    T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
    t_exif_make(6, true, &exif);
    T_BUF(named, 4096);
    T_OK(sq_buf_append(&named, "Exif\0", 6, &t_err)
         && sq_buf_append(&named, exif.data, exif.len, &t_err));
    T_INT(read_exif(&named), 6);
}

T_CASE(invalid_orientation_is_upright) {
    static const int others[] = { 0, 9, 255, 65535 };
    T_INT(sq_exif_orientation(NULL, 0), SQ_ORIENT_UPRIGHT);
    T_INT(sq_exif_orientation((const uint8_t *)"Exif\0", 6), SQ_ORIENT_UPRIGHT);
    T_INT(sq_exif_orientation((const uint8_t *)"JPEG and so on", 14),
          SQ_ORIENT_UPRIGHT);
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
        t_exif_make(others[i], false, &exif);
        T_INT(read_exif(&exif), 1);
    }
}

/* With another type or count it is not the orientation of EXIF. */
T_CASE(entries_need_the_type_and_count_of_exif) {
    static const size_t places[] = { 24, 26 }; /* type and count */
    for (size_t i = 0; i < SQ_COUNT(places); i++) {
        T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
        t_exif_make(3, false, &exif);
        exif.data[places[i]] ^= 5;
        T_INT(read_exif(&exif), 1);
    }
}

T_CASE(truncated_data_is_upright) {
    T_FREED(sq_buf_finish) struct sq_buf exif = { 0 };
    t_exif_make(8, true, &exif);
    for (size_t length = 0; length <= exif.len; length++) {
        /* A copy of the exact size, so that reading beyond it is noticed. */
        uint8_t *part = malloc(length ? length : 1);
        if (!T(part != NULL)) {
            break;
        }
        memcpy(part, exif.data, length);
        T_INT(sq_exif_orientation(part, length),
              length < 34 ? SQ_ORIENT_UPRIGHT : SQ_ORIENT_TURN_LEFT);
        free(part);
    }
}

/* The list may be anywhere, and claim any number of entries. */
T_CASE(invalid_offsets_are_safe) {
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[40];
        for (size_t k = 0; k < sizeof(bytes); k++) {
            bytes[k] = (uint8_t)t_random();
        }
        memcpy(bytes, i % 2 ? "MM\0*" : "II*\0", 4);
        if (i % 3) {
            memset(bytes + 4, 0, 4);
            bytes[i % 2 ? 7 : 4] = (uint8_t)(t_random() % 48);
        }
        T(sq_exif_orientation(bytes, sizeof(bytes)) < SQ_ORIENTATIONS);
    }
}
