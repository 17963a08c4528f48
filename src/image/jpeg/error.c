/* Reports errors of libjpeg without ending the process. */
#include "image/jpeg/error.h"

#include <jerror.h>

struct meaning {
    int message; /* libjpeg's message code */
    enum sq_err_code code;
};

/* All messages that are not listed mean SQ_ERR_FORMAT. */
static const struct meaning meanings[] = {
    { JERR_OUT_OF_MEMORY, SQ_ERR_NOMEM },
    { JERR_NO_BACKING_STORE, SQ_ERR_NOMEM },
    { JERR_IMAGE_TOO_BIG, SQ_ERR_LIMIT },
    { JERR_WIDTH_OVERFLOW, SQ_ERR_LIMIT },
    { JERR_INPUT_EMPTY, SQ_ERR_TRUNCATED },
    { JERR_INPUT_EOF, SQ_ERR_TRUNCATED },
    { JWRN_HIT_MARKER, SQ_ERR_TRUNCATED },
    { JWRN_JPEG_EOF, SQ_ERR_TRUNCATED },
#if JPEG_LIB_VERSION < 70 /* Ubuntu has the interface of version 8 */
    { JERR_ARITH_NOTIMPL, SQ_ERR_UNSUPPORTED },
#endif
    { JERR_BAD_PRECISION, SQ_ERR_UNSUPPORTED },
    { JERR_CCIR601_NOTIMPL, SQ_ERR_UNSUPPORTED },
    { JERR_COMPONENT_COUNT, SQ_ERR_UNSUPPORTED },
    { JERR_CONVERSION_NOTIMPL, SQ_ERR_UNSUPPORTED },
    { JERR_FRACT_SAMPLE_NOTIMPL, SQ_ERR_UNSUPPORTED },
    { JERR_NOTIMPL, SQ_ERR_UNSUPPORTED },
    { JERR_NOT_COMPILED, SQ_ERR_UNSUPPORTED },
    { JERR_SOF_UNSUPPORTED, SQ_ERR_UNSUPPORTED },
};

/* Warnings that do not affect any pixel. */
static const int harmless[] = {
    JWRN_ADOBE_XFORM,
    JWRN_JFIF_MAJOR,
    JWRN_NOT_SEQUENTIAL,
};

static enum sq_err_code
code_of(int message) {
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (meanings[i].message == message) {
            return meanings[i].code;
        }
    }
    return SQ_ERR_FORMAT;
}

struct sq_err *
sq_jpeg_err(j_common_ptr cinfo) {
    return ((struct sq_jpeg_error *)cinfo->err)->err;
}

_Noreturn void
sq_jpeg_escape(j_common_ptr cinfo) {
    longjmp(((struct sq_jpeg_error *)cinfo->err)->escape, 1);
}

static _Noreturn void
error_exit(j_common_ptr cinfo) {
    char text[JMSG_LENGTH_MAX];
    cinfo->err->format_message(cinfo, text);
    sq_fail(sq_jpeg_err(cinfo), code_of(cinfo->err->msg_code), "JPEG: %s",
            text);
    sq_jpeg_escape(cinfo);
}

static void
emit_message(j_common_ptr cinfo, int level) {
    if (level >= 0) {
        return; /* a trace message, not a warning */
    }
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
        if (cinfo->err->msg_code == harmless[i]) {
            return;
        }
    }
    error_exit(cinfo);
}

struct jpeg_error_mgr *
sq_jpeg_error_init(struct sq_jpeg_error *error) {
    struct jpeg_error_mgr *base = jpeg_std_error(&error->base);
    base->error_exit = error_exit;
    base->emit_message = emit_message;
    error->err = NULL;
    return base;
}

bool
sq_jpeg_run(struct sq_jpeg_error *error, void (*step)(void *context),
            void *context, struct sq_err *err) {
    error->err = err;
    if (setjmp(error->escape) != 0) {
        return false;
    }
    step(context);
    return true;
}
