/* A complete picture or none: truncated files, limits, no space, no memory. */
#include "image/pipeline/picture.h"

#include "unit/image/encoded.h"

/* Checks that it fails, and that nothing was returned. */
static enum sq_err_code
fail_to_make(const uint8_t *bytes, size_t count,
             const struct sq_picture_opts *opts, const struct sq_limits *limits,
             size_t room) {
    struct sq_err err = { 0 };
    struct sq_picture_info info;
    struct sq_picture_info before;
    memset(&info, 0x5a, sizeof(info));
    before = info;
    T_BUF(out, room);
    T_OK(sq_buf_append(&out, "before", 6, &err), &err);
    T(!sq_picture_make(bytes, count, opts, limits, &out, &info, &err));
    T(err.code != SQ_ERR_NONE);
    T(err.message[0] != '\0');
    T_BYTES(out.data, out.len, "before", 6);
    T(memcmp(&info, &before, sizeof(info)) == 0);
    return err.code;
}

static void
check_all_cuts(enum encoded_kind kind, const struct sq_picture_opts *opts) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_page(24, 16, &image);
    encoded_make(kind, &image, &file);
    encoded_convert(&file, opts, &out, NULL);
    for (size_t length = 0; length < file.len; length++) {
        /* A copy of `length` bytes, so that sanitizers see an overrun. */
        uint8_t *cut = malloc(length + 1);
        if (T(cut != NULL)) {
            memcpy(cut, file.data, length);
            uint8_t *exact = realloc(cut, length ? length : 1);
            cut = exact ? exact : cut;
            fail_to_make(cut, length, opts, &sq_limits_default, 1 << 20);
        }
        free(cut);
    }
}

T_CASE(file_truncated_anywhere_is_refused) {
    static const struct sq_picture_opts jobs[] = {
        { .format = SQ_FORMAT_JPEG },
        { .format = SQ_FORMAT_JPEG, .max_dimension = 12 },
        { .format = SQ_FORMAT_PNG, .max_dimension = 20 },
        { .format = SQ_FORMAT_AUTO, .max_dimension = 6 },
    };
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        for (size_t i = 0; i < SQ_COUNT(jobs); i++) {
            check_all_cuts((enum encoded_kind)kind, &jobs[i]);
        }
    }
}

T_CASE(other_files_are_refused) {
    const struct sq_picture_opts opts = { 0 };
    static const uint8_t text[] = "This is not a picture, whatever it says.";
    static const uint8_t zeros[1000];
    T_INT(fail_to_make(text, 0, &opts, &sq_limits_default, 1000),
          SQ_ERR_TRUNCATED);
    T_INT(fail_to_make(text, sizeof(text), &opts, &sq_limits_default, 1000),
          SQ_ERR_FORMAT);
    T_INT(fail_to_make(zeros, sizeof(zeros), &opts, &sq_limits_default, 1000),
          SQ_ERR_FORMAT);
}

/* The limit applies to the source, not to the small result. */
T_CASE(limits_apply_to_every_format) {
    static const struct sq_limits small[] = {
        { .max_side = 23, .max_pixels = 10000, .max_bytes = 1 << 20 },
        { .max_side = 100, .max_pixels = 24 * 16 - 1, .max_bytes = 1 << 20 },
    };
    const struct sq_picture_opts opts = { .max_dimension = 6 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    encoded_page(24, 16, &image);
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        encoded_make((enum encoded_kind)kind, &image, &file);
        for (size_t i = 0; i < SQ_COUNT(small); i++) {
            T_INT(fail_to_make(file.data, file.len, &opts, &small[i], 1 << 20),
                  SQ_ERR_LIMIT);
        }
    }
}

T_CASE(too_small_buffer_is_an_error) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    encoded_page(24, 16, &image);
    encoded_make(ENCODED_JPEG, &image, &file);
    for (int format = 0; format < SQ_FORMATS; format++) {
        for (int most = 0; most <= 12; most += 12) {
            const struct sq_picture_opts opts = {
                .format = (enum sq_format)format,
                .max_dimension = most,
            };
            T_INT(fail_to_make(file.data, file.len, &opts, &sq_limits_default,
                               40),
                  SQ_ERR_LIMIT);
        }
    }
}

struct torture {
    const struct sq_buf *file;
    struct sq_picture_opts opts;
};

static bool
build(void *context, struct sq_err *err) {
    const struct torture *torture = context;
    struct sq_picture_info info = { .bytes = 42 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_picture_make(torture->file->data, torture->file->len, &torture->opts,
                        &sq_limits_default, &out, &info, err);
    T_INT(out.len > 0, ok);
    T_INT(info.bytes, ok ? out.len : 42);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    static const struct sq_region region = { 3, 3, 40, 30 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    encoded_page(64, 48, &image);
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        encoded_make((enum encoded_kind)kind, &image, &file);
        for (int format = 0; format < SQ_FORMATS; format++) {
            struct torture torture = { &file,
                                       { .format = (enum sq_format)format } };
            T(t_alloc_torture(build, &torture) >= 2);
            torture.opts.max_dimension = 16;
            torture.opts.colours = format == SQ_FORMAT_PNG ? 16 : 0;
            T(t_alloc_torture(build, &torture) >= 2);
            torture.opts.region = &region;
            T(t_alloc_torture(build, &torture) >= 5);
        }
    }
}
