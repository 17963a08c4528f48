/* gzip: compresses its input, as Android's does since version 8. */
#include <libdeflate.h>

#include "demo/adbd/program.h"

#define NOT_FOUND 127
#define FIRST_LEVEL '1'
#define LAST_LEVEL '9'
#define DEFAULT_LEVEL 6

/* Reads "-1" to "-9" and "-c". Returns false for anything else. */
static bool
read_options(const struct sq_adbd_call *call, int *level) {
    *level = DEFAULT_LEVEL;
    for (int i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];
        bool is_level = word[0] == '-' && word[1] >= FIRST_LEVEL
                     && word[1] <= LAST_LEVEL && word[2] == '\0';
        if (is_level) {
            *level = word[1] - '0';
        } else if (!sq_adbd_arg_is(call, i, "-c")) {
            return false;
        }
    }
    return true;
}

/* Compresses to standard output. */
static bool
compress(struct sq_adbd_call *call, struct libdeflate_compressor *compressor,
         struct sq_err *err) {
    uint8_t *space;
    size_t bound = libdeflate_gzip_compress_bound(compressor, call->input.len);
    if (!sq_buf_reserve(call->out, bound, &space, err)) {
        return false;
    }
    size_t len = libdeflate_gzip_compress(
        compressor, call->input.len ? call->input.ptr : "", call->input.len,
        space, bound);
    sq_buf_commit(call->out, len);
    return true;
}

bool
sq_adbd_run_gzip(struct sq_adbd_call *call, struct sq_err *err) {
    int level;
    if (sq_adbd_phone_has(call->phone, SQ_ADBD_NO_GZIP)) {
        return sq_adbd_print_error(
            call, NOT_FOUND, err,
            "/system/bin/sh: gzip: inaccessible or not found\n");
    }
    if (!read_options(call, &level)) {
        return sq_adbd_print_error(call, 1, err,
                                   "gzip: only -1 to -9 and -c are known\n");
    }
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(level);
    if (!compressor) {
        return sq_fail_nomem(err);
    }
    bool ok = compress(call, compressor, err);
    libdeflate_free_compressor(compressor);
    return ok;
}
