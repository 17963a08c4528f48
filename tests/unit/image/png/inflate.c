/* Valid streams: every byte is decoded, for any sequence of requests. */
#include "image/png/inflate.h"

#include <libdeflate.h>

#include "unit/image/png/deflate_maker.h"

#define FRESH (64 * 1024)

enum content {
    CONTENT_ZERO,
    CONTENT_RANDOM,
    CONTENT_SKEWED, /* few symbols are common, many are rare: long codes */
    CONTENT_PHOTO,
    CONTENT_ROWS, /* rows of pixels that resemble the ones above */
    CONTENT_FAR,  /* repeats 32768 bytes and fewer back */
    CONTENTS,
};

static uint8_t
byte_of(enum content content, const uint8_t *bytes, size_t i) {
    static const size_t far[] = { 32768, 32767, 32760, 20000, 4097 };
    uint64_t r = t_random();
    switch (content) {
    case CONTENT_ZERO:
        return 0;
    case CONTENT_SKEWED:
        return (uint8_t)(__builtin_ctzll(r | 1u << 20) * 11 + (int)(r >> 63));
    case CONTENT_PHOTO:
        return (uint8_t)((i ? bytes[i - 1] : 128) + (int)(r % 5) - 2);
    case CONTENT_ROWS:
        return i >= 400 && r % 50 ? bytes[i - 400] : (uint8_t)(r >> 8);
    case CONTENT_FAR: {
        size_t back = far[i / 1000 % 5];
        return i >= back ? bytes[i - back] : (uint8_t)r;
    }
    case CONTENT_RANDOM:
    case CONTENTS:
    default:
        return (uint8_t)r;
    }
}

static uint8_t *
make_bytes(enum content content, size_t count) {
    uint8_t *bytes = malloc(count + 1);
    for (size_t i = 0; T(bytes != NULL) && i < count; i++) {
        bytes[i] = byte_of(content, bytes, i);
    }
    return bytes;
}

static void
check(const struct inflation *how, const void *want, size_t count) {
    struct inflated got = inflate_stream(how);
    T(got.ok);
    T_BYTES(got.bytes.data, got.bytes.len, want, count);
    T_INT(got.rest, how->length);
    sq_buf_finish(&got.bytes);
}

/* libdeflate decodes the maker's bytes, then so must we. */
static void
check_made(const struct maker *m, const struct inflation *how) {
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    uint8_t *room = malloc(m->bytes.len + 1);
    size_t got = 0;
    if (T(d != NULL) && T(room != NULL)) {
        T_INT(libdeflate_deflate_decompress(d, m->stream.data, m->stream.len,
                                            room, m->bytes.len, &got),
              LIBDEFLATE_SUCCESS);
        T_BYTES(room, got, m->bytes.data, m->bytes.len);
    }
    free(room);
    libdeflate_free_decompressor(d);
    check(how, m->bytes.data, m->bytes.len);
}

static size_t
compress_bytes(const uint8_t *bytes, size_t count, int level, uint8_t **out) {
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
    size_t bound = libdeflate_deflate_compress_bound(c, count);
    *out = malloc(bound);
    size_t length = libdeflate_deflate_compress(c, bytes, count, *out, bound);
    T(length > 0);
    libdeflate_free_compressor(c);
    return length;
}

T_CASE(streams_of_every_libdeflate_level) {
    static const size_t counts[] = { 0, 1, 2, 300, 5000, 150000 };
    for (int content = 0; content < CONTENTS; content++) {
        for (int level = 0; level <= 12; level++) {
            for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
                uint8_t *stream = NULL;
                uint8_t *bytes = make_bytes((enum content)content, counts[i]);
                size_t length =
                    compress_bytes(bytes, counts[i], level, &stream);
                struct inflation how = { stream, length, NULL, FRESH, 0 };
                check(&how, bytes, counts[i]);
                free(stream);
                free(bytes);
            }
        }
    }
}

/* The window is slid exactly like in the PNG reader. */
T_CASE(windows_of_unusual_sizes) {
    static const size_t sizes[] = { 61, 257, 258, 259, 320, 999, 4096, 32769 };
    for (int content = 0; content < CONTENTS; content++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            uint8_t *stream = NULL;
            size_t count = 90000;
            uint8_t *bytes = make_bytes((enum content)content, count);
            size_t length =
                compress_bytes(bytes, count, i % 2 ? 6 : 12, &stream);
            struct inflation how = { stream, length, NULL, sizes[i], 0 };
            check(&how, bytes, count);
            free(stream);
            free(bytes);
        }
    }
}

T_CASE(output_limits_at_any_position) {
    static const int64_t steps[] = { 1, 2, 3, 5, 17, 300, 5000 };
    for (int content = 0; content < CONTENTS; content++) {
        for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
            uint8_t *stream = NULL;
            size_t count = 70000;
            uint8_t *bytes = make_bytes((enum content)content, count);
            size_t length = compress_bytes(bytes, count, (int)i * 2, &stream);
            struct inflation how = { stream, length, NULL, FRESH, steps[i] };
            check(&how, bytes, count);
            free(stream);
            free(bytes);
        }
    }
}

/* All lengths at one distance, each match after some new bytes. */
static void
put_all_lengths(struct maker *m, unsigned distance) {
    for (unsigned length = 3; length <= 258; length++) {
        for (unsigned i = 0; i < 3 || m->bytes.len < distance; i++) {
            maker_literal(m, (unsigned)t_random() & 255);
        }
        maker_match(m, length, distance);
    }
}

T_CASE(every_length_at_every_short_distance) {
    for (unsigned distance = 1; distance <= 40; distance++) {
        struct maker m;
        maker_init(&m);
        maker_start_fixed(&m, true);
        put_all_lengths(&m, distance);
        maker_end_block(&m);
        maker_align(&m);
        struct inflation how = { m.stream.data, m.stream.len, NULL, FRESH, 0 };
        check_made(&m, &how);
        how.most_step = 40;
        check_made(&m, &how);
        maker_finish(&m);
    }
}

/* Both ends of the range of every distance code. */
T_CASE(every_long_distance) {
    struct maker m;
    maker_init(&m);
    maker_start_fixed(&m, true);
    for (unsigned exponent = 2; exponent <= 14; exponent++) {
        for (unsigned half = 2; half <= 4; half++) {
            unsigned distance = half << (exponent - 1);
            while (m.bytes.len <= distance) {
                maker_literal(&m, (unsigned)t_random() & 255);
            }
            maker_match(&m, (unsigned)t_random_between(3, 258), distance);
            if (distance < 32768) {
                maker_match(&m, (unsigned)t_random_between(3, 258),
                            distance + 1);
            }
        }
    }
    T(m.bytes.len > 32768);
    maker_end_block(&m);
    maker_align(&m);
    for (size_t fresh = 1; fresh < FRESH; fresh = fresh * 3 + 100) {
        struct inflation how = { m.stream.data, m.stream.len, NULL, fresh, 0 };
        check_made(&m, &how);
    }
    maker_finish(&m);
}

/* As far back as there are bytes, starting with the first byte. */
T_CASE(matches_reach_the_very_first_byte) {
    struct maker m;
    maker_init(&m);
    maker_start_fixed(&m, true);
    maker_literal(&m, 'x');
    maker_match(&m, 258, 1);
    while (m.bytes.len < 32000) {
        maker_match(&m, 200, (unsigned)m.bytes.len);
    }
    maker_end_block(&m);
    maker_align(&m);
    struct inflation how = { m.stream.data, m.stream.len, NULL, FRESH, 0 };
    check_made(&m, &how);
    maker_finish(&m);
}

/* Codes that no encoder would choose: any full tree, up to 15 bits. */
T_CASE(every_kind_of_code) {
    static const size_t litlens[] = { 1, 2, 3, 20, 100, 285, 286 };
    static const size_t dists[] = { 0, 1, 2, 3, 16, 29, 30 };
    for (int round = 0; round < 300; round++) {
        struct maker m;
        maker_init(&m);
        for (int block = 0; block < 4; block++) {
            maker_random_lengths(&m, 0, 286, litlens[t_random() % 7],
                                 block % 2);
            maker_random_lengths(&m, MAKER_LITLENS, 30, dists[t_random() % 7],
                                 round % 2);
            maker_start_dynamic(&m, block == 3);
            maker_random_symbols(&m, 300);
            maker_end_block(&m);
        }
        maker_align(&m);
        struct inflation how = { m.stream.data, m.stream.len, NULL, FRESH, 0 };
        check_made(&m, &how);
        how.most_step = 9;
        check_made(&m, &how);
        maker_finish(&m);
    }
}

/* A block may have a single distance code, of one bit. */
T_CASE(single_distance) {
    struct maker m;
    maker_init(&m);
    memset(m.lengths, 0, sizeof(m.lengths));
    m.lengths['a'] = 2;
    m.lengths[256] = 2;
    m.lengths[257] = 2;
    m.lengths[285] = 2;
    m.lengths[MAKER_LITLENS] = 1;
    maker_start_dynamic(&m, true);
    maker_literal(&m, 'a');
    maker_match(&m, 3, 1);
    maker_match(&m, 258, 1);
    maker_end_block(&m);
    maker_align(&m);
    struct inflation how = { m.stream.data, m.stream.len, NULL, FRESH, 0 };
    check_made(&m, &how);
    maker_finish(&m);
}

static void
put_random_block(struct maker *m, bool last) {
    uint8_t *bytes = make_bytes(CONTENT_RANDOM, 65535);
    switch (t_random_between(0, 4)) {
    case 0:
        maker_stored(m, last, bytes, 0);
        break;
    case 1:
        maker_stored(m, last, bytes, (size_t)t_random_between(1, 3000));
        break;
    case 2:
        maker_start_fixed(m, last);
        maker_end_block(m);
        break;
    case 3:
        maker_start_fixed(m, last);
        maker_random_symbols(m, 100);
        maker_end_block(m);
        break;
    default:
        maker_random_lengths(m, 0, 286, 100, false);
        maker_random_lengths(m, MAKER_LITLENS, 30, 12, false);
        maker_start_dynamic(m, last);
        maker_random_symbols(m, 100);
        maker_end_block(m);
        break;
    }
    free(bytes);
}

T_CASE(blocks_of_all_kinds_in_any_order) {
    for (int round = 0; round < 200; round++) {
        struct maker m;
        maker_init(&m);
        for (int64_t left = t_random_between(0, 12); left >= 0; left--) {
            put_random_block(&m, left == 0);
        }
        maker_align(&m);
        struct inflation how = { m.stream.data, m.stream.len, NULL, 700,
                                 round % 2 ? 33 : 0 };
        check_made(&m, &how);
        maker_finish(&m);
    }
}

T_CASE(largest_stored_block) {
    struct maker m;
    uint8_t *bytes = make_bytes(CONTENT_RANDOM, 65535);
    maker_init(&m);
    maker_stored(&m, true, bytes, 65535);
    struct inflation how = { m.stream.data, m.stream.len, NULL, 1000, 0 };
    check_made(&m, &how);
    maker_finish(&m);
    free(bytes);
}

/* Bytes after the stream are neither consumed nor counted. */
T_CASE(bytes_after_the_stream_are_not_consumed) {
    for (size_t after_count = 0; after_count < 40; after_count++) {
        struct maker m;
        maker_init(&m);
        maker_start_fixed(&m, true);
        for (size_t i = 0; i <= after_count; i++) {
            maker_literal(&m, 'z');
        }
        maker_end_block(&m);
        maker_align(&m);
        size_t length = m.stream.len;
        for (size_t i = 0; i < after_count; i++) {
            maker_put_byte(&m.stream, (unsigned)t_random());
        }
        struct inflation how = { m.stream.data, m.stream.len, NULL, 100, 0 };
        struct inflated got = inflate_stream(&how);
        T(got.ok);
        T_INT(got.rest, length);
        T_BYTES(got.bytes.data, got.bytes.len, m.bytes.data, m.bytes.len);
        sq_buf_finish(&got.bytes);
        maker_finish(&m);
    }
}
