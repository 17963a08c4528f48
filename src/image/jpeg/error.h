/* Converts libjpeg errors, which leave by longjmp, to struct sq_err. */
#ifndef SQ_IMAGE_JPEG_ERROR_H
#define SQ_IMAGE_JPEG_ERROR_H

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs FILE and size_t declared before it */

#include <jpeglib.h>

#include "util/err.h"

struct sq_jpeg_error {
    struct jpeg_error_mgr base; /* first: libjpeg passes us this address */
    jmp_buf escape;
    struct sq_err *err; /* error of the running step */
};

/* Initialises the error manager for the `err` field of a libjpeg object. */
struct jpeg_error_mgr *sq_jpeg_error_init(struct sq_jpeg_error *error);

/*
 * Runs a step that calls libjpeg. The step may be aborted at any libjpeg call,
 * so everything it allocates must belong to context. Must not be nested with
 * the same manager.
 */
bool sq_jpeg_run(struct sq_jpeg_error *error, void (*step)(void *context),
                 void *context, struct sq_err *err);

/* Returns the error of the running step, for sq_fail before sq_jpeg_escape. */
struct sq_err *sq_jpeg_err(j_common_ptr cinfo);

/* Aborts the running step, which has recorded its error in sq_jpeg_err. */
_Noreturn void sq_jpeg_escape(j_common_ptr cinfo);

#endif
