/* What the files of this folder share: libjpeg's input, output and errors. */
#ifndef SQ_IMAGE_JPEG_PRIVATE_H
#define SQ_IMAGE_JPEG_PRIVATE_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h> /* jpeglib.h needs FILE and size_t declared before it */

#include <jpeglib.h>

#include "image/image.h"
#include "image/jpeg/jpeg.h"
#include "image/pipeline/rows.h"
#include "sys/lock.h"
#include "util/buf.h"
#include "util/err.h"

/* Converts libjpeg errors, which leave by longjmp, to struct sq_err. */

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

/* Runs a libjpeg decompressor that reads from memory. */

#define SQ_JPEG_FULL_SCALE 8 /* libjpeg scales by n/8 */

/* libjpeg's field names for the width and height of a scaled block. */
#if JPEG_LIB_VERSION >= 70
#define SQ_JPEG_SCALED_WIDTH DCT_h_scaled_size
#define SQ_JPEG_SCALED_HEIGHT DCT_v_scaled_size
#else
#define SQ_JPEG_SCALED_WIDTH DCT_scaled_size
#define SQ_JPEG_SCALED_HEIGHT DCT_scaled_size
#endif

/* Must not move once initialised: libjpeg keeps addresses inside it. */
struct sq_jpeg_input {
    struct sq_jpeg_error error;
    struct jpeg_decompress_struct cinfo;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    struct sq_quota_part coefficients; /* memory of a picture in many scans */
};

/*
 * Reads the header. Fails for colour spaces that cannot be converted. The bytes
 * must outlive the input. The caller frees input with sq_jpeg_input_finish,
 * also on failure.
 */
bool sq_jpeg_input_init(struct sq_jpeg_input *input, const uint8_t *bytes,
                        size_t count, struct sq_err *err);

/*
 * Checks the size. One that is decoded row by row, so not from several scans,
 * may have more pixels.
 */
bool sq_jpeg_input_fits(struct sq_jpeg_input *input,
                        const struct sq_limits *limits, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value and when called twice. */
void sq_jpeg_input_finish(struct sq_jpeg_input *input);

/*
 * Starts decoding; for steps of sq_jpeg_run. Aborts the step if the picture has
 * too many scans, lacks one of its colour components, or needs more memory than
 * there is for the pictures of all threads, also after some seconds.
 */
void sq_jpeg_input_start(struct sq_jpeg_input *input);

/* Returns a side of the picture scaled by n/8, rounded as libjpeg does. */
int sq_jpeg_scaled(int side, int n);

/* Runs a libjpeg compressor that writes to a buffer. */

/* Must not move once initialised: libjpeg keeps addresses inside it. */
struct sq_jpeg_output {
    struct sq_jpeg_error error;
    struct jpeg_compress_struct cinfo;
    struct jpeg_destination_mgr destination;
    struct sq_buf *out;
    size_t before;   /* its length before the file */
    size_t capacity; /* size of the space that libjpeg is filling */
};

struct sq_jpeg_format {
    int width;
    int height;
    J_COLOR_SPACE colours; /* colour space of the input pixels */
    int components;
};

/*
 * Prepares everything up to jpeg_start_compress. The caller frees output with
 * sq_jpeg_output_finish, also on failure.
 */
bool sq_jpeg_output_init(struct sq_jpeg_output *output,
                         const struct sq_jpeg_format *format,
                         const struct sq_jpeg_opts *opts, struct sq_buf *out,
                         struct sq_err *err);

/*
 * Frees all memory. Removes the file from the buffer unless it is complete.
 * Safe on a zeroed value and when called twice.
 */
void sq_jpeg_output_finish(struct sq_jpeg_output *output);

/* Reads the metadata of a JPEG file: orientation and colour profile. */

struct sq_jpeg_tags {
    enum sq_orientation orientation;
    struct sq_buf icc; /* colour profile; empty: none */
};

/*
 * Reads the segments before the picture data. Damaged metadata is ignored:
 * fails only if out of memory. The caller frees tags with sq_jpeg_tags_finish,
 * also on failure.
 */
bool sq_jpeg_tags_init(struct sq_jpeg_tags *tags, const uint8_t *bytes,
                       size_t count, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value and when called twice. */
void sq_jpeg_tags_finish(struct sq_jpeg_tags *tags);

/*
 * Decodes only the low frequencies of a baseline JPEG. A small picture needs 1,
 * 4 or 16 of the 64 coefficients of a block. Skipping the others is several
 * times faster than decoding them.
 */

#define SQ_JPEG_MAX_LOW 4 /* side of a decoded block in pixels */

struct sq_jpeg_low;

/*
 * Prepares to decode each 8x8 block to n x n pixels; n is 1, 2 or 4. Does not
 * change cinfo, so that libjpeg can still decode the picture. cinfo must
 * outlive the result. Fails with SQ_ERR_NOMEM or SQ_ERR_FORMAT.
 */
bool sq_jpeg_low_create(const struct jpeg_decompress_struct *cinfo, int n,
                        struct sq_jpeg_low **out, struct sq_err *err);

/* Frees the decoder. Accepts NULL. */
void sq_jpeg_low_destroy(struct sq_jpeg_low *low);

/*
 * Decodes the next row of MCUs. planes[i] has n rows for each row of blocks
 * that component i has in an MCU, each as wide as all its blocks. Fails with
 * SQ_ERR_FORMAT for any irregular data.
 */
bool sq_jpeg_low_decode(struct sq_jpeg_low *low, JSAMPIMAGE planes,
                        struct sq_err *err);

/*
 * Fails unless the end marker follows immediately. Called after the last row.
 */
bool sq_jpeg_low_end(struct sq_jpeg_low *low, struct sq_err *err);

/*
 * Takes a part of the memory for coefficients that all calls of this process
 * share. Fails with SQ_ERR_LIMIT if others keep it for too long.
 */
bool sq_jpeg_take_memory(struct sq_quota_part *part, size_t bytes,
                         struct sq_err *err);

/*
 * From now on this process, a worker, may use this much of what another process
 * shares. If a picture needs more, it fails, and the other function says how
 * much; else that is 0.
 */
void sq_jpeg_allow_memory(size_t bytes);
size_t sq_jpeg_memory_needed(void);

#endif
