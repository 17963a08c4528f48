#include "image/pipeline/pack.h"

#include "support/test.h"
#include "util/mem.h"

#define CEILING ((size_t)4 << 20)

/* Packs and unpacks; returns the packed size, 0 if the bytes differ. */
static size_t
round_trip(const uint8_t *bytes, size_t len, size_t width) {
    T_BUF(packed, CEILING);
    T_BUF(again, CEILING);
    size_t size = 0;
    if (T_OK(sq_pack(bytes, len, width, &packed, &t_err))
        && T_OK(sq_unpack(packed.data, packed.len, &again, &t_err))
        && T_BYTES(again.data, again.len, bytes, len)) {
        size = packed.len;
    }
    return size;
}

/* The same with bytes that arrive in pieces. */
static void
round_trip_in_pieces(const uint8_t *bytes, size_t len, size_t width) {
    struct sq_packer packer;
    uint8_t come[3000];
    T_BUF(packed, CEILING);
    T_BUF(again, CEILING);
    /* Bytes that have not arrived yet have other values. */
    memset(come, 0x5a, sizeof(come));
    bool ok = T_OK(sq_packer_begin(&packer, come, len, width, &packed, &t_err));
    for (size_t at = 0; ok && at < len;) {
        size_t more = (size_t)t_random_between(0, 200);
        more = more < len - at ? more : len - at;
        memcpy(come + at, bytes + at, more);
        at += more;
        ok = T_OK(sq_packer_advance(&packer, at, &t_err));
    }
    if (ok && T_OK(sq_packer_end(&packer, &t_err))
        && T_OK(sq_unpack(packed.data, packed.len, &again, &t_err))) {
        T_BYTES(again.data, again.len, bytes, len);
    }
}

/* Words from a small alphabet: many repeats of all lengths, or none. */
T_CASE(any_bytes_round_trip) {
    enum { MOST = 3000 };
    uint8_t bytes[MOST];
    for (int i = 0; i < 4000; i++) {
        size_t len = (size_t)t_random_between(0, MOST);
        int letters = (int)t_random_between(1, 5);
        size_t width = (size_t)t_random_between(0, 40);
        for (size_t at = 0; at < len; at++) {
            bytes[at] = at % 4 ? 0 : (uint8_t)t_random_between(0, letters);
        }
        round_trip(bytes, len, width);
        round_trip_in_pieces(bytes, len, width);
    }
}

T_CASE(screens_are_packed_well) {
    enum { WIDTH = 400, HEIGHT = 500 };
    uint8_t *frame = sq_mem_zalloc(WIDTH * HEIGHT, 4);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            uint8_t *pixel = frame + ((size_t)y * WIDTH + (size_t)x) * 4;
            bool is_text = y % 50 < 12 && x > 20 && x < 200;
            memset(pixel, is_text ? (int)t_random_between(0, 255) : 240, 4);
        }
    }
    size_t packed = round_trip(frame, WIDTH * HEIGHT * 4, WIDTH);
    T(packed > 0 && packed < WIDTH * HEIGHT);
    sq_mem_free(frame);
}

T_CASE(noise_above_the_limit_is_refused) {
    uint8_t noise[4096];
    for (size_t i = 0; i < sizeof(noise); i++) {
        noise[i] = (uint8_t)t_random();
    }
    T_BUF(out, 1000);
    T_OK(sq_buf_append(&out, "before", 6, &t_err));
    T_FAILS(sq_pack(noise, sizeof(noise), 32, &out, &t_err), SQ_ERR_LIMIT);
    T_BYTES(out.data, out.len, "before", 6);
}

T_CASE(noise_is_refused_early) {
    uint8_t noise[4096];
    for (size_t i = 0; i < sizeof(noise); i++) {
        noise[i] = (uint8_t)t_random();
    }
    struct sq_packer packer;
    T_BUF(out, 1000);
    T_OK(sq_buf_append(&out, "before", 6, &t_err));
    T_OK(sq_packer_begin(&packer, noise, sizeof(noise), 32, &out, &t_err));
    T_OK(sq_packer_advance(&packer, 400, &t_err));
    T_FAILS(sq_packer_end(&packer, &t_err), SQ_ERR_LIMIT);
    T_BYTES(out.data, out.len, "before", 6);
}

T_ALLOC_CASE(out_of_memory_is_reported, 1) {
    uint8_t bytes[500];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * i);
    }
    T_BUF(packed, CEILING);
    T_BUF(again, CEILING);
    return sq_pack(bytes, sizeof(bytes), 10, &packed, err)
        && sq_unpack(packed.data, packed.len, &again, err);
}
