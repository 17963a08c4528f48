/* Feeds libjpeg from memory, with safety checks. */
#include "image/jpeg/private.h"

#include <stdint.h>

#include <jerror.h>

#include "util/limits.h"

#define MAX_WAIT_MS 10000

/* Reports errors of libjpeg without ending the process. */

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

static void
do_nothing(j_decompress_ptr cinfo) {
    (void)cinfo;
}

/* Fails, because libjpeg would treat the picture as complete. */
static boolean
fail_at_end(j_decompress_ptr cinfo) {
    sq_fail(sq_jpeg_err((j_common_ptr)cinfo), SQ_ERR_TRUNCATED,
            "JPEG: the file ends too early");
    sq_jpeg_escape((j_common_ptr)cinfo);
}

static void
skip_bytes(j_decompress_ptr cinfo, long count) {
    if (count <= 0) {
        return;
    }
    struct jpeg_source_mgr *source = cinfo->src;
    if ((unsigned long)count > source->bytes_in_buffer) {
        fail_at_end(cinfo);
    }
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

/* Limits the scans: a small file could make libjpeg work without an end. */
static void
count_scans(j_common_ptr cinfo) {
    int scan = ((j_decompress_ptr)cinfo)->input_scan_number;
    if (scan > SQ_MAX_JPEG_SCANS) {
        sq_fail(sq_jpeg_err(cinfo), SQ_ERR_LIMIT, "JPEG: more than %d scans",
                SQ_MAX_JPEG_SCANS);
        sq_jpeg_escape(cinfo);
    }
}

static void
read_header(void *context) {
    struct sq_jpeg_input *input = context;
    struct jpeg_decompress_struct *cinfo = &input->cinfo;
    jpeg_create_decompress(cinfo);
    cinfo->src = &input->source;
    cinfo->progress = &input->progress;
    jpeg_read_header(cinfo, TRUE);
}

static bool
colours_are_known(const struct jpeg_decompress_struct *cinfo,
                  struct sq_err *err) {
    if (cinfo->jpeg_color_space == JCS_UNKNOWN) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "JPEG: %d colour components of unknown meaning",
                       cinfo->num_components);
    }
    return true;
}

bool
sq_jpeg_input_init(struct sq_jpeg_input *input, const uint8_t *bytes,
                   size_t count, struct sq_err *err) {
    *input = (struct sq_jpeg_input){
        .source = { 
            .next_input_byte = bytes,
            .bytes_in_buffer = count,
            .init_source = do_nothing,
            .fill_input_buffer = fail_at_end,
            .skip_input_data = skip_bytes,
            .resync_to_restart = jpeg_resync_to_restart,
            .term_source = do_nothing,
        },
        .progress = { .progress_monitor = count_scans },
    };
    input->cinfo.err = sq_jpeg_error_init(&input->error);
    return sq_jpeg_run(&input->error, read_header, input, err)
        && colours_are_known(&input->cinfo, err);
}

bool
sq_jpeg_input_fits(struct sq_jpeg_input *input, const struct sq_limits *limits,
                   struct sq_err *err) {
    bool is_streamed = !jpeg_has_multiple_scans(&input->cinfo);
    return (is_streamed ? sq_image_check_streamed : sq_image_check_size)(
        input->cinfo.image_width, input->cinfo.image_height, limits, err);
}

void
sq_jpeg_input_finish(struct sq_jpeg_input *input) {
    jpeg_destroy_decompress(&input->cinfo);
    sq_quota_release(&input->coefficients);
}

/* What the process that asks a worker allows; see sq_jpeg_allow_memory. */
static struct {
    bool is_set;
    size_t bytes;
    size_t needed;
} allowance;

void
sq_jpeg_allow_memory(size_t bytes) {
    allowance.is_set = true;
    allowance.bytes = bytes;
    allowance.needed = 0;
}

size_t
sq_jpeg_memory_needed(void) {
    return allowance.needed;
}

/*
 * libjpeg keeps all coefficients of a picture that comes in several scans: up
 * to 8 bytes for each pixel, of a file of any size.
 */
static bool
take_memory(struct sq_jpeg_input *input, struct sq_err *err) {
    /* The bytes of all coefficients, as libjpeg rounds their number. */
    size_t blocks = 0;
    for (int i = 0; i < input->cinfo.num_components; i++) {
        const jpeg_component_info *part = &input->cinfo.comp_info[i];
        size_t across = part->width_in_blocks + (size_t)part->h_samp_factor - 1;
        size_t down = part->height_in_blocks + (size_t)part->v_samp_factor - 1;
        blocks += (across - across % (size_t)part->h_samp_factor)
                * (down - down % (size_t)part->v_samp_factor);
    }
    size_t bytes = blocks * sizeof(JBLOCK);
    if (allowance.is_set && bytes <= allowance.bytes) {
        return true;
    }
    if (bytes > SQ_MAX_JPEG_COEFFICIENT_BYTES) {
        sq_fail(err, SQ_ERR_LIMIT,
                "JPEG: decoding %ux%u pixels in several scans takes %zu MB, "
                "more than %zu",
                input->cinfo.image_width, input->cinfo.image_height,
                bytes >> 20, SQ_MAX_JPEG_COEFFICIENT_BYTES >> 20);
        return sq_fail_hint(err, "Store it as a baseline JPEG.");
    }
    if (allowance.is_set) {
        allowance.needed = bytes;
        return sq_fail(err, SQ_ERR_LIMIT, "JPEG: needs %zu bytes", bytes);
    }
    return sq_jpeg_take_memory(&input->coefficients, bytes, err);
}

bool
sq_jpeg_take_memory(struct sq_quota_part *part, size_t bytes,
                    struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(MAX_WAIT_MS, NULL);
    /* What all decoders share; it lives as long as the process. */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct sq_quota *shared;
    pthread_mutex_lock(&mutex);
    if (!shared
        && !sq_quota_create(SQ_MAX_JPEG_COEFFICIENT_BYTES, MAX_WAIT_MS, &shared,
                            err)) {
        shared = NULL;
    }
    pthread_mutex_unlock(&mutex);
    if (!shared || sq_quota_take(shared, part, bytes, &deadline, err)) {
        return shared != NULL;
    }
    sq_fail(err, SQ_ERR_LIMIT,
            "JPEG: other progressive pictures use the memory for them, %zu MB",
            SQ_MAX_JPEG_COEFFICIENT_BYTES >> 20);
    return sq_fail_hint(err, "Try again when other calls have ended.");
}

/*
 * Fails if a declared component has no data, which libjpeg would show as grey.
 * The first scan of a component sets its quantisation table.
 */
static void
require_all_components(j_decompress_ptr cinfo) {
    for (int i = 0; i < cinfo->num_components; i++) {
        if (!cinfo->comp_info[i].quant_table) {
            sq_fail(sq_jpeg_err((j_common_ptr)cinfo), SQ_ERR_TRUNCATED,
                    "JPEG: colour component %d is missing", i + 1);
            sq_jpeg_escape((j_common_ptr)cinfo);
        }
    }
}

void
sq_jpeg_input_start(struct sq_jpeg_input *input) {
    struct jpeg_decompress_struct *cinfo = &input->cinfo;
    /* Smoothing guesses data that is missing in unfinished scans. */
    cinfo->do_block_smoothing = FALSE;
    cinfo->dct_method = JDCT_ISLOW;
    if (jpeg_has_multiple_scans(cinfo)
        && !take_memory(input, sq_jpeg_err((j_common_ptr)cinfo))) {
        sq_jpeg_escape((j_common_ptr)cinfo);
    }
    jpeg_start_decompress(cinfo);
    require_all_components(cinfo);
}

int
sq_jpeg_scaled(int side, int n) {
    return (int)(((int64_t)side * n + SQ_JPEG_FULL_SCALE - 1)
                 / SQ_JPEG_FULL_SCALE);
}
