/* Decodes and encodes WebP with libwebp. */
#include "image/webp/webp.h"

#include <assert.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/encode.h>

#include "image/colour/colour.h"
#include "util/bytes.h"

/* Points into the file; data is NULL if the chunk is missing. */
struct webp_chunk {
    const uint8_t *data;
    size_t length;
};

/* A frame and its position on the canvas. */
struct webp_frame {
    int x;
    int y;
    int width;
    int height;
    struct webp_chunk picture; /* data for libwebp; NULL: no frame */
};

struct webp_chunks {
    struct webp_chunk profile;
    struct webp_chunk exif;
    struct webp_frame first;
};

#define RIFF_HEADER 12 /* "RIFF", size, "WEBP" */
#define CHUNK_HEADER 8 /* name, size */
#define FRAME_HEADER 16

static void
take_first(struct webp_chunk *to, struct webp_chunk chunk) {
    if (!to->data) {
        *to = chunk;
    }
}

/* Reads an ANMF header: position / 2, size - 1, duration and flags. */
static void
read_frame(struct webp_frame *frame, struct webp_chunk chunk) {
    if (frame->picture.data || chunk.length < FRAME_HEADER) {
        return;
    }
    const uint8_t *p = chunk.data;
    *frame = (struct webp_frame){
        .x = (int)sq_load_le24(p) * 2,
        .y = (int)sq_load_le24(p + 3) * 2,
        .width = (int)sq_load_le24(p + 6) + 1,
        .height = (int)sq_load_le24(p + 9) + 1,
        .picture = { p + FRAME_HEADER, chunk.length - FRAME_HEADER },
    };
}

/*
 * Reads all chunks of a file with a valid 12-byte header, up to the first chunk
 * that exceeds the file. Fails with SQ_ERR_TRUNCATED if there are fewer bytes
 * than the header states.
 */
static bool
webp_chunks_read(struct webp_chunks *chunks, const uint8_t *bytes, size_t count,
                 struct sq_err *err) {
    *chunks = (struct webp_chunks){ 0 };
    size_t end = sq_load_le32(bytes + 4) + 8;
    if (end > count) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "WebP: the file ends too early");
    }
    for (size_t at = RIFF_HEADER; end - at >= CHUNK_HEADER;) {
        const uint8_t *name = bytes + at;
        size_t length = sq_load_le32(bytes + at + 4);
        at += CHUNK_HEADER;
        if (length > end - at) {
            break;
        }
        struct webp_chunk chunk = { bytes + at, length };
        if (memcmp(name, "ICCP", 4) == 0) {
            take_first(&chunks->profile, chunk);
        } else if (memcmp(name, "EXIF", 4) == 0) {
            take_first(&chunks->exif, chunk);
        } else if (memcmp(name, "ANMF", 4) == 0) {
            read_frame(&chunks->first, chunk);
        }
        at += length;
        at += length % 2 && at < end; /* chunks have an even size */
    }
    return true;
}

struct meaning {
    enum sq_err_code code;
    const char *text;
};

static const struct meaning decoder_meanings[] = {
    [VP8_STATUS_OUT_OF_MEMORY] = { SQ_ERR_NOMEM, "out of memory" },
    [VP8_STATUS_INVALID_PARAM] = { SQ_ERR_FORMAT, "invalid header" },
    [VP8_STATUS_BITSTREAM_ERROR] = { SQ_ERR_FORMAT, "damaged data" },
    [VP8_STATUS_UNSUPPORTED_FEATURE] = { SQ_ERR_UNSUPPORTED,
                                         "unsupported feature" },
    [VP8_STATUS_SUSPENDED] = { SQ_ERR_TRUNCATED, "the file ends too early" },
    [VP8_STATUS_USER_ABORT] = { SQ_ERR_FORMAT, "aborted" },
    [VP8_STATUS_NOT_ENOUGH_DATA] = { SQ_ERR_TRUNCATED,
                                     "the file ends too early" },
};

static bool
decoder_ok(VP8StatusCode status, struct sq_err *err) {
    if (status == VP8_STATUS_OK) {
        return true;
    }
    const struct meaning *meaning = &decoder_meanings[status];
    return sq_fail(err, meaning->code, "WebP: %s", meaning->text);
}

/* libwebp also accepts bare streams, which do not contain their length. */
static bool
check_container(const uint8_t *bytes, size_t count, struct sq_err *err) {
    if (count < RIFF_HEADER) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "WebP: the file ends too early");
    }
    if (memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WEBP", 4) != 0) {
        return sq_fail(err, SQ_ERR_FORMAT, "WebP: not a WebP file");
    }
    return true;
}

/*
 * Chooses the data for libwebp and its position on the canvas: for an animation
 * the first frame, which may be smaller.
 */
static bool
choose_picture(const uint8_t *bytes, size_t count,
               const WebPBitstreamFeatures *canvas,
               const struct webp_chunks *chunks, struct webp_frame *out,
               struct sq_err *err) {
    const struct webp_frame *first = &chunks->first;
    WebPBitstreamFeatures features;
    *out = (struct webp_frame){ .width = canvas->width,
                                .height = canvas->height,
                                .picture = { bytes, count } };
    if (!canvas->has_animation) {
        return true;
    }
    if (!first->picture.data) {
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "WebP: an animation without a frame");
    }
    if (!decoder_ok(WebPGetFeatures(first->picture.data, first->picture.length,
                                    &features),
                    err)) {
        return false;
    }
    if (features.width != first->width || features.height != first->height
        || features.has_animation || first->x > canvas->width - first->width
        || first->y > canvas->height - first->height) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "WebP: the first frame is not inside the canvas");
    }
    *out = *first;
    return true;
}

static void
compose_over_black(const struct sq_image *image) {
    for (int y = 0; y < image->height; y++) {
        uint8_t *p = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++, p += SQ_PIXEL_BYTES) {
            for (int channel = 0; channel < 3; channel++) {
                p[channel] = sq_over_black(p[channel], p[3]);
            }
        }
    }
}

/* Decodes the frame. The canvas around it is transparent, which means black. */
static bool
decode(const struct webp_frame *frame, const struct sq_image *canvas,
       struct sq_err *err) {
    struct sq_image place = {
        .width = frame->width,
        .height = frame->height,
        .stride = canvas->stride,
        .pixels =
            sq_image_row(canvas, frame->y) + (size_t)frame->x * SQ_PIXEL_BYTES,
    };
    size_t all = canvas->stride * (size_t)canvas->height;
    if (frame->width < canvas->width || frame->height < canvas->height) {
        memset(canvas->pixels, 0, all);
    }
    WebPDecoderConfig config;
    bool same_library = WebPInitDecoderConfig(&config);
    assert(same_library);
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){
        .rgba = place.pixels,
        .stride = (int)place.stride,
        .size = all - (size_t)(place.pixels - canvas->pixels),
    };
    bool ok = decoder_ok(
        WebPDecode(frame->picture.data, frame->picture.length, &config), err);
    if (ok && config.input.has_alpha) {
        compose_over_black(&place);
    }
    WebPFreeDecBuffer(&config.output);
    return ok;
}

bool
sq_webp_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
             struct sq_rows **out, struct sq_err *err) {
    WebPBitstreamFeatures canvas;
    struct webp_chunks chunks;
    struct webp_frame frame;
    struct sq_image image = { 0 };
    struct sq_colour *colour = NULL;
    if (!check_container(bytes, count, err)
        || !decoder_ok(WebPGetFeatures(bytes, count, &canvas), err)
        || !webp_chunks_read(&chunks, bytes, count, err)
        || !choose_picture(bytes, count, &canvas, &chunks, &frame, err)
        || !sq_image_init(&image, canvas.width, canvas.height, limits, err)
        || !decode(&frame, &image, err)
        || !sq_colour_from_icc(chunks.profile.data, chunks.profile.length,
                               SQ_PIXELS_RGB, &colour, err)) {
        sq_image_finish(&image);
        return false;
    }
    if (!sq_rows_own_image(&image, colour, out, err)) {
        return false;
    }
    (*out)->orientation =
        sq_exif_orientation(chunks.exif.data, chunks.exif.length);
    return true;
}

struct writer {
    WebPPicture picture;
    struct sq_buf *out;
    bool out_failed; /* libwebp may report another error instead */
    struct sq_err *err;
};

static int
write_piece(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
    struct writer *self = picture->custom_ptr;
    self->out_failed = !sq_buf_append(self->out, bytes, count, self->err);
    return !self->out_failed;
}

static bool
fail_encoder(const struct writer *self) {
    WebPEncodingError code = self->picture.error_code;
    if (self->out_failed) {
        return false; /* err is already set */
    }
    if (code == VP8_ENC_ERROR_OUT_OF_MEMORY
        || code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY) {
        return sq_fail_nomem(self->err);
    }
    return sq_fail(self->err, SQ_ERR_LIMIT, "WebP: encoder error %d",
                   (int)code);
}

static bool
configure(const struct sq_webp_opts *opts, WebPConfig *config,
          struct sq_err *err) {
    bool same_library = WebPConfigInit(config);
    assert(same_library);
    config->quality = (float)opts->quality;
    config->method = opts->method;
    config->lossless = opts->lossless;
    return WebPValidateConfig(config)
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "WebP: invalid quality %d or method %d", opts->quality,
                   opts->method);
}

static bool
check_encodable(const struct sq_rows *rows, struct sq_err *err) {
    if (rows->width > WEBP_MAX_DIMENSION || rows->height > WEBP_MAX_DIMENSION) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "WebP: %dx%d pixels are more than %d per side",
                       rows->width, rows->height, WEBP_MAX_DIMENSION);
    }
    return true;
}

bool
sq_webp_encode(struct sq_rows *rows, const struct sq_webp_opts *opts,
               struct sq_buf *out, struct sq_err *err) {
    WebPConfig config;
    struct sq_image image = { 0 };
    if (!configure(opts, &config, err) || !check_encodable(rows, err)
        || !sq_rows_to_image(rows, &sq_limits_default, &image, err)) {
        return false;
    }
    const size_t before = out->len;
    struct writer self = { .out = out, .err = err };
    bool same_library = WebPPictureInit(&self.picture);
    assert(same_library);
    self.picture.width = image.width;
    self.picture.height = image.height;
    self.picture.use_argb = config.lossless;
    self.picture.writer = write_piece;
    self.picture.custom_ptr = &self;
    bool ok =
        (WebPPictureImportRGBX(&self.picture, image.pixels, (int)image.stride)
         && WebPEncode(&config, &self.picture))
        || fail_encoder(&self);
    out->len = ok ? out->len : before;
    WebPPictureFree(&self.picture);
    sq_image_finish(&image);
    return ok;
}
