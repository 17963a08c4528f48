#include "image/pipeline/codec.h"

#include "support/test.h"
#include "unit/image/encoded.h"

#define HEAD_BYTES 16384

/* The size from the header must be that of the decoder. */
T_CASE(header_gives_the_size_of_the_decoder) {
    for (int round = 0; round < 40; round++) {
        int width = (int)t_random_between(1, 700);
        int height = (int)t_random_between(1, 700);
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        encoded_page(width, height, &image);
        for (int kind = 0; kind < ENCODED_RAW; kind++) {
            struct sq_size told = { 0 };
            struct sq_size found = { 0 };
            T_BUF(file, (size_t)4 << 20);
            encoded_make((enum encoded_kind)kind, &image, &file);
            T(sq_codec_size(file.data, file.len, &told, NULL));
            size_t head = file.len < HEAD_BYTES ? file.len : HEAD_BYTES;
            if (!T(sq_head_size(file.data, head, &found))) {
                printf("# %s\n", encoded_names[kind]);
            }
            T_INT(found.width, told.width);
            T_INT(found.height, told.height);
        }
    }
}

/* With any number of bytes: the right size, or none. */
T_CASE(short_header_gives_the_right_size_or_none) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    encoded_page(90, 50, &image);
    for (int kind = 0; kind < ENCODED_RAW; kind++) {
        T_BUF(file, (size_t)1 << 20);
        encoded_make((enum encoded_kind)kind, &image, &file);
        for (size_t len = 0; len < file.len && len < 1024; len++) {
            struct sq_size found = { 0 };
            if (sq_head_size(file.data, len, &found)) {
                T_INT(found.width, 90);
                T_INT(found.height, 50);
            }
        }
    }
}

/* The size of a rotated camera picture is that of the upright one. */
T_CASE(size_of_a_rotated_png_is_upright) {
    static const uint8_t turned[] =
        "\x89PNG\r\n\x1a\n"
        "\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x20\x08\x02\0\0\0...."
        "\0\0\0\x1a"
        "eXIfMM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
        "....\0\0\0\x04IDAT........";
    struct sq_size found = { 0 };
    T(sq_head_size(turned, sizeof(turned) - 1, &found));
    T_INT(found.width, 32);
    T_INT(found.height, 64);
}
