#include "image/pipeline/head.h"

#include "support/test.h"
#include "unit/image/encoded.h"

#define HEAD_BYTES 16384

/* The decoders say how large it is; the head has to say the same. */
static void
the_head_tells_what_the_decoder_does(void) {
    for (int round = 0; round < 40; round++) {
        int width = (int)t_random_between(1, 700);
        int height = (int)t_random_between(1, 700);
        struct sq_image image;
        encoded_page(width, height, &image);
        for (int kind = 0; kind < ENCODED_RAW; kind++) {
            struct sq_buf file;
            struct sq_size told = { 0 };
            struct sq_size found = { 0 };
            sq_buf_init(&file, (size_t)4 << 20);
            encoded_make((enum encoded_kind)kind, &image, &file);
            T(sq_codec_size(file.data, file.len, &told, NULL));
            size_t head = file.len < HEAD_BYTES ? file.len : HEAD_BYTES;
            if (!T(sq_head_size(file.data, head, &found))) {
                printf("# %s\n", encoded_names[kind]);
            }
            T_INT(found.width, told.width);
            T_INT(found.height, told.height);
            sq_buf_finish(&file);
        }
        sq_image_finish(&image);
    }
}

/* However few bytes there are: the size, or nothing. */
static void
a_short_head_tells_nothing_wrong(void) {
    struct sq_image image;
    encoded_page(90, 50, &image);
    for (int kind = 0; kind < ENCODED_RAW; kind++) {
        struct sq_buf file;
        sq_buf_init(&file, (size_t)1 << 20);
        encoded_make((enum encoded_kind)kind, &image, &file);
        for (size_t len = 0; len < file.len && len < 1024; len++) {
            struct sq_size found = { 0 };
            if (sq_head_size(file.data, len, &found)) {
                T_INT(found.width, 90);
                T_INT(found.height, 50);
            }
        }
        sq_buf_finish(&file);
    }
    sq_image_finish(&image);
}

/* A camera's picture that lies on its side is told as it is seen. */
static void
a_turned_png_is_told_upright(void) {
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

T_MAIN(T_CASE(the_head_tells_what_the_decoder_does),
       T_CASE(a_short_head_tells_nothing_wrong),
       T_CASE(a_turned_png_is_told_upright))
