/* gzip streams: complete, broken, in any pieces, and limited in memory. */
#include "device/android/link.h"

#include "support/gzip_maker.h"
#include "support/test.h"
#include "util/minmax.h"

#define MAX_BYTES ((size_t)1 << 20)

static struct sq_gunzip *gunzip;
static struct sq_buf out;

static void
begin(void) {
    T_OK(sq_gunzip_create(&gunzip, &t_err));
    sq_buf_init(&out, MAX_BYTES);
}

static void
end(void) {
    sq_gunzip_destroy(gunzip);
    sq_gunzip_destroy(NULL);
    sq_buf_finish(&out);
}

/* Decompresses bytes that arrive in pieces, in steps of at most `step`. */
static bool
feed(const uint8_t *bytes, size_t len, size_t piece, size_t step,
     struct sq_err *err) {
    bool ok = true;
    for (size_t at = 0; ok && at < len; at += piece) {
        size_t count =
            sq_min_size(sq_min_size(piece, len - at), SQ_GUNZIP_INPUT_BYTES);
        memcpy(sq_gunzip_space(gunzip), bytes + at, count);
        sq_gunzip_add(gunzip, count);
        while (ok && sq_gunzip_has_work(gunzip)) {
            size_t before = out.len;
            ok = sq_gunzip_run(gunzip, &out, step, err);
            T(out.len - before <= sq_max_size(step, 1));
        }
    }
    return ok;
}

static void
restart(void) {
    sq_gunzip_reset(gunzip);
    sq_buf_clear(&out);
}

/* Bytes that compress partly. */
static uint8_t *
make_content(size_t count) {
    uint8_t *bytes = malloc(count + 1);
    uint32_t random = 1;
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = i / 100 % 3 ? (uint8_t)(i / 50) : (uint8_t)(random >> 24);
    }
    return bytes;
}

T_FIXTURE(begin, NULL);

T_CASE(streams_are_decompressed_in_any_pieces) {
    static const size_t counts[] = { 0, 1, 100, 3000, 300000 };
    static const size_t pieces[] = { 1, 7, 1000, 60000 };
    static const size_t steps[] = { 1, 3, 5000, 1 << 20 };
    for (size_t i = 0; i < 5 * 4 * 4; i++) {
        size_t count = counts[i % 5];
        size_t piece = pieces[i / 5 % 4];
        size_t step = steps[i / 20];
        size_t len;
        if (count > 3000 && (piece < 1000 || step < 5000)) {
            continue; /* slow, and nothing new */
        }
        uint8_t *content = make_content(count);
        uint8_t *stream = t_gzip(content, count, &len);
        restart();
        T_OK(feed(stream, len, piece, step, &t_err));
        bool ok = T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_COMPLETE)
               && T_BYTES(out.data, out.len, content, count);
        if (!ok) {
            printf("# %zu bytes, pieces of %zu, steps of %zu\n", count, piece,
                   step);
        }
        free(stream);
        free(content);
    }
    end();
}

T_CASE(incomplete_stream_is_never_complete) {
    size_t len;
    uint8_t *content = make_content(3000);
    uint8_t *stream = t_gzip(content, 3000, &len);
    for (size_t cut = 0; cut < len; cut += cut < 20 || len - cut < 20 ? 1 : 9) {
        restart();
        T_OK(feed(stream, cut, 100, 1000, &t_err));
        T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_READING);
    }
    end();
    free(stream);
    free(content);
}

/*
 * Every changed bit is noticed, except those that do not matter: the date in
 * the header, and unused bits in the last byte of the content.
 */
T_CASE(corrupt_stream_is_never_taken_for_another_content) {
    size_t len;
    int invalid = 0;
    uint8_t *content = make_content(500);
    uint8_t *stream = t_gzip(content, 500, &len);
    for (size_t bit = 0; bit < 8 * len; bit++) {
        stream[bit / 8] ^= (uint8_t)(1 << bit % 8);
        restart();
        T_OK(feed(stream, len, 100, 1000, &t_err));
        T(sq_gunzip_state(gunzip) != SQ_GUNZIP_COMPLETE
          || (out.len == 500 && memcmp(out.data, content, 500) == 0));
        invalid += sq_gunzip_state(gunzip) == SQ_GUNZIP_INVALID;
        stream[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    T((size_t)invalid > 4 * len);
    end();
    free(stream);
    free(content);
}

T_CASE(anything_else_is_invalid_and_dropped) {
    static const char words[] = "sh: gzip: not found\n";
    size_t len;
    uint8_t *stream = t_gzip("abc", 3, &len);
    T_OK(feed((const uint8_t *)words, sizeof(words), 5, 10, &t_err));
    T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_INVALID);
    T_INT(out.len, 0);
    T(!sq_gunzip_has_work(gunzip));
    /* Bytes after the end, in the same piece and in the next. */
    for (size_t piece = len; piece <= 2 * len; piece += len) {
        uint8_t *two = malloc(2 * len);
        memcpy(two, stream, len);
        memcpy(two + len, stream, len);
        restart();
        T_OK(feed(two, 2 * len, piece, 10, &t_err));
        T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_INVALID);
        free(two);
    }
    end();
    free(stream);
}

/* A name, a comment and other fields that gzip does not write into a pipe. */
T_CASE(optional_fields_are_refused_in_any_pieces) {
    size_t len;
    uint8_t *stream = t_gzip("abc", 3, &len);
    for (int flag = 0; flag < 8; flag++) {
        for (size_t piece = 1; piece <= len; piece++) {
            stream[3] = (uint8_t)(1 << flag);
            restart();
            T_OK(feed(stream, len, piece, 10, &t_err));
            T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_INVALID);
            T_INT(out.len, 0);
        }
    }
    end();
    free(stream);
}

/* A small stream with a large content. */
T_CASE(output_stops_at_its_limits) {
    size_t len;
    uint8_t *content = calloc(8, MAX_BYTES);
    uint8_t *stream = t_gzip(content, 8 * MAX_BYTES, &len);
    T(len < SQ_GUNZIP_INPUT_BYTES);
    memcpy(sq_gunzip_space(gunzip), stream, len);
    sq_gunzip_add(gunzip, len);
    for (size_t i = 1; i <= 10; i++) {
        T_OK(sq_gunzip_run(gunzip, &out, 100, &t_err));
        T_INT(out.len, 100 * i);
        T(sq_gunzip_has_work(gunzip));
    }
    while (sq_gunzip_run(gunzip, &out, 100000, &t_err)) {
    }
    T_INT(t_err.code, SQ_ERR_LIMIT);
    T_INT(out.len, MAX_BYTES);
    T(out.cap <= MAX_BYTES);
    end();
    free(stream);
    free(content);
}
