/* Runs a libjpeg decompressor that reads from memory. */
#ifndef SQ_IMAGE_JPEG_INPUT_H
#define SQ_IMAGE_JPEG_INPUT_H

#include "image/image.h"
#include "image/jpeg/error.h"

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
};

/*
 * Reads the header. Fails for colour spaces that cannot be converted. The bytes
 * must outlive the input. The caller frees input with sq_jpeg_input_finish,
 * also on failure.
 */
bool sq_jpeg_input_init(struct sq_jpeg_input *input, const uint8_t *bytes,
                        size_t count, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value and when called twice. */
void sq_jpeg_input_finish(struct sq_jpeg_input *input);

/*
 * Starts decoding; for steps of sq_jpeg_run. Aborts the step if the picture has
 * too many scans or lacks one of its colour components.
 */
void sq_jpeg_input_start(struct sq_jpeg_input *input);

/* Returns a side of the picture scaled by n/8, rounded as libjpeg does. */
int sq_jpeg_scaled(int side, int n);

#endif
