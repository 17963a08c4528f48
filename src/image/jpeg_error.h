/* libjpeg reports an error by never returning: here it becomes ours. */
#ifndef SQ_IMAGE_JPEG_ERROR_H
#define SQ_IMAGE_JPEG_ERROR_H

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs FILE and size_t declared before it */

#include <jpeglib.h>

#include "util/err.h"

struct sq_jpeg_error {
    struct jpeg_error_mgr base; /* first: libjpeg knows us by its address */
    jmp_buf escape;
    struct sq_err *err; /* of the step that is running */
};

/* Prepare the manager that goes into a libjpeg object's `err`. */
struct jpeg_error_mgr *sq_jpeg_error_init(struct sq_jpeg_error *error);

/*
 * Run a step that calls libjpeg. The step may be left at any libjpeg call, so
 * whatever it acquires must belong to context. Not to be nested on one manager.
 */
bool sq_jpeg_run(struct sq_jpeg_error *error, void (*step)(void *context),
                 void *context, struct sq_err *err);

/* The running step's error, for sq_fail before sq_jpeg_escape. */
struct sq_err *sq_jpeg_err(j_common_ptr cinfo);

/* Leave the running step, which has recorded why in sq_jpeg_err. */
_Noreturn void sq_jpeg_escape(j_common_ptr cinfo);

#endif
