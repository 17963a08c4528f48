/* Pictures that other processes decode, well and badly. */
#include "image/pipeline/decoder.h"

#include <pthread.h>
#include <stdio.h>

#include "support/test.h"
#include "sys/clock.h"
#include "unit/image/encoded.h"
#include "unit/image/jpeg/reference.h"

#if defined(__SANITIZE_ADDRESS__) /* which makes each start slow */
#define INJECTIONS 60
#else
#define INJECTIONS 1000
#endif
#define WIDTH 97
#define HEIGHT 61

static struct sq_image sample;

static void
begin(void) {
    T_OK(sq_image_init(&sample, WIDTH, HEIGHT, &sq_limits_default, &t_err));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH * SQ_PIXEL_BYTES; x++) {
            sq_image_row(&sample, y)[x] =
                x % SQ_PIXEL_BYTES == 3
                    ? 255
                    : picture_sample(PICTURE_DRAWN, x / SQ_PIXEL_BYTES, y,
                                     x % SQ_PIXEL_BYTES);
        }
    }
}

static void
end(void) {
    sq_foreign_stop();
    sq_image_finish(&sample);
}

T_FIXTURE(begin, end);

/* Returns whether workers can be used here, with this limit of time. */
static bool
use_workers(int timeout_ms) {
#if defined(__linux__)
    return T_OK(
        sq_foreign_start(t_made_path("bad-decoder"), timeout_ms, &t_err));
#else
    (void)timeout_ms;
    t_skip("workers need Linux");
    return false;
#endif
}

/* A JPEG file with a word in a comment at its start. */
static void
put_jpeg(const char *word, struct sq_buf *out) {
    T_FREED(sq_buf_finish) struct sq_buf plain = { 0 };
    const uint8_t comment[] = { 0xff, 0xd8, 0xff,
                                0xfe, 0,    (uint8_t)(strlen(word) + 2) };
    sq_buf_init(&plain, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(out, SQ_MAX_IMAGE_BYTES);
    encoded_make(ENCODED_JPEG, &sample, &plain);
    T_OK(sq_buf_append(out, comment, sizeof(comment), &t_err)
         && sq_buf_append(out, word, strlen(word), &t_err)
         && sq_buf_append(out, plain.data + 2, plain.len - 2, &t_err));
}

/* What each function returns for a picture, one after the other. */
static void
collect(const struct sq_buf *file, struct sq_buf *out) {
    const struct sq_region region = { 5, 7, 40, 30 };
    const struct sq_picture_opts ways[] = {
        { .max_dimension = 50, .format = SQ_FORMAT_PNG },
        { .max_dimension = 50, .format = SQ_FORMAT_JPEG },
        { .format = SQ_FORMAT_AUTO, .region = &region },
        { .profile = sq_token_profile_find("claude"), .budget_tokens = 20 },
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct sq_picture_info info = { 0 };
        T_OK(sq_picture_make(file->data, file->len, &ways[i],
                             &sq_limits_default, out, &info, &t_err));
        T_OK(sq_buf_printf(out, &t_err, "%dx%d of %dx%d, %d, %d, %.3f",
                           info.image.width, info.image.height,
                           info.source.width, info.source.height,
                           (int)info.format, info.colours, info.scale_factor));
    }
    for (int i = 0; i < 3; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        const struct sq_size least = { 20, 10 };
        T_OK(i == 0 ? sq_image_decode(file->data, file->len, &sq_limits_default,
                                      &image, &t_err)
             : i == 1 ? sq_picture_decode(file->data, file->len, 40,
                                          &sq_limits_default, &image, &t_err)
                      : sq_picture_decode_coarse(file->data, file->len, least,
                                                 &image, &t_err));
        for (int y = 0; y < image.height; y++) {
            T_OK(sq_buf_append(out, sq_image_row(&image, y), image.stride,
                               &t_err));
        }
        if (image.pixels) {
            image.pixels[0] ^= 1; /* it belongs to the caller */
        }
    }
    struct sq_rows *rows = NULL;
    struct sq_row row;
    T_OK(sq_picture_open(file->data, file->len, &sq_limits_default, &rows,
                         &t_err));
    for (int y = 0; rows && y < rows->height; y++) {
        T_OK(sq_rows_next(rows, &row, &t_err)
             && sq_buf_append(out, row.pixels, WIDTH * SQ_PIXEL_BYTES, &t_err));
    }
    sq_rows_destroy(rows);
    struct sq_picture_facts facts = { 0 };
    T_OK(sq_picture_probe(file->data, file->len, &facts, &t_err));
    T_OK(sq_buf_printf(out, &t_err, "%dx%d %d", facts.size.width,
                       facts.size.height, facts.is_plain_jpeg));
}

static void
check_same(const struct sq_buf *file, const char *name) {
    T_FREED(sq_buf_finish) struct sq_buf here = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf there = { 0 };
    sq_buf_init(&here, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&there, SQ_MAX_IMAGE_BYTES);
    collect(file, &here);
    if (use_workers(T_PATIENCE_MS)) {
        collect(file, &there);
        if (!T_BYTES(there.data, there.len, here.data, here.len)) {
            printf("# %s\n", name);
        }
    }
    sq_foreign_stop();
}

T_CASE(workers_return_the_same_as_this_process) {
    const struct ref_kind progressive = { "progressive", JCS_YCbCr, 2, 2,
                                          true,          false,     0, false };
    T_FREED(sq_buf_finish) struct sq_buf large = { 0 };
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        sq_buf_init(&file, SQ_MAX_IMAGE_BYTES);
        encoded_make((enum encoded_kind)kind, &sample, &file);
        check_same(&file, encoded_names[kind]);
    }
    /* Its coefficients are counted in this process, before they are used. */
    sq_buf_init(&large, SQ_MAX_IMAGE_BYTES);
    ref_encode(&progressive, WIDTH, HEIGHT, &large);
    check_same(&large, "progressive");
}

static bool
decode_named(const char *word, struct sq_err *err) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    put_jpeg(word, &file);
    *err = (struct sq_err){ 0 };
    bool ok =
        sq_image_decode(file.data, file.len, &sq_limits_default, &image, err);
    T_INT(image.width, ok ? WIDTH : 0);
    return ok;
}

/* Each is one failed call, and the next one works. */
T_CASE(a_worker_that_misbehaves_is_one_failed_call) {
    static const struct {
        const char *word;
        enum sq_err_code code;
    } bad[] = {
        { "bad:crash", SQ_ERR_IO },     { "bad:nonsense", SQ_ERR_FORMAT },
        { "bad:short", SQ_ERR_FORMAT }, { "bad:keep", SQ_ERR_FORMAT },
#ifndef __SANITIZE_ADDRESS__ /* which allows no limit of memory */
        { "bad:memory", SQ_ERR_IO },
#endif
    };
    int64_t longest = 0;
    if (!use_workers(T_PATIENCE_MS)) {
        return;
    }
    T_OK(decode_named("good", &t_err));
    for (int i = 0; i < INJECTIONS; i++) {
        size_t which = (size_t)i % (sizeof(bad) / sizeof(bad[0]));
        struct sq_err err;
        T(!decode_named(bad[which].word, &err));
        T_INT(err.code, bad[which].code);
        int64_t start = sq_clock_monotonic_ns();
        if (!T_OK(decode_named("good", &t_err))) {
            printf("# after %s\n", bad[which].word);
            break;
        }
        int64_t took = sq_clock_monotonic_ns() - start;
        longest = took > longest ? took : longest;
    }
    printf("# the next call took at most %.1f ms\n", (double)longest / 1e6);
}

T_CASE(a_worker_that_hangs_is_ended) {
    struct sq_err err;
    if (use_workers(3000)) {
        T_OK(decode_named("good", &t_err));
        T(!decode_named("bad:hang", &err));
        T_INT(err.code, SQ_ERR_TIMEOUT);
        T_OK(decode_named("good", &t_err));
    }
}

static void *
decode_often(void *context) {
    int *good = context;
    for (int i = 0; i < 20; i++) {
        struct sq_err err;
        *good += decode_named(i % 5 == 4 ? "bad:crash" : "good", &err);
    }
    return NULL;
}

T_CASE(many_threads_share_the_workers) {
    pthread_t threads[8];
    int good[8] = { 0 };
    if (!use_workers(T_PATIENCE_MS)) {
        return;
    }
    for (int i = 0; i < 8; i++) {
        T_INT(pthread_create(&threads[i], NULL, decode_often, &good[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        T_INT(good[i], 16);
    }
}
