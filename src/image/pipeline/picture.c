/* Runs the conversion pipeline: decode, crop, scale, encode. */
#include "image/pipeline/picture.h"

#include "image/colour/colour.h"
#include "image/jpeg/jpeg.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/decoder.h"
#include "image/png/png.h"
#include "image/webp/webp.h"

const char *
sq_format_name(enum sq_format format) {
    static const char *const names[SQ_FORMATS] = { "jpeg", "webp", "png",
                                                   "auto" };
    return names[format];
}

const char *
sq_format_mime(enum sq_format format) {
    static const char *const types[] = { "image/jpeg", "image/webp",
                                         "image/png" };
    return types[format];
}

/* State of one conversion. */
struct job {
    const uint8_t *bytes;
    size_t count;
    const struct sq_picture_opts *opts;
    const struct sq_limits *limits;
    const struct sq_codec *codec;
    struct sq_stored_shape shape; /* of the source as stored */
    struct sq_region part;        /* visible part of the upright source */
    struct sq_picture_info info;
    struct sq_rows *rows;
};

static bool
choose_part(struct job *job, struct sq_err *err) {
    const struct sq_region *region = job->opts->region;
    struct sq_size all = job->info.source;
    if (!region) {
        job->part = (struct sq_region){ 0, 0, all.width, all.height };
        return true;
    }
    if (region->x < 0 || region->y < 0 || region->width < 1
        || region->height < 1 || region->width > all.width - region->x
        || region->height > all.height - region->y) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "region %d,%d,%d,%d is not inside the picture", region->x,
                region->y, region->width, region->height);
        return sq_fail_hint(err, "The picture has %dx%d pixels.", all.width,
                            all.height);
    }
    job->part = *region;
    return true;
}

static bool
choose_size(struct job *job, struct sq_err *err) {
    const struct sq_picture_opts *opts = job->opts;
    struct sq_size part = { job->part.width, job->part.height };
    struct sq_picture_info *info = &job->info;
    if (opts->profile) {
        if (!sq_token_fit(opts->profile, part, opts->budget_tokens,
                          &info->image, err)) {
            return false;
        }
        info->scale_factor =
            (double)sq_size_long_side(part) / sq_size_long_side(info->image);
    } else {
        int most =
            opts->max_dimension ? opts->max_dimension : sq_size_long_side(part);
        info->image = sq_scaled_size(part, most);
        info->scale_factor = sq_scale_factor(part, most);
    }
    return true;
}

/* Chooses the visible part and the size of the result. The shape is known. */
static bool
choose(struct job *job, struct sq_err *err) {
    job->info.source =
        sq_orientation_size(job->shape.orientation, job->shape.stored);
    return choose_part(job, err) && choose_size(job, err);
}

bool
sq_picture_plan(const struct sq_picture_opts *opts, struct sq_size source,
                struct sq_region *part, struct sq_size *image,
                struct sq_err *err) {
    struct job job = { .opts = opts, .shape = { .stored = source } };
    if (!choose(&job, err)) {
        return false;
    }
    *part = job.part;
    *image = job.info.image;
    return true;
}

/* Does the same for rows that are already open, and crops them. */
static bool
choose_opened(struct job *job, struct sq_err *err) {
    struct sq_rows *source = job->rows;
    job->shape = (struct sq_stored_shape){ { source->width, source->height },
                                           source->orientation };
    if (!choose(job, err)) {
        return false;
    }
    if (!job->opts->region) {
        return true;
    }
    job->rows = NULL;
    return sq_rows_crop(source, sq_stored_region(&job->shape, job->part),
                        &job->rows, err);
}

static bool
open_full(struct job *job, struct sq_err *err) {
    return job->codec->open(job->bytes, job->count, job->limits, &job->rows,
                            err)
        && choose_opened(job, err);
}

static bool
read_shape(struct job *job, struct sq_err *err) {
    return job->codec->shape(job->bytes, job->count, &job->shape, err)
        && sq_image_check_streamed(job->shape.stored.width,
                                   job->shape.stored.height, job->limits, err)
        && choose(job, err);
}

/* Returns the size of the result before it is turned upright. */
static struct sq_size
stored_image_size(const struct job *job) {
    return sq_orientation_size(job->shape.orientation, job->info.image);
}

static bool
open_part(struct job *job, struct sq_err *err) {
    struct sq_region region = sq_stored_region(&job->shape, job->part);
    struct sq_size least = stored_image_size(job);
    const struct sq_jpeg_want all = { .min_width = least.width,
                                      .min_height = least.height };
    const struct sq_jpeg_want part_want = { .region = &region };
    const struct sq_jpeg_want want = job->opts->region ? part_want : all;
    return job->codec->open_part(job->bytes, job->count, job->limits, &want,
                                 &job->rows, err);
}

/* Scales first, because converting and turning a small picture is faster. */
static bool
scale(struct job *job, struct sq_err *err) {
    struct sq_rows *source = job->rows;
    struct sq_rows *scaled;
    struct sq_size size = stored_image_size(job);
    job->rows = NULL;
    return sq_scale_rows(source, size.width, size.height, job->opts->kernel,
                         &scaled, err)
        && sq_rows_normalise(scaled, job->limits, &job->rows, err);
}

static struct sq_jpeg_opts
jpeg_opts(const struct sq_picture_opts *opts) {
    return (struct sq_jpeg_opts){
        .quality = opts->quality ? opts->quality : SQ_DEFAULT_JPEG_QUALITY,
        .full_chroma = opts->full_chroma,
    };
}

static bool
encode_jpeg(struct job *job, struct sq_buf *out, struct sq_err *err) {
    struct sq_jpeg_opts opts = jpeg_opts(job->opts);
    return sq_jpeg_encode(job->rows, &opts, out, err);
}

static bool
encode_webp(struct job *job, struct sq_buf *out, struct sq_err *err) {
    const struct sq_webp_opts opts = {
        .quality =
            job->opts->quality ? job->opts->quality : SQ_DEFAULT_WEBP_QUALITY,
        .method = SQ_WEBP_METHOD,
    };
    return sq_webp_encode(job->rows, &opts, out, err);
}

static bool
encode_palette(struct job *job, const struct sq_image *image, int colours,
               struct sq_buf *out, struct sq_err *err) {
    struct sq_indexed indexed = { 0 };
    bool ok = sq_quantise(image, colours, &indexed, err)
           && sq_png_encode_indexed(&indexed, out, err);
    if (ok) {
        job->info.format = SQ_FORMAT_PNG;
        job->info.colours = indexed.colours;
    }
    sq_indexed_finish(&indexed);
    return ok;
}

static bool
encode_png(struct job *job, struct sq_buf *out, struct sq_err *err) {
    if (!job->opts->colours) {
        return sq_png_encode(job->rows, out, err);
    }
    struct sq_image image = { 0 };
    bool ok = sq_rows_to_image(job->rows, job->limits, &image, err)
           && encode_palette(job, &image, job->opts->colours, out, err);
    sq_image_finish(&image);
    return ok;
}

/* docs/decisions/0039-auto-format.md has the measurements. */
static bool
encode_photo(struct job *job, const struct sq_image *image, struct sq_buf *out,
             struct sq_err *err) {
    const struct sq_webp_opts opts = {
        .quality =
            job->opts->quality ? job->opts->quality : SQ_PHOTO_WEBP_QUALITY,
        .method = SQ_WEBP_METHOD,
    };
    sq_rows_destroy(job->rows);
    job->rows = NULL;
    job->info.format = SQ_FORMAT_WEBP;
    return sq_rows_from_image(image, &job->rows, err)
        && sq_webp_encode(job->rows, &opts, out, err);
}

static bool
encode_auto(struct job *job, struct sq_buf *out, struct sq_err *err) {
    struct sq_image image = { 0 };
    int colours = job->opts->colours ? job->opts->colours : SQ_UI_COLOURS;
    bool ok = sq_rows_to_image(job->rows, job->limits, &image, err)
           && (sq_image_looks_like_ui(&image)
                   ? encode_palette(job, &image, colours, out, err)
                   : encode_photo(job, &image, out, err));
    sq_rows_destroy(job->rows);
    job->rows = NULL;
    sq_image_finish(&image);
    return ok;
}

static bool
encode(struct job *job, struct sq_buf *out, struct sq_err *err) {
    static bool (*const encoders[SQ_FORMATS])(struct job *, struct sq_buf *,
                                              struct sq_err *) = {
        [SQ_FORMAT_JPEG] = encode_jpeg,
        [SQ_FORMAT_WEBP] = encode_webp,
        [SQ_FORMAT_PNG] = encode_png,
        [SQ_FORMAT_AUTO] = encode_auto,
    };
    return encoders[job->opts->format](job, out, err);
}

/* Tries to convert JPEG to smaller JPEG in YCbCr. */
static bool
try_planes(struct job *job, struct sq_buf *out, bool *done,
           struct sq_err *err) {
    bool differs = job->info.image.width != job->info.source.width;
    bool plain = false;
    *done = false;
    if (job->codec->open_part != sq_jpeg_open || job->opts->region || !differs
        || job->opts->format != SQ_FORMAT_JPEG) {
        return true;
    }
    bool ok = sq_jpeg_is_plain(job->bytes, job->count, &plain, err);
    if (!ok || !plain) {
        return ok;
    }
    const struct sq_jpeg_resize request = {
        .limits = job->limits,
        .width = job->info.image.width,
        .height = job->info.image.height,
        .opts = jpeg_opts(job->opts),
        .kernel = job->opts->kernel,
    };
    return sq_jpeg_resize(job->bytes, job->count, &request, out, done, err);
}

static bool
run(struct job *job, struct sq_buf *out, struct sq_err *err) {
    if (!job->codec->open_part) {
        return open_full(job, err) && scale(job, err) && encode(job, out, err);
    }
    bool done;
    return read_shape(job, err) && try_planes(job, out, &done, err)
        && (done
            || (open_part(job, err) && scale(job, err)
                && encode(job, out, err)));
}

/* Frees the rows. On success sets the size of the result in bytes. */
static bool
finish(struct job *job, bool ok, size_t bytes, struct sq_picture_info *info) {
    sq_rows_destroy(job->rows);
    if (ok) {
        job->info.bytes = bytes;
        *info = job->info;
    }
    return ok;
}

static const uint8_t *
bytes_of(struct sq_span picture) {
    return (const uint8_t *)picture.ptr;
}

bool
sq_picture_make_here(struct sq_span picture, const struct sq_picture_opts *opts,
                     const struct sq_limits *limits, struct sq_buf *out,
                     struct sq_picture_info *info, struct sq_err *err) {
    struct job job = {
        .bytes = bytes_of(picture),
        .count = picture.len,
        .opts = opts,
        .limits = limits,
        .info = { .format = opts->format },
    };
    const size_t before = out->len;
    bool ok = sq_codec_find(job.bytes, job.count, &job.codec, err)
           && run(&job, out, err);
    return finish(&job, ok, out->len - before, info);
}

/* Finds out whether a worker has to decode the picture. */
static bool
must_ask(const uint8_t *bytes, size_t count) {
    const struct sq_codec *codec;
    return sq_foreign_is_on() && sq_codec_find(bytes, count, &codec, NULL)
        && !codec->is_plain;
}

static struct sq_span
span_of(const uint8_t *bytes, size_t count) {
    return (struct sq_span){ (const char *)bytes, count };
}

bool
sq_picture_make(const uint8_t *bytes, size_t count,
                const struct sq_picture_opts *opts,
                const struct sq_limits *limits, struct sq_buf *out,
                struct sq_picture_info *info, struct sq_err *err) {
    return (must_ask(bytes, count) ? sq_decoder_make : sq_picture_make_here)(
        span_of(bytes, count), opts, limits, out, info, err);
}

bool
sq_picture_make_incoming(struct sq_incoming *incoming,
                         const struct sq_picture_opts *opts,
                         const struct sq_limits *limits, struct sq_buf *out,
                         struct sq_picture_info *info, struct sq_err *err) {
    struct job job = {
        .opts = opts,
        .limits = limits,
        .info = { .format = opts->format },
    };
    const size_t before = out->len;
    bool ok = sq_raw_open_incoming(incoming, limits, &job.rows, err)
           && choose_opened(&job, err) && scale(&job, err)
           && encode(&job, out, err);
    return finish(&job, ok, out->len - before, info);
}

static bool
open_fitting(struct sq_span picture, int max_dimension,
             const struct sq_limits *limits, struct sq_rows **out,
             struct sq_err *err) {
    const struct sq_picture_opts opts = { .max_dimension = max_dimension };
    struct job job = {
        .bytes = bytes_of(picture),
        .count = picture.len,
        .opts = &opts,
        .limits = limits,
    };
    bool ok =
        sq_codec_find(job.bytes, job.count, &job.codec, err)
        && (job.codec->open_part ? read_shape(&job, err) && open_part(&job, err)
                                 : open_full(&job, err))
        && scale(&job, err);
    if (ok) {
        *out = job.rows;
    } else {
        sq_rows_destroy(job.rows);
    }
    return ok;
}

bool
sq_picture_open_here(struct sq_span picture, const struct sq_decode_size *size,
                     const struct sq_limits *limits, struct sq_rows **out,
                     struct sq_err *err) {
    const struct sq_codec *codec;
    const struct sq_jpeg_want want = { .min_width = size->min_width,
                                       .min_height = size->min_height };
    const uint8_t *bytes = bytes_of(picture);
    struct sq_rows *stored;
    if (size->max_dimension) {
        return open_fitting(picture, size->max_dimension, limits, out, err);
    }
    return sq_codec_find(bytes, picture.len, &codec, err)
        && (codec->open_part
                ? codec->open_part(bytes, picture.len, limits, &want, &stored,
                                   err)
                : codec->open(bytes, picture.len, limits, &stored, err))
        && sq_rows_normalise(stored, limits, out, err);
}

static bool
decode(struct sq_span picture, const struct sq_decode_size *size,
       const struct sq_limits *limits, struct sq_image *out,
       struct sq_err *err) {
    struct sq_rows *rows = NULL;
    if (must_ask(bytes_of(picture), picture.len)) {
        return sq_decoder_decode(picture, size, limits, out, err);
    }
    bool ok = sq_picture_open_here(picture, size, limits, &rows, err)
           && sq_rows_to_image(rows, limits, out, err);
    sq_rows_destroy(rows);
    return ok;
}

bool
sq_picture_open(const uint8_t *bytes, size_t count,
                const struct sq_limits *limits, struct sq_rows **out,
                struct sq_err *err) {
    const struct sq_decode_size whole = { 0 };
    struct sq_image image = { 0 };
    return must_ask(bytes, count)
             ? decode(span_of(bytes, count), &whole, limits, &image, err)
                   && sq_rows_own_image(&image, NULL, out, err)
             : sq_picture_open_here(span_of(bytes, count), &whole, limits, out,
                                    err);
}

bool
sq_image_decode(const uint8_t *bytes, size_t count,
                const struct sq_limits *limits, struct sq_image *out,
                struct sq_err *err) {
    const struct sq_decode_size whole = { 0 };
    return decode(span_of(bytes, count), &whole, limits, out, err);
}

bool
sq_picture_decode(const uint8_t *bytes, size_t count, int max_dimension,
                  const struct sq_limits *limits, struct sq_image *out,
                  struct sq_err *err) {
    const struct sq_decode_size size = { .max_dimension = max_dimension };
    return decode(span_of(bytes, count), &size, limits, out, err);
}

bool
sq_picture_decode_coarse(const uint8_t *bytes, size_t count,
                         struct sq_size least, struct sq_image *out,
                         struct sq_err *err) {
    const struct sq_decode_size size = { 0, least.width, least.height };
    return decode(span_of(bytes, count), &size, &sq_limits_default, out, err);
}

static bool
find_shape(const struct sq_codec *codec, struct sq_span picture,
           struct sq_stored_shape *out, struct sq_err *err) {
    struct sq_rows *rows;
    const uint8_t *bytes = bytes_of(picture);
    if (codec->shape) {
        return codec->shape(bytes, picture.len, out, err);
    }
    if (!codec->open(bytes, picture.len, &sq_limits_default, &rows, err)) {
        return false;
    }
    *out = (struct sq_stored_shape){ { rows->width, rows->height },
                                     rows->orientation };
    sq_rows_destroy(rows);
    return true;
}

bool
sq_picture_probe_here(struct sq_span picture, struct sq_picture_facts *out,
                      struct sq_err *err) {
    const struct sq_codec *codec;
    struct sq_stored_shape shape;
    bool plain = false;
    if (!sq_codec_find(bytes_of(picture), picture.len, &codec, err)
        || !find_shape(codec, picture, &shape, err)) {
        return false;
    }
    if (codec->shape == sq_jpeg_shape
        && !sq_jpeg_is_plain(bytes_of(picture), picture.len, &plain, err)) {
        return false;
    }
    *out = (struct sq_picture_facts){
        sq_orientation_size(shape.orientation, shape.stored), plain
    };
    return true;
}

/* The chunks of a PNG file need no library: their parser is ours. */
static bool
is_simple(const uint8_t *bytes, size_t count) {
    return !must_ask(bytes, count) || sq_png_sniff(bytes, count);
}

bool
sq_picture_probe(const uint8_t *bytes, size_t count,
                 struct sq_picture_facts *out, struct sq_err *err) {
    return (is_simple(bytes, count) ? sq_picture_probe_here : sq_decoder_probe)(
        span_of(bytes, count), out, err);
}

bool
sq_codec_size(const uint8_t *bytes, size_t count, struct sq_size *out,
              struct sq_err *err) {
    struct sq_picture_facts facts;
    if (!sq_picture_probe(bytes, count, &facts, err)) {
        return false;
    }
    *out = facts.size;
    return true;
}
